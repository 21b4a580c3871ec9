/* SPDX-License-Identifier: Apache-2.0 */
/* The account of a run's heap, from the messages of gnomon cc --gnomon-heap: who allocated what, what is still live,
 * and what was freed that was no block. */
#ifndef GNOMON_LIB_HEAP_ACCOUNT_H
#define GNOMON_LIB_HEAP_ACCOUNT_H

#include "lib/heap/heap_gaps.h"
#include "lib/heap/heap_sizes.h"
#include "lib/trace/trace_decoder.h"

#define GNOMON_HEAP_STACK 64 /* open calls that are kept, the innermost ones */

/* Ids of a profile (profile.h), the innermost first. */
struct gnomon_heap_stack {
    unsigned count;
    uint32_t ids[GNOMON_HEAP_STACK];
};

#define GNOMON_HEAP_NO_SITE UINT32_MAX

/* The figures of a call path, or of all. */
struct gnomon_heap_figures {
    uint64_t blocks, bytes; /* allocated */
    uint64_t freed, freed_bytes;
    uint64_t peak_blocks, peak_bytes; /* live when most bytes were live in the run */
    uint64_t life, longest;           /* cycles from allocation to free, of the freed blocks: their sum, the longest */
    uint64_t failed;                  /* allocations that got nothing */
    uint64_t grown, grown_bytes;      /* how often the heap took more memory from the system (sbrk), and how much */
};
static inline uint64_t gnomon_heap_live_blocks(const struct gnomon_heap_figures *figures) {
    return figures->blocks - figures->freed;
}
static inline uint64_t gnomon_heap_live_bytes(const struct gnomon_heap_figures *figures) {
    return figures->bytes - figures->freed_bytes;
}

/* Functions that called each other when a block was allocated. */
struct gnomon_heap_site {
    uint32_t parent; /* index of the site without its innermost function; NO_SITE: the outermost function */
    uint32_t id;     /* of the innermost function; UNPROFILED: the calls are not known */
    struct gnomon_heap_figures figures; /* of blocks that this function itself allocated on this path */
    uint64_t epoch;                     /* of the peak that `figures` has */
};

struct gnomon_heap_block {
    uint32_t address, size;
    uint32_t site, thread;
    uint64_t cycle; /* when it was allocated */
    bool ignored;   /* the program wants it left out of leak checks */
};

enum gnomon_heap_mistake_kind {
    GNOMON_HEAP_FREED_TWICE, /* the block has been freed already */
    GNOMON_HEAP_NO_BLOCK,    /* the address was never that of a block */
    /* Found by --gnomon-heap=guard. */
    GNOMON_HEAP_WRITTEN_BEYOND,
    GNOMON_HEAP_WRITTEN_BEFORE,
    GNOMON_HEAP_WRITTEN_FREED,
    /* Found in the act, with gnomon record --use-after-free. */
    GNOMON_HEAP_USED_BEYOND,
    GNOMON_HEAP_USED_BEFORE,
    GNOMON_HEAP_USED_FREED,
};
struct gnomon_heap_mistake {
    enum gnomon_heap_mistake_kind kind;
    uint32_t address, thread;
    uint64_t cycle;
    uint32_t site;    /* who freed, where it was found, or who used it */
    uint32_t before;  /* who had allocated the block; NO_SITE: there is none, or messages were lost */
    uint32_t earlier; /* FREED_TWICE, WRITTEN_FREED, USED_*: who had freed it before */
    uint64_t earlier_cycle;
    uint32_t size, offset; /* of all below NO_BLOCK: bytes of the block (0: not known), and as in GNOMON_HEAP_FOUND */
    /* USED_*: how often the same place did the same to this block; `cycle` and `offset` are of the first one. An
     * atomic instruction reads and writes. */
    bool reads, writes;
    uint64_t times, born; /* `born`: when the block was allocated */
};

struct gnomon_heap_results {
    uint64_t messages;
    struct gnomon_heap_figures all;
    uint64_t peak_cycle;
    uint32_t lowest, highest;                     /* addresses that blocks had: from `lowest` to before `highest` */
    struct gnomon_heap_gaps peak_gaps, live_gaps; /* between the blocks at the peak, and those in `live` */
    struct gnomon_histogram sizes;                /* of the allocated blocks: "cycles" are bytes */
    struct gnomon_heap_sizes by_function;
    bool deep; /* a block's stack was longer than is kept: inclusive sizes of its outermost functions are too small */
    size_t site_count;
    const struct gnomon_heap_site *sites;
    /* In the order of their allocation. After the counted blocks come `other_count` that are live, too, but not
     * counted: they were allocated before. */
    size_t live_count, other_count;
    const struct gnomon_heap_block *live;
    size_t mistake_count;
    const struct gnomon_heap_mistake *mistakes;
    bool began, ended;  /* the marks of the span have come */
    uint32_t end_value; /* of the mark at its end */
    uint64_t end_cycle;
};

struct gnomon_heap;

struct gnomon_heap *gnomon_heap_new(void); /* NULL: out of memory */
void gnomon_heap_free(struct gnomon_heap *heap);

/* The part of a run in which blocks are counted that are allocated: after mark `from` and before mark `to` (-1: the
 * beginning, or the end), from `first_cycle` to `last_cycle`. What is live is what is live at its end. */
struct gnomon_heap_span {
    int from, to;
    uint64_t first_cycle, last_cycle;
};
#define GNOMON_HEAP_WHOLE_RUN                                                                                          \
    { -1, -1, 0, UINT64_MAX }
/* Call it before the first event. */
void gnomon_heap_set_span(struct gnomon_heap *heap, const struct gnomon_heap_span *span);

/* Does the event change the heap, or may it be wrong use of it? Then gnomon_heap_event needs the stack. */
bool gnomon_heap_concerns(const struct gnomon_event *event);
/* Takes the next event. `stack` is used for events that concern the heap. False: out of memory. */
bool gnomon_heap_event(struct gnomon_heap *heap, const struct gnomon_event *event,
                       const struct gnomon_heap_stack *stack);

/* After the last event, or between two events for what there is so far. The results live until the next event.
 * NULL: out of memory. */
const struct gnomon_heap_results *gnomon_heap_finish(struct gnomon_heap *heap);

#endif
