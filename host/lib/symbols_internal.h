/* SPDX-License-Identifier: Apache-2.0 */
/* What symbols.c reads and symbols_find.c looks up. */
#ifndef GNOMON_LIB_SYMBOLS_INTERNAL_H
#define GNOMON_LIB_SYMBOLS_INTERNAL_H

#include <stddef.h>

#include "symbols.h"

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
    struct gnomon_function *functions; /* by number, then those without one; name NULL: there is none */
    size_t count;
    uint32_t *by_address; /* indices of the functions, sorted by overlay and address */
    uint32_t *reach;      /* by the same places: the highest end of a function of the overlay up to there */
    size_t known;
    size_t named;           /* symbols of functions */
    uint32_t first_watched; /* numbers of functions without hooks */
    uint32_t *watched;      /* their addresses */
    size_t watched_count;
    struct symbols_section *sections;
    size_t section_count;
    uint32_t shared_start, shared_end; /* the addresses of overlays */
};

/* Functions in the order of overlays and addresses. */
uint64_t symbols_key(uint32_t overlay, uint32_t address);

/* The place in by_address of the first function with a key above `key`. */
size_t symbols_behind(const struct gnomon_symbols *symbols, uint64_t key);

/* The function at a place in by_address. */
struct gnomon_function *symbols_place(const struct gnomon_symbols *symbols, size_t place);

/* The function of the overlay that begins at `address`; NULL: there is none. */
struct gnomon_function *symbols_begins(const struct gnomon_symbols *symbols, uint32_t overlay, uint32_t address);

/* The innermost function of the overlay that holds `address`; NULL: none does. */
struct gnomon_function *symbols_holds(const struct gnomon_symbols *symbols, uint32_t overlay, uint32_t address);

/* The section of the overlay that holds `address`; NULL: none does. */
const struct symbols_section *symbols_section(const struct gnomon_symbols *symbols, uint32_t overlay, uint32_t address);

#endif
