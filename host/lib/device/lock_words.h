/* SPDX-License-Identifier: Apache-2.0 */
/* Lock words: exact addresses in main memory whose accesses the device traces, with PROFILE.CONTROL.LOCK_WORDS
 * (docs/guide/trace.md). */
#ifndef GNOMON_LIB_LOCK_WORDS_H
#define GNOMON_LIB_LOCK_WORDS_H

#include <jansson.h>

#include "lib/device/board.h"

#define GNOMON_LOCK_WORDS_MOST 1024

struct gnomon_lock_words {
    unsigned places_log2; /* of the device; 0: it has no lock words */
    unsigned harts;       /* whose accesses are traced: with two harts, both tables are filled alike */
    size_t count;
    struct {
        uint32_t address;
        unsigned place;
    } words[GNOMON_LOCK_WORDS_MOST];
};

/* Removes all lock words of the device. *words is empty; a device may have none. */
enum gnomon_status gnomon_lock_words_clear(struct gnomon_lock_words *words, struct gnomon_device *device,
                                           const struct gnomon_board *board, struct gnomon_error *error);
/* Adds the word with that address. Fails if the device has no place for it. */
enum gnomon_status gnomon_lock_words_add(struct gnomon_lock_words *words, struct gnomon_device *device,
                                         const struct gnomon_board *board, uint32_t address,
                                         struct gnomon_error *error);

/* For the header of a trace file: a new object. */
json_t *gnomon_lock_words_json(const struct gnomon_lock_words *words);

#endif
