/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the USB/IP server. */
#ifndef GNOMON_LIB_USBIP_SERVER_INTERNAL_H
#define GNOMON_LIB_USBIP_SERVER_INTERNAL_H

#include "lib/transport/libusb_access.h"
#include "lib/transport/usbip_server.h"
#include "lib/transport/usbip_wire.h"

#define GUESTS 8                          /* connections at one time */
#define MOST_TRANSFER ((uint32_t)1 << 20) /* bytes */
#define MOST_QUEUED ((size_t)16 << 20)    /* bytes of all queued transfers */
#define MOST_URBS 512

/* A connection. */
struct guest {
    int socket;     /* -1: none */
    bool has_board; /* it has imported the board: transfers follow */
    bool over;      /* to be closed when its transfers are back */
    uint64_t since;
    char address[GNOMON_LISTEN_BYTES];
    uint8_t *in; /* what has come and is not yet a whole message */
    size_t in_bytes, in_room;
    uint8_t *out; /* what it has not taken yet */
    size_t out_bytes, out_room;
};

/* A transfer that libusb has. */
struct urb {
    struct urb *next;
    struct host *host;
    struct libusb_transfer *transfer;
    uint32_t seqnum, unlink; /* `unlink`: sequence number of the request to cancel it; 0: none */
    bool in;
    size_t bytes;
};

struct host {
    const struct gnomon_usbip_server *settings;
    struct gnomon_libusb_access usb;
    uint8_t device[USBIP_DEVICE_BYTES], interface[USBIP_INTERFACE_BYTES];
    struct guest guests[GUESTS];
    struct guest *user; /* that has the board; NULL: none */
    struct urb *urbs;
    unsigned urb_count;
    size_t queued; /* bytes */
    bool lost;     /* the board is gone */
};

/* Appends to what the guest is sent. A guest for which there is no memory is closed. */
void guest_send(struct guest *guest, const void *data, size_t size);

/* Takes the messages of the guest that has the board, as far as they are whole. Returns how many bytes they had. */
size_t urbs_take(struct host *host, struct guest *guest);
/* Cancels all transfers; they come back one by one. */
void urbs_cancel(struct host *host);

#endif
