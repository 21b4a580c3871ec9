/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/profile/thread_times.h"

static void credit(struct gnomon_thread_times *times, uint64_t cycle) {
    struct gnomon_profile_thread *thread = &times->threads[times->running];
    const uint64_t passed = cycle - times->now;
    thread->cycles += passed;
    thread->trap_cycles += times->traps[times->running] ? passed : 0;
    thread->last = times->now = cycle;
}

static void run(struct gnomon_thread_times *times, uint32_t number) {
    size_t index = 0;
    while (index < times->count && times->threads[index].thread != number)
        index++;
    if (index == GNOMON_THREADS_MOST) {
        times->unknown = true;
        return;
    }
    if (index == times->count) {
        times->threads[times->count++] =
            (struct gnomon_profile_thread){.thread = number, .first = times->now, .last = times->now};
        times->threads[index].runs = index == 0; /* the first one runs already */
    }
    times->threads[index].runs += index != times->running;
    times->switches += index != times->running;
    times->running = index;
}

void gnomon_thread_times_event(struct gnomon_thread_times *times, const struct gnomon_event *event) {
    uint32_t *traps = &times->traps[times->running];
    if (!times->count)
        run(times, event->thread);
    if (event->type == GNOMON_EVENT_DAMAGE) {
        times->unknown = true;
        return;
    }
    credit(times, event->cycle);
    switch (event->type) {
    case GNOMON_EVENT_TRAP_ENTER:
        ++*traps;
        break;
    case GNOMON_EVENT_TRAP_LEAVE:
        *traps -= *traps > 0 && event->popped > 0;
        break;
    case GNOMON_EVENT_CHANNEL:
        if (event->number == GNOMON_CHANNEL_THREAD)
            run(times, event->value);
        break;
    case GNOMON_EVENT_GAP:
        times->unknown = true;
        break;
    case GNOMON_EVENT_LOST:
        times->unknown |= event->lost.others > 0;
        break;
    default:
        break;
    }
}
