/* SPDX-License-Identifier: Apache-2.0 */
/* Functions without hooks whose calls the device recognises from the instructions (docs/profile.md, "Watched calls"):
 * which they are, their numbers, and the device's table of them. */
#ifndef GNOMON_LIB_WATCH_H
#define GNOMON_LIB_WATCH_H

#include <jansson.h>

#include "board.h"
#include "symbols.h"

/* Functions, by number from `first` on. */
struct gnomon_watch {
    uint32_t first;
    size_t count;
    uint32_t *addresses;
    uint32_t *places; /* in the device's table; NULL in what was read from a file */
    size_t left_out;  /* functions that found no place */
};

/* Those of a program that have no hooks, and of these, where there are patterns, those with a name that fits one (as
 * names of files do in a shell). Their numbers follow those of functions with hooks, as far as the device
 * has places and numbers. Free the result. */
enum gnomon_status gnomon_watch_choose(struct gnomon_watch *watch, const struct gnomon_symbols *symbols,
                                       const char *const *patterns, size_t pattern_count,
                                       const struct gnomon_board *board, struct gnomon_error *error);
void gnomon_watch_free(struct gnomon_watch *watch);

/* Fills the device's table. Its hart is in reset. */
enum gnomon_status gnomon_watch_load(const struct gnomon_watch *watch, struct gnomon_device *device,
                                     struct gnomon_error *error);

/* What the device could not follow; both 0: nothing. */
struct gnomon_watch_loss {
    uint32_t missed;  /* calls without a frame: their cycles are their callers' */
    uint32_t overrun; /* events, calls and returns that came too fast */
};
enum gnomon_status gnomon_watch_loss(struct gnomon_device *device, struct gnomon_watch_loss *loss,
                                     struct gnomon_error *error);

/* As a trace file's header holds it; NULL: out of memory. */
json_t *gnomon_watch_json(const struct gnomon_watch *watch);
/* The other way round. Nothing in `json` is trusted: GNOMON_ERR_FORMAT. */
enum gnomon_status gnomon_watch_parse(const json_t *json, struct gnomon_watch *watch, struct gnomon_error *error);

#endif
