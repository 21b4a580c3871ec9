/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/device/watch_table.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "gnomon/registers.h"

#define NO_PLACE UINT32_MAX
#define MOST_MOVES 200 /* moves of other functions, if the place of one is taken */
#define LEAST_BITS 4
#define ENTRIES (256 / 2)
#define PLACE_SHIFT 20 /* position of the place in an entry's second word; the number is below it */
#define MARK 1u        /* in an entry's first word: arguments and results are sent, too */
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
            if (watch->roles)
                watch->roles[kept] = watch->roles[i];
            watch->places[kept++] = watch->places[i];
        }
    watch->left_out = watch->count - kept;
    watch->count = kept;
}

/* Finds a place for each function, and leaves out those without. False: out of memory. */
static bool place_all(struct gnomon_watch *watch, const struct gnomon_board *board) {
    uint32_t *at = calloc(board->watch, sizeof *at);
    unsigned bits = LEAST_BITS; /* width of a place's index in a bank */
    if (!at)
        return false;
    while (board->watch >> (bits + 2))
        bits++;
    for (size_t i = 0; i < watch->count; i++)
        place_one(watch, at, (uint32_t)i, bits);
    free(at);
    drop_overflow(watch, board->numbers);
    return true;
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
    if (!gnomon_watch_make(watch, size, false))
        return gnomon_fail_memory(error);
    const struct gnomon_function *function;
    for (cursor = 0; (function = gnomon_symbols_unhooked(symbols, &cursor));)
        if (fits(function->name, patterns, pattern_count))
            watch->addresses[watch->count++] = function->address;
    return place_all(watch, board) ? GNOMON_OK : gnomon_fail_memory(error);
}

enum gnomon_status gnomon_watch_choose_at(struct gnomon_watch *watch, const struct gnomon_symbols *symbols,
                                          const uint32_t *addresses, size_t count, const struct gnomon_board *board,
                                          struct gnomon_error *error) {
    *watch = (struct gnomon_watch){.first = gnomon_symbols_total(symbols)};
    if (!gnomon_watch_make(watch, count, false))
        return gnomon_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        watch->addresses[watch->count++] = addresses[i];
    return place_all(watch, board) ? GNOMON_OK : gnomon_fail_memory(error);
}

/* ---- Lock functions ---- */

enum { ALIKE = 16 }; /* functions of one name that are watched */

static void add_lock_function(struct gnomon_watch *watch, uint32_t address, const struct gnomon_lock_role *role) {
    for (size_t i = 0; i < watch->count; i++)
        if (watch->addresses[i] == address)
            return;
    watch->addresses[watch->count] = address;
    watch->roles[watch->count++] = role;
}

static void add_named(struct gnomon_watch *watch, const struct gnomon_symbols *symbols, const char *name,
                      const struct gnomon_lock_role *role) {
    uint32_t starts[ALIKE];
    const size_t count = gnomon_symbols_named(symbols, name, starts, ALIKE);
    for (size_t i = 0; i < count && i < ALIKE; i++)
        add_lock_function(watch, starts[i], role);
}

/* One that the user names: ROLE=FUNCTION, a name or an address. */
static enum gnomon_status add_given(struct gnomon_watch *watch, const struct gnomon_symbols *symbols, const char *text,
                                    struct gnomon_error *error) {
    const char *function = strchr(text, '=');
    const size_t length = function ? (size_t)(function - text) : 0, before = watch->count;
    const struct gnomon_lock_role *role = NULL;
    for (size_t i = 0; function && (role = gnomon_lock_role_at(i)); i++)
        if (strlen(role->name) == length && !strncmp(role->name, text, length))
            break;
    if (!role) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "\"%s\" does not say what a lock function does", text);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                             "write ROLE=FUNCTION; ROLE is acquire, try, release, or a function that does the same, as "
                             "pthread_mutex_lock; FUNCTION is a name or an address");
    }
    char *end;
    const unsigned long address = strtoul(++function, &end, 0);
    if (*function && !*end && address <= UINT32_MAX && !(address & 1))
        add_lock_function(watch, (uint32_t)address, role);
    else
        add_named(watch, symbols, function, role);
    if (watch->count > before)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no function %s, or it was named already",
                gnomon_symbols_path(symbols), function);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "name each function once, by its name or by its address");
}

enum gnomon_status gnomon_watch_choose_locks(struct gnomon_watch *watch, const struct gnomon_symbols *symbols,
                                             bool known, const char *const *given, size_t given_count,
                                             const struct gnomon_board *board, struct gnomon_error *error) {
    const struct gnomon_lock_role *role;
    size_t most = given_count;
    *watch = (struct gnomon_watch){.first = gnomon_symbols_total(symbols)};
    while (gnomon_lock_role_at(most - given_count))
        most++;
    if (!gnomon_watch_make(watch, most * ALIKE, true))
        return gnomon_fail_memory(error);
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; !status && i < given_count; i++)
        status = add_given(watch, symbols, given[i], error);
    for (size_t i = 0; !status && known && (role = gnomon_lock_role_at(i)); i++)
        if (role->kind != GNOMON_LOCK_USER)
            add_named(watch, symbols, role->name, role);
    if (!status && !place_all(watch, board))
        status = gnomon_fail_memory(error);
    return status;
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
            words[2 * i] = watch->addresses[done + i] | (watch->roles ? MARK : 0);
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
