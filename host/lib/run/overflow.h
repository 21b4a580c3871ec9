/* SPDX-License-Identifier: Apache-2.0 */
/* Stack overflow of a program, as the device's guard reports it (docs/internals/soc.md). */
#ifndef GNOMON_LIB_OVERFLOW_H
#define GNOMON_LIB_OVERFLOW_H

#include "lib/device/board.h"
#include "lib/run/crash.h"

struct gnomon_overflow {
    bool found;
    uint32_t pc;                            /* of the instruction that moved sp beyond the stack's end */
    uint32_t calls;                         /* open calls; 0: not known */
    bool at_most;                           /* `calls` is a maximum over the run and all threads */
    char thread[GNOMON_CRASH_THREAD_BYTES]; /* the thread that ran; empty: no threads, or no name */
};

/* Call it before the hart's reset, with the parameter block at `param`. A device without a guard finds nothing. */
enum gnomon_status gnomon_overflow_read(struct gnomon_device *device, const struct gnomon_board *board, uint32_t param,
                                        struct gnomon_overflow *overflow, struct gnomon_error *error);

/* The message, such as "stack overflow in f, called 894,000 deep (file.c:12)". Parts that the file `elf` does not tell
 * are left out. Returns `text`, cut off if it is too long. */
const char *gnomon_overflow_text(const struct gnomon_overflow *overflow, const char *elf, char *text, size_t size);

#endif
