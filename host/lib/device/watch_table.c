/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/device/watch_table.h"

#include <fnmatch.h>
#include <stdlib.h>

#include "gnomon/registers.h"

#define NO_PLACE UINT32_MAX
#define MOST_MOVES 200 /* moves of other functions, if the place of one is taken */
#define LEAST_BITS 4
#define ENTRIES (256 / 2)
#define PLACE_SHIFT 20 /* position of the place in an entry's second word; the number is below it */
#define MOST_POLLS 1000

/* ---- Places ---- */

/* The place of an address in bank 0 or 1, computed as in rtl/profile/watch/gnomon_watch_table.v. */
static uint32_t place_of(uint32_t address, unsigned bank, unsigned bits) {
    uint32_t mask = (1u << bits) - 1, low = address >> 1 & mask, high = address >> (bits + 1) & mask, reversed = 0;
    for (unsigned i = 0; i < bits; i++)
        reversed |= (high >> i & 1) << (bits - 1 - i);
    uint32_t turned = (low << 3 | low >> (bits - 3)) & mask;
    return bank == 0 ? low ^ high : 1u << bits | ((low + turned + reversed) & mask);
}

/* Finds a place for a function; moves other functions to their second place if necessary. `at`: for each place, the
 * index of its function plus 1. */
static void place_one(struct gnomon_watch *watch, uint32_t *at, uint32_t index, unsigned bits) {
    uint32_t mover = index;
    unsigned bank = 0;
    for (int moves = 0; moves < MOST_MOVES; moves++) {
        uint32_t place = place_of(watch->addresses[mover], bank, bits), before = at[place];
        at[place] = mover + 1;
        watch->places[mover] = place;
        if (!before)
            return;
        mover = before - 1;
        bank = !(place >> bits);
    }
    watch->places[mover] = NO_PLACE;
}

static void drop_overflow(struct gnomon_watch *watch, uint32_t numbers) {
    size_t kept = 0;
    for (size_t i = 0; i < watch->count; i++)
        if (watch->places[i] != NO_PLACE && watch->first + kept < numbers) {
            watch->addresses[kept] = watch->addresses[i];
            watch->places[kept++] = watch->places[i];
        }
    watch->left_out = watch->count - kept;
    watch->count = kept;
}

static bool fits(const char *name, const char *const *patterns, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (fnmatch(patterns[i], name, 0) == 0)
            return true;
    return count == 0;
}

enum gnomon_status gnomon_watch_choose(struct gnomon_watch *watch, const struct gnomon_symbols *symbols,
                                       const char *const *patterns, size_t pattern_count,
                                       const struct gnomon_board *board, struct gnomon_error *error) {
    *watch = (struct gnomon_watch){.first = gnomon_symbols_total(symbols)};
    size_t size = 0, cursor = 0;
    while (gnomon_symbols_unhooked(symbols, &cursor))
        size++;
    uint32_t *at = calloc(board->watch, sizeof *at);
    if (!at || !gnomon_watch_make(watch, size)) {
        free(at);
        return gnomon_fail_memory(error);
    }
    unsigned bits = LEAST_BITS; /* width of a place's index in a bank */
    while (board->watch >> (bits + 2))
        bits++;
    const struct gnomon_function *function;
    for (cursor = 0; (function = gnomon_symbols_unhooked(symbols, &cursor));)
        if (fits(function->name, patterns, pattern_count)) {
            watch->addresses[watch->count] = function->address;
            place_one(watch, at, (uint32_t)watch->count++, bits);
        }
    free(at);
    drop_overflow(watch, board->numbers);
    return GNOMON_OK;
}

/* ---- The device ---- */

static enum gnomon_status clear(struct gnomon_device *device, unsigned hart, struct gnomon_error *error) {
    const uint32_t address = GNOMON_BLOCKS_OF_HART(hart) + GNOMON_PROFILE_WATCH_PLACES;
    enum gnomon_status status = gnomon_device_set(device, address, 0, error);
    uint32_t places = 0;
    for (int i = 0; !status && !places && i < MOST_POLLS; i++)
        status = gnomon_device_get(device, address, &places, error);
    if (!status && !places)
        return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s does not empty its table of watched functions",
                           device->transport->address);
    return status;
}

enum gnomon_status gnomon_watch_load(const struct gnomon_watch *watch, struct gnomon_device *device, unsigned hart,
                                     struct gnomon_error *error) {
    uint32_t words[2 * ENTRIES];
    enum gnomon_status status = clear(device, hart, error);
    for (size_t done = 0; !status && done < watch->count;) {
        size_t part = watch->count - done < ENTRIES ? watch->count - done : ENTRIES;
        for (size_t i = 0; i < part; i++) {
            words[2 * i] = watch->addresses[done + i];
            words[2 * i + 1] = watch->places[done + i] << PLACE_SHIFT | (watch->first + (uint32_t)(done + i));
        }
        status = gnomon_device_write(device, GNOMON_BLOCKS_OF_HART(hart) + GNOMON_PROFILE_WATCH_TABLE, words, 2 * part,
                                     error);
        done += part;
    }
    return status;
}

enum gnomon_status gnomon_watch_loss(struct gnomon_device *device, unsigned harts, struct gnomon_watch_loss *loss,
                                     struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    *loss = (struct gnomon_watch_loss){0};
    for (unsigned hart = 0; hart < harts && !status; hart++) {
        uint32_t missed = 0, overrun = 0;
        const uint32_t blocks = GNOMON_BLOCKS_OF_HART(hart);
        status = gnomon_device_get(device, blocks + GNOMON_PROFILE_WATCH_MISSED, &missed, error);
        if (!status)
            status = gnomon_device_get(device, blocks + GNOMON_PROFILE_WATCH_OVERRUN, &overrun, error);
        loss->missed += missed;
        loss->overrun += overrun;
    }
    return status;
}
