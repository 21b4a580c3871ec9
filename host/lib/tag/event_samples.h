/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of instructions at every N-th occurrence of an event (docs/internals/tags.md, "Sampler"). None of this
 * disturbs the hart. */
#ifndef GNOMON_LIB_EVENT_SAMPLES_H
#define GNOMON_LIB_EVENT_SAMPLES_H

#include "lib/device/pmu.h"
#include "lib/tag/tag_live.h"

#define GNOMON_SAMPLE_OTHER_THREAD 256 /* `thread` of all threads from 256 on */

/* The instruction that pays for the event. */
struct gnomon_sample {
    uint32_t pc;
    uint16_t thread;
    bool read, write; /* it accessed memory, at `address` */
    uint32_t address;
};

struct gnomon_event_samples {
    const struct gnomon_tags *tags;
    struct gnomon_sample next; /* the sample whose words have been read in part */
    unsigned part;             /* number of its words that have been read */
};

/* Takes a sample at every `period`-th `event`, from the hart's reset or from now on. GNOMON_ERR_UNSUPPORTED: the device
 * cannot sample this event. */
enum gnomon_status gnomon_event_samples_begin(struct gnomon_event_samples *samples, const struct gnomon_tags *tags,
                                              const struct gnomon_pmu_event *event, uint32_t period,
                                              struct gnomon_error *error);
/* Reads waiting samples, at most GNOMON_SAMPLES_AT_ONCE; none: *count is 0. */
enum gnomon_status gnomon_event_samples_read(struct gnomon_event_samples *samples, struct gnomon_sample *list,
                                             size_t *count, struct gnomon_error *error);
/* Takes no more samples. */
enum gnomon_status gnomon_event_samples_end(const struct gnomon_event_samples *samples, struct gnomon_error *error);

#endif
