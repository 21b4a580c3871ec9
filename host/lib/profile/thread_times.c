/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/profile/thread_times.h"

static void credit(struct gnomon_thread_times *times, unsigned hart, uint64_t cycle) {
    const size_t running = times->harts[hart].running;
    struct gnomon_profile_thread *thread = &times->threads[running];
    const uint64_t passed = cycle - times->harts[hart].now;
    thread->cycles += passed;
    thread->trap_cycles += times->harts[hart].traps[running] ? passed : 0;
    times->harts[hart].now = cycle;
    if (cycle > thread->last)
        thread->last = cycle;
}

/* The index of the thread, which runs from `now` on. GNOMON_THREADS_MOST: there is no room. */
static size_t find(struct gnomon_thread_times *times, uint32_t number, uint64_t now) {
    size_t index = 0;
    while (index < times->count && times->threads[index].thread != number)
        index++;
    if (index == GNOMON_THREADS_MOST)
        return index;
    if (index == times->count)
        times->threads[times->count++] = (struct gnomon_profile_thread){.thread = number, .first = now, .last = now};
    if (now < times->threads[index].first)
        times->threads[index].first = now;
    return index;
}

static void run(struct gnomon_thread_times *times, unsigned hart, uint32_t number) {
    const size_t index = find(times, number, times->harts[hart].now);
    if (index == GNOMON_THREADS_MOST) {
        times->unknown = true;
        return;
    }
    const bool begins = !times->harts[hart].begun, switches = !begins && index != times->harts[hart].running;
    times->threads[index].runs += begins || switches;
    times->switches += switches;
    times->harts[hart].begun = true;
    times->harts[hart].running = index;
}

void gnomon_thread_times_event(struct gnomon_thread_times *times, const struct gnomon_event *event) {
    const unsigned hart = event->hart;
    if (!times->harts[hart].begun)
        run(times, hart, event->thread);
    uint32_t *traps = &times->harts[hart].traps[times->harts[hart].running];
    if (event->type == GNOMON_EVENT_DAMAGE) {
        times->unknown = true;
        return;
    }
    credit(times, hart, event->cycle);
    switch (event->type) {
    case GNOMON_EVENT_TRAP_ENTER:
        ++*traps;
        break;
    case GNOMON_EVENT_TRAP_LEAVE:
        *traps -= *traps > 0 && event->popped > 0;
        break;
    case GNOMON_EVENT_CHANNEL:
        if (event->number == GNOMON_CHANNEL_THREAD)
            run(times, hart, event->value);
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

uint64_t gnomon_thread_times_whole(const struct gnomon_thread_times *times) {
    uint64_t whole = 0;
    for (unsigned hart = 0; hart < GNOMON_MAX_HARTS; hart++)
        whole += times->harts[hart].now;
    return whole;
}
