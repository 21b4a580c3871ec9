/* SPDX-License-Identifier: Apache-2.0 */
#include "decode_twice.h"

#include <stdlib.h>

#include "lib/trace/gnt.h"
#include "lib/trace/trace_decoder.h"

struct twice {
    struct gnomon_trace *slow, *fast;
    struct gnomon_calls calls;
    uint64_t call_count, event_count;
};

static bool equal(const struct gnomon_event *one, const struct gnomon_event *other) {
    return one->type == other->type && one->hart == other->hart && one->thread == other->thread &&
           one->cycle == other->cycle && one->number == other->number && one->value == other->value &&
           one->depth == other->depth && one->popped == other->popped;
}

static const char *compare_calls(struct twice *twice) {
    uint64_t cycle = twice->calls.from;
    uint32_t depth = twice->calls.depth;
    for (size_t i = 0; i < twice->calls.count; i++) {
        struct gnomon_event want, got = gnomon_calls_event(&twice->calls, i, cycle);
        got.depth = got.type == GNOMON_EVENT_ENTER ? depth++ : --depth;
        cycle = got.cycle;
        if (gnomon_trace_next(twice->slow, &want) != GNOMON_TRACE_EVENT || !equal(&want, &got))
            return "a call differs";
    }
    twice->call_count += twice->calls.count;
    twice->event_count += twice->calls.count;
    return NULL;
}

/* Compares up to the end of the frame. */
static const char *compare_frame(struct twice *twice) {
    struct gnomon_event want, got;
    for (;;) {
        const char *differs = NULL;
        while (!differs && gnomon_trace_calls(twice->fast, GNOMON_MAX_FUNCTIONS, &twice->calls))
            differs = compare_calls(twice);
        if (differs)
            return differs;
        const enum gnomon_trace_result result = gnomon_trace_next(twice->fast, &got);
        if (gnomon_trace_next(twice->slow, &want) != result)
            return "one has more events";
        if (result != GNOMON_TRACE_EVENT)
            return NULL;
        if (!equal(&want, &got))
            return "an event differs";
        twice->event_count++;
    }
}

/* What calls change in the statistics. */
static const char *compare_stats(const struct gnomon_trace_stats *one, const struct gnomon_trace_stats *other) {
    const bool same = gnomon_trace_received(one) == gnomon_trace_received(other) && one->enters == other->enters &&
                      one->exits == other->exits && one->unbalanced == other->unbalanced &&
                      one->bytes == other->bytes && one->last_cycle == other->last_cycle &&
                      one->flaws == other->flaws && one->frames_damaged == other->frames_damaged;
    return same ? NULL : "the statistics differ";
}

const char *decode_twice(const char *path, uint64_t *calls, uint64_t *events) {
    struct gnomon_gnt_reader *file;
    struct gnomon_error error;
    const uint8_t *frame;
    const char *differs = NULL;
    if (gnomon_gnt_open(&file, path, &error))
        return NULL;
    struct twice *twice = calloc(1, sizeof *twice);
    if (!twice || !(twice->slow = gnomon_trace_new(0)) || !(twice->fast = gnomon_trace_new(0)))
        exit(2);
    while (!differs && !gnomon_gnt_next(file, &frame, &error) && frame) {
        gnomon_trace_feed(twice->slow, frame);
        gnomon_trace_feed(twice->fast, frame);
        differs = compare_frame(twice);
    }
    if (!differs)
        differs = compare_stats(gnomon_trace_stats(twice->slow), gnomon_trace_stats(twice->fast));
    *calls += twice->call_count;
    *events += twice->event_count;
    gnomon_trace_free(twice->slow);
    gnomon_trace_free(twice->fast);
    gnomon_gnt_close(file);
    free(twice);
    return differs;
}
