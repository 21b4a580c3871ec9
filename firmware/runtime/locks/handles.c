/* SPDX-License-Identifier: Apache-2.0 */
#include "locks/handles.h"

#include "locks/locks_internal.h"

/* Finds a thread's index by its handle. Never more than half full. */
#define SLOTS 512
static uint8_t slots[SLOTS];
struct gnomon_thread_entry __gnomon_handle_threads[GNOMON_LOCKS_THREAD_OTHER];

extern int main(int argc, char **argv, char **envp);

static uint8_t *slot_of(uint32_t handle) {
    uint32_t slot = (handle >> 2 ^ handle >> 7) % SLOTS;
    while (slots[slot] && __gnomon_handle_threads[slots[slot]].handle != handle)
        slot = (slot + 1) % SLOTS;
    return &slots[slot];
}

uint32_t __gnomon_handle_index(const void *handle) {
    const uint32_t index = *slot_of(__gnomon_address(handle));
    return index ? index : GNOMON_LOCKS_THREAD_OTHER;
}

static uint32_t take_index(void) {
    struct gnomon_locks *locks = &__gnomon_locks;
    if (locks->thread_table != __gnomon_address(__gnomon_handle_threads)) {
        __gnomon_handle_threads[0] = (struct gnomon_thread_entry){
            .name = __gnomon_address("main"), .start = (uint32_t)(uintptr_t)main, .state = GNOMON_THREAD_LIVE};
        locks->thread_table = __gnomon_address(__gnomon_handle_threads);
        locks->threads = 1;
        locks->threads_room = GNOMON_LOCKS_THREAD_OTHER;
    }
    if (locks->threads < GNOMON_LOCKS_THREAD_OTHER)
        return locks->threads++;
    locks->threads_refused++;
    return GNOMON_LOCKS_THREAD_OTHER;
}

uint32_t __gnomon_handle_add(const void *handle, const char *name, const void *start) {
    const uint32_t index = take_index();
    uint8_t *slot = slot_of(__gnomon_address(handle));
    if (index != GNOMON_LOCKS_THREAD_OTHER) {
        __gnomon_handle_threads[index] = (struct gnomon_thread_entry){.name = __gnomon_address(name),
                                                                      .start = __gnomon_address(start),
                                                                      .handle = __gnomon_address(handle),
                                                                      .state = GNOMON_THREAD_LIVE};
        *slot = (uint8_t)index;
    } else if (*slot) { /* this control block was that of a thread with an index: it loses it */
        __gnomon_handle_threads[*slot].handle = 0;
    }
    return index;
}

void __gnomon_handle_priority(const void *handle, unsigned priority) {
    const uint32_t index = __gnomon_handle_index(handle);
    struct gnomon_thread_entry *entry = &__gnomon_handle_threads[index];
    const uint8_t shown = (uint8_t)(priority < UINT8_MAX ? priority + 1 : UINT8_MAX);
    if (index == GNOMON_LOCKS_THREAD_OTHER)
        return;
    if (!entry->least_priority || shown < entry->least_priority)
        entry->least_priority = shown;
    if (shown > entry->most_priority)
        entry->most_priority = shown;
}

void __gnomon_handle_ended(const void *handle) {
    const uint32_t index = __gnomon_handle_index(handle);
    if (index != GNOMON_LOCKS_THREAD_OTHER)
        __gnomon_handle_threads[index].state = GNOMON_THREAD_ENDED;
}
