/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/heap/heap_gaps.h"

#include <stdlib.h>

static int by_address(const void *a, const void *b) {
    const struct gnomon_heap_extent *left = a, *right = b;
    return (left->address > right->address) - (left->address < right->address);
}

struct gnomon_heap_gaps gnomon_heap_gaps(struct gnomon_heap_extent *blocks, size_t count) {
    struct gnomon_heap_gaps gaps = {0};
    if (!count)
        return gaps;
    qsort(blocks, count, sizeof *blocks, by_address);
    uint64_t end = blocks[0].address;
    for (size_t i = 0; i < count; i++) {
        const uint64_t start = blocks[i].address, after = start + blocks[i].size;
        if (start > end) {
            gaps.bytes += start - end;
            gaps.largest = start - end > gaps.largest ? start - end : gaps.largest;
        }
        end = after > end ? after : end;
    }
    gaps.span = end - blocks[0].address;
    return gaps;
}
