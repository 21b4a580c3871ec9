/* SPDX-License-Identifier: Apache-2.0 */
/* Which words of which blocks are in the device's table, as the program tells it (gnomon record --use-after-free). */
#ifndef GNOMON_LIB_HEAP_WORDS_H
#define GNOMON_LIB_HEAP_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/trace/trace_decoder.h"

struct gnomon_heap_watched {
    uint32_t address; /* of the word; 0: the place has none */
    uint32_t block;   /* its address */
    uint64_t born;    /* when it was allocated */
};

/* Starts with zeros. */
struct gnomon_heap_words {
    uint32_t sets_mask;
    struct gnomon_heap_watched places[GNOMON_LOCK_WORD_PLACES];
};

/* The program has emptied the table, which has 2^places_log2 places. */
void gnomon_heap_words_empty(struct gnomon_heap_words *words, uint32_t places_log2);
/* It has added words of the block: `offset` as of GNOMON_HEAP_WATCHED (gnomon/heap.h). */
void gnomon_heap_words_add(struct gnomon_heap_words *words, uint32_t block, uint32_t size, uint64_t born, bool live,
                           uint32_t offset);

/* Is it an access of a word that the program has added itself? */
bool gnomon_heap_words_concern(const struct gnomon_event *event);
/* What it accessed; NULL: no word that is known. */
const struct gnomon_heap_watched *gnomon_heap_words_at(const struct gnomon_heap_words *words,
                                                       const struct gnomon_event *event);

#endif
