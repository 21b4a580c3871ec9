/* SPDX-License-Identifier: Apache-2.0 */
/* Modules that a program loaded and unloaded: whose functions a number means at a moment (docs/trace-format.md,
 * "Modules"), and their names, also when the module is long gone. */
#ifndef GNOMON_LIB_MODULES_H
#define GNOMON_LIB_MODULES_H

#include "records.h"
#include "symbols.h"
#include "trace.h"

struct gnomon_modules;

/* `first`: the first number that can be a module's; those before are the program's. NULL: out of memory. */
struct gnomon_modules *gnomon_modules_new(uint32_t first);
void gnomon_modules_free(struct gnomon_modules *modules);

/* Is the file a module? Then a new object with its path and build id, as a trace's header holds it; else NULL. */
json_t *gnomon_modules_describe(const char *path);

/* A module that may be loaded. `path`: its file, or NULL where it is not there any more. False: out of memory. */
bool gnomon_modules_know(struct gnomon_modules *modules, const char *name, const char *build_id, const char *path);

/* The same, of a file that must be one. */
enum gnomon_status gnomon_modules_add(struct gnomon_modules *modules, const char *path, struct gnomon_error *error);

/* MODULE events, in order. False: out of memory. */
bool gnomon_modules_note(struct gnomon_modules *modules, const struct gnomon_event *event);

/* *id: that of the first function of the module whose build id begins with these four bytes, the first in bits 7:0.
 * False: out of memory, or of ids. */
bool gnomon_modules_identify(struct gnomon_modules *modules, uint32_t key, uint32_t functions, uint32_t *id);

/* The function that a number means now, as in a profile. */
uint32_t gnomon_modules_id(const struct gnomon_modules *modules, uint32_t number);
/* The same by number, for GNOMON_MOST_RECORDS of them. Good until the next message. */
const uint32_t *gnomon_modules_ids(const struct gnomon_modules *modules);

struct gnomon_module_function {
    const char *module;                     /* name of its file, or what is known of its build id */
    uint32_t number;                        /* in the module */
    const struct gnomon_function *function; /* NULL: the module's file is not at hand */
};
/* `id` is one from GNOMON_PROFILE_MODULE on. */
struct gnomon_module_function gnomon_modules_function(const struct gnomon_modules *modules, uint32_t id);

/* Modules that were at an address at some time; NULL or more than one name where it cannot be told which ran there. */
struct gnomon_module_place {
    const char *module;                     /* NULL: none is known to have been there */
    const char *other;                      /* another one that was there at another time; NULL: there was none */
    uint32_t base;                          /* where it was loaded, */
    bool elsewhere;                         /* and at another time at another address, too */
    const struct gnomon_symbols *symbols;   /* its file's */
    const struct gnomon_function *function; /* NULL: none of it is there, or `other` is not NULL */
};
/* After the last event: what code at `address` was. */
struct gnomon_module_place gnomon_modules_at(const struct gnomon_modules *modules, uint32_t address);

/* Functions of modules by name, one after the other: *cursor is 0 for the first. False: there are no more. */
bool gnomon_modules_named(const struct gnomon_modules *modules, const char *name, size_t *cursor,
                          struct gnomon_module_place *place);

/* Loads of which nothing is known, as their messages were lost. */
uint64_t gnomon_modules_missing(const struct gnomon_modules *modules);

#endif
