/* SPDX-License-Identifier: Apache-2.0 */
/* A way to a Gnomon device: libusb, USB/IP, a serial port, or a simulated board that is started for the purpose.
 *
 * Synchronous transfers are for everything but a run: strictly one at a time, so that simulated time is reproducible.
 * During a run *streams* keep several IN transfers queued on an endpoint; their data arrives in order, in callbacks
 * made from gnomon_transport_pump() and from synchronous calls that wait meanwhile. A callback must not call back here.
 */
#ifndef GNOMON_LIB_TRANSPORT_H
#define GNOMON_LIB_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

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
    unsigned transfers; /* kept queued: 2 or more */
    size_t size;        /* bytes of each, a multiple of GNOMON_USB_PACKET */
    void (*data)(void *context, const uint8_t *data, size_t size);
    void *context;
};

/* What a device says about itself in its USB descriptors. */
struct gnomon_usb_identity {
    uint16_t vendor, product, release; /* release: bcdDevice, the protocol version */
    char manufacturer[64], name[64], serial[64];
};

struct gnomon_setup {
    uint8_t request_type, request;
    uint16_t value, index, length;
};

/* One implementation. Time-outs are in milliseconds of wall clock, already scaled; 0 = for ever. */
struct gnomon_transport_ops {
    enum gnomon_status (*control)(struct gnomon_transport *transport, const struct gnomon_setup *setup, uint8_t *data,
                                  size_t *got, unsigned timeout, struct gnomon_error *error);
    enum gnomon_status (*bulk)(struct gnomon_transport *transport, uint8_t endpoint, uint8_t *data, size_t size,
                               size_t *done, unsigned timeout, struct gnomon_error *error);
    enum gnomon_status (*start)(struct gnomon_transport *transport, const struct gnomon_stream *streams, size_t count,
                                struct gnomon_error *error);
    enum gnomon_status (*pump)(struct gnomon_transport *transport, unsigned timeout, struct gnomon_error *error);
    enum gnomon_status (*stop)(struct gnomon_transport *transport, struct gnomon_error *error);
    void (*close)(struct gnomon_transport *transport);
};

/* First member of each implementation's own structure. */
struct gnomon_transport {
    const struct gnomon_transport_ops *ops;
    char address[288];      /* as the user would write it */
    unsigned timeout_scale; /* of all time-outs: simulated boards are slower than real ones */
    bool streaming;
    bool sim_time; /* it is a simulated board that answers requests about its time */
    struct gnomon_usb_identity identity;
};

struct gnomon_transport_options {
    const char *const *sim_options; /* further arguments for a simulator that is started */
    size_t sim_option_count;
    bool lean; /* the run uses no unit that a lean model leaves out: it may be simulated by one (docs/sim.md) */
};

/* `address`: docs/usb-protocol.md, "Device addresses"; NULL: an attached USB device, else sim:full. `options` may be
 * NULL. The device has been seen to be a Gnomon of a protocol version known here, and is configured. */
enum gnomon_status gnomon_transport_open(const char *address, const struct gnomon_transport_options *options,
                                         struct gnomon_transport **transport, struct gnomon_error *error);
void gnomon_transport_close(struct gnomon_transport *transport);

enum gnomon_status gnomon_transport_out(struct gnomon_transport *transport, uint8_t endpoint, const void *data,
                                        size_t size, unsigned timeout, struct gnomon_error *error);
/* `size` is a multiple of GNOMON_USB_PACKET; ends at a short packet, too. Not on an endpoint that streams. */
enum gnomon_status gnomon_transport_in(struct gnomon_transport *transport, uint8_t endpoint, void *data, size_t size,
                                       size_t *got, unsigned timeout, struct gnomon_error *error);
/* All streams are started together, before the device's time goes on where the transport can see to that. */
enum gnomon_status gnomon_transport_start(struct gnomon_transport *transport, const struct gnomon_stream *streams,
                                          size_t count, struct gnomon_error *error);
/* Waits until something completed, the time-out passed or a signal came, all of which are GNOMON_OK. */
enum gnomon_status gnomon_transport_pump(struct gnomon_transport *transport, unsigned timeout,
                                         struct gnomon_error *error);
/* Cancels what is queued and waits until nothing is outstanding; data that still came is delivered. */
enum gnomon_status gnomon_transport_stop(struct gnomon_transport *transport, struct gnomon_error *error);

/* A simulated board that counts its own time (gnomon/sim_time.h): asking takes none of it, so it changes nothing in a
 * run. GNOMON_ERR_UNSUPPORTED: this is another device. */
enum gnomon_status gnomon_transport_sim_cycles(struct gnomon_transport *transport, uint64_t *cycles,
                                               struct gnomon_error *error);
/* From its hart's next reset on it stands still after `cycles`, rounded up, until something is sent to it; 0: never. */
enum gnomon_status gnomon_transport_sim_limit(struct gnomon_transport *transport, uint64_t cycles,
                                              struct gnomon_error *error);

/* Fills what all implementations have in common; `scale` is overruled by $GNOMON_TIMEOUT_SCALE. */
void gnomon_transport_init(struct gnomon_transport *transport, const struct gnomon_transport_ops *ops,
                           const char *address, unsigned scale);
/* Reads the descriptors, sees that this is a Gnomon, and, if `configure`, selects its configuration. */
enum gnomon_status gnomon_usb_identify(struct gnomon_transport *transport, bool configure, struct gnomon_error *error);

/* The implementations' own openers, each with its part of an address. */
enum gnomon_status gnomon_libusb_open(const char *address, struct gnomon_transport **transport,
                                      struct gnomon_error *error);
enum gnomon_status gnomon_usbip_open(const char *address, struct gnomon_transport **transport,
                                     struct gnomon_error *error);
enum gnomon_status gnomon_serial_open(const char *address, struct gnomon_transport **transport,
                                      struct gnomon_error *error);
enum gnomon_status gnomon_sim_open(const char *address, const struct gnomon_transport_options *options,
                                   struct gnomon_transport **transport, struct gnomon_error *error);

/* Has it an interface of Gnomon's class? Asked of its descriptors, without opening it. */
struct libusb_device;
bool gnomon_libusb_is_gnomon(struct libusb_device *device);

/* For `gnomon list`: one call for each device found. */
struct gnomon_found {
    char address[288];
    char about[160]; /* product and serial number, or why they are not known */
};
typedef void gnomon_found_callback(void *context, const struct gnomon_found *found);
enum gnomon_status gnomon_libusb_list(gnomon_found_callback *callback, void *context, struct gnomon_error *error);
enum gnomon_status gnomon_usbip_list(const char *host, uint16_t port, gnomon_found_callback *callback, void *context,
                                     struct gnomon_error *error);
enum gnomon_status gnomon_sim_list(gnomon_found_callback *callback, void *context, struct gnomon_error *error);

#endif
