/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/tag/event_samples.h"

#include "gnomon/events.h"
#include "gnomon/registers.h"

enum { PC, ACCESS, ADDRESS, PARTS }; /* the words of a sample */

enum gnomon_status gnomon_event_samples_begin(struct gnomon_event_samples *samples, const struct gnomon_tags *tags,
                                              const struct gnomon_pmu_event *event, uint32_t period,
                                              struct gnomon_error *error) {
    uint32_t config = 0;
    *samples = (struct gnomon_event_samples){.tags = tags};
    enum gnomon_status status = gnomon_device_get(tags->device, GNOMON_TAGS_CONFIG, &config, error);
    if (!status && !(config & GNOMON_TAGS_CONFIG_SAMPLER_EVENTS)) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s cannot sample events", tags->device->transport->address);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "take -d sim:full, or leave out --event to sample cycles");
    }
    if (!status && event->number == GNOMON_EVENT_TAGGED) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "there are no samples of the event %s", event->name);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "gnomon tag counts tagged instructions exactly");
    }
    if (!status)
        status = gnomon_device_set(tags->device, GNOMON_TAGS_SAMPLE_EVENT,
                                   event->number | GNOMON_TAGS_SAMPLE_EVENT_WIDE, error);
    return status ? status : gnomon_device_set(tags->device, GNOMON_TAGS_SAMPLE_PERIOD, period, error);
}

/* Takes the next word of a sample; true: the sample is complete. */
static bool take_word(struct gnomon_event_samples *samples, uint32_t word) {
    struct gnomon_sample *sample = &samples->next;
    switch (samples->part) {
    case PC:
        if (!(word & GNOMON_TAGS_SAMPLE_VALID)) /* no sample waited */
            return false;
        *sample = (struct gnomon_sample){.pc = word & GNOMON_TAGS_SAMPLE_PC};
        break;
    case ACCESS:
        sample->thread = word & GNOMON_TAGS_SAMPLE_ACCESS_THREAD_OTHER ? GNOMON_SAMPLE_OTHER_THREAD
                                                                       : word & GNOMON_TAGS_SAMPLE_ACCESS_THREAD;
        sample->read = word & GNOMON_TAGS_SAMPLE_ACCESS_READ;
        sample->write = word & GNOMON_TAGS_SAMPLE_ACCESS_WRITE;
        break;
    default:
        sample->address = word;
        break;
    }
    samples->part = (samples->part + 1) % PARTS;
    return samples->part == PC;
}

enum gnomon_status gnomon_event_samples_read(struct gnomon_event_samples *samples, struct gnomon_sample *list,
                                             size_t *count, struct gnomon_error *error) {
    uint32_t words[GNOMON_SAMPLES_AT_ONCE];
    const enum gnomon_status status =
        gnomon_device_read(samples->tags->device, GNOMON_TAGS_SAMPLE, words, GNOMON_SAMPLES_AT_ONCE, error);
    *count = 0;
    for (size_t i = 0; i < GNOMON_SAMPLES_AT_ONCE && !status; i++)
        if (take_word(samples, words[i]))
            list[(*count)++] = samples->next;
    return status;
}

enum gnomon_status gnomon_event_samples_end(const struct gnomon_event_samples *samples, struct gnomon_error *error) {
    return gnomon_sampler_set(samples->tags, 0, error);
}
