/* SPDX-License-Identifier: Apache-2.0 */
/* A program that has left its stack: what the device's guard has found (docs/soc.md). */
#ifndef GNOMON_LIB_OVERFLOW_H
#define GNOMON_LIB_OVERFLOW_H

#include "board.h"

struct gnomon_overflow {
    bool found;
    uint32_t pc;    /* of the instruction that moved sp over the stack's end */
    uint32_t calls; /* most that were open at a time in one thread; 0: the device did not count */
};

/* Before the hart's reset. A device without a guard finds nothing. */
enum gnomon_status gnomon_overflow_read(struct gnomon_device *device, const struct gnomon_board *board,
                                        struct gnomon_overflow *overflow, struct gnomon_error *error);

/* "stack overflow in f, called 894,000 deep (file.c:12)"; what the file `elf` does not tell is left out. Returns
 * `text`, which is cut off where it is too long. */
const char *gnomon_overflow_text(const struct gnomon_overflow *overflow, const char *elf, char *text, size_t size);

#endif
