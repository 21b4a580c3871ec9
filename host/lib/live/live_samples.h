/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of a running program: begun, ended and given another period while it runs. None of this disturbs it. */
#ifndef GNOMON_LIB_LIVE_SAMPLES_H
#define GNOMON_LIB_LIVE_SAMPLES_H

#include "lib/tag/event_samples.h"

struct gnomon_live_sample {
    uint32_t pc, period; /* it stands for so many events */
};

struct gnomon_live_samples {
    struct gnomon_tags tags;
    struct gnomon_event_samples device;
    const struct gnomon_pmu_event *event; /* NULL: no samples are taken */
    uint32_t period;
    uint64_t lost;    /* since the program began, in the device and here */
    uint64_t dropped; /* of those, here: there were too many */
    size_t count, room;
    struct gnomon_live_sample *list; /* since the first of those who want samples began */
};

/* GNOMON_ERR_UNSUPPORTED: the device cannot sample. */
enum gnomon_status gnomon_live_samples_open(struct gnomon_live_samples *samples, struct gnomon_device *device,
                                            const struct gnomon_board *board, struct gnomon_error *error);
void gnomon_live_samples_close(struct gnomon_live_samples *samples);

/* From now on takes a sample at every `period`-th event; also changes the period. */
enum gnomon_status gnomon_live_samples_begin(struct gnomon_live_samples *samples, const struct gnomon_pmu_event *event,
                                             uint32_t period, struct gnomon_error *error);
/* Takes no more, and forgets those taken. */
enum gnomon_status gnomon_live_samples_end(struct gnomon_live_samples *samples, struct gnomon_error *error);
/* Reads the samples that wait in the device, and how many were lost: call it often. */
enum gnomon_status gnomon_live_samples_take(struct gnomon_live_samples *samples, struct gnomon_error *error);

#endif
