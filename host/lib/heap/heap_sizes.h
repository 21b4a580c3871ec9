/* SPDX-License-Identifier: Apache-2.0 */
/* How large the blocks were that each function allocated. */
#ifndef GNOMON_LIB_HEAP_SIZES_H
#define GNOMON_LIB_HEAP_SIZES_H

#include <stddef.h>

#include "lib/profile/profile_map.h"
#include "lib/util/histogram.h"

struct gnomon_heap_function {
    uint32_t id;                       /* of a profile (profile.h) */
    struct gnomon_histogram own;       /* blocks that it allocated itself: "cycles" are bytes */
    struct gnomon_histogram inclusive; /* and those of the functions that it called */
    uint64_t latest;                   /* the latest block in `inclusive` */
};

struct gnomon_heap_sizes {
    struct profile_map map;
    size_t count, room;
    struct gnomon_heap_function *functions;
    uint64_t blocks; /* how many were added */
};

/* The block was allocated by ids[0], which ids[1] had called, and so on; a recursive function counts once. False: out
 * of memory. */
bool gnomon_heap_sizes_add(struct gnomon_heap_sizes *sizes, const uint32_t *ids, size_t count, uint32_t size);
void gnomon_heap_sizes_free(struct gnomon_heap_sizes *sizes);

#endif
