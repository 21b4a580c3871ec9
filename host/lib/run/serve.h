/* SPDX-License-Identifier: Apache-2.0 */
/* Serves the requests of a program to the host while it runs (docs/reference/usb-protocol.md, "Requests"). */
#ifndef GNOMON_LIB_SERVE_H
#define GNOMON_LIB_SERVE_H

#include "lib/run/parameters.h"

/* Input that the halted program waits for. */
struct gnomon_reading {
    uint32_t request; /* address of the program's request; 0: it waits for nothing */
    uint32_t data, size;
};

enum gnomon_served {
    GNOMON_SERVED_NOT,     /* the program has no request */
    GNOMON_SERVED,         /* the program has got its file or its answer, and continues */
    GNOMON_SERVED_READING, /* the program wants console input, described in *reading */
    GNOMON_SERVED_LOOK,    /* the program wants to be looked at; reading->request is to be answered with no bytes */
};

/* Serves the request of a hart that has halted. Data from the program is not trusted. `offers` may be NULL; bit N of
 * `terminals`: descriptor N of the program's console is a terminal. */
enum gnomon_status gnomon_serve(struct gnomon_device *device, const struct gnomon_board *board, uint32_t param,
                                const struct gnomon_files *offers, unsigned terminals, enum gnomon_served *served,
                                struct gnomon_reading *reading, struct gnomon_error *error);
/* Gives the program the input that it waits for, and lets it continue. `size` is at most the requested number of bytes;
 * 0: the input is at its end. */
enum gnomon_status gnomon_serve_input(struct gnomon_device *device, uint32_t param, struct gnomon_reading *reading,
                                      const uint8_t *data, size_t size, struct gnomon_error *error);

#endif
