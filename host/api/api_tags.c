/* SPDX-License-Identifier: Apache-2.0 */
/* Tags of the loaded program. */
#include "lib/tag/tag_device.h"

#include <stdlib.h>

#include "api.h"

struct api_tags {
    struct gnomon_tag_program program;
    struct gnomon_tag_list list;
    struct gnomon_tags tags;
    struct gnomon_tag_plan plan;
    bool counts; /* the run has begun: counts can be read */
};

_Static_assert(LIBGNOMON_STEPS == GNOMON_TAG_STEPS, "libgnomon.h has another number of thresholds");

void api_tags_free(struct libgnomon_device *device) {
    struct api_tags *tags = device->tags;
    if (!tags)
        return;
    gnomon_tag_plan_free(&tags->plan);
    gnomon_tag_list_free(&tags->list);
    gnomon_tag_program_close(&tags->program);
    free(tags);
    device->tags = NULL;
}

static enum gnomon_status begin(struct libgnomon_device *device, struct gnomon_error *error) {
    if (!device->loaded)
        return api_not_loaded(error);
    if (device->tags)
        return GNOMON_OK;
    struct api_tags *tags = calloc(1, sizeof *tags);
    if (!tags)
        return gnomon_fail_memory(error);
    tags->program.fd = -1;
    device->tags = tags;
    enum gnomon_status status = gnomon_tags_open(&tags->tags, device->device, &device->board, error);
    if (!status)
        status = gnomon_tag_program_open(&tags->program, device->image->path, error);
    if (status)
        api_tags_free(device);
    return status;
}

int libgnomon_tag(struct libgnomon_device *device, const char *what, struct libgnomon_error *error) {
    struct gnomon_error why;
    enum gnomon_status status = begin(device, &why);
    if (!status)
        status = gnomon_tag_list_add(&device->tags->list, &device->tags->program, what, &why);
    return api_result(status, &why, error);
}

int libgnomon_threshold(struct libgnomon_device *device, unsigned timer, unsigned step, uint32_t cycles,
                        struct libgnomon_error *error) {
    struct gnomon_error why;
    enum gnomon_status status = begin(device, &why);
    if (!status && (timer >= device->tags->tags.sizes.timers || step >= device->tags->tags.sizes.steps))
        status = gnomon_fail(
            &why, GNOMON_ERR_UNSUPPORTED, "%s has %u timers with %u thresholds; there is no threshold %u of timer %u",
            device->board.address, device->tags->tags.sizes.timers, device->tags->tags.sizes.steps, step, timer);
    if (!status && cycles > GNOMON_TAG_MOST_CYCLES)
        status = gnomon_fail(&why, GNOMON_ERR_ARGUMENT, "a threshold has at most %u cycles, not %u",
                             (unsigned)GNOMON_TAG_MOST_CYCLES, (unsigned)cycles);
    if (!status)
        device->tags->list.thresholds[timer].cycles[step] = cycles;
    return api_result(status, &why, error);
}

enum gnomon_status api_tags_load(struct libgnomon_device *device, struct gnomon_error *error) {
    struct api_tags *tags = device->tags;
    if (!tags)
        return GNOMON_OK;
    enum gnomon_status status = gnomon_tag_check_interrupt(&tags->list, &tags->program, NULL, error);
    if (!status)
        status = gnomon_tag_plan_make(&tags->plan, &tags->list, &tags->tags.sizes, device->board.address, error);
    if (!status)
        status = gnomon_tags_check(&tags->plan, &device->board, error);
    tags->counts = !status;
    return status ? status : gnomon_tags_load(&tags->tags, &tags->plan, error);
}

static enum gnomon_status read_counts(const struct libgnomon_device *device, struct gnomon_tag_counts *counts,
                                      struct gnomon_error *error) {
    if (!device->tags || !device->tags->counts)
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "no program has been run with tags since the last load");
    return gnomon_tags_read(&device->tags->tags, counts, error);
}

int libgnomon_tag_count(struct libgnomon_device *device, size_t index, struct libgnomon_tag_count *count,
                        struct libgnomon_error *error) {
    struct gnomon_error why;
    struct gnomon_tag_counts counts;
    enum gnomon_status status = read_counts(device, &counts, &why);
    if (!status && index >= device->tags->list.count)
        status = gnomon_fail(&why, GNOMON_ERR_ARGUMENT, "there is no tag %zu: %zu were asked for", index,
                             device->tags->list.count);
    if (!status) {
        const struct gnomon_tag_count sum = gnomon_tags_sum(&device->tags->plan, &counts, index);
        *count = (struct libgnomon_tag_count){sum.executions, sum.cycles, sum.reads, sum.writes,
                                              gnomon_tag_losses_none(&counts.losses)};
    }
    return api_result(status, &why, error);
}

int libgnomon_timer(struct libgnomon_device *device, unsigned timer, struct libgnomon_timer *result,
                    struct libgnomon_error *error) {
    struct gnomon_error why;
    struct gnomon_tag_counts counts;
    enum gnomon_status status = read_counts(device, &counts, &why);
    if (!status && timer >= device->tags->tags.sizes.timers)
        status = gnomon_fail(&why, GNOMON_ERR_UNSUPPORTED, "%s has %u timers; there is no timer %u",
                             device->board.address, device->tags->tags.sizes.timers, timer);
    if (!status) {
        const struct gnomon_timer_count *from = &counts.timers[timer];
        *result = (struct libgnomon_timer){from->intervals, from->cycles, from->shortest, from->longest, {0}};
        for (unsigned step = 0; step < LIBGNOMON_STEPS; step++)
            result->over[step] = from->over[step];
    }
    return api_result(status, &why, error);
}

int libgnomon_tag_per_address(struct libgnomon_device *device, uint32_t address, bool data, uint32_t *counts,
                              size_t count, struct libgnomon_error *error) {
    struct gnomon_error why;
    struct gnomon_tag_counts all;
    enum gnomon_status status = read_counts(device, &all, &why);
    if (!status)
        status = gnomon_tags_read_per_address(&device->tags->tags, address, data, counts, count, &why);
    for (size_t i = 0; i < count && !status; i++) /* another address may have the same counter */
        if (!gnomon_tag_plan_each(&device->tags->plan, address + (uint32_t)i * (data ? 4 : 2), data))
            counts[i] = 0;
    return api_result(status, &why, error);
}
