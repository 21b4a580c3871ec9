/* SPDX-License-Identifier: Apache-2.0 */
/* What a program asks of the host while it runs (docs/usb-protocol.md, "Requests"). */
#ifndef GNOMON_LIB_SERVE_H
#define GNOMON_LIB_SERVE_H

#include "param.h"

/* Input that the program waits for, halted. */
struct gnomon_reading {
    uint32_t request; /* address of its request; 0: it waits for nothing */
    uint32_t data, size;
};

enum gnomon_served {
    GNOMON_SERVED_NOT,     /* it asks for nothing */
    GNOMON_SERVED,         /* it has its file, or knows that there is none, and goes on */
    GNOMON_SERVED_READING, /* it wants input of its console, as *reading says */
};

/* The hart has halted. Nothing that the program says is trusted. `offers` may be NULL. */
enum gnomon_status gnomon_serve(struct gnomon_device *device, const struct gnomon_board *board, uint32_t param,
                                const struct gnomon_files *offers, enum gnomon_served *served,
                                struct gnomon_reading *reading, struct gnomon_error *error);
/* Gives it that input, `size` bytes, not more than it asked for; none: the input is at its end. It goes on. */
enum gnomon_status gnomon_serve_input(struct gnomon_device *device, uint32_t param, struct gnomon_reading *reading,
                                      const uint8_t *data, size_t size, struct gnomon_error *error);

#endif
