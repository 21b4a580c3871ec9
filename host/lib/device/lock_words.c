/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/device/lock_words.h"

#include "gnomon/registers.h"

#define FIELD(word, name) ((word)&GNOMON_PROFILE_LOCK_WORD_PLACE_##name)
#define LOG2_SHIFT 10
#define MOST_POLLS 1000

/* Waits until the last write is done. */
static enum gnomon_status await(struct gnomon_device *device, uint32_t *state, struct gnomon_error *error) {
    for (unsigned polls = 0; polls < MOST_POLLS; polls++) {
        enum gnomon_status status = gnomon_device_get(device, GNOMON_PROFILE_LOCK_WORD_PLACE, state, error);
        if (status || !FIELD(*state, BUSY))
            return status;
    }
    return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "the device does not finish with its lock words");
}

enum gnomon_status gnomon_lock_words_clear(struct gnomon_lock_words *words, struct gnomon_device *device,
                                           struct gnomon_error *error) {
    uint32_t state = 0;
    words->count = words->places_log2 = 0;
    enum gnomon_status status = gnomon_device_get(device, GNOMON_PROFILE_LOCK_WORD_PLACE, &state, error);
    if (status || !FIELD(state, PRESENT))
        return status;
    status = gnomon_device_set(device, GNOMON_PROFILE_LOCK_WORD_PLACE, GNOMON_PROFILE_LOCK_WORD_PLACE_PRESENT, error);
    if (!status)
        status = await(device, &state, error);
    words->places_log2 = FIELD(state, LOG2) >> LOG2_SHIFT;
    return status;
}

enum gnomon_status gnomon_lock_words_add(struct gnomon_lock_words *words, struct gnomon_device *device,
                                         const struct gnomon_board *board, uint32_t address,
                                         struct gnomon_error *error) {
    uint32_t state = 0, found = 0;
    const uint32_t word = address & ~3u;
    for (size_t i = 0; i < words->count; i++)
        if (words->words[i].address == word)
            return GNOMON_OK;
    if (address - board->ram_base >= board->ram_bytes) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "0x%08x is not in main memory", (unsigned)address);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "gnomon trace --bus traces accesses of other addresses");
    }
    enum gnomon_status status = gnomon_device_set(device, GNOMON_PROFILE_LOCK_WORD, word, error);
    if (!status)
        status = await(device, &state, error);
    if (!status)
        status = gnomon_device_get(device, GNOMON_PROFILE_LOCK_WORD, &found, error);
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
    words->words[words->count++].place = FIELD(state, PLACE);
    return GNOMON_OK;
}

json_t *gnomon_lock_words_json(const struct gnomon_lock_words *words) {
    json_t *list = json_array();
    for (size_t i = 0; i < words->count; i++)
        json_array_append_new(list, json_pack("[iI]", (int)words->words[i].place, (json_int_t)words->words[i].address));
    return json_pack("{s:i, s:o}", "places_log2", (int)words->places_log2, "words", list);
}
