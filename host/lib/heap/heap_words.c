/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/heap/heap_words.h"

#include <string.h>

#include "gnomon/heap.h"

enum { LEAST_LOG2 = 3, MOST_LOG2 = 10, WAYS_LOG2 = 2, WAYS = 1 << WAYS_LOG2, WAY_AT = 8 };

void gnomon_heap_words_empty(struct gnomon_heap_words *words, uint32_t places_log2) {
    memset(words, 0, sizeof *words);
    if (places_log2 >= LEAST_LOG2 && places_log2 <= MOST_LOG2)
        words->sets_mask = (1u << (places_log2 - WAYS_LOG2)) - 1;
}

static uint32_t address_of(uint32_t block, uint32_t size, bool live, unsigned index) {
    if (!live)
        return block + 4 * index;
    return index ? block + ((size + 3) & ~3u) + 4 * (index - 1) : block - 4;
}

void gnomon_heap_words_add(struct gnomon_heap_words *words, uint32_t block, uint32_t size, uint64_t born, bool live,
                           uint32_t offset) {
    const unsigned count = live ? GNOMON_HEAP_WATCHED_GUARDS : GNOMON_HEAP_WATCHED_WORDS;
    for (unsigned i = 0; words->sets_mask && i < count; i++) {
        const uint32_t way = offset >> (GNOMON_HEAP_WAY_BITS * i) & ((1u << GNOMON_HEAP_WAY_BITS) - 1);
        const uint32_t address = address_of(block, size, live, i);
        if (way && way <= WAYS)
            words->places[(way - 1) << WAY_AT | (address / 4 & words->sets_mask)] =
                (struct gnomon_heap_watched){address, block, born};
    }
}

bool gnomon_heap_words_concern(const struct gnomon_event *event) {
    return event->type == GNOMON_EVENT_ACCESS && event->number & GNOMON_ACCESS_UNPLACED;
}

const struct gnomon_heap_watched *gnomon_heap_words_at(const struct gnomon_heap_words *words,
                                                       const struct gnomon_event *event) {
    if (event->value >= GNOMON_LOCK_WORD_PLACES || !words->places[event->value].address)
        return NULL;
    return &words->places[event->value];
}
