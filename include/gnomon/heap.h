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
/* Something was found about the block (--gnomon-heap=guard): it was written to, `offset` bytes after its end, before
 * its start (0: the byte right before it), or from its start on after it was freed. */
#define GNOMON_HEAP_FOUND(kind, offset)                                                                                \
    (0xC0000000u | (uint32_t)(kind) << 24 | ((offset) < 0xFFFFFFu ? (uint32_t)(offset) : 0xFFFFFFu))
#define GNOMON_HEAP_FOUND_KIND(value) ((value) >> 24 & 0x3F)
#define GNOMON_HEAP_FOUND_OFFSET(value) ((value)&0xFFFFFFu)
enum gnomon_heap_found {
    GNOMON_HEAP_AFTER_END = 1,
    GNOMON_HEAP_BEFORE_START,
    GNOMON_HEAP_AFTER_FREE,
    /* Nothing is wrong: what leak checks leave out. */
    GNOMON_HEAP_IGNORED,   /* the block */
    GNOMON_HEAP_UNIGNORED, /* no longer the block */
    GNOMON_HEAP_LEAKS_OFF, /* all blocks that this thread allocates from now on; the address says nothing */
    GNOMON_HEAP_LEAKS_ON,  /* no longer, if this has come as often as LEAKS_OFF */
    /* Nothing is wrong, either: what the device watches (gnomon record --use-after-free). */
    GNOMON_HEAP_EMPTIED,   /* its table has no words now; the offset is the log2 of its places */
    GNOMON_HEAP_WATCHED,   /* words of the block, which is freed, or, if it is live, of its guards are in the table; the
                              offset says where, in GNOMON_HEAP_WAY_BITS for each word, the first one lowest */
    GNOMON_HEAP_FORGOTTEN, /* accesses of the block and its guards are no mistakes from now on */
};

/* Which words are watched: the first ones of a freed block. Of a live one the word before it, and from the first one
 * that has no byte of it as many as are left. A word without a place has 0, else 1 + which of its set's places. */
#define GNOMON_HEAP_WATCHED_WORDS 8
#define GNOMON_HEAP_WATCHED_GUARDS 3
#define GNOMON_HEAP_WAY_BITS 3

/* A variable of programs linked with --gnomon-heap=guard. The host writes ON before the start. */
#define GNOMON_HEAP_WATCH_SYMBOL "__gnomon_heap_watch"
#define GNOMON_HEAP_WATCH_OFF 0x57415443u
#define GNOMON_HEAP_WATCH_ON 0x57415444u

/* Value of a mark that was sent right after look number `number`: no other mark is taken for one. */
#define GNOMON_HEAP_LOOK(number) (0xB10C0000u | ((number)&0xFFFFu))

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
