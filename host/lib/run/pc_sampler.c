/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/pc_sampler.h"

#define MOST_TIMES 16 /* reads in a row, because more samples may come than can be read */

enum gnomon_status gnomon_pc_sampler_open(struct gnomon_pc_sampler *sampler, struct gnomon_samples *samples,
                                          struct gnomon_device *device, const struct gnomon_board *board,
                                          struct gnomon_error *error) {
    *sampler = (struct gnomon_pc_sampler){.samples = samples};
    return gnomon_tags_open_whole(&sampler->tags, device, board, error);
}

enum gnomon_status gnomon_pc_sampler_begin(struct gnomon_pc_sampler *sampler, const struct gnomon_pmu_event *event,
                                           struct gnomon_error *error) {
    return gnomon_event_samples_begin(&sampler->device, &sampler->tags, event, sampler->samples->period, error);
}

static enum gnomon_status take(struct gnomon_pc_sampler *sampler, size_t *count, struct gnomon_error *error) {
    struct gnomon_sample list[GNOMON_SAMPLES_AT_ONCE];
    const enum gnomon_status status = gnomon_event_samples_read(&sampler->device, list, count, error);
    for (size_t i = 0; i < *count && !status; i++)
        if (!gnomon_samples_add(sampler->samples, list[i].thread, &list[i].pc, 1, 1))
            return gnomon_fail_memory(error);
    return status;
}

enum gnomon_status gnomon_pc_sampler_take(struct gnomon_pc_sampler *sampler, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    size_t count = 1;
    for (unsigned times = 0; times < MOST_TIMES && count > 0 && !status; times++)
        status = take(sampler, &count, error);
    return status;
}

enum gnomon_status gnomon_pc_sampler_end(struct gnomon_pc_sampler *sampler, struct gnomon_error *error) {
    uint32_t lost = 0, unattributed = 0;
    enum gnomon_status status = GNOMON_OK;
    for (size_t count = 1; count > 0 && !status;)
        status = take(sampler, &count, error);
    if (!status)
        status = gnomon_sampler_losses(&sampler->tags, &lost, &unattributed, error);
    sampler->samples->lost = lost;
    sampler->samples->unattributed = unattributed;
    return status ? status : gnomon_event_samples_end(&sampler->device, error);
}
