/* SPDX-License-Identifier: Apache-2.0 */
/* The profiled functions of a program by number, from its ELF file: the compiler's table `.gnomon.map` says which
 * address has which number, the symbol table gives the name, DWARF file and line. Functions of overlays share
 * addresses: they have tables of their own, `.gnomon.map.overlay.N`, where file and line stand, too. */
#ifndef GNOMON_LIB_SYMBOLS_H
#define GNOMON_LIB_SYMBOLS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "error.h"

struct gnomon_function {
    uint32_t address;
    uint32_t end;       /* the first address behind its code: `address` where nothing says so */
    uint32_t overlay;   /* that it belongs to, by number, and 1; 0: it is always there */
    bool label;         /* a label in assembly, which does not say that it is a function */
    const char *name;   /* as its programmer wrote it (demangle.h); never NULL */
    const char *symbol; /* as the linker knows it; never NULL */
    const char *file;   /* as the compiler was given it; NULL: not known */
    unsigned line;      /* of the declaration; 0: not known */
};

struct gnomon_symbols;

enum gnomon_status gnomon_symbols_load(struct gnomon_symbols **symbols, const char *path, struct gnomon_error *error);
/* The same of a program that need not have been built with gnomon cc. */
enum gnomon_status gnomon_symbols_load_any(struct gnomon_symbols **symbols, const char *path,
                                           struct gnomon_error *error);
void gnomon_symbols_free(struct gnomon_symbols *symbols); /* may be NULL */

/* NULL: the program has no function of that number. */
const struct gnomon_function *gnomon_symbols_function(const struct gnomon_symbols *symbols, uint32_t number);

/* The function that holds `address`, with a number or without; NULL: there is none, or overlays share the address.
 * Ambiguous code is for code.h. */
const struct gnomon_function *gnomon_symbols_at(const struct gnomon_symbols *symbols, uint32_t address);

/* Where the code of the function (or part of one) begins that holds `address`, and the first address behind it. False:
 * as above. */
bool gnomon_symbols_range(const struct gnomon_symbols *symbols, uint32_t address, uint32_t *start, uint32_t *end);

/* Is this its name, as the programmer or the linker knows it? */
bool gnomon_function_is(const struct gnomon_function *function, const char *name);

/* Where the functions of this name begin that are always there, at most `most` of them; returns how many there are.
 * Where none has that name, those that have it without their parameters. */
size_t gnomon_symbols_named(const struct gnomon_symbols *symbols, const char *name, uint32_t *starts, size_t most);

/* The first function that begins at `address` or behind it and is always there; NULL: there is none. */
const struct gnomon_function *gnomon_symbols_next(const struct gnomon_symbols *symbols, uint32_t address);

/* Functions without hooks, by address, one for an address, without the parts that the compiler took out of others.
 * *cursor is 0 for the first; NULL: there are no more. */
const struct gnomon_function *gnomon_symbols_unhooked(const struct gnomon_symbols *symbols, size_t *cursor);

/* From now on functions have numbers from `first` on, too: those that begin at these addresses. False: out of memory.
 */
bool gnomon_symbols_number(struct gnomon_symbols *symbols, uint32_t first, const uint32_t *addresses, size_t count);

/* The overlays that hold `address` while they are loaded, by number: bits of the result, from 0 on. */
uint32_t gnomon_symbols_overlays(const struct gnomon_symbols *symbols, uint32_t address);
/* The function of one overlay that holds `address`; NULL: there is none. */
const struct gnomon_function *gnomon_symbols_in_overlay(const struct gnomon_symbols *symbols, unsigned overlay,
                                                        uint32_t address);

/* The first address behind all sections of a module, which begins at 0. */
uint32_t gnomon_symbols_end(const struct gnomon_symbols *symbols);

/* Has the file no symbol of a function? Then functions are known by their addresses only. */
bool gnomon_symbols_stripped(const struct gnomon_symbols *symbols);

/* Numbers of functions with hooks run from 0 to before this. */
uint32_t gnomon_symbols_total(const struct gnomon_symbols *symbols);

/* Is it a module that programs load, rather than a program? */
bool gnomon_symbols_is_module(const struct gnomon_symbols *symbols);

const char *gnomon_symbols_path(const struct gnomon_symbols *symbols);
/* In hex digits; "" where the file has none. */
const char *gnomon_symbols_build_id(const struct gnomon_symbols *symbols);

/* Is this the program that was recorded? `header` is the trace file's, `trace` its name for messages. */
enum gnomon_status gnomon_symbols_check(const struct gnomon_symbols *symbols, const json_t *header, const char *trace,
                                        struct gnomon_error *error);

#endif
