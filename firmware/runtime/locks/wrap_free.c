/* SPDX-License-Identifier: Apache-2.0 */
/* free: a lock in the block that was not destroyed is wrong use. The search goes through the words of the block or
 * through the table of locks, whichever is shorter. */
#include <malloc.h>

#include "heap/heap.h"
#include "locks/wrap.h"

static void freed(struct gnomon_lock_entry *entry) {
    if (entry->state == GNOMON_LOCK_LIVE)
        entry->wrong |= GNOMON_LOCK_WRONG_FREED;
    entry->state = GNOMON_LOCK_DESTROYED;
}

static void look_for_locks(uint32_t block, uint32_t size) {
    if (size / sizeof(uint32_t) < __gnomon_locks.locks) {
        for (uint32_t address = block; address < block + size; address += sizeof(uint32_t)) {
            const uint32_t index = __gnomon_lock_known(address);
            if (index)
                freed(&__gnomon_lock_table[index]);
        }
        return;
    }
    for (uint32_t i = 1; i < __gnomon_locks.locks; i++)
        if (__gnomon_lock_table[i].address - block < size && __gnomon_lock_table[i].state == GNOMON_LOCK_LIVE &&
            __gnomon_lock_known(__gnomon_lock_table[i].address) == i)
            freed(&__gnomon_lock_table[i]);
}

void __gnomon_locks_freed(void *block) {
    if (__gnomon_locks.locks <= 1)
        return;
    const uint32_t before = __gnomon_locks_enter();
    look_for_locks(__gnomon_address(block), malloc_usable_size(block));
    __gnomon_locks_leave(before);
}

/* Weak: with --gnomon-heap, heap/heap_free.c has another one. */
void __wrap_free(void *block) __attribute__((weak));
WRAPPED(void, free, void *block) {
    if (block)
        __gnomon_locks_freed(block);
    __real_free(block);
}
