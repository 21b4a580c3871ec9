/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of the USB/IP client: connecting and importing (usbip.c), transfers (usbip_transfer.c), the simulator
 * (sim.c). */
#ifndef GNOMON_LIB_USBIP_H
#define GNOMON_LIB_USBIP_H

#include <sys/types.h>

#include "lib/transport/transport.h"

#define USBIP_MAX_TRANSFERS 128
#define USBIP_RECEIVE_BYTES 65536

/* A transfer that was submitted to the server. */
struct usbip_transfer {
    uint32_t seqnum; /* 0: this entry is free */
    uint8_t endpoint;
    uint8_t *buffer;
    size_t size, actual;
    int32_t status;
    bool done, unlinked;
    const struct gnomon_stream *stream; /* NULL: synchronous */
};

struct usbip {
    struct gnomon_transport base;
    int socket;
    uint32_t devid, seqnum;
    struct usbip_transfer *transfers[USBIP_MAX_TRANSFERS];
    struct gnomon_stream streams[4];
    struct usbip_transfer *stream_transfers; /* one allocation, together with their buffers */
    size_t stream_count, stream_transfer_count;
    bool stopping;
    /* Set when the connection cannot be used any more; from then on all calls fail with this error. */
    struct gnomon_error broken;
    /* Called when the server has closed the connection; adds a possible reason to the error. NULL: none. */
    void (*post_mortem)(struct usbip *usbip, struct gnomon_error *error);
    void (*release)(struct usbip *usbip); /* called after the connection was closed; NULL: nothing to do */
    pid_t child;                          /* simulator that was started for this connection; 0: none */
    int child_output;
    size_t received, taken; /* bytes put into and taken from the receive buffer */
    uint8_t receive[USBIP_RECEIVE_BYTES];
};

extern const struct gnomon_transport_ops usbip_ops;

/* Makes the structure and connects to host:port. Nothing is sent yet. */
enum gnomon_status usbip_connect(struct usbip **usbip, const char *host, const char *port, const char *address,
                                 struct gnomon_error *error);
/* Imports the device with that bus id and checks that it is a Gnomon. */
enum gnomon_status usbip_import(struct usbip *usbip, const char *busid, struct gnomon_error *error);
void usbip_free(struct usbip *usbip);

/* Simple send and receive on the socket, for use before the transfers begin. */
enum gnomon_status usbip_send(struct usbip *usbip, const void *data, size_t size, struct gnomon_error *error);
enum gnomon_status usbip_receive_exactly(struct usbip *usbip, void *data, size_t size, unsigned timeout,
                                         struct gnomon_error *error);
/* Marks the connection as unusable and returns the reason. */
enum gnomon_status usbip_break(struct usbip *usbip, struct gnomon_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
