/* SPDX-License-Identifier: Apache-2.0 */
/* A socket that listens for TCP connections. */
#ifndef GNOMON_LIB_LISTEN_H
#define GNOMON_LIB_LISTEN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/util/error.h"

#define GNOMON_LISTEN_BYTES 128

struct gnomon_listener {
    int socket;
    uint16_t port;
    bool loopback;                     /* only programs on this machine can connect */
    char address[GNOMON_LISTEN_BYTES]; /* where it listens: "127.0.0.1:41234", "[::1]:80" */
};

/* `where`: "PORT" on 127.0.0.1, "ADDRESS:PORT" or "[IPv6 ADDRESS]:PORT"; port 0: any that is free. The caller closes
 * `socket`. */
enum gnomon_status gnomon_listen(struct gnomon_listener *listener, const char *where, struct gnomon_error *error);

#endif
