/* SPDX-License-Identifier: Apache-2.0 */
/* The data that symbols.c reads and symbols_find.c searches. */
#ifndef GNOMON_LIB_SYMBOLS_INTERNAL_H
#define GNOMON_LIB_SYMBOLS_INTERNAL_H

#include <stddef.h>

#include "lib/elf/symbols.h"

#define SYMBOLS_MAX_BUILD_ID 32 /* bytes */

/* A section that has addresses; `overlay` as in struct gnomon_function. */
struct symbols_section {
    uint32_t start, end, overlay;
    bool code;
};

struct gnomon_symbols {
    char *path;
    uint32_t entry;
    bool is_module;
    char build_id[2 * SYMBOLS_MAX_BUILD_ID + 1];
    uint32_t total;
    struct gnomon_function *functions; /* by number, then functions without a number; name NULL: unused */
    size_t count;
    uint32_t *by_address; /* indices of the functions, sorted by overlay and address */
    uint32_t *reach; /* for each place of by_address: the highest end of the overlay's functions up to that place */
    size_t known;
    size_t named;           /* symbols of functions */
    uint32_t first_watched; /* first number of the functions without hooks */
    uint32_t *watched;      /* addresses of the functions without hooks */
    size_t watched_count;
    struct symbols_section *sections;
    size_t section_count;
    uint32_t shared_start, shared_end; /* the addresses that overlays share */
};

/* The sort key of by_address: overlay first, then address. */
uint64_t symbols_key(uint32_t overlay, uint32_t address);

/* The place in by_address of the first function with a key above `key`. */
size_t symbols_after(const struct gnomon_symbols *symbols, uint64_t key);

/* The function at a place in by_address. */
struct gnomon_function *symbols_place(const struct gnomon_symbols *symbols, size_t place);

/* The function of the overlay that begins at `address`; NULL: there is none. */
struct gnomon_function *symbols_begins(const struct gnomon_symbols *symbols, uint32_t overlay, uint32_t address);

/* The innermost function of the overlay that holds `address`; NULL: none does. */
struct gnomon_function *symbols_holds(const struct gnomon_symbols *symbols, uint32_t overlay, uint32_t address);

/* The section of the overlay that holds `address`; NULL: none does. */
const struct symbols_section *symbols_section(const struct gnomon_symbols *symbols, uint32_t overlay, uint32_t address);

#endif
