/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/device/device.h"

#include <stdlib.h>
#include <string.h>

#include "gnomon/registers.h"
#include "gnomon/trace.h"
#include "lib/util/bytes.h"
#include "lib/util/clock.h"

enum { OP_READ = 1, OP_WRITE = 2 };

#define ID_VALUE 0x4D4F4E47u
#define MARK_BYTES 16
#define MOST_ATTEMPTS 3      /* attempts to synchronise with the start of a unit */
#define MOST_STALE (1 << 20) /* bytes that are dropped while synchronising */
#define REPLY_TRANSFERS 8    /* 64 bytes each: a unit may end with a full packet, and no short one follows */
#define TRACE_TRANSFERS 64   /* one frame each, for the same reason */

static size_t to_packets(size_t size) {
    return (size + GNOMON_USB_PACKET - 1) / GNOMON_USB_PACKET * GNOMON_USB_PACKET;
}

/* Receives in one IN transfer exactly the bytes that must come, so that it also ends without a short packet. */
static enum gnomon_status receive(struct gnomon_device *device, struct gnomon_error *error) {
    uint8_t data[16384 + GNOMON_USB_PACKET];
    size_t size = to_packets(gnomon_reply_reader_missing(&device->replies)), got = 0;
    if (size > sizeof data)
        size = sizeof data;
    enum gnomon_status status =
        gnomon_transport_in(device->transport, GNOMON_EP_REPLY, data, size, &got, GNOMON_DEVICE_TIMEOUT, error);
    return status ? status : gnomon_reply_reader_push(&device->replies, data, got, error);
}

static enum gnomon_status await_reply(struct gnomon_device *device, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    uint64_t end = gnomon_now_ms() + (uint64_t)GNOMON_DEVICE_TIMEOUT * device->transport->timeout_scale;
    while (!device->replies.done && !status) {
        status = device->streaming ? gnomon_device_process(device, 1000, error) : receive(device, error);
        if (!status && !device->replies.done && gnomon_now_ms() > end)
            return gnomon_fail(error, GNOMON_ERR_TIMEOUT, "%s sends, but does not answer", device->transport->address);
    }
    return status;
}

static enum gnomon_status check_reply(const struct gnomon_device *device, bool write, uint32_t address,
                                      struct gnomon_error *error) {
    const char *doing = write ? "write to" : "read from";
    switch (device->replies.status & 0xFF) {
    case GNOMON_REPLY_GOOD:
        return GNOMON_OK;
    case GNOMON_REPLY_BUS_ERROR:
        return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s refuses a %s 0x%08x: nothing is there",
                           device->transport->address, doing, (unsigned)address);
    case GNOMON_REPLY_RUNNING:
        return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s refuses a %s memory at 0x%08x while its hart runs",
                           device->transport->address, doing, (unsigned)address);
    default:
        return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s does not know what gnomon asks of it (status 0x%x)",
                           device->transport->address, (unsigned)device->replies.status);
    }
}

static size_t put_command_at(struct gnomon_device *device, size_t at, uint8_t op, uint32_t address, size_t count) {
    device->tag++;
    gnomon_put_little(device->message + at, 4, (uint32_t)op | (uint32_t)device->tag << 8 | (uint32_t)count << 16);
    gnomon_put_little(device->message + at + 4, 4, address);
    return at + 8;
}

static size_t put_command(struct gnomon_device *device, uint8_t op, uint32_t address, size_t count) {
    return put_command_at(device, 0, op, address, count);
}

/* Sends the message and waits for the reply to its last command. */
static enum gnomon_status exchange(struct gnomon_device *device, size_t size, uint32_t *in, size_t count,
                                   struct gnomon_error *error) {
    gnomon_reply_reader_expect(&device->replies, device->tag, in, count);
    enum gnomon_status status =
        gnomon_transport_out(device->transport, GNOMON_EP_COMMAND, device->message, size, GNOMON_DEVICE_TIMEOUT, error);
    if (!status)
        status = await_reply(device, error);
    device->replies.expecting = false;
    return status;
}

/* One READ or WRITE of at most GNOMON_DEVICE_CHUNK_WORDS. */
static enum gnomon_status transact(struct gnomon_device *device, uint32_t address, uint32_t *in, const uint32_t *out,
                                   size_t count, struct gnomon_error *error) {
    size_t size = put_command(device, out ? OP_WRITE : OP_READ, address, count);
    for (size_t i = 0; out && i < count; i++, size += 4)
        gnomon_put_little(device->message + size, 4, out[i]);
    enum gnomon_status status = exchange(device, size, in, out ? 0 : count, error);
    return status ? status : check_reply(device, out != NULL, address, error);
}

/* A READ or WRITE of any length: `in` or `out` is NULL. */
static enum gnomon_status transfer(struct gnomon_device *device, uint32_t address, uint32_t *in, const uint32_t *out,
                                   size_t count, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (size_t done = 0, part; done < count && !status; done += part) {
        part = count - done < GNOMON_DEVICE_CHUNK_WORDS ? count - done : GNOMON_DEVICE_CHUNK_WORDS;
        status =
            transact(device, address + (uint32_t)done * 4, in ? in + done : NULL, out ? out + done : NULL, part, error);
    }
    return status;
}

enum gnomon_status gnomon_device_read(struct gnomon_device *device, uint32_t address, uint32_t *words, size_t count,
                                      struct gnomon_error *error) {
    return transfer(device, address, words, NULL, count, error);
}

enum gnomon_status gnomon_device_write(struct gnomon_device *device, uint32_t address, const uint32_t *words,
                                       size_t count, struct gnomon_error *error) {
    return transfer(device, address, NULL, words, count, error);
}

enum gnomon_status gnomon_device_get(struct gnomon_device *device, uint32_t address, uint32_t *value,
                                     struct gnomon_error *error) {
    return transact(device, address, value, NULL, 1, error);
}

enum gnomon_status gnomon_device_probe(struct gnomon_device *device, uint32_t address, uint32_t *value,
                                       struct gnomon_error *error) {
    enum gnomon_status status = gnomon_device_get(device, address, value, error);
    if (status != GNOMON_ERR_PROTOCOL || device->replies.status != GNOMON_REPLY_BUS_ERROR)
        return status;
    *value = 0;
    return GNOMON_OK;
}

enum gnomon_status gnomon_device_set(struct gnomon_device *device, uint32_t address, uint32_t value,
                                     struct gnomon_error *error) {
    return transact(device, address, NULL, &value, 1, error);
}

/* Only the last reply is expected. The other replies have other tags and are dropped. */
enum gnomon_status gnomon_device_batch(struct gnomon_device *device, uint32_t address, const uint8_t *data, size_t size,
                                       const struct gnomon_setting *settings, size_t count,
                                       struct gnomon_error *error) {
    const size_t whole = (size + 3) / 4 * 4;
    size_t at = 0;
    if (size) {
        at = put_command_at(device, at, OP_WRITE, address, whole / 4);
        memset(device->message + at, 0, whole);
        memcpy(device->message + at, data, size);
        at += whole;
    }
    for (size_t i = 0; i < count; i++) {
        at = put_command_at(device, at, OP_WRITE, settings[i].address, 1);
        gnomon_put_little(device->message + at, 4, settings[i].value);
        at += 4;
    }
    enum gnomon_status status = exchange(device, at, NULL, 0, error);
    return status ? status : check_reply(device, true, settings[count - 1].address, error);
}

enum gnomon_status gnomon_device_read_bytes(struct gnomon_device *device, uint32_t address, void *data, size_t size,
                                            struct gnomon_error *error) {
    uint32_t words[GNOMON_DEVICE_CHUNK_WORDS];
    uint8_t *to = data;
    while (size) {
        size_t skip = address % 4, room = sizeof words - skip, part = size < room ? size : room;
        enum gnomon_status status =
            gnomon_device_read(device, address - (uint32_t)skip, words, (skip + part + 3) / 4, error);
        if (status)
            return status;
        for (size_t i = 0; i < part; i++)
            to[i] = (uint8_t)(words[(skip + i) / 4] >> (skip + i) % 4 * 8);
        address += (uint32_t)part;
        to += part;
        size -= part;
    }
    return GNOMON_OK;
}

enum gnomon_status gnomon_device_write_bytes(struct gnomon_device *device, uint32_t address, const void *data,
                                             size_t size, struct gnomon_error *error) {
    uint32_t words[GNOMON_DEVICE_CHUNK_WORDS];
    const uint8_t *from = data;
    while (size) {
        size_t part = size < sizeof words ? size : sizeof words;
        memset(words, 0, (part + 3) / 4 * 4);
        for (size_t i = 0; i < part; i++)
            words[i / 4] |= (uint32_t)from[i] << i % 4 * 8;
        enum gnomon_status status = gnomon_device_write(device, address, words, (part + 3) / 4, error);
        if (status)
            return status;
        address += (uint32_t)part;
        from += part;
        size -= part;
    }
    return GNOMON_OK;
}

/* Sends the mark and a READ of the ID, and searches for the reply in the bytes that an earlier session left. A device
 * in the middle of a command takes mark and READ as its data, gives up after a while, and answers the next attempt. */
static enum gnomon_status attempt_resync(struct gnomon_device *device, struct gnomon_error *error) {
    memset(device->message, 0xFF, MARK_BYTES);
    device->message += MARK_BYTES;
    size_t size = MARK_BYTES + put_command(device, OP_READ, GNOMON_SYSCTL_ID, 1);
    device->message -= MARK_BYTES;
    gnomon_reply_reader_search(&device->replies, device->tag, ID_VALUE);
    enum gnomon_status status =
        gnomon_transport_out(device->transport, GNOMON_EP_COMMAND, device->message, size, GNOMON_DEVICE_TIMEOUT, error);
    for (size_t dropped = 0; !status && !device->replies.done; dropped += GNOMON_USB_PACKET) {
        status = receive(device, error);
        if (!status && dropped > MOST_STALE)
            return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s sends, but nothing that a Gnomon would say",
                               device->transport->address);
    }
    return status;
}

static enum gnomon_status resync(struct gnomon_device *device, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_ERR_TIMEOUT;
    for (int attempt = 0; attempt < MOST_ATTEMPTS && status == GNOMON_ERR_TIMEOUT; attempt++)
        status = attempt_resync(device, error);
    device->replies.expecting = false;
    if (status == GNOMON_ERR_TIMEOUT)
        gnomon_remedy(error, status, "unplug it and plug it in again, or restart its simulator");
    return status;
}

enum gnomon_status gnomon_device_open(const char *address, const struct gnomon_transport_options *options,
                                      struct gnomon_device **opened, struct gnomon_error *error) {
    struct gnomon_device *device = calloc(1, sizeof *device);
    uint8_t *message = malloc(MARK_BYTES + 8 + GNOMON_DEVICE_CHUNK_WORDS * 4);
    if (!device || !message) {
        free(device);
        free(message);
        return gnomon_fail_memory(error);
    }
    device->message = message;
    gnomon_reply_reader_init(&device->replies);
    enum gnomon_status status = gnomon_transport_open(address, options, &device->transport, error);
    if (!status)
        status = resync(device, error);
    if (status)
        gnomon_device_close(device);
    else
        *opened = device;
    return status;
}

void gnomon_device_close(struct gnomon_device *device) {
    if (!device)
        return;
    gnomon_transport_close(device->transport);
    free(device->message);
    free(device);
}

static void on_units(void *context, const uint8_t *data, size_t size) {
    struct gnomon_device *device = context;
    if (!device->stream_status)
        device->stream_status = gnomon_reply_reader_push(&device->replies, data, size, &device->stream_error);
}

enum gnomon_status gnomon_device_start(struct gnomon_device *device,
                                       void (*trace)(void *context, const uint8_t *data, size_t size), void *context,
                                       struct gnomon_error *error) {
    const struct gnomon_stream streams[] = {
        {GNOMON_EP_REPLY, REPLY_TRANSFERS, GNOMON_USB_PACKET, on_units, device},
        {GNOMON_EP_TRACE, TRACE_TRANSFERS, GNOMON_FRAME_BYTES, trace, context},
    };
    device->stream_status = GNOMON_OK;
    device->tag = 0; /* tags are bits on the wire: starting with the same tag keeps equal runs equal */
    enum gnomon_status status = gnomon_transport_start(device->transport, streams, trace ? 2 : 1, error);
    device->streaming = status == GNOMON_OK;
    return status;
}

enum gnomon_status gnomon_device_process(struct gnomon_device *device, unsigned timeout, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_transport_process(device->transport, timeout, error);
    if (status || !device->stream_status)
        return status;
    if (error)
        *error = device->stream_error;
    return device->stream_status;
}

enum gnomon_status gnomon_device_stop(struct gnomon_device *device, struct gnomon_error *error) {
    device->streaming = false;
    return gnomon_transport_stop(device->transport, error);
}
