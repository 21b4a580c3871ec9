/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/tag/tag_memory.h"

#include <stdlib.h>
#include <string.h>

#include "gnomon/registers.h"

#define WINDOW UINT32_C(0x20000000) /* where the host reaches the shadow of an address, above that address */
#define SEGMENT_BYTES UINT32_C(65536)
#define SEGMENT_WORDS (SEGMENT_BYTES / 4)
#define LINE_BYTES 32u
#define DATA_WORD 2u /* the first shadow words of a line are for its instructions, this one is for its words */
#define TAG_BITS 4u
#define CODE (GNOMON_TAGS_TAG_LOW | GNOMON_TAGS_TAG_HIGH)

#define FIELD(word, name) (((word)->filled & GNOMON_TAGS_TAG_##name) >> GNOMON_TAGS_TAG_##name##_SHIFT)

/* Puts the word's tags into the shadow of its segment. */
static void put(uint32_t *shadow, const struct gnomon_tag_word *word) {
    uint32_t *line = shadow + word->address % SEGMENT_BYTES / LINE_BYTES * (LINE_BYTES / 4);
    const uint32_t number = word->address / 4 % (LINE_BYTES / 4), parcel = 2 * number % 8;
    line[number / 4] |= FIELD(word, LOW) << parcel * TAG_BITS | FIELD(word, HIGH) << (parcel + 1) * TAG_BITS;
    line[DATA_WORD] |= FIELD(word, DATA) << number * TAG_BITS;
}

/* The end of the words of a segment, and which kinds of tags it has. */
static size_t collect(const struct gnomon_tag_plan *plan, size_t first, uint32_t *shadow, uint32_t *kinds) {
    const uint32_t segment = plan->words[first].address / SEGMENT_BYTES;
    size_t end = first;
    memset(shadow, 0, SEGMENT_BYTES);
    *kinds = 0;
    for (; end < plan->word_count && plan->words[end].address / SEGMENT_BYTES == segment; end++) {
        put(shadow, &plan->words[end]);
        *kinds |= plan->words[end].filled;
    }
    return end;
}

/* The addresses from the first to after the last word with such tags; 0 and 0: there is none. */
static void find_bounds(const struct gnomon_tag_plan *plan, uint32_t kind, uint32_t *bounds) {
    for (size_t i = 0; i < plan->word_count; i++)
        if (plan->words[i].filled & kind) {
            bounds[0] = bounds[1] ? bounds[0] : plan->words[i].address;
            bounds[1] = plan->words[i].address + 4;
        }
}

enum gnomon_status gnomon_tags_load_memory(const struct gnomon_tags *tags, const struct gnomon_tag_plan *plan,
                                           struct gnomon_error *error) {
    uint32_t *shadow = malloc(SEGMENT_BYTES), bounds[4] = {0}, kinds;
    enum gnomon_status status = shadow ? GNOMON_OK : gnomon_fail_memory(error);
    for (size_t i = 0; i < plan->word_count && !status;) {
        const uint32_t start = plan->words[i].address & -SEGMENT_BYTES;
        i = collect(plan, i, shadow, &kinds);
        if (!kinds)
            continue;
        status = gnomon_device_write(tags->device, start + WINDOW, shadow, SEGMENT_WORDS, error);
        if (!status)
            status = gnomon_device_set(tags->device, GNOMON_TAGS_SEGMENT,
                                       (start / SEGMENT_BYTES & GNOMON_TAGS_SEGMENT_NUMBER) |
                                           (kinds & CODE ? GNOMON_TAGS_SEGMENT_CODE : 0) |
                                           (kinds & GNOMON_TAGS_TAG_DATA ? GNOMON_TAGS_SEGMENT_DATA : 0),
                                       error);
    }
    free(shadow);
    find_bounds(plan, CODE, bounds);
    find_bounds(plan, GNOMON_TAGS_TAG_DATA, bounds + 2);
    return status ? status : gnomon_device_write(tags->device, GNOMON_TAGS_CODE_BEGIN, bounds, 4, error);
}
