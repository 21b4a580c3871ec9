/* SPDX-License-Identifier: Apache-2.0 */
/* The modules that a program loads and unloads: which function a number means at a given time
 * (docs/reference/trace-format.md, "Modules"), and the functions' names, also after the module was unloaded. */
#ifndef GNOMON_LIB_MODULES_H
#define GNOMON_LIB_MODULES_H

#include "lib/elf/symbols.h"
#include "lib/model/function_records.h"
#include "lib/trace/trace_decoder.h"

struct gnomon_modules;

/* `first`: the first number that a module can have; lower numbers are the program's. NULL: out of memory. */
struct gnomon_modules *gnomon_modules_new(uint32_t first);
void gnomon_modules_free(struct gnomon_modules *modules);

/* A new object with path and build id of a module's file, as in a trace's header; NULL: the file is no module. */
json_t *gnomon_modules_describe(const char *path);

/* Adds a module that the program may load. `path`: its file, or NULL if the file no longer exists. False: out of
 * memory. */
bool gnomon_modules_know(struct gnomon_modules *modules, const char *name, const char *build_id, const char *path);

/* The same for a file that must be a module. */
enum gnomon_status gnomon_modules_add(struct gnomon_modules *modules, const char *path, struct gnomon_error *error);

/* Takes the MODULE events, in order. False: out of memory. */
bool gnomon_modules_note(struct gnomon_modules *modules, const struct gnomon_event *event);

/* *id: the id of the first function of the module whose build id begins with the four bytes in `key` (the first byte in
 * bits 7:0). False: out of memory, or no free ids. */
bool gnomon_modules_identify(struct gnomon_modules *modules, uint32_t key, uint32_t functions, uint32_t *id);

/* The first number that belongs to modules: lower ones are their own ids. */
uint32_t gnomon_modules_first(const struct gnomon_modules *modules);
/* The id in a profile of the function that `number` means now. */
uint32_t gnomon_modules_id(const struct gnomon_modules *modules, uint32_t number);
/* The ids by number, for GNOMON_MOST_RECORDS numbers. Valid until the next message. */
const uint32_t *gnomon_modules_ids(const struct gnomon_modules *modules);

struct gnomon_module_function {
    const char *module;                     /* name of its file, or what is known of its build id */
    const char *build_id;                   /* of its file; "": the file is not available */
    uint32_t number;                        /* in the module */
    const struct gnomon_function *function; /* NULL: the module's file is not available */
};
/* `id` is one from GNOMON_PROFILE_MODULE on. */
struct gnomon_module_function gnomon_modules_function(const struct gnomon_modules *modules, uint32_t id);

/* The module whose code was at an address. If more than one module was there, it is unknown which one ran. */
struct gnomon_module_place {
    const char *module;                     /* NULL: no known module was there */
    const char *other;                      /* another module that was there at another time; NULL: none */
    uint32_t base;                          /* where `module` was loaded */
    bool elsewhere;                         /* it was also loaded at another address */
    const struct gnomon_symbols *symbols;   /* of the module's file */
    const struct gnomon_function *function; /* NULL: no function of `module` is there, or `other` is not NULL */
};
/* What code at `address` was. Call it after the last event. */
struct gnomon_module_place gnomon_modules_at(const struct gnomon_modules *modules, uint32_t address);

/* Finds the modules' functions of that name, one per call. *cursor is 0 for the first; false: there are no more. */
bool gnomon_modules_named(const struct gnomon_modules *modules, const char *name, size_t *cursor,
                          struct gnomon_module_place *place);

/* What is known of the build id of a module that was loaded and of which no file is available; NULL: there is none. */
const char *gnomon_modules_unknown(const struct gnomon_modules *modules);

/* Number of loads about which nothing is known, because their messages were lost. */
uint64_t gnomon_modules_missing(const struct gnomon_modules *modules);

#endif
