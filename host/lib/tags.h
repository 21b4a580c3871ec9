/* SPDX-License-Identifier: Apache-2.0 */
/* A device's tags (docs/tags.md): what it has of them, putting a plan into it, and reading what was counted. Nothing of
 * it disturbs the hart.
 *
 * Counters, timers and gates are 0 when the hart's reset begins; all that a plan says survives it. */
#ifndef GNOMON_LIB_TAGS_H
#define GNOMON_LIB_TAGS_H

#include "board.h"
#include "exactness.h"
#include "tag_plan.h"

struct gnomon_tags {
    struct gnomon_device *device;
    struct gnomon_tag_sizes sizes;
    unsigned delay; /* cycles from a retirement until its tags take effect */
};

/* GNOMON_ERR_UNSUPPORTED: the device has no tags. */
enum gnomon_status gnomon_tags_open(struct gnomon_tags *tags, struct gnomon_device *device,
                                    const struct gnomon_board *board, struct gnomon_error *error);

/* GNOMON_ERR_ARGUMENT: not all that the plan tags is in the board's memory. */
enum gnomon_status gnomon_tags_check(const struct gnomon_tag_plan *plan, const struct gnomon_board *board,
                                     struct gnomon_error *error);

/* Clears all tags and counters and puts the plan in. The hart is in reset and the program in memory: what is written
 * into tagged code later takes its tags away. */
enum gnomon_status gnomon_tags_load(const struct gnomon_tags *tags, const struct gnomon_tag_plan *plan,
                                    struct gnomon_error *error);
/* Waits until an access by the register TAG is done; `state` is STATUS then. */
enum gnomon_status gnomon_tags_await_access(const struct gnomon_tags *tags, uint32_t *state,
                                            struct gnomon_error *error);
/* All tags and counters are 0, and tags have no effect; or only the counters. */
enum gnomon_status gnomon_tags_clear(const struct gnomon_tags *tags, struct gnomon_error *error);
enum gnomon_status gnomon_tags_clear_counts(const struct gnomon_tags *tags, struct gnomon_error *error);
/* The words from `start` up to, not with, `end` have these tags (as the register TAG has them). Leaves UNTIL at `end`.
 */
enum gnomon_status gnomon_tags_fill(const struct gnomon_tags *tags, uint32_t start, uint32_t end, uint32_t word,
                                    struct gnomon_error *error);
/* Tags have no effect any more. */
enum gnomon_status gnomon_tags_off(const struct gnomon_tags *tags, struct gnomon_error *error);

/* Of what has one number. */
struct gnomon_tag_count {
    uint64_t executions, cycles, reads, writes;
};

struct gnomon_timer_count {
    uint32_t intervals;               /* that have ended */
    uint64_t cycles;                  /* of these */
    uint32_t last, shortest, longest; /* of these; `shortest` is all ones where there is none */
    uint32_t elapsed;                 /* of the one that runs */
    bool running;
    uint32_t over[GNOMON_TAG_STEPS]; /* intervals that passed the threshold */
};

struct gnomon_tag_counts {
    struct gnomon_tag_count values[GNOMON_TAG_VALUES + 1]; /* by number */
    struct gnomon_timer_count timers[GNOMON_TAG_TIMERS];
    uint32_t fetch_misses, data_misses, filled; /* of the tags; the program is none the slower */
    uint32_t late;                              /* lookups that failed: these executions and accesses are missing */
    uint32_t cleared, cleared_address;          /* words of tagged code that were written, the last one */
    uint32_t hinted, hints_lost;
    uint32_t own_outside; /* executions and accesses that have no counter of their own */
};

/* All counters; they are of one moment where the hart stands still. */
enum gnomon_status gnomon_tags_read(const struct gnomon_tags *tags, struct gnomon_tag_counts *counts,
                                    struct gnomon_error *error);

/* What target `index` of the plan has counted: the sum over all numbers that are part of it. */
struct gnomon_tag_count gnomon_tags_sum(const struct gnomon_tag_plan *plan, const struct gnomon_tag_counts *counts,
                                        size_t index);
/* Adds what is missing in them. */
void gnomon_tags_reasons(const struct gnomon_tag_counts *counts, struct gnomon_exactness *exactness);
/* Is nothing missing? */
bool gnomon_tags_exact(const struct gnomon_tag_counts *counts);

/* Own counters of `count` instructions' places (two bytes each) or words, from `address` on; 0 for what has none. */
enum gnomon_status gnomon_tags_read_own(const struct gnomon_tags *tags, uint32_t address, bool data, uint32_t *counts,
                                        size_t count, struct gnomon_error *error);

#endif
