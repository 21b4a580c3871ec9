/* SPDX-License-Identifier: Apache-2.0 */
#include "module_tags.h"

#include <string.h>

#include <gnomon/module_tags.h>
#include <gnomon_tags.h>

#include "internal.h"

enum { MOST_BLOCKS = 16 };

/* By kind and block: the number of modules with tags in a block that the host has not set. */
static uint8_t users[2][MOST_BLOCKS];

/* The blocks of the device's memory for tags. */
struct blocks {
    uint32_t count, bytes; /* bytes of main memory in each block */
};

static struct blocks find_blocks(void) {
    const uint32_t config = GNOMON_REG(GNOMON_TAGS_CONFIG);
    const uint32_t log2 = (config & GNOMON_TAGS_CONFIG_BLOCKS_LOG2) >> GNOMON_TAGS_CONFIG_BLOCKS_LOG2_SHIFT;
    const uint32_t words = (config & GNOMON_TAGS_CONFIG_SHADOW_LOG2) >> GNOMON_TAGS_CONFIG_SHADOW_LOG2_SHIFT;
    return (struct blocks){1u << log2, (4u << words) >> log2};
}

static volatile uint32_t *register_of(bool data, uint32_t number) {
    return &GNOMON_REG((data ? GNOMON_TAGS_DATA_BLOCK : GNOMON_TAGS_CODE_BLOCK) + 4 * number);
}

/* Gives up the blocks from the one that holds `first` on. Those that no module uses any more serve no memory. */
static void release(bool data, const uint8_t *first, const uint8_t *limit) {
    const struct blocks blocks = find_blocks();
    for (uint32_t at = (uint32_t)(uintptr_t)first & -blocks.bytes; at < (uint32_t)(uintptr_t)limit;
         at += blocks.bytes) {
        const uint32_t number = at / blocks.bytes % blocks.count;
        if (users[data][number] > 0 && --users[data][number] == 0)
            *register_of(data, number) = 0;
    }
}

/* Makes the blocks serve this memory. Fails if one of them already serves other memory. */
static bool claim(bool data, const uint8_t *first, const uint8_t *limit) {
    const struct blocks blocks = find_blocks();
    const uint32_t begin = (uint32_t)(uintptr_t)first & -blocks.bytes, all = blocks.bytes * blocks.count;
    for (uint32_t at = begin; at < (uint32_t)(uintptr_t)limit; at += blocks.bytes) {
        const uint32_t number = at / blocks.bytes % blocks.count, block = *register_of(data, number);
        const bool used = block & GNOMON_TAGS_CODE_BLOCK_VALID;
        if (used && ((block ^ at) & -all)) {
            release(data, first, (const uint8_t *)(uintptr_t)at);
            return false;
        }
        if (used && users[data][number] == 0) /* the host's */
            continue;
        *register_of(data, number) = (at & -all) | GNOMON_TAGS_CODE_BLOCK_VALID;
        users[data][number]++;
    }
    return true;
}

static void set(bool data, const uint8_t *first, const uint8_t *limit, unsigned tag) {
    if (data)
        gnomon_tag_data(first, limit, tag);
    else
        gnomon_tag_code(first, limit, tag);
}

static bool read_entry(const struct module_file *file, uint32_t index, struct gnomon_module_tag *entry) {
    if (index >= file->tag_count)
        return false;
    memcpy(entry, file->tags + index * sizeof *entry, sizeof *entry);
    return entry->end != 0;
}

bool __gnomon_module_tag(const struct module_file *file, const uint8_t *image, struct module_tags *tags) {
    struct gnomon_module_tag entry;
    struct module_tags found = {0};
    for (uint32_t i = 0; read_entry(file, i, &entry); i++) {
        const bool data = entry.data, any = found.places[data].limit;
        const uint8_t *first = image + entry.start, *limit = image + entry.end;
        if (!any || first < found.places[data].first)
            found.places[data].first = first;
        if (!any || limit > found.places[data].limit)
            found.places[data].limit = limit;
    }
    for (unsigned data = 0; data < 2; data++) {
        const uint8_t *first = found.places[data].first, *limit = found.places[data].limit;
        if (first == limit) /* perhaps the device has no tags at all: its registers must not be accessed */
            continue;
        if (!claim(data, first, limit))
            return __gnomon_module_fail("other tags need the same memory of the device as its tags: set fewer, or use "
                                        "gnomon tag --no-metadata",
                                        NULL);
        tags->places[data] = found.places[data];
    }
    for (uint32_t i = 0; read_entry(file, i, &entry); i++)
        set(entry.data, image + entry.start, image + entry.end, entry.number);
    return true;
}

void __gnomon_module_untag(struct module_tags *tags) {
    for (unsigned data = 0; data < 2; data++) {
        const uint8_t *first = tags->places[data].first, *limit = tags->places[data].limit;
        if (first == limit)
            continue;
        set(data, first, limit, 0);
        release(data, first, limit);
    }
}
