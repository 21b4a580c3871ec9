/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table from 64-bit keys to indices. The indices count from 0, in the order in which the keys were first used.
 */
#ifndef GNOMON_LIB_PROFILE_MAP_H
#define GNOMON_LIB_PROFILE_MAP_H

#include <stdint.h>

#define PROFILE_MAP_NONE UINT32_MAX

struct profile_map_slot {
    uint64_t key;
    uint32_t index; /* + 1; 0 = free */
};

struct profile_map {
    uint32_t count, slot_count; /* slot_count: a power of two, or 0 */
    struct profile_map_slot *slots;
};

/* Index of `key`; a new key gets the next free index. PROFILE_MAP_NONE: out of memory. */
uint32_t profile_map_find(struct profile_map *map, uint64_t key);
void profile_map_free(struct profile_map *map);

#endif
