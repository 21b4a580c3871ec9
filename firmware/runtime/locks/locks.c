/* SPDX-License-Identifier: Apache-2.0 */
/* The table of locks that the host reads at the end of a run (include/gnomon/locks.h). A hash table finds a
 * lock's entry by its address; it is never more than half full. */
#include "locks/locks_internal.h"

extern int main(int argc, char **argv, char **envp);

/* An index that pairs of entries leave out, or 0. */
static uint32_t gap;

/* A program without threads has this thread alone. */
static struct gnomon_thread_entry only_thread;

static void begin(void) {
    struct gnomon_locks *locks = &__gnomon_locks;
    if (locks->locks)
        return;
    const uint32_t room = gnomon_locks_room;
    locks->locks = 1;
    locks->lock_table = __gnomon_address(__gnomon_lock_table);
    locks->locks_room = room < GNOMON_LOCKS_LOCK_OTHER ? room : GNOMON_LOCKS_LOCK_OTHER;
    if (locks->threads) /* the threads layer or FreeRTOS has a table, or will replace this one */
        return;
    only_thread = (struct gnomon_thread_entry){
        .name = __gnomon_address("main"), .start = (uint32_t)(uintptr_t)main, .state = GNOMON_THREAD_LIVE};
    locks->threads = locks->threads_room = 1;
    locks->thread_table = __gnomon_address(&only_thread);
}

static bool is_pair(enum gnomon_lock_kind kind) {
    return kind == GNOMON_LOCK_RWLOCK || kind == GNOMON_LOCK_QUEUE;
}

/* Returns the slot that names the lock's entry, or the free slot where it would be. */
static uint16_t *slot_of(uint32_t address) {
    uint32_t slot = __gnomon_lock_slot(address);
    while (__gnomon_lock_slots[slot] && __gnomon_lock_table[__gnomon_lock_slots[slot]].address != address)
        slot = (slot + 1) & __gnomon_lock_slots_mask;
    return &__gnomon_lock_slots[slot];
}

uint32_t __gnomon_lock_known(uint32_t address) {
    return *slot_of(address);
}

static void publish(uint16_t *slot, uint32_t index) {
    gnomon_order_stores();
    *(volatile uint16_t *)slot = (uint16_t)index;
}

/* Returns a free index, even if two in a row are wanted; 0 if there is none. */
static uint32_t take_index(bool pair) {
    struct gnomon_locks *locks = &__gnomon_locks;
    uint32_t index = locks->locks;
    if (!pair && gap) {
        index = gap;
        gap = 0;
        return index;
    }
    const uint32_t left_out = pair ? index & 1 : 0;
    if (index + left_out + pair >= locks->locks_room) {
        locks->locks_refused++;
        return 0;
    }
    if (left_out)
        gap = index;
    index += left_out;
    locks->locks = index + 1 + pair;
    return index;
}

/* Makes an entry, which `slot` names from then on. */
static uint32_t add(uint16_t *slot, uint32_t address, enum gnomon_lock_kind kind, uint32_t name, uint32_t caller) {
    const bool pair = is_pair(kind);
    const uint32_t index = take_index(pair);
    if (!index)
        return GNOMON_LOCKS_LOCK_OTHER;
    struct gnomon_lock_entry entry = {.address = address,
                                      .name = name,
                                      .caller = caller,
                                      .kind = (uint8_t)kind,
                                      .state = kind ? GNOMON_LOCK_LIVE : GNOMON_LOCK_UNUSED,
                                      .thread = (uint8_t)__gnomon_this_thread()};
    __gnomon_lock_table[index] = entry;
    if (pair) {
        entry.kind = kind == GNOMON_LOCK_RWLOCK ? GNOMON_LOCK_RWLOCK_READ : kind;
        __gnomon_lock_table[index + 1] = entry;
    }
    publish(slot, index);
    return index;
}

/* The entry holds a name for a lock that is now known. */
static uint32_t adopt(uint16_t *slot, enum gnomon_lock_kind kind, uint32_t caller) {
    struct gnomon_lock_entry *entry = &__gnomon_lock_table[*slot];
    if (is_pair(kind)) {
        const struct gnomon_lock_entry named = *entry;
        const uint32_t index = add(slot, named.address, kind, named.name, caller);
        if (index != GNOMON_LOCKS_LOCK_OTHER)
            *entry = (struct gnomon_lock_entry){0};
        return index;
    }
    entry->kind = (uint8_t)kind;
    entry->caller = caller;
    entry->thread = (uint8_t)__gnomon_this_thread();
    entry->state = GNOMON_LOCK_LIVE;
    return *slot;
}

uint32_t __gnomon_lock_find_or_add(uint32_t address, enum gnomon_lock_kind kind, uint32_t caller) {
    const uint32_t before = __gnomon_locks_enter();
    begin();
    uint16_t *slot = slot_of(address);
    struct gnomon_lock_entry *entry = &__gnomon_lock_table[*slot];
    uint32_t index = *slot;
    if (!index)
        index = add(slot, address, kind, 0, caller);
    else if (entry->state == GNOMON_LOCK_UNUSED)
        index = adopt(slot, kind, caller);
    else if (entry->state == GNOMON_LOCK_DESTROYED)
        entry->wrong |= GNOMON_LOCK_WRONG_USE;
    __gnomon_locks_leave(before);
    return index;
}

uint32_t __gnomon_lock_add(const volatile void *lock, enum gnomon_lock_kind kind, uint32_t caller) {
    const uint32_t address = __gnomon_address(lock);
    const uint32_t before = __gnomon_locks_enter();
    begin();
    uint16_t *slot = slot_of(address);
    struct gnomon_lock_entry *entry = &__gnomon_lock_table[*slot];
    uint32_t index;
    if (*slot && entry->state == GNOMON_LOCK_UNUSED) {
        index = adopt(slot, kind, caller);
    } else {
        if (*slot && entry->state == GNOMON_LOCK_LIVE)
            entry->wrong |= GNOMON_LOCK_WRONG_AGAIN;
        index = add(slot, address, kind, 0, caller);
    }
    __gnomon_locks_leave(before);
    return index;
}

void __gnomon_lock_destroy(const volatile void *lock, bool done) {
    const uint32_t before = __gnomon_locks_enter();
    const uint32_t index = *slot_of(__gnomon_address(lock));
    struct gnomon_lock_entry *entry = &__gnomon_lock_table[index];
    if (index && entry->state == GNOMON_LOCK_DESTROYED) {
        entry->wrong |= GNOMON_LOCK_WRONG_USE;
    } else if (index && done) {
        entry[0].state = GNOMON_LOCK_DESTROYED;
        if (is_pair(entry->kind))
            entry[1].state = GNOMON_LOCK_DESTROYED;
    } else if (index) {
        entry->wrong |= GNOMON_LOCK_WRONG_DESTROY;
    }
    __gnomon_locks_leave(before);
}

void __gnomon_lock_describe(const volatile void *lock, enum gnomon_lock_kind kind, const char *name, uint32_t caller) {
    const uint32_t address = __gnomon_address(lock);
    const uint32_t before = __gnomon_locks_enter();
    begin();
    uint16_t *slot = slot_of(address);
    uint32_t index = *slot;
    if (!index || __gnomon_lock_table[index].state == GNOMON_LOCK_DESTROYED)
        index = add(slot, address, kind, 0, caller);
    struct gnomon_lock_entry *entry = &__gnomon_lock_table[index];
    if (index != GNOMON_LOCKS_LOCK_OTHER) {
        entry[0].name = __gnomon_address(name);
        if (is_pair(entry->kind))
            entry[1].name = entry->name;
    }
    __gnomon_locks_leave(before);
}

void gnomon_thread_name(const char *name) {
    const uint32_t before = __gnomon_locks_enter();
    begin();
    if (__gnomon_this_thread() < __gnomon_locks.threads)
        ((struct gnomon_thread_entry *)(uintptr_t)__gnomon_locks.thread_table)[__gnomon_this_thread()].name =
            __gnomon_address(name);
    __gnomon_locks_leave(before);
}
