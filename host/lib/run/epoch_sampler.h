/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of whole stacks without code in the program: the calls that the device's function records know to be open, at
 * random moments (lib/device/epoch.h). */
#ifndef GNOMON_LIB_EPOCH_SAMPLER_H
#define GNOMON_LIB_EPOCH_SAMPLER_H

#include "lib/device/epoch.h"
#include "lib/elf/symbols.h"
#include "lib/model/samples.h"
#include "lib/model/watch_list.h"

/* Where functions begin, by their numbers. */
struct gnomon_function_starts {
    const struct gnomon_symbols *symbols;
    const struct gnomon_watch *watch; /* NULL: no function is watched */
};

/* The calls that were open in the thread that ran. */
struct gnomon_open_stack {
    uint32_t thread;
    uint32_t depth;                             /* 0: it was in no function */
    bool cut;                                   /* deeper than a sample can be: the outermost calls are missing */
    uint32_t addresses[GNOMON_SAMPLED_DEEPEST]; /* as in samples with `functions` */
};

struct gnomon_epoch_sampler {
    struct gnomon_samples *samples; /* the caller's; `period` is set: cycles from sample to sample, at least */
    struct gnomon_device *device;
    const struct gnomon_board *board;
    struct gnomon_function_starts starts;
    uint32_t period;
    uint64_t spread; /* of the next moment, in cycles */
    uint64_t next;   /* the cycle of the next sample; 0: not yet chosen */
    uint64_t random; /* state */
};

/* The stack at the end of an epoch. What interrupts do is not in the stack of the thread that they interrupted. */
void gnomon_open_stack(const struct gnomon_epoch *epoch, const struct gnomon_board *board,
                       const struct gnomon_function_starts *starts, struct gnomon_open_stack *stack);

/* GNOMON_ERR_UNSUPPORTED: the device's records have no epochs. */
enum gnomon_status gnomon_epoch_sampler_open(struct gnomon_epoch_sampler *sampler, struct gnomon_samples *samples,
                                             struct gnomon_device *device, const struct gnomon_board *board,
                                             struct gnomon_error *error);
/* Call it often while the program runs. Waits for the moments of the next samples if they come soon, and takes them. */
enum gnomon_status gnomon_epoch_sampler_take(struct gnomon_epoch_sampler *sampler, struct gnomon_error *error);
/* After the run of that many cycles: the mean distance of the samples becomes their period. */
void gnomon_epoch_sampler_end(struct gnomon_epoch_sampler *sampler, uint64_t cycles);

#endif
