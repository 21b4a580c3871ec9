/* SPDX-License-Identifier: Apache-2.0 */
/* A device's tags (docs/internals/tags.md): which resources it has, loading a plan, and reading the counts. None of
 * this disturbs the hart.
 *
 * Counters, timers and gates are 0 when the hart's reset begins. The settings of a plan survive the reset. */
#ifndef GNOMON_LIB_TAG_DEVICE_H
#define GNOMON_LIB_TAG_DEVICE_H

#include "lib/device/board.h"
#include "lib/profile/tag_losses.h"
#include "lib/tag/tag_plan.h"

struct gnomon_tags {
    struct gnomon_device *device;
    struct gnomon_tag_sizes sizes;
    unsigned delay; /* cycles from the retirement of an instruction until its tags take effect */
};

/* GNOMON_ERR_UNSUPPORTED: the device has no tags. */
enum gnomon_status gnomon_tags_open(struct gnomon_tags *tags, struct gnomon_device *device,
                                    const struct gnomon_board *board, struct gnomon_error *error);
/* The same; GNOMON_ERR_UNSUPPORTED also if the device has reduced tags only. */
enum gnomon_status gnomon_tags_open_whole(struct gnomon_tags *tags, struct gnomon_device *device,
                                          const struct gnomon_board *board, struct gnomon_error *error);

/* GNOMON_ERR_ARGUMENT: the plan tags addresses outside the board's memory. */
enum gnomon_status gnomon_tags_check(const struct gnomon_tag_plan *plan, const struct gnomon_board *board,
                                     struct gnomon_error *error);

/* Clears all tags and counters and loads the plan. The hart must be in reset and the program in memory: a later write
 * into tagged code clears its tags. */
enum gnomon_status gnomon_tags_load(const struct gnomon_tags *tags, const struct gnomon_tag_plan *plan,
                                    struct gnomon_error *error);
/* Waits until an access through the register TAG is done; `state` is the value of STATUS then. */
enum gnomon_status gnomon_tags_await_access(const struct gnomon_tags *tags, uint32_t *state,
                                            struct gnomon_error *error);
/* gnomon_tags_clear clears all tags and counters and turns off the tags' effect; gnomon_tags_clear_counts clears only
 * the counters. */
enum gnomon_status gnomon_tags_clear(const struct gnomon_tags *tags, struct gnomon_error *error);
enum gnomon_status gnomon_tags_clear_counts(const struct gnomon_tags *tags, struct gnomon_error *error);
/* Sets for what memory there are tags: GNOMON_TAG_BLOCKS blocks each, by number. */
enum gnomon_status gnomon_tags_set_blocks(const struct gnomon_tags *tags, const struct gnomon_tag_block *code,
                                          const struct gnomon_tag_block *data, struct gnomon_error *error);
/* Gives these tags (as in the register TAG) to the words from `start` to before `end`. Leaves UNTIL at `end`. */
enum gnomon_status gnomon_tags_fill(const struct gnomon_tags *tags, uint32_t start, uint32_t end, uint32_t word,
                                    struct gnomon_error *error);
/* Turns off the tags' effect. */
enum gnomon_status gnomon_tags_off(const struct gnomon_tags *tags, struct gnomon_error *error);

/* The counts of one tag number. */
struct gnomon_tag_count {
    uint64_t executions, cycles, reads, writes; /* reduced tags: only executions */
};

struct gnomon_timer_count {
    uint32_t intervals;               /* that have ended */
    uint64_t cycles;                  /* of the ended intervals */
    uint32_t last, shortest, longest; /* of the ended intervals; `shortest` is all ones if there is none */
    bool running;
    uint32_t over[GNOMON_TAG_STEPS]; /* intervals that were longer than the threshold */
};

struct gnomon_tag_counts {
    struct gnomon_tag_count values[GNOMON_TAG_VALUES + 1]; /* by number */
    struct gnomon_timer_count timers[GNOMON_TAG_TIMERS];
    uint32_t hinted;
    struct gnomon_tag_losses losses;
};

/* Reads all counters, after the device has counted everything that was done before. All values are of the same time if
 * the hart is stopped. */
enum gnomon_status gnomon_tags_read(const struct gnomon_tags *tags, struct gnomon_tag_counts *counts,
                                    struct gnomon_error *error);

/* The counts of target `index` of the plan: the sum over all numbers that belong to it. */
struct gnomon_tag_count gnomon_tags_sum(const struct gnomon_tag_plan *plan, const struct gnomon_tag_counts *counts,
                                        size_t index);

/* Reads the per-address counters from `address` on: of `count` places of instructions (two bytes each) or of `count`
 * words. The low bits of an address choose the counter: other addresses may have the same one. */
enum gnomon_status gnomon_tags_read_per_address(const struct gnomon_tags *tags, uint32_t address, bool data,
                                                uint32_t *counts, size_t count, struct gnomon_error *error);

#endif
