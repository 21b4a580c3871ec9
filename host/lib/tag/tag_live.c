/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/tag/tag_live.h"

#include "gnomon/registers.h"

#define BOTH_PARCELS(number) ((number) << GNOMON_TAGS_TAG_LOW_SHIFT | (number) << GNOMON_TAGS_TAG_HIGH_SHIFT)

static uint32_t block_bytes(const struct gnomon_tag_sizes *sizes) {
    return sizes->bytes / sizes->blocks;
}

enum gnomon_status gnomon_tags_begin(const struct gnomon_tags *tags, struct gnomon_error *error) {
    static const struct gnomon_tag_block none[GNOMON_TAG_BLOCKS];
    uint32_t modes[GNOMON_TAG_VALUES + 1];
    if (tags->sizes.bytes == 0)
        return gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has tags for hints only",
                           tags->device->transport->address);
    for (size_t i = 0; i <= GNOMON_TAG_VALUES; i++)
        modes[i] = i ? GNOMON_TAGS_MODE_EXECUTE : 0;
    enum gnomon_status status = gnomon_tags_clear(tags, error);
    if (!status)
        status = gnomon_tags_set_blocks(tags, none, none, error);
    if (!status)
        status = gnomon_device_write(tags->device, GNOMON_TAGS_MODE, modes, GNOMON_TAG_VALUES + 1, error);
    return status ? status : gnomon_device_set(tags->device, GNOMON_TAGS_CONTROL, GNOMON_TAGS_CONTROL_ENABLE, error);
}

bool gnomon_tags_fit(const struct gnomon_tag_sizes *sizes, uint32_t start, uint32_t end, uint32_t other,
                     uint32_t other_end) {
    const uint32_t step = block_bytes(sizes), first = start & -step, second = other & -step;
    for (uint32_t at = first; at < end; at += step)
        for (uint32_t with = second; with < other_end; with += step)
            if (at != with && (at - with) % sizes->bytes == 0)
                return false;
    return true;
}

/* Gives blocks to the instructions. */
static enum gnomon_status map(const struct gnomon_tags *tags, uint32_t start, uint32_t end,
                              struct gnomon_error *error) {
    const uint32_t step = block_bytes(&tags->sizes);
    enum gnomon_status status = GNOMON_OK;
    for (uint32_t at = start & -step; at < end && !status; at += step)
        status = gnomon_device_set(tags->device, GNOMON_TAGS_CODE_BLOCK + 4 * (at / step % tags->sizes.blocks),
                                   (at & -tags->sizes.bytes) | GNOMON_TAGS_CODE_BLOCK_VALID, error);
    return status;
}

/* Changes the bits `mask` of one word's tags. */
static enum gnomon_status mark_half(const struct gnomon_tags *tags, uint32_t address, uint32_t mask, uint32_t word,
                                    struct gnomon_error *error) {
    uint32_t state, before = 0;
    enum gnomon_status status = gnomon_device_set(tags->device, GNOMON_TAGS_ADDRESS, address, error);
    if (!status)
        status = gnomon_tags_await_access(tags, &state, error);
    if (!status)
        status = gnomon_device_get(tags->device, GNOMON_TAGS_TAG, &before, error);
    if (!status)
        status = gnomon_device_set(tags->device, GNOMON_TAGS_TAG, (before & ~mask) | (word & mask), error);
    return status ? status : gnomon_tags_await_access(tags, &state, error);
}

enum gnomon_status gnomon_tags_mark(const struct gnomon_tags *tags, uint32_t start, uint32_t end, unsigned number,
                                    struct gnomon_error *error) {
    const uint32_t word = BOTH_PARCELS(number);
    enum gnomon_status status = number ? map(tags, start, end, error) : GNOMON_OK;
    if (!status && start & 2 && start < end) {
        status = mark_half(tags, start & ~3u, GNOMON_TAGS_TAG_HIGH, word, error);
        start += 2;
    }
    if (!status && end & 2 && start < end) {
        end -= 2;
        status = mark_half(tags, end, GNOMON_TAGS_TAG_LOW, word, error);
    }
    if (status || start >= end)
        return status;
    status = gnomon_tags_fill(tags, start, end, word, error);
    return status ? status : gnomon_device_set(tags->device, GNOMON_TAGS_UNTIL, 0, error);
}

enum gnomon_status gnomon_tags_pause(const struct gnomon_tags *tags, struct gnomon_error *error) {
    return gnomon_tags_off(tags, error);
}

enum gnomon_status gnomon_tags_restart(const struct gnomon_tags *tags, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_tags_clear_counts(tags, error);
    return status ? status : gnomon_device_set(tags->device, GNOMON_TAGS_CONTROL, GNOMON_TAGS_CONTROL_ENABLE, error);
}

enum gnomon_status gnomon_tags_now(const struct gnomon_tags *tags, uint64_t *cycle, struct gnomon_error *error) {
    uint32_t words[2] = {0};
    enum gnomon_status status = gnomon_device_read(tags->device, GNOMON_SYSCTL_CYCLE_LO, words, 2, error);
    *cycle = (uint64_t)words[1] << 32 | words[0];
    return status;
}

enum gnomon_status gnomon_sampler_set(const struct gnomon_tags *tags, uint32_t period, struct gnomon_error *error) {
    uint32_t config = 0;
    enum gnomon_status status = gnomon_device_get(tags->device, GNOMON_TAGS_CONFIG, &config, error);
    if (!status && !(config & GNOMON_TAGS_CONFIG_SAMPLER))
        return gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has no sampler", tags->device->transport->address);
    if (!status && config & GNOMON_TAGS_CONFIG_SAMPLER_EVENTS) /* an earlier user may have sampled events */
        status = gnomon_device_set(tags->device, GNOMON_TAGS_SAMPLE_EVENT, 0, error);
    return status ? status : gnomon_device_set(tags->device, GNOMON_TAGS_SAMPLE_PERIOD, period, error);
}

enum gnomon_status gnomon_sampler_read(const struct gnomon_tags *tags, uint32_t *addresses, size_t *count,
                                       struct gnomon_error *error) {
    uint32_t words[GNOMON_SAMPLES_AT_ONCE];
    enum gnomon_status status =
        gnomon_device_read(tags->device, GNOMON_TAGS_SAMPLE, words, GNOMON_SAMPLES_AT_ONCE, error);
    *count = 0;
    /* A sample may have come while the words were read, after a word without one. */
    for (size_t i = 0; i < GNOMON_SAMPLES_AT_ONCE && !status; i++)
        if (words[i] & GNOMON_TAGS_SAMPLE_VALID)
            addresses[(*count)++] = words[i] & GNOMON_TAGS_SAMPLE_PC;
    return status;
}

enum gnomon_status gnomon_sampler_losses(const struct gnomon_tags *tags, uint32_t *lost, uint32_t *unattributed,
                                         struct gnomon_error *error) {
    enum gnomon_status status = gnomon_device_get(tags->device, GNOMON_TAGS_SAMPLES_LOST, lost, error);
    return status ? status : gnomon_device_get(tags->device, GNOMON_TAGS_SAMPLES_UNATTRIBUTED, unattributed, error);
}
