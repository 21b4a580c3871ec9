/* SPDX-License-Identifier: Apache-2.0 */
/* The list of functions without hooks whose calls the device recognises from the instructions
 * (docs/internals/profile.md, "Hookless call tracing"), with their numbers. */
#ifndef GNOMON_LIB_WATCH_LIST_H
#define GNOMON_LIB_WATCH_LIST_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/model/lock_functions.h"
#include "lib/util/error.h"

/* Functions with numbers from `first` on. */
struct gnomon_watch {
    uint32_t first;
    size_t count;
    uint32_t *addresses;
    uint32_t *places; /* in the device's table; NULL if the list was read from a file */
    /* What each does, if they are lock functions: the device sends their arguments and results, too. Else NULL. */
    const struct gnomon_lock_role **roles;
    size_t left_out; /* functions for which the device's table had no place */
};

/* Empty lists with room for `size` functions, with or without roles. False: out of memory. */
bool gnomon_watch_make(struct gnomon_watch *watch, size_t size, bool roles);
void gnomon_watch_free(struct gnomon_watch *watch);

/* The JSON of a trace file's header; NULL: out of memory. */
json_t *gnomon_watch_json(const struct gnomon_watch *watch);
/* Reads what gnomon_watch_json wrote. `json` is not trusted: GNOMON_ERR_FORMAT. */
enum gnomon_status gnomon_watch_parse(const json_t *json, struct gnomon_watch *watch, struct gnomon_error *error);

#endif
