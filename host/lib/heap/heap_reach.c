/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/heap/heap_reach.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/util/array.h"

#define LOCK_TABLE "__gnomon_lock_table"

struct place {
    uint32_t address;
    uint32_t index; /* in results->live */
};

struct flood {
    const struct gnomon_heap_results *results;
    const struct gnomon_heap_look *look;
    const struct gnomon_objects *objects;
    bool *reached; /* also of blocks that are not counted */
    size_t count, pending;
    struct place *places; /* sorted by address */
    uint32_t *work;       /* reached blocks whose content is still to be followed */
};

static int by_address(const void *a, const void *b) {
    const struct place *left = a, *right = b;
    return (left->address > right->address) - (left->address < right->address);
}

static uint64_t end_of(const struct gnomon_heap_block *block) {
    return (uint64_t)block->address + (block->size ? block->size : 1);
}

/* The block that holds the address; `count`: none does. */
static size_t block_at(const struct flood *flood, uint32_t address) {
    const size_t after = gnomon_array_from(flood->places, flood->count, sizeof *flood->places,
                                           offsetof(struct place, address), (uint64_t)address + 1);
    if (!after)
        return flood->count;
    const uint32_t index = flood->places[after - 1].index;
    return address < end_of(&flood->results->live[index]) ? index : flood->count;
}

static void follow_block(struct flood *flood, size_t index) {
    if (index == flood->count || flood->reached[index])
        return;
    flood->reached[index] = true;
    flood->work[flood->pending++] = (uint32_t)index;
}

static void follow(struct flood *flood, uint32_t pointer) {
    follow_block(flood, block_at(flood, pointer));
}

static size_t word_from(const struct gnomon_heap_look *look, uint64_t address) {
    return gnomon_array_from(look->words, look->count, sizeof *look->words, offsetof(struct gnomon_heap_word, at),
                             address);
}

static void follow_words(struct flood *flood, uint64_t start, uint64_t end) {
    const struct gnomon_heap_look *look = flood->look;
    for (size_t i = word_from(look, start); i < look->count && look->words[i].at < end; i++)
        follow(flood, look->words[i].value);
}

/* ---- Roots ---- */

/* Variables that are no roots, in the order of addresses: those that blocks lie in, and the table of locks. */
struct excluded {
    size_t count, room;
    struct gnomon_heap_range *list;
};

static bool exclude(struct excluded *excluded, const struct gnomon_object *object) {
    if (!gnomon_array_room(&excluded->list, &excluded->room, excluded->count + 1, sizeof *excluded->list))
        return false;
    const uint64_t end = (uint64_t)object->address + object->size;
    excluded->list[excluded->count++] =
        (struct gnomon_heap_range){object->address, end < UINT32_MAX ? (uint32_t)end : UINT32_MAX};
    return true;
}

static bool holds_block(const struct flood *flood, const struct gnomon_object *object) {
    const size_t first = gnomon_array_from(flood->places, flood->count, sizeof *flood->places,
                                           offsetof(struct place, address), object->address);
    return first < flood->count && flood->places[first].address - object->address < object->size;
}

static bool find_excluded(const struct flood *flood, struct excluded *excluded) {
    for (size_t i = 0; i < flood->objects->count; i++) {
        const struct gnomon_object *object = &flood->objects->list[i];
        if ((holds_block(flood, object) || !strcmp(object->name, LOCK_TABLE)) && !exclude(excluded, object))
            return false;
    }
    return true;
}

/* Follows the words of a root, without the excluded variables. */
static void follow_root(struct flood *flood, const struct gnomon_heap_range *root, const struct excluded *excluded) {
    uint32_t start = root->start;
    for (size_t i = 0; i < excluded->count && start < root->end; i++) {
        const struct gnomon_heap_range *hole = &excluded->list[i];
        if (hole->end <= start || hole->start >= root->end)
            continue;
        if (hole->start > start)
            follow_words(flood, start, hole->start);
        start = hole->end;
    }
    if (start < root->end)
        follow_words(flood, start, root->end);
}

static bool run(struct flood *flood) {
    struct excluded excluded = {0};
    const bool good = find_excluded(flood, &excluded);
    for (size_t i = 0; good && i < flood->look->root_count; i++)
        follow_root(flood, &flood->look->roots[i], &excluded);
    for (size_t i = 0; good && i < flood->count; i++)
        if (flood->results->live[i].ignored)
            follow_block(flood, i);
    while (good && flood->pending) {
        const struct gnomon_heap_block *block = &flood->results->live[flood->work[--flood->pending]];
        follow_words(flood, block->address, end_of(block));
    }
    free(excluded.list);
    return good;
}

bool gnomon_heap_reach(const struct gnomon_heap_results *results, const struct gnomon_heap_look *look,
                       const struct gnomon_objects *objects, bool *reached) {
    struct flood flood = {.results = results, .look = look, .objects = objects};
    flood.count = results->live_count + results->other_count;
    flood.reached = calloc(flood.count + 1, sizeof *flood.reached);
    flood.places = calloc(flood.count + 1, sizeof *flood.places);
    flood.work = calloc(flood.count + 1, sizeof *flood.work);
    bool good = flood.reached && flood.places && flood.work;
    for (size_t i = 0; good && i < flood.count; i++)
        flood.places[i] = (struct place){.address = results->live[i].address, .index = (uint32_t)i};
    if (good) {
        qsort(flood.places, flood.count, sizeof *flood.places, by_address);
        good = run(&flood);
        memcpy(reached, flood.reached, results->live_count * sizeof *reached);
    }
    free(flood.reached);
    free(flood.places);
    free(flood.work);
    return good;
}
