/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/device/lock_words.h"

#include "gnomon/registers.h"

#define FIELD(word, name) ((word)&GNOMON_PROFILE_LOCK_WORD_PLACE_##name)
#define LOG2_SHIFT 10
#define MOST_POLLS 1000

/* Waits until the last write is done. */
static enum gnomon_status await(struct gnomon_device *device, unsigned hart, uint32_t *state,
                                struct gnomon_error *error) {
    for (unsigned polls = 0; polls < MOST_POLLS; polls++) {
        enum gnomon_status status =
            gnomon_device_get(device, GNOMON_BLOCKS_OF_HART(hart) + GNOMON_PROFILE_LOCK_WORD_PLACE, state, error);
        if (status || !FIELD(*state, BUSY))
            return status;
    }
    return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "the device does not finish with its lock words");
}

/* *log2: of the places of the hart's table; 0: it has none. */
static enum gnomon_status clear(struct gnomon_device *device, unsigned hart, unsigned *log2,
                                struct gnomon_error *error) {
    const uint32_t place = GNOMON_BLOCKS_OF_HART(hart) + GNOMON_PROFILE_LOCK_WORD_PLACE;
    uint32_t state = 0;
    *log2 = 0;
    enum gnomon_status status = gnomon_device_get(device, place, &state, error);
    if (status || !FIELD(state, PRESENT))
        return status;
    status = gnomon_device_set(device, place, GNOMON_PROFILE_LOCK_WORD_PLACE_PRESENT, error);
    if (!status)
        status = await(device, hart, &state, error);
    *log2 = FIELD(state, LOG2) >> LOG2_SHIFT;
    return status;
}

enum gnomon_status gnomon_lock_words_clear(struct gnomon_lock_words *words, struct gnomon_device *device,
                                           const struct gnomon_board *board, struct gnomon_error *error) {
    unsigned other = 0;
    words->count = 0;
    enum gnomon_status status = clear(device, 0, &words->places_log2, error);
    if (!status && board->harts > 1)
        status = clear(device, 1, &other, error);
    words->harts = other && other == words->places_log2 ? 2 : 1;
    return status;
}

/* Adds the word to the hart's table. *found: the word that is there now; *place: its place. */
static enum gnomon_status add(struct gnomon_device *device, unsigned hart, uint32_t word, uint32_t *found,
                              unsigned *place, struct gnomon_error *error) {
    const uint32_t address = GNOMON_BLOCKS_OF_HART(hart) + GNOMON_PROFILE_LOCK_WORD;
    uint32_t state = 0;
    enum gnomon_status status = gnomon_device_set(device, address, word, error);
    if (!status)
        status = await(device, hart, &state, error);
    if (!status)
        status = gnomon_device_get(device, address, found, error);
    *place = FIELD(state, PLACE);
    return status;
}

enum gnomon_status gnomon_lock_words_add(struct gnomon_lock_words *words, struct gnomon_device *device,
                                         const struct gnomon_board *board, uint32_t address,
                                         struct gnomon_error *error) {
    uint32_t found = 0;
    unsigned place = 0, other = 0;
    const uint32_t word = address & ~3u;
    for (size_t i = 0; i < words->count; i++)
        if (words->words[i].address == word)
            return GNOMON_OK;
    if (address - board->ram_base >= board->ram_bytes) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "0x%08x is not in main memory", (unsigned)address);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "gnomon trace --bus traces accesses of other addresses");
    }
    enum gnomon_status status = add(device, 0, word, &found, &place, error);
    if (status)
        return status;
    if (found != word || words->count == GNOMON_LOCK_WORDS_MOST) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT,
                    "%s has no place for the word at 0x%08x: it has %u places, %zu are taken, and the 4 for words at "
                    "this address modulo %u are among them",
                    board->address, (unsigned)word, 1u << words->places_log2, words->count, 1u << words->places_log2);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "trace fewer words in a run");
    }
    words->words[words->count].address = word;
    words->words[words->count++].place = place;
    if (words->harts == 1)
        return GNOMON_OK;
    status = add(device, 1, word, &found, &other, error);
    if (!status && (found != word || other != place))
        return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "the device has other places for the lock words of hart 1");
    return status;
}

json_t *gnomon_lock_words_json(const struct gnomon_lock_words *words) {
    json_t *list = json_array();
    for (size_t i = 0; i < words->count; i++)
        json_array_append_new(list, json_pack("[iI]", (int)words->words[i].place, (json_int_t)words->words[i].address));
    return json_pack("{s:i, s:o}", "places_log2", (int)words->places_log2, "words", list);
}
