/* SPDX-License-Identifier: Apache-2.0 */
/* The lock of malloc, held while a wrapper changes the heap and says so. */
#ifndef GNOMON_RUNTIME_HEAP_LOCK_H
#define GNOMON_RUNTIME_HEAP_LOCK_H

#include <gnomon.h>
#include <stdbool.h>
#include <sys/lock.h>

/* Weak: malloc brings what it locks with, which in programs without threads is nothing. */
extern struct __lock __lock___libc_recursive_mutex __attribute__((weak));
void __retarget_lock_acquire_recursive(_LOCK_T) __attribute__((weak));
void __retarget_lock_release_recursive(_LOCK_T) __attribute__((weak));

/* True while a wrapper runs: libc's realloc, calloc and memalign call malloc and free themselves. The lock protects it.
 */
extern bool __gnomon_heap_inside;

/* Returns true if the program called, and not libc. */
static inline bool heap_begin(void) {
    __retarget_lock_acquire_recursive(&__lock___libc_recursive_mutex);
    const bool outer = !__gnomon_heap_inside;
    __gnomon_heap_inside = true;
    return outer;
}

static inline void heap_end(bool outer) {
    if (outer)
        __gnomon_heap_inside = false;
    __retarget_lock_release_recursive(&__lock___libc_recursive_mutex);
}

static inline void heap_allocated(const void *block, size_t size) {
    GNOMON_SEND(GNOMON_CHANNEL_HEAP_ADDR, (uintptr_t)block);
    GNOMON_SEND(GNOMON_CHANNEL_HEAP_ALLOC, size);
}

#endif
