/* SPDX-License-Identifier: Apache-2.0 */
/* How the live blocks of a heap lie in memory. */
#ifndef GNOMON_LIB_HEAP_GAPS_H
#define GNOMON_LIB_HEAP_GAPS_H

#include <stddef.h>
#include <stdint.h>

struct gnomon_heap_extent {
    uint32_t address, size;
};

/* Gaps are what lies between two blocks: free memory, and what the allocator itself needs. */
struct gnomon_heap_gaps {
    uint64_t span;    /* bytes from the first block to the end of the last one */
    uint64_t bytes;   /* of them in gaps */
    uint64_t largest; /* bytes of the largest gap */
};

/* Sorts the blocks. */
struct gnomon_heap_gaps gnomon_heap_gaps(struct gnomon_heap_extent *blocks, size_t count);

#endif
