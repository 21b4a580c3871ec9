/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/profile/profile_map.h"

#include <stdlib.h>

#define FIRST_SLOTS 64
#define MAX_SLOTS (UINT32_C(1) << 30)

static struct profile_map_slot *slot_of(const struct profile_map *map, uint64_t key) {
    uint32_t at = (uint32_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (map->slot_count - 1);
    while (map->slots[at].index && map->slots[at].key != key)
        at = (at + 1) & (map->slot_count - 1);
    return &map->slots[at];
}

static int grow(struct profile_map *map) {
    struct profile_map bigger = {.slot_count = map->slot_count ? 2 * map->slot_count : FIRST_SLOTS};
    if (bigger.slot_count > MAX_SLOTS)
        return 0;
    bigger.slots = calloc(bigger.slot_count, sizeof *bigger.slots);
    if (!bigger.slots)
        return 0;
    for (uint32_t i = 0; i < map->slot_count; i++)
        if (map->slots[i].index)
            *slot_of(&bigger, map->slots[i].key) = map->slots[i];
    free(map->slots);
    map->slots = bigger.slots;
    map->slot_count = bigger.slot_count;
    return 1;
}

uint32_t profile_map_find(struct profile_map *map, uint64_t key) {
    if (map->slot_count) {
        const struct profile_map_slot *slot = slot_of(map, key);
        if (slot->index)
            return slot->index - 1;
    }
    if (2 * (uint64_t)map->count >= map->slot_count && !grow(map))
        return PROFILE_MAP_NONE;
    struct profile_map_slot *slot = slot_of(map, key);
    slot->key = key;
    slot->index = ++map->count;
    return map->count - 1;
}

void profile_map_free(struct profile_map *map) {
    free(map->slots);
}
