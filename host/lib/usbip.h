/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the USB/IP client: connecting and importing (usbip.c), transfers (usbip_transfer.c), the simulator (sim.c). */
#ifndef GNOMON_LIB_USBIP_H
#define GNOMON_LIB_USBIP_H

#include <sys/types.h>

#include "transport.h"

#define USBIP_MAX_TRANSFERS 128
#define USBIP_RECEIVE_BYTES 65536

/* A transfer that the server has. */
struct usbip_transfer {
    uint32_t seqnum; /* 0: this place is free */
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
    struct usbip_transfer *stream_transfers; /* with their buffers, one allocation */
    size_t stream_count, stream_transfer_count;
    bool stopping;
    /* Set once the connection cannot be used any more; all calls fail with it from then on. */
    struct gnomon_error broken;
    /* Why the other side may have gone, asked when it has; NULL: nothing to add. */
    void (*post_mortem)(struct usbip *usbip, struct gnomon_error *error);
    void (*release)(struct usbip *usbip); /* after the connection was closed; NULL: nothing to do */
    pid_t child;                          /* simulator started for this connection, 0: none */
    int child_output;
    size_t received, taken; /* bytes in and out of the receive buffer */
    uint8_t receive[USBIP_RECEIVE_BYTES];
};

extern const struct gnomon_transport_ops usbip_ops;

/* A structure with a connection to host:port, nothing said on it yet. */
enum gnomon_status usbip_connect(struct usbip **usbip, const char *host, const char *port, const char *address,
                                 struct gnomon_error *error);
/* Imports the device of that bus id and sees that it is a Gnomon. */
enum gnomon_status usbip_import(struct usbip *usbip, const char *busid, struct gnomon_error *error);
void usbip_free(struct usbip *usbip);

/* Plain exchange on the socket, before the transfers begin. */
enum gnomon_status usbip_send(struct usbip *usbip, const void *data, size_t size, struct gnomon_error *error);
enum gnomon_status usbip_receive_exactly(struct usbip *usbip, void *data, size_t size, unsigned timeout,
                                         struct gnomon_error *error);
/* Marks the connection as unusable and returns the reason. */
enum gnomon_status usbip_break(struct usbip *usbip, struct gnomon_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
