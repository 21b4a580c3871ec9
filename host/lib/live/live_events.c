/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/live/live_events.h"

static bool take_heap(struct gnomon_live *live, const struct gnomon_event *event) {
    struct gnomon_heap_stack stack = {0};
    if (gnomon_heap_concerns(event))
        stack.count = gnomon_analysis_stack(&live->analysis, event, stack.ids, GNOMON_HEAP_STACK);
    return gnomon_heap_event(live->heap, event, &stack);
}

static bool take_contention(struct gnomon_live *live, const struct gnomon_event *event) {
    struct gnomon_lock_stack stack = {0};
    if (gnomon_contention_asks(event))
        stack.count = gnomon_analysis_stack(&live->analysis, event, stack.ids, GNOMON_LOCK_STACK);
    return gnomon_contention_event(live->contention, event, &stack);
}

static bool take_event(struct gnomon_live *live, struct gnomon_event *event) {
    gnomon_thread_times_event(&live->threads, event);
    return gnomon_analysis_tell_modules(&live->analysis, event) && (!live->heap || take_heap(live, event)) &&
           take_contention(live, event) && (!live->profile || gnomon_profile_event(live->profile, event));
}

void live_take_events(struct gnomon_live *live) {
    struct gnomon_analysis *analysis = &live->analysis;
    struct gnomon_event event;
    enum gnomon_trace_result result;
    while ((result = gnomon_live_harts_next(&live->harts, &event)) == GNOMON_TRACE_EVENT)
        live->no_memory |= !take_event(live, &event);
    live->too_deep |= result == GNOMON_TRACE_FAILED;
    if (analysis->other)
        analysis->both = gnomon_merge_stats(gnomon_trace_stats(analysis->trace), gnomon_trace_stats(analysis->other));
}

bool gnomon_live_frame(struct gnomon_live *live, const uint8_t *frame) {
    live->no_memory |= !gnomon_live_harts_feed(&live->harts, frame);
    live_take_events(live);
    return gnomon_live_harts_ended(&live->harts, frame);
}
