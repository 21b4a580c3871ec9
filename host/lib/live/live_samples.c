/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/live/live_samples.h"

#include <stdlib.h>

#include "lib/util/array.h"

#define MOST_READS 16                   /* in a row, because more samples may come than can be read */
#define MOST_SAMPLES ((size_t)16 << 20) /* that are kept */

enum gnomon_status gnomon_live_samples_open(struct gnomon_live_samples *samples, struct gnomon_device *device,
                                            const struct gnomon_board *board, struct gnomon_error *error) {
    *samples = (struct gnomon_live_samples){0};
    if (!board->sampler) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has no sampler", board->address);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "profiles of all cycles need none");
    }
    return gnomon_tags_open_whole(&samples->tags, device, board, error);
}

void gnomon_live_samples_close(struct gnomon_live_samples *samples) {
    free(samples->list);
    *samples = (struct gnomon_live_samples){0};
}

enum gnomon_status gnomon_live_samples_begin(struct gnomon_live_samples *samples, const struct gnomon_pmu_event *event,
                                             uint32_t period, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    if (samples->event) /* what waits is of the period before */
        status = gnomon_live_samples_take(samples, error);
    if (!status)
        status = gnomon_event_samples_begin(&samples->device, &samples->tags, event, period, error);
    if (status)
        return status;
    samples->event = event;
    samples->period = period;
    return GNOMON_OK;
}

enum gnomon_status gnomon_live_samples_end(struct gnomon_live_samples *samples, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_event_samples_end(&samples->device, error);
    struct gnomon_sample rest[GNOMON_SAMPLES_AT_ONCE];
    size_t count = 1;
    for (unsigned reads = 0; !status && count && reads < MOST_READS; reads++) /* they are not of those who come later */
        status = gnomon_event_samples_read(&samples->device, rest, &count, error);
    samples->event = NULL;
    samples->count = 0;
    return status;
}

enum gnomon_status gnomon_live_samples_take(struct gnomon_live_samples *samples, struct gnomon_error *error) {
    struct gnomon_sample list[GNOMON_SAMPLES_AT_ONCE];
    enum gnomon_status status = GNOMON_OK;
    size_t count = 1;
    for (unsigned reads = 0; !status && count && reads < MOST_READS; reads++) {
        if (!gnomon_array_room(&samples->list, &samples->room, samples->count + GNOMON_SAMPLES_AT_ONCE,
                               sizeof *samples->list))
            return gnomon_fail_memory(error);
        status = gnomon_event_samples_read(&samples->device, list, &count, error);
        if (!status && samples->count + count > MOST_SAMPLES) {
            samples->dropped += count;
            continue;
        }
        for (size_t i = 0; !status && i < count; i++)
            samples->list[samples->count++] = (struct gnomon_live_sample){list[i].pc, samples->period};
    }
    uint32_t lost = 0, unattributed = 0;
    if (!status)
        status = gnomon_sampler_losses(&samples->tags, &lost, &unattributed, error);
    samples->lost = lost + samples->dropped;
    return status;
}
