/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of a run by the device's sampler: the address and the thread of an instruction at every N-th event. The
 * program needs no code for it, and the hart does not wait. */
#ifndef GNOMON_LIB_PC_SAMPLER_H
#define GNOMON_LIB_PC_SAMPLER_H

#include "lib/model/samples.h"
#include "lib/tag/event_samples.h"

struct gnomon_pc_sampler {
    struct gnomon_tags tags;
    struct gnomon_event_samples device;
    struct gnomon_samples *samples; /* the caller's; `period` is set */
};

/* GNOMON_ERR_UNSUPPORTED: the device has no sampler. */
enum gnomon_status gnomon_pc_sampler_open(struct gnomon_pc_sampler *sampler, struct gnomon_samples *samples,
                                          struct gnomon_device *device, const struct gnomon_board *board,
                                          struct gnomon_error *error);
/* Call it between gnomon_session_prepare and gnomon_session_run. */
enum gnomon_status gnomon_pc_sampler_begin(struct gnomon_pc_sampler *sampler, const struct gnomon_pmu_event *event,
                                           struct gnomon_error *error);
/* Adds the waiting samples. Call it often: the device has room for 512. */
enum gnomon_status gnomon_pc_sampler_take(struct gnomon_pc_sampler *sampler, struct gnomon_error *error);
/* After the run: adds the rest, and what was lost. */
enum gnomon_status gnomon_pc_sampler_end(struct gnomon_pc_sampler *sampler, struct gnomon_error *error);

#endif
