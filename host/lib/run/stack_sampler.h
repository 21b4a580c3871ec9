/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of whole stacks, by the monitor in a program that was linked with gnomon cc --gnomon-monitor
 * (include/gnomon/stacks.h). Its table is read after the run; what left the table before comes in the trace. */
#ifndef GNOMON_LIB_STACK_SAMPLER_H
#define GNOMON_LIB_STACK_SAMPLER_H

#include "gnomon/stacks.h"
#include "lib/device/board.h"
#include "lib/device/pmu.h"
#include "lib/model/samples.h"
#include "lib/trace/trace_decoder.h"

struct gnomon_stack_sampler {
    struct gnomon_samples *samples; /* the caller's; `period` is set */
    struct gnomon_device *device;
    const struct gnomon_board *board;
    uint32_t request, results; /* addresses of the program's variables */
    uint32_t depth;            /* most addresses of a stack */
    /* The message that comes. */
    bool coming;
    uint32_t what, words;
    struct {
        uint32_t count, addresses[GNOMON_STACKS_DEEPEST];
    } stack;
    bool last; /* `what` and `stack` are the last stack that came */
    bool in_monitor;
    uint64_t since; /* cycle in which its interrupt began */
    bool failed;    /* out of memory */
};

/* GNOMON_ERR_UNSUPPORTED: the program has no monitor, or the device no counters. `path`: the program's file. */
enum gnomon_status gnomon_stack_sampler_open(struct gnomon_stack_sampler *sampler, struct gnomon_samples *samples,
                                             struct gnomon_device *device, const struct gnomon_board *board,
                                             const char *path, struct gnomon_error *error);
/* Call it between gnomon_session_prepare and gnomon_session_run. `sets` and `depth` are of the monitor's table. */
enum gnomon_status gnomon_stack_sampler_begin(struct gnomon_stack_sampler *sampler,
                                              const struct gnomon_pmu_event *event, uint32_t sets, uint32_t depth,
                                              uint32_t seed, struct gnomon_error *error);
/* Takes each event of the trace, which must have traps and channel messages. */
void gnomon_stack_sampler_event(struct gnomon_stack_sampler *sampler, const struct gnomon_event *event);
/* After the run: reads the table, and finds out what was lost. */
enum gnomon_status gnomon_stack_sampler_end(struct gnomon_stack_sampler *sampler, struct gnomon_error *error);

#endif
