/* SPDX-License-Identifier: Apache-2.0 */
/* A USB/IP server: gives a board that is attached to this machine to a gnomon (or a kernel) on another one. One at a
 * time has it; others are told that it is in use. */
#ifndef GNOMON_LIB_USBIP_SERVER_H
#define GNOMON_LIB_USBIP_SERVER_H

#include "lib/transport/transport.h"
#include "lib/util/listen.h"

struct gnomon_usbip_server {
    /* Filled by the caller. */
    struct gnomon_transport *transport; /* opened with gnomon_libusb_open; nothing else uses it meanwhile */
    struct gnomon_listener listener;    /* the caller closes it */
    bool allow_boot;                    /* clients may restart the board into its loader */
    void *context;
    bool (*stop)(void *context); /* asked several times a second; true ends the server */
    /* Told when a client (its address) takes the board, and when it has given it back; may be NULL. */
    void (*taken)(void *context, const char *client, bool taken);
};

/* Serves until `stop` says so, or the board is lost. */
enum gnomon_status gnomon_usbip_serve(const struct gnomon_usbip_server *server, struct gnomon_error *error);

#endif
