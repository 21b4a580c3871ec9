/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/model/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/util/array.h"
#include "lib/util/json_text.h"

#define MOST_SAMPLES (UINT64_C(1) << 56) /* in each figure of a file: no sum overflows */
#define MOST_EVENTS (UINT64_C(1) << 62)  /* of all samples together */
#define MOST_UNMERGED 4096               /* entries that may be equal; a longer list has as many as differing ones */

void gnomon_samples_free(struct gnomon_samples *samples) {
    free(samples->list);
    free(samples->addresses);
    *samples = (struct gnomon_samples){0};
}

/* ---- The list ---- */

static bool append(struct gnomon_samples *samples, uint32_t thread, const uint32_t *addresses, uint32_t depth,
                   uint64_t count) {
    const size_t first = samples->address_count;
    if (!gnomon_array_room(&samples->list, &samples->room, samples->count + 1, sizeof *samples->list) ||
        !gnomon_array_room(&samples->addresses, &samples->address_room, first + depth, sizeof *samples->addresses))
        return false;
    memcpy(samples->addresses + first, addresses, depth * sizeof *addresses);
    samples->address_count += depth;
    samples->list[samples->count++] =
        (struct gnomon_sampled_stack){.thread = thread, .depth = depth, .first = first, .count = count};
    return true;
}

bool gnomon_samples_add(struct gnomon_samples *samples, uint32_t thread, const uint32_t *addresses, uint32_t depth,
                        uint64_t count) {
    if (samples->count - samples->merged > samples->merged + MOST_UNMERGED && !gnomon_samples_merge(samples))
        return false;
    return append(samples, thread, addresses, depth, count);
}

/* The order of the list: by thread, then by addresses from the innermost on. `context`: the addresses. */
static int by_stack(const void *a, const void *b, void *context) {
    const struct gnomon_sampled_stack *left = a, *right = b;
    const uint32_t *addresses = context;
    if (left->thread != right->thread)
        return left->thread < right->thread ? -1 : 1;
    for (uint32_t i = 0; i < left->depth && i < right->depth; i++) {
        const uint32_t one = addresses[left->first + i], other = addresses[right->first + i];
        if (one != other)
            return one < other ? -1 : 1;
    }
    return left->depth < right->depth ? -1 : left->depth > right->depth;
}

bool gnomon_samples_merge(struct gnomon_samples *samples) {
    struct gnomon_samples merged = *samples;
    if (samples->merged == samples->count)
        return true;
    merged.list = NULL;
    merged.addresses = NULL;
    merged.count = merged.room = merged.address_count = merged.address_room = 0;
    qsort_r(samples->list, samples->count, sizeof *samples->list, by_stack, samples->addresses);
    bool good = true;
    for (size_t i = 0; good && i < samples->count; i++) {
        const struct gnomon_sampled_stack *stack = &samples->list[i];
        if (i > 0 && by_stack(stack - 1, stack, samples->addresses) == 0)
            merged.list[merged.count - 1].count += stack->count;
        else
            good = append(&merged, stack->thread, samples->addresses + stack->first, stack->depth, stack->count);
    }
    if (!good) {
        free(merged.list);
        free(merged.addresses);
        return false;
    }
    free(samples->list);
    free(samples->addresses);
    *samples = merged;
    samples->merged = samples->count;
    return true;
}

void gnomon_samples_keep(struct gnomon_samples *samples, gnomon_samples_wanted *keep, void *context) {
    size_t count = 0;
    for (size_t i = 0; i < samples->count; i++) {
        const struct gnomon_sampled_stack *stack = &samples->list[i];
        if (keep(context, stack->thread, samples->addresses[stack->first]))
            samples->list[count++] = *stack;
        else
            samples->excluded += stack->count;
    }
    samples->count = samples->merged = count;
}

uint64_t gnomon_samples_kept(const struct gnomon_samples *samples) {
    uint64_t kept = 0;
    for (size_t i = 0; i < samples->count; i++)
        kept += samples->list[i].count;
    return kept;
}

uint64_t gnomon_samples_all(const struct gnomon_samples *samples) {
    return gnomon_samples_kept(samples) + samples->excluded + samples->lost + samples->unattributed;
}

double gnomon_samples_error(uint64_t part, uint64_t all) {
    const double share = all ? (double)part / (double)all : 0;
    return share < 1 ? sqrt((double)part * (1 - share)) : 0;
}

/* ---- JSON ---- */

/* The figures of a file, in the order of its object. */
static const struct {
    const char *key;
    size_t at;
} figures[] = {
    {"excluded", offsetof(struct gnomon_samples, excluded)},         {"lost", offsetof(struct gnomon_samples, lost)},
    {"unattributed", offsetof(struct gnomon_samples, unattributed)}, {"cut", offsetof(struct gnomon_samples, cut)},
    {"evictions", offsetof(struct gnomon_samples, evictions)},       {"cost", offsetof(struct gnomon_samples, cost)},
};
#define FIGURES (sizeof figures / sizeof *figures)

static json_t *stack_json(const struct gnomon_samples *samples, const struct gnomon_sampled_stack *stack) {
    json_t *row = json_array();
    json_array_append_new(row, json_integer(stack->thread));
    json_array_append_new(row, json_integer((json_int_t)stack->count));
    for (uint32_t i = 0; i < stack->depth; i++)
        json_array_append_new(row, json_integer(samples->addresses[stack->first + i]));
    return row;
}

json_t *gnomon_samples_json(const struct gnomon_samples *samples) {
    json_t *list = json_array();
    for (size_t i = 0; i < samples->count; i++)
        json_array_append_new(list, stack_json(samples, &samples->list[i]));
    json_t *json =
        json_pack("{s:s, s:I, s:b, s:b, s:o, s:o, s:o}", "event", samples->event, "period", (json_int_t)samples->period,
                  "stacks", (int)samples->stacks, "functions", (int)samples->functions, "thread",
                  gnomon_json_text(samples->thread), "range", gnomon_json_text(samples->range), "samples", list);
    for (size_t i = 0; json && i < FIGURES; i++) {
        uint64_t value;
        memcpy(&value, (const char *)samples + figures[i].at, sizeof value);
        json_object_set_new(json, figures[i].key, json_integer((json_int_t)value));
    }
    return json;
}

static enum gnomon_status nonsense(const char *what, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_FORMAT, "the samples in the file make no sense: %s", what);
    return gnomon_remedy(error, GNOMON_ERR_FORMAT, "record again");
}

static bool count_of(const json_t *json, uint64_t most, uint64_t *value) {
    const json_int_t number = json_integer_value(json);
    *value = (uint64_t)number;
    return json_is_integer(json) && number >= 0 && *value <= most;
}

/* Reads a filter: text that is shown. */
static bool filter_of(const json_t *json, char text[GNOMON_SAMPLED_FILTER_BYTES]) {
    char *read = gnomon_json_text_read(json);
    const bool good = read && strlen(read) < GNOMON_SAMPLED_FILTER_BYTES;
    if (good)
        strcpy(text, read);
    free(read);
    return good;
}

static enum gnomon_status parse_stack(const json_t *row, struct gnomon_samples *into, uint64_t *left,
                                      struct gnomon_error *error) {
    enum { THREAD, COUNT, FIRST };
    uint32_t addresses[GNOMON_SAMPLED_DEEPEST];
    uint64_t thread, count, address;
    const size_t size = json_array_size(row);
    if (size <= FIRST || size - FIRST > GNOMON_SAMPLED_DEEPEST)
        return nonsense("the depth of a stack", error);
    if (!count_of(json_array_get(row, THREAD), GNOMON_SAMPLED_OTHER, &thread))
        return nonsense("a thread", error);
    if (!count_of(json_array_get(row, COUNT), *left, &count) || !count)
        return nonsense("a number of samples", error);
    for (size_t i = FIRST; i < size; i++) {
        if (!count_of(json_array_get(row, i), UINT32_MAX, &address) || address % 2)
            return nonsense("an address", error);
        addresses[i - FIRST] = (uint32_t)address;
    }
    *left -= count;
    return append(into, (uint32_t)thread, addresses, (uint32_t)(size - FIRST), count) ? GNOMON_OK
                                                                                      : gnomon_fail_memory(error);
}

static bool parse_head(const json_t *json, struct gnomon_samples *into) {
    const char *event = json_string_value(json_object_get(json, "event"));
    uint64_t period;
    if (!event || !*event || strlen(event) >= sizeof into->event ||
        event[strspn(event, "abcdefghijklmnopqrstuvwxyz0123456789-_.")])
        return false;
    strcpy(into->event, event);
    if (!count_of(json_object_get(json, "period"), UINT32_MAX, &period) || !period)
        return false;
    into->period = (uint32_t)period;
    into->stacks = json_is_true(json_object_get(json, "stacks"));
    into->functions = json_is_true(json_object_get(json, "functions"));
    return filter_of(json_object_get(json, "thread"), into->thread) &&
           filter_of(json_object_get(json, "range"), into->range);
}

enum gnomon_status gnomon_samples_parse(const json_t *json, struct gnomon_samples *into, struct gnomon_error *error) {
    const json_t *list = json_object_get(json, "samples");
    uint64_t left = MOST_SAMPLES;
    *into = (struct gnomon_samples){0};
    if (!parse_head(json, into) || !json_is_array(list))
        return nonsense("what was sampled", error);
    for (size_t i = 0; i < FIGURES; i++) {
        uint64_t value;
        if (!count_of(json_object_get(json, figures[i].key), MOST_SAMPLES, &value))
            return nonsense(figures[i].key, error);
        memcpy((char *)into + figures[i].at, &value, sizeof value);
    }
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < json_array_size(list) && !status; i++)
        status = parse_stack(json_array_get(list, i), into, &left, error);
    if (!status && gnomon_samples_all(into) > MOST_EVENTS / into->period)
        status = nonsense("the number of samples", error);
    if (!status && into->cut > MOST_SAMPLES - left)
        status = nonsense("cut", error);
    return status || gnomon_samples_merge(into) ? status : gnomon_fail_memory(error);
}
