/* SPDX-License-Identifier: Apache-2.0 */
/* A Gnomon device: its registers and memory over a transport. */
#ifndef GNOMON_LIB_DEVICE_H
#define GNOMON_LIB_DEVICE_H

#include "lib/device/reply_packets.h"
#include "lib/transport/transport.h"

#define GNOMON_DEVICE_CHUNK_WORDS 4096 /* words of one READ or WRITE */
#define GNOMON_DEVICE_TIMEOUT 2000     /* ms for one transfer, before the transport's scale is applied */

struct gnomon_device {
    struct gnomon_transport *transport;
    struct gnomon_reply_reader replies;
    uint8_t tag;
    bool streaming;                   /* replies come through the stream on 0x81 */
    enum gnomon_status stream_status; /* the failure within the stream's callback */
    struct gnomon_error stream_error;
    uint8_t *message; /* the command under construction */
};

/* Opens the device and synchronises with it, so that the start of a unit is known. */
enum gnomon_status gnomon_device_open(const char *address, const struct gnomon_transport_options *options,
                                      struct gnomon_device **device, struct gnomon_error *error);
void gnomon_device_close(struct gnomon_device *device);

/* Reads or writes words at consecutive addresses. Main memory can be accessed only while the hart is stopped. */
enum gnomon_status gnomon_device_read(struct gnomon_device *device, uint32_t address, uint32_t *words, size_t count,
                                      struct gnomon_error *error);
enum gnomon_status gnomon_device_write(struct gnomon_device *device, uint32_t address, const uint32_t *words,
                                       size_t count, struct gnomon_error *error);
/* Reads or writes one register. */
enum gnomon_status gnomon_device_get(struct gnomon_device *device, uint32_t address, uint32_t *value,
                                     struct gnomon_error *error);
enum gnomon_status gnomon_device_set(struct gnomon_device *device, uint32_t address, uint32_t value,
                                     struct gnomon_error *error);
/* Reads a CONFIG register of a block that not every device has. *value is 0 if the device has no such block. */
enum gnomon_status gnomon_device_probe(struct gnomon_device *device, uint32_t address, uint32_t *value,
                                       struct gnomon_error *error);
/* Writes bytes (the last word is filled up with zeros), then sets registers or words, all in one transfer, so that the
 * device's timing between them does not depend on the host's speed. At most GNOMON_DEVICE_BATCH bytes and 8 settings;
 * the address is a multiple of 4. The status is that of the last setting. */
#define GNOMON_DEVICE_BATCH 4096
struct gnomon_setting {
    uint32_t address, value;
};
enum gnomon_status gnomon_device_batch(struct gnomon_device *device, uint32_t address, const uint8_t *data, size_t size,
                                       const struct gnomon_setting *settings, size_t count, struct gnomon_error *error);
/* Reads or writes bytes. Reading works at any address. Writing needs an address that is a multiple of 4, and fills up
 * the last word with zeros. */
enum gnomon_status gnomon_device_read_bytes(struct gnomon_device *device, uint32_t address, void *data, size_t size,
                                            struct gnomon_error *error);
enum gnomon_status gnomon_device_write_bytes(struct gnomon_device *device, uint32_t address, const void *data,
                                             size_t size, struct gnomon_error *error);
/* Starts the streams on 0x81 and, if `trace` is given, on 0x82. They run until gnomon_device_stop. */
enum gnomon_status gnomon_device_start(struct gnomon_device *device,
                                       void (*trace)(void *context, const uint8_t *data, size_t size), void *context,
                                       struct gnomon_error *error);
enum gnomon_status gnomon_device_process(struct gnomon_device *device, unsigned timeout, struct gnomon_error *error);
enum gnomon_status gnomon_device_stop(struct gnomon_device *device, struct gnomon_error *error);

#endif
