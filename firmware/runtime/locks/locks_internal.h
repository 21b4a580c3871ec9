/* SPDX-License-Identifier: Apache-2.0 */
/* The table of locks, and the messages. Linked only with programs that use them. */
#ifndef GNOMON_RUNTIME_LOCKS_H
#define GNOMON_RUNTIME_LOCKS_H

#include <stdbool.h>

#include <gnomon.h>
#include <gnomon_locks.h>

#include "harts/exclusive.h"

extern struct gnomon_locks __gnomon_locks;

/* Return address of the call of the function that has this in it. */
#define CALLER ((uint32_t)(uintptr_t)__builtin_return_address(0))

static inline uint32_t __gnomon_address(const volatile void *pointer) {
    return (uint32_t)(uintptr_t)pointer;
}

/* What changes the tables runs between these two: a few hundred cycles at most, for a new lock. Look-ups take no part:
 * they read a slot, then the entry that it names, and an entry is complete before a slot names it. */
extern gnomon_hart_lock __gnomon_locks_lock;
static inline uint32_t __gnomon_locks_enter(void) {
    return gnomon_exclusive_enter(&__gnomon_locks_lock);
}
static inline void __gnomon_locks_leave(uint32_t before) {
    gnomon_exclusive_leave(&__gnomon_locks_lock, before);
}

/* Index of the thread that executes this. With two harts each thread has its own variable for it. */
extern _Thread_local uint32_t __gnomon_thread_index;
static inline uint32_t __gnomon_this_thread(void) {
    return HARTS > 1 ? __gnomon_thread_index : __gnomon_thread;
}

/* Sends a lock message: one store. `what` is one of GNOMON_LOCKS_RELEASED and so on. */
static inline void __gnomon_lock_send(uint32_t what, uint32_t lock, uint32_t caller) {
    *(volatile uint32_t *)(uintptr_t)(what + (__gnomon_this_thread() << 16) + (lock << 4)) = caller;
}

/* Spreads the locks of an array, of any stride, without a multiplication, which is slow on small. Neighbours are 33
 * slots apart, so that a search for a lock that has no place soon meets an empty slot. */
static inline uint32_t __gnomon_lock_slot(uint32_t address) {
    const uint32_t spread = address >> 2 ^ address >> 7;
    return (spread + (spread << 5)) & __gnomon_lock_slots_mask;
}

/* Returns the index of the lock at an address. A lock that has none gets one: its kind is `kind` then. Locks that find
 * no place in the table have GNOMON_LOCKS_LOCK_OTHER. */
uint32_t __gnomon_lock_find_or_add(uint32_t address, enum gnomon_lock_kind kind, uint32_t caller);
static inline uint32_t __gnomon_lock_index(const volatile void *lock, enum gnomon_lock_kind kind, uint32_t caller) {
    const uint32_t address = __gnomon_address(lock);
    for (uint32_t slot = __gnomon_lock_slot(address);; slot = (slot + 1) & __gnomon_lock_slots_mask) {
        const uint32_t index = __gnomon_lock_slots[slot];
        if (__gnomon_lock_table[index].address == address && __gnomon_lock_table[index].state == GNOMON_LOCK_LIVE)
            return index;
        if (!index || __gnomon_lock_table[index].address == address)
            return __gnomon_lock_find_or_add(address, kind, caller);
    }
}

/* Returns the index of the newest lock at an address, or 0. */
uint32_t __gnomon_lock_known(uint32_t address);
/* A call has initialized the lock: it gets a new entry. Returns its index. */
uint32_t __gnomon_lock_add(const volatile void *lock, enum gnomon_lock_kind kind, uint32_t caller);
/* A call has destroyed the lock, or tried to (`done` false). */
void __gnomon_lock_destroy(const volatile void *lock, bool done);
/* Gives the lock its name. If it has no entry yet, it gets one of this kind; with GNOMON_LOCK_NONE the name waits until
 * the lock is known. */
void __gnomon_lock_describe(const volatile void *lock, enum gnomon_lock_kind kind, const char *name, uint32_t caller);

#endif
