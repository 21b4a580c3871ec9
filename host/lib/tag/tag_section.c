/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/tag/tag_section.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gnomon/registers.h"

#define MAGIC UINT32_C(0x47544E47) /* "GNTG" */
#define VERSION 2
#define MOST_ID 64 /* bytes */
#define RANGE_BYTES 16
#define THRESHOLD_BYTES 8
#define KIND_DATA 1u
#define INTERRUPT_SHIFT 16 /* position of the interrupt in a threshold's last word; the timer is below it */
#define TARGET_SHIFT 16    /* position of the target in a range's last word; the kind is below it */
#define KNOWN_MODE                                                                                                     \
    (GNOMON_TAGS_MODE_EXECUTE | GNOMON_TAGS_MODE_READ | GNOMON_TAGS_MODE_WRITE | GNOMON_TAGS_MODE_TAGGED |             \
     GNOMON_TAGS_MODE_PER_ADDRESS | GNOMON_TAGS_MODE_INTERRUPT | GNOMON_TAGS_MODE_TRACE | GNOMON_TAGS_MODE_TIMER |     \
     GNOMON_TAGS_MODE_WHICH)

/* ---- Writing ---- */

static uint8_t *put(uint8_t *at, uint32_t word) {
    for (unsigned i = 0; i < 4; i++)
        *at++ = (uint8_t)(word >> 8 * i);
    return at;
}

/* Converts an ID from hexadecimal to bytes; returns their number. */
static size_t id_bytes(const char *text, uint8_t bytes[MOST_ID]) {
    size_t count = strlen(text) / 2;
    unsigned value;
    for (size_t i = 0; i < count && i < MOST_ID; i++)
        bytes[i] = sscanf(text + 2 * i, "%2x", &value) == 1 ? (uint8_t)value : 0;
    return count < MOST_ID ? count : MOST_ID;
}

/* The cycles of threshold `place` of all timers' thresholds, one timer after the other; 0: not in use. */
static uint32_t cycles_at(const struct gnomon_tag_list *list, unsigned place) {
    return list->thresholds[place / GNOMON_TAG_STEPS].cycles[place % GNOMON_TAG_STEPS];
}

enum gnomon_status gnomon_tag_section_make(const struct gnomon_tag_list *list, const char *build_id, uint8_t **bytes,
                                           size_t *size, struct gnomon_error *error) {
    uint8_t id[MOST_ID] = {0};
    size_t id_size = id_bytes(build_id, id), padded = (id_size + 3) / 4 * 4, ranges = 0, names = 0, thresholds = 0;
    for (size_t i = 0; i < list->count; i++) {
        ranges += list->specs[i].target.count;
        names += strlen(list->specs[i].target.what) + 1;
    }
    for (unsigned place = 0; place < GNOMON_TAG_TIMERS * GNOMON_TAG_STEPS; place++)
        thresholds += cycles_at(list, place) != 0;
    *size = 6 * 4 + padded + ranges * RANGE_BYTES + thresholds * THRESHOLD_BYTES + names;
    uint8_t *at = *bytes = malloc(*size);
    if (!at)
        return gnomon_fail_memory(error);
    at = put(put(put(at, MAGIC), VERSION), (uint32_t)id_size);
    memcpy(at, id, padded);
    at = put(put(put(at + padded, (uint32_t)list->count), (uint32_t)ranges), (uint32_t)thresholds);
    for (size_t i = 0; i < list->count; i++) {
        const struct gnomon_tag_spec *spec = &list->specs[i];
        for (size_t n = 0; n < spec->target.count; n++) {
            const struct gnomon_tag_range *range = &spec->target.ranges[n];
            at = put(put(put(at, range->start), range->end - range->start), spec->mode);
            at = put(at, (uint32_t)i << TARGET_SHIFT | (spec->target.data ? KIND_DATA : 0));
        }
    }
    for (unsigned place = 0; place < GNOMON_TAG_TIMERS * GNOMON_TAG_STEPS; place++) {
        const unsigned timer = place / GNOMON_TAG_STEPS, step = place % GNOMON_TAG_STEPS;
        const uint32_t interrupt = list->thresholds[timer].interrupts >> step & 1;
        if (cycles_at(list, place))
            at = put(put(at, cycles_at(list, place)), interrupt << INTERRUPT_SHIFT | timer);
    }
    for (size_t i = 0; i < list->count; i++)
        at = (uint8_t *)stpcpy((char *)at, list->specs[i].target.what) + 1;
    return GNOMON_OK;
}

/* ---- Reading ---- */

/* The unread rest of the section. */
struct reader {
    const uint8_t *at;
    size_t left;
    const char *path;
};

static bool take(struct reader *reader, size_t size, const uint8_t **bytes) {
    if (reader->left < size)
        return false;
    *bytes = reader->at;
    reader->at += size;
    reader->left -= size;
    return true;
}

static uint32_t word(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool take_word(struct reader *reader, uint32_t *value) {
    const uint8_t *bytes;
    bool good = take(reader, 4, &bytes);
    *value = good ? word(bytes) : 0;
    return good;
}

static enum gnomon_status damaged(const struct reader *reader, const char *what, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_FORMAT, "%s: its tags are damaged: %s", reader->path, what);
    return gnomon_remedy(error, GNOMON_ERR_FORMAT, "link it again with gnomon cc, or run it with --no-metadata");
}

static enum gnomon_status check_build(struct reader *reader, const char *build_id, struct gnomon_error *error) {
    uint32_t magic, version, size;
    const uint8_t *bytes;
    uint8_t own[MOST_ID];
    if (!take_word(reader, &magic) || magic != MAGIC)
        return damaged(reader, "the beginning", error);
    if (!take_word(reader, &version) || version != VERSION) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s: its tags are of version %u, this gnomon reads %d", reader->path,
                    (unsigned)version, VERSION);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "link it with this gnomon's cc, or use --no-metadata");
    }
    if (!take_word(reader, &size) || size > MOST_ID || !take(reader, (size + 3) / 4 * 4, &bytes))
        return damaged(reader, "the build id", error);
    if (id_bytes(build_id, own) == size && size > 0 && memcmp(own, bytes, size) == 0)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_MISMATCH, "%s: its tags belong to another build", reader->path);
    return gnomon_remedy(error, GNOMON_ERR_MISMATCH, "link it again with gnomon cc, or run it with --no-metadata");
}

static bool is_sound(uint32_t start, uint32_t length, uint32_t mode, bool data) {
    const uint32_t accesses = GNOMON_TAGS_MODE_READ | GNOMON_TAGS_MODE_WRITE, unit = data ? 4 : 2;
    return length > 0 && length <= UINT32_MAX - start && start % unit == 0 && length % unit == 0 &&
           !(mode & ~KNOWN_MODE) && !(mode & accesses) == !data && !(mode & GNOMON_TAGS_MODE_EXECUTE) == data;
}

/* Reads the ranges, which are in the order of their targets. */
static enum gnomon_status take_ranges(struct reader *reader, struct gnomon_tag_spec *specs, uint32_t targets,
                                      uint32_t ranges, struct gnomon_error *error) {
    const uint8_t *bytes;
    for (uint32_t i = 0, before = 0; i < ranges; i++) {
        if (!take(reader, RANGE_BYTES, &bytes))
            return damaged(reader, "it is cut short", error);
        uint32_t start = word(bytes), length = word(bytes + 4), mode = word(bytes + 8), last = word(bytes + 12);
        uint32_t target = last >> TARGET_SHIFT, kind = last & ((UINT32_C(1) << TARGET_SHIFT) - 1);
        if (target >= targets || target < before || kind > KIND_DATA || !is_sound(start, length, mode, kind))
            return damaged(reader, "a range", error);
        struct gnomon_tag_spec *spec = &specs[target];
        size_t count = spec->target.count;
        if (count > 0 && (spec->mode != mode || spec->target.data != (kind == KIND_DATA) ||
                          start <= spec->target.ranges[count - 1].end))
            return damaged(reader, "the order of ranges", error);
        spec->mode = mode;
        spec->target.data = kind == KIND_DATA;
        before = target;
        if (!gnomon_tag_add(&spec->target, start, start + length))
            return gnomon_fail_memory(error);
    }
    return GNOMON_OK;
}

static enum gnomon_status take_thresholds(struct reader *reader, struct gnomon_tag_list *list, uint32_t count,
                                          struct gnomon_error *error) {
    uint32_t cycles, last;
    for (uint32_t i = 0; i < count; i++) {
        if (!take_word(reader, &cycles) || !take_word(reader, &last))
            return damaged(reader, "it is cut short", error);
        const uint32_t timer = last & ((UINT32_C(1) << INTERRUPT_SHIFT) - 1), interrupt = last >> INTERRUPT_SHIFT;
        if (timer >= GNOMON_TAG_TIMERS || interrupt > 1 || cycles == 0 || cycles > GNOMON_TAG_MOST_CYCLES)
            return damaged(reader, "a threshold", error);
        if (gnomon_tag_list_step(list, timer, cycles, interrupt))
            continue;
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s: its source has more than %d thresholds of timer %u",
                    reader->path, GNOMON_TAG_STEPS, (unsigned)timer);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "remove some, or run it with --no-metadata");
    }
    return GNOMON_OK;
}

static enum gnomon_status take_names(struct reader *reader, struct gnomon_tag_spec *specs, uint32_t targets,
                                     struct gnomon_error *error) {
    const uint8_t *bytes;
    for (uint32_t i = 0; i < targets; i++) {
        size_t length = strnlen((const char *)reader->at, reader->left);
        if (length == 0 || !take(reader, length + 1, &bytes) || specs[i].target.count == 0)
            return damaged(reader, "a name", error);
        if (!(specs[i].target.what = strdup((const char *)bytes)))
            return gnomon_fail_memory(error);
    }
    return reader->left == 0 ? GNOMON_OK : damaged(reader, "its end", error);
}

enum gnomon_status gnomon_tag_section_parse(struct gnomon_tag_list *list, const uint8_t *bytes, size_t size,
                                            const char *build_id, const char *path, struct gnomon_error *error) {
    struct reader reader = {bytes, size, path};
    uint32_t targets, ranges, thresholds;
    enum gnomon_status status = check_build(&reader, build_id, error);
    if (status)
        return status;
    if (!take_word(&reader, &targets) || !take_word(&reader, &ranges) || !take_word(&reader, &thresholds) ||
        targets > GNOMON_TAG_VALUES || ranges > reader.left / RANGE_BYTES)
        return damaged(&reader, "how many there are", error);
    if (targets > GNOMON_TAG_VALUES - list->count) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "there are %d tags, and those in the source of %s would be more",
                    GNOMON_TAG_VALUES, path);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "remove some, or use --no-metadata");
    }
    struct gnomon_tag_spec *specs = &list->specs[list->count];
    list->count += targets; /* so that they are freed even after an error */
    status = take_ranges(&reader, specs, targets, ranges, error);
    if (!status)
        status = take_thresholds(&reader, list, thresholds, error);
    return status ? status : take_names(&reader, specs, targets, error);
}

enum gnomon_status gnomon_tag_section_load(struct gnomon_tag_list *list, const struct gnomon_tag_program *program,
                                           struct gnomon_error *error) {
    size_t size;
    const uint8_t *bytes = gnomon_tag_section_bytes(program, GNOMON_TAG_SECTION, &size);
    return bytes ? gnomon_tag_section_parse(list, bytes, size, program->build_id, program->path, error) : GNOMON_OK;
}
