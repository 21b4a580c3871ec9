/* SPDX-License-Identifier: Apache-2.0 */
/* The thread table, which the host reads at the end of the run (gnomon/locks.h). An index is not used for a second
 * thread, so that no reader of a trace takes two threads for one. Only when all are taken, a new thread gets the index
 * of one that has ended and was joined or detached, and counts as refused. The table grows; its rows have room for
 * names, which stay when a thread's memory is freed. */
#include <stdlib.h>
#include <string.h>

#include "threads/kernel.h"

enum { FIRST_INDEX = IDLE_INDEX + HARTS, FIRST_ROOM = 8, MOST = GNOMON_LOCKS_THREAD_OTHER };

struct names {
    char name[NAME_BYTES];
};

static struct gnomon_thread_entry first_entries[FIRST_ROOM];
static struct names first_names[FIRST_ROOM];
static struct gnomon_thread_entry *entries;
static struct names *names;
static uint32_t count, room;
static uint8_t reusable[MOST / 8 + 1];

/* locks/tables.c */
extern struct gnomon_locks __gnomon_locks;
extern gnomon_hart_lock __gnomon_locks_lock;

static void publish(void) {
    __gnomon_locks.thread_table = (uint32_t)(uintptr_t)entries;
    __gnomon_locks.threads = count;
    __gnomon_locks.threads_room = room;
}

static void set(uint32_t index, const char *name, void *start, pthread_t handle, uint32_t priority) {
    names[index] = (struct names){0};
    strncpy(names[index].name, name, NAME_BYTES - 1);
    entries[index] = (struct gnomon_thread_entry){
        .name = *name ? (uint32_t)(uintptr_t)names[index].name : 0,
        .start = (uint32_t)(uintptr_t)start,
        .handle = (uint32_t)handle,
        .state = GNOMON_THREAD_LIVE,
        .least_priority = (uint8_t)priority,
        .most_priority = (uint8_t)priority,
    };
}

static void begin(void) {
    extern int main(int, char **, char **);
    entries = first_entries;
    names = first_names;
    count = FIRST_INDEX;
    room = FIRST_ROOM;
    set(0, __gnomon_main_thread.name, (void *)main, (pthread_t)&__gnomon_main_thread,
        1u + __gnomon_main_thread.base_priority);
    set(IDLE_INDEX, "idle", NULL, 0, 0);
    if (HARTS > 1)
        set(IDLE_INDEX + 1, "idle 1", NULL, 0, 0);
}

static bool grow(void) {
    const uint32_t more = room * 2 < MOST ? room * 2 : MOST;
    struct gnomon_thread_entry *all = more > room ? calloc(more, sizeof *entries + sizeof *names) : NULL;
    if (!all)
        return false;
    struct names *all_names = (struct names *)(all + more);
    const uint32_t before = kernel_enter(); /* __gnomon_table_state and gnomon_thread_name change entries, too */
    gnomon_hart_lock_take(&__gnomon_locks_lock);
    memcpy(all, entries, count * sizeof *entries);
    memcpy(all_names, names, count * sizeof *names);
    for (uint32_t i = 0; i < count; i++)
        if (all[i].name == (uint32_t)(uintptr_t)names[i].name) /* not one of gnomon_thread_name */
            all[i].name = (uint32_t)(uintptr_t)all_names[i].name;
    void *old = entries;
    entries = all;
    names = all_names;
    room = more;
    publish();
    gnomon_hart_lock_give(&__gnomon_locks_lock);
    kernel_leave(before);
    if (old != first_entries)
        free(old);
    return true;
}

static uint32_t reuse(void) {
    uint32_t index = FIRST_INDEX;
    const uint32_t before = kernel_enter();
    while (index < count && !(reusable[index / 8] >> index % 8 & 1))
        index++;
    if (index < count)
        reusable[index / 8] &= (uint8_t) ~(1u << index % 8);
    kernel_leave(before);
    return index < count ? index : GNOMON_LOCKS_THREAD_OTHER;
}

uint32_t __gnomon_table_take(struct gnomon_thread *thread) {
    uint32_t index, priority = 1u + thread->base_priority;
    __gnomon_threads_lock();
    if (!entries)
        begin();
    if (count < room || grow()) {
        index = count++;
    } else {
        index = reuse();
        priority = 0; /* of two threads */
        __gnomon_locks.threads_refused++;
    }
    if (index < MOST)
        set(index, thread->name, (void *)thread->start, (pthread_t)thread, priority);
    publish();
    __gnomon_threads_unlock();
    return index;
}

void __gnomon_table_name(struct gnomon_thread *thread) {
    const uint32_t index = thread->index;
    __gnomon_threads_lock();
    if (entries && index < count) {
        memcpy(names[index].name, thread->name, NAME_BYTES);
        entries[index].name = (uint32_t)(uintptr_t)names[index].name;
    }
    __gnomon_threads_unlock();
}

void __gnomon_table_priority(uint32_t index, unsigned priority) {
    if (!entries || index >= count)
        return;
    struct gnomon_thread_entry *entry = &entries[index];
    if (entry->least_priority > priority + 1)
        entry->least_priority = (uint8_t)(priority + 1);
    if (entry->most_priority < priority + 1)
        entry->most_priority = (uint8_t)(priority + 1);
}

void __gnomon_table_state(uint32_t index, enum gnomon_thread_state state, bool gone) {
    if (!entries || index >= count)
        return;
    entries[index].state = (uint8_t)state;
    if (gone)
        reusable[index / 8] |= (uint8_t)(1u << index % 8);
}
