/* SPDX-License-Identifier: Apache-2.0 */
/* Tags of functions that change while the program runs (docs/tags.md), and the sampler. The hart is not disturbed. */
#ifndef GNOMON_LIB_TAGS_LIVE_H
#define GNOMON_LIB_TAGS_LIVE_H

#include "tags.h"

/* Clears everything, maps segments for the instructions from `start` up to, not with, `end`, and turns tags on; all of
 * them count executions. GNOMON_ERR_UNSUPPORTED: the device has not so many words with tags. */
enum gnomon_status gnomon_tags_begin(const struct gnomon_tags *tags, uint32_t start, uint32_t end,
                                     struct gnomon_error *error);

/* The instructions from `start` up to, not with, `end` have the tag `number` from now on; 0: none. */
enum gnomon_status gnomon_tags_mark(const struct gnomon_tags *tags, uint32_t start, uint32_t end, unsigned number,
                                    struct gnomon_error *error);

/* Counting stands still, or goes on; all counts are 0 where it goes on. */
enum gnomon_status gnomon_tags_pause(const struct gnomon_tags *tags, struct gnomon_error *error);
enum gnomon_status gnomon_tags_restart(const struct gnomon_tags *tags, struct gnomon_error *error);

/* The cycle counter of record. */
enum gnomon_status gnomon_tags_now(const struct gnomon_tags *tags, uint64_t *cycle, struct gnomon_error *error);

/* A sample each `period` cycles, 16 or more, from the hart's reset or from now on; 0: none. GNOMON_ERR_UNSUPPORTED: the
 * device has no sampler. */
enum gnomon_status gnomon_sampler_set(const struct gnomon_tags *tags, uint32_t period, struct gnomon_error *error);

#define GNOMON_SAMPLES_AT_ONCE 256
/* The samples that wait, at most GNOMON_SAMPLES_AT_ONCE: addresses of instructions. */
enum gnomon_status gnomon_sampler_read(const struct gnomon_tags *tags, uint32_t *addresses, size_t *count,
                                       struct gnomon_error *error);
/* Samples for which there was no room, and those of cycles in debug mode or reset. */
enum gnomon_status gnomon_sampler_losses(const struct gnomon_tags *tags, uint32_t *lost, uint32_t *nobody,
                                         struct gnomon_error *error);

#endif
