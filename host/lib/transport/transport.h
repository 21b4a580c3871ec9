/* SPDX-License-Identifier: Apache-2.0 */
/* A connection to a Gnomon device: libusb, USB/IP, a serial port, or a simulated board that is started for it.
 *
 * Synchronous transfers are used for everything except a run. They are strictly one at a time, so that simulated time
 * is reproducible. During a run *streams* keep several IN transfers queued on an endpoint. Their data arrives in order,
 * in callbacks from gnomon_transport_process() and from synchronous calls while they wait. A callback must not call
 * functions of the transport. */
#ifndef GNOMON_LIB_TRANSPORT_H
#define GNOMON_LIB_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/util/error.h"

#define GNOMON_USB_VENDOR 0x1209
#define GNOMON_USB_PRODUCT 0x0001
#define GNOMON_USB_CLASS 0xFF
#define GNOMON_USB_SUBCLASS 0x47
#define GNOMON_USB_PROTOCOL 0x01
#define GNOMON_USB_REQUEST_BOOT 2 /* vendor request: restart into the board's loader */
#define GNOMON_USB_PACKET 64
#define GNOMON_EP_COMMAND 0x01
#define GNOMON_EP_REPLY 0x81
#define GNOMON_EP_TRACE 0x82
#define GNOMON_USBIP_PORT 3240

struct gnomon_transport;

struct gnomon_stream {
    uint8_t endpoint;
    unsigned transfers; /* queued transfers: 2 or more */
    size_t size;        /* bytes of each, a multiple of GNOMON_USB_PACKET */
    void (*data)(void *context, const uint8_t *data, size_t size);
    void *context;
};

/* The device's identity from its USB descriptors. */
struct gnomon_usb_identity {
    uint16_t vendor, product, release; /* release: bcdDevice, the protocol version */
    char manufacturer[64], name[64], serial[64];
};

struct gnomon_setup {
    uint8_t request_type, request;
    uint16_t value, index, length;
};

/* Functions of one implementation. Time-outs are in milliseconds of wall clock, already scaled; 0: no limit. */
struct gnomon_transport_ops {
    enum gnomon_status (*control)(struct gnomon_transport *transport, const struct gnomon_setup *setup, uint8_t *data,
                                  size_t *got, unsigned timeout, struct gnomon_error *error);
    enum gnomon_status (*bulk)(struct gnomon_transport *transport, uint8_t endpoint, uint8_t *data, size_t size,
                               size_t *done, unsigned timeout, struct gnomon_error *error);
    enum gnomon_status (*start)(struct gnomon_transport *transport, const struct gnomon_stream *streams, size_t count,
                                struct gnomon_error *error);
    enum gnomon_status (*process)(struct gnomon_transport *transport, unsigned timeout, struct gnomon_error *error);
    enum gnomon_status (*stop)(struct gnomon_transport *transport, struct gnomon_error *error);
    void (*close)(struct gnomon_transport *transport);
};

/* First member of each implementation's own structure. */
struct gnomon_transport {
    const struct gnomon_transport_ops *ops;
    char address[288];      /* in the form that the user writes */
    unsigned timeout_scale; /* factor for all time-outs: simulated boards are slower than real ones */
    bool streaming;
    bool sim_time;      /* a simulated board that answers requests about its time */
    bool own_simulator; /* the device is a simulator that gnomon_transport_open started with its `options` */
    struct gnomon_usb_identity identity;
};

struct gnomon_transport_options {
    const char *const *sim_options; /* additional arguments for a simulator that is started */
    size_t sim_option_count;
    bool lean; /* the run uses no unit that lean models leave out: a lean model may simulate it (docs/guide/sim.md) */
};

/* `address`: docs/reference/usb-protocol.md, "Device addresses"; NULL: an attached USB device, or else sim:full.
 * `options` may be NULL. After success the device is known to be a Gnomon with a supported protocol version, and is
 * configured. */
enum gnomon_status gnomon_transport_open(const char *address, const struct gnomon_transport_options *options,
                                         struct gnomon_transport **transport, struct gnomon_error *error);
void gnomon_transport_close(struct gnomon_transport *transport);

enum gnomon_status gnomon_transport_out(struct gnomon_transport *transport, uint8_t endpoint, const void *data,
                                        size_t size, unsigned timeout, struct gnomon_error *error);
/* `size` is a multiple of GNOMON_USB_PACKET; a short packet also ends the transfer. Not for an endpoint that streams.
 */
enum gnomon_status gnomon_transport_in(struct gnomon_transport *transport, uint8_t endpoint, void *data, size_t size,
                                       size_t *got, unsigned timeout, struct gnomon_error *error);
/* Starts all streams together. If the transport controls the device's time, that time continues only afterwards. */
enum gnomon_status gnomon_transport_start(struct gnomon_transport *transport, const struct gnomon_stream *streams,
                                          size_t count, struct gnomon_error *error);
/* Waits until a transfer completed, the time-out passed or a signal came. All three are GNOMON_OK. */
enum gnomon_status gnomon_transport_process(struct gnomon_transport *transport, unsigned timeout,
                                            struct gnomon_error *error);
/* Cancels queued transfers and waits until none is left; data that still arrives is delivered. */
enum gnomon_status gnomon_transport_stop(struct gnomon_transport *transport, struct gnomon_error *error);

/* Reads the cycle counter of a simulated board (gnomon/sim_time.h). The request takes no simulated time, so it changes
 * nothing in a run. GNOMON_ERR_UNSUPPORTED: this is another device. */
enum gnomon_status gnomon_transport_sim_cycles(struct gnomon_transport *transport, uint64_t *cycles,
                                               struct gnomon_error *error);
/* Makes a simulated board stop after `cycles`, rounded up, counted from its hart's next reset, until something is sent
 * to it; 0: never. */
enum gnomon_status gnomon_transport_sim_limit(struct gnomon_transport *transport, uint64_t cycles,
                                              struct gnomon_error *error);

/* Fills the fields that all implementations have in common; $GNOMON_TIMEOUT_SCALE overrides `scale`. */
void gnomon_transport_init(struct gnomon_transport *transport, const struct gnomon_transport_ops *ops,
                           const char *address, unsigned scale);
/* Reads the descriptors, checks that this is a Gnomon and, if `configure`, selects its configuration. */
enum gnomon_status gnomon_usb_identify(struct gnomon_transport *transport, bool configure, struct gnomon_error *error);

/* The open functions of the implementations. Each takes its part of an address. */
enum gnomon_status gnomon_libusb_open(const char *address, struct gnomon_transport **transport,
                                      struct gnomon_error *error);
enum gnomon_status gnomon_usbip_open(const char *address, struct gnomon_transport **transport,
                                     struct gnomon_error *error);
enum gnomon_status gnomon_serial_open(const char *address, struct gnomon_transport **transport,
                                      struct gnomon_error *error);
enum gnomon_status gnomon_sim_open(const char *address, const struct gnomon_transport_options *options,
                                   struct gnomon_transport **transport, struct gnomon_error *error);

/* Has the device an interface of Gnomon's class? Reads its descriptors without opening it. */
struct libusb_device;
bool gnomon_libusb_is_gnomon(struct libusb_device *device);

/* For `gnomon list`: one call for each device found. */
struct gnomon_found {
    char address[288];
    char about[160]; /* product and serial number, or the reason why they are not known */
};
typedef void gnomon_found_callback(void *context, const struct gnomon_found *found);
enum gnomon_status gnomon_libusb_list(gnomon_found_callback *callback, void *context, struct gnomon_error *error);
enum gnomon_status gnomon_usbip_list(const char *host, uint16_t port, gnomon_found_callback *callback, void *context,
                                     struct gnomon_error *error);
enum gnomon_status gnomon_sim_list(gnomon_found_callback *callback, void *context, struct gnomon_error *error);

#endif
