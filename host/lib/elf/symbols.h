/* SPDX-License-Identifier: Apache-2.0 */
/* The profiled functions of a program by number, from its ELF file: the compiler's table `.gnomon.map` gives the number
 * of each address, the symbol table gives the name, DWARF gives file and line. Functions of overlays share addresses.
 * They have their own tables, `.gnomon.map.overlay.N`, which also hold file and line. */
#ifndef GNOMON_LIB_SYMBOLS_H
#define GNOMON_LIB_SYMBOLS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/util/error.h"

struct gnomon_function {
    uint32_t address;
    uint32_t end;       /* the first address after its code; equal to `address` if the end is not known */
    uint32_t overlay;   /* number of its overlay plus 1; 0: it is always in memory */
    bool label;         /* an assembly label that is not marked as a function */
    const char *name;   /* in source form (demangle.h); never NULL */
    const char *symbol; /* the linker's name; never NULL */
    const char *file;   /* as the compiler was given it; NULL: not known */
    unsigned line;      /* of the declaration; 0: not known */
};

struct gnomon_symbols;

enum gnomon_status gnomon_symbols_load(struct gnomon_symbols **symbols, const char *path, struct gnomon_error *error);
/* The same for a program that need not have been built with gnomon cc. */
enum gnomon_status gnomon_symbols_load_any(struct gnomon_symbols **symbols, const char *path,
                                           struct gnomon_error *error);
void gnomon_symbols_free(struct gnomon_symbols *symbols); /* may be NULL */

/* NULL: the program has no function of that number. */
const struct gnomon_function *gnomon_symbols_function(const struct gnomon_symbols *symbols, uint32_t number);

/* The function that holds `address`, with or without a number; NULL: there is none, or overlays share the address.
 * code.h handles code that is ambiguous. */
const struct gnomon_function *gnomon_symbols_at(const struct gnomon_symbols *symbols, uint32_t address);

/* Where the function (or part of a function) that holds `address` begins, and the first address after it. False in the
 * cases where gnomon_symbols_at returns NULL. */
bool gnomon_symbols_range(const struct gnomon_symbols *symbols, uint32_t address, uint32_t *start, uint32_t *end);

/* Is `name` the function's source name or linker name? */
bool gnomon_function_is(const struct gnomon_function *function, const char *name);

/* The start addresses of the functions with this name that are always in memory, at most `most` of them; returns how
 * many functions there are. If no function has the name, functions that have it without their parameters count. */
size_t gnomon_symbols_named(const struct gnomon_symbols *symbols, const char *name, uint32_t *starts, size_t most);

/* The first function at or after `address` that is always in memory; NULL: there is none. */
const struct gnomon_function *gnomon_symbols_next(const struct gnomon_symbols *symbols, uint32_t address);

/* Goes through the functions without hooks by address, one for each address. Parts that the compiler moved out of
 * functions are left out. *cursor is 0 for the first function; NULL: there are no more. */
const struct gnomon_function *gnomon_symbols_unhooked(const struct gnomon_symbols *symbols, size_t *cursor);

/* True if the program's threads run on both harts of a device that has two, and move from one to the other: it is
 * linked with gnomon cc --gnomon-harts. */
bool gnomon_symbols_threads_move(const struct gnomon_symbols *symbols);

/* Gives the functions that begin at these addresses numbers from `first` on, in addition to the existing numbers.
 * False: out of memory. */
bool gnomon_symbols_number(struct gnomon_symbols *symbols, uint32_t first, const uint32_t *addresses, size_t count);

/* The overlays that hold `address` while they are loaded: bit N of the result is overlay N. */
uint32_t gnomon_symbols_overlays(const struct gnomon_symbols *symbols, uint32_t address);
/* The function of one overlay that holds `address`; NULL: there is none. */
const struct gnomon_function *gnomon_symbols_in_overlay(const struct gnomon_symbols *symbols, unsigned overlay,
                                                        uint32_t address);

/* The first address after all sections of a module, which begins at 0. */
uint32_t gnomon_symbols_end(const struct gnomon_symbols *symbols);

/* Has the file no function symbols? Then functions are known only by their addresses. */
bool gnomon_symbols_stripped(const struct gnomon_symbols *symbols);

/* The number after the last function with hooks: these functions have the numbers from 0 to before it. */
uint32_t gnomon_symbols_total(const struct gnomon_symbols *symbols);

/* Is it a module that programs load, and not a program? */
bool gnomon_symbols_is_module(const struct gnomon_symbols *symbols);

const char *gnomon_symbols_path(const struct gnomon_symbols *symbols);
/* In hex digits; "" if the file has no build id. */
const char *gnomon_symbols_build_id(const struct gnomon_symbols *symbols);

/* Checks that this is the program that was recorded. `header` is the trace file's header, `trace` the trace file's name
 * for messages. */
enum gnomon_status gnomon_symbols_check(const struct gnomon_symbols *symbols, const json_t *header, const char *trace,
                                        struct gnomon_error *error);

#endif
