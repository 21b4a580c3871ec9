/* SPDX-License-Identifier: Apache-2.0 */
/* What a program linked with gnomon cc --gnomon-heap tells the host about itself, at the symbol __gnomon_heap, so that
 * the host can look which blocks the program can still reach. Both sides use this definition. All words are little
 * endian, all pointers are target addresses. */
#ifndef GNOMON_HEAP_STATE_H
#define GNOMON_HEAP_STATE_H

#include <stdint.h>

#define GNOMON_HEAP_MAGIC 0x50414548u /* "HEAP" */
#define GNOMON_HEAP_VERSION 1u
#define GNOMON_HEAP_SYMBOL "__gnomon_heap"

/* Values of the message HEAP_ALLOC, if the address in HEAP_ADDR is not 0, that are no size of a block. */
#define GNOMON_HEAP_GREW 0x80000000u /* plus bytes: the heap grew by these, from the address on */

struct gnomon_heap_state {
    uint32_t magic;
    uint32_t version;
    uint32_t wanted;        /* the host writes 1 before the start: the program halts to be looked at */
    uint32_t looks;         /* how often it has halted */
    uint32_t exited;        /* it has called exit, or returned from main */
    uint32_t main_cycle[2]; /* when its constructors had run; low word first */
    /* Saved for the latest look, and when the program ended. */
    uint32_t cycle[2];
    uint32_t heap_start, heap_end; /* what sbrk has given */
    uint32_t sp;                   /* 0: nothing was saved yet */
    uint32_t s[12];                /* s0 to s11 */
};

#endif
