/* SPDX-License-Identifier: Apache-2.0 */
/* Tags of functions that change while the program runs (docs/internals/tags.md), and the sampler. None of this disturbs
 * the hart.
 */
#ifndef GNOMON_LIB_TAG_LIVE_H
#define GNOMON_LIB_TAG_LIVE_H

#include "lib/tag/tag_device.h"

/* Clears everything and turns tags on; all tags count executions. GNOMON_ERR_UNSUPPORTED: no word can have a tag. */
enum gnomon_status gnomon_tags_begin(const struct gnomon_tags *tags, struct gnomon_error *error);

/* Can the instructions from `start` to before `end` have tags at the same time as those from `other` to before
 * `other_end`? Not if different memory of theirs needs the same block. A range by itself may need too many blocks, too.
 */
bool gnomon_tags_fit(const struct gnomon_tag_sizes *sizes, uint32_t start, uint32_t end, uint32_t other,
                     uint32_t other_end);

/* From now on the instructions from `start` to before `end` have the tag `number`; 0: none. They take their blocks, so
 * only ranges that fit may have tags. */
enum gnomon_status gnomon_tags_mark(const struct gnomon_tags *tags, uint32_t start, uint32_t end, unsigned number,
                                    struct gnomon_error *error);

/* Stops counting, or resumes it with all counts at 0. */
enum gnomon_status gnomon_tags_pause(const struct gnomon_tags *tags, struct gnomon_error *error);
enum gnomon_status gnomon_tags_restart(const struct gnomon_tags *tags, struct gnomon_error *error);

/* The cycle counter of record. */
enum gnomon_status gnomon_tags_now(const struct gnomon_tags *tags, uint64_t *cycle, struct gnomon_error *error);

/* Takes a sample every `period` cycles, from the hart's reset or from now on. `period` is 16 or more; 0: no samples.
 * GNOMON_ERR_UNSUPPORTED: the device has no sampler. */
enum gnomon_status gnomon_sampler_set(const struct gnomon_tags *tags, uint32_t period, struct gnomon_error *error);

#define GNOMON_SAMPLES_AT_ONCE 64
/* Reads the waiting samples, at most GNOMON_SAMPLES_AT_ONCE: addresses of instructions. */
enum gnomon_status gnomon_sampler_read(const struct gnomon_tags *tags, uint32_t *addresses, size_t *count,
                                       struct gnomon_error *error);
/* *lost: samples for which there was no room; *unattributed: samples of cycles in debug mode or reset. */
enum gnomon_status gnomon_sampler_losses(const struct gnomon_tags *tags, uint32_t *lost, uint32_t *unattributed,
                                         struct gnomon_error *error);

#endif
