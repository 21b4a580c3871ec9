/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon cc --gnomon-heap links with --wrap for malloc and its relatives (cc_heap_functions in
 * host/cli/cc/cc_locks.c): each call sends what
 * it did to the heap. The lock of malloc is held meanwhile, so the messages of two threads come in the order in which
 * the heap changed, and the two stores about a block are not parted by those of another thread. */
#include <errno.h>
#include <gnomon.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/lock.h>

#include "heap/heap.h"
#include "internal.h"

/* Weak: malloc brings what it locks with, which in programs without threads is nothing. */
extern struct __lock __lock___libc_recursive_mutex __attribute__((weak));
void __retarget_lock_acquire_recursive(_LOCK_T) __attribute__((weak));
void __retarget_lock_release_recursive(_LOCK_T) __attribute__((weak));

/* True while a wrapper runs: libc's realloc and calloc call malloc and free themselves. The lock protects it. */
static bool inside;

static inline bool begin(void) {
    __retarget_lock_acquire_recursive(&__lock___libc_recursive_mutex);
    const bool outer = !inside;
    inside = true;
    return outer;
}

static inline void end(bool outer) {
    if (outer)
        inside = false;
    __retarget_lock_release_recursive(&__lock___libc_recursive_mutex);
}

static inline void allocated(const void *block, size_t size) {
    GNOMON_SEND(GNOMON_CHANNEL_HEAP_ADDR, (uintptr_t)block);
    GNOMON_SEND(GNOMON_CHANNEL_HEAP_ALLOC, size);
}

WRAPPED(void *, malloc, size_t size) {
    const bool outer = begin();
    void *block = __real_malloc(size);
    if (outer)
        allocated(block, size);
    end(outer);
    return block;
}

WRAPPED(void *, calloc, size_t count, size_t size) {
    const bool outer = begin();
    void *block = __real_calloc(count, size);
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX;
    if (outer)
        allocated(block, bytes);
    end(outer);
    return block;
}

/* If it fails, the old block stays. If it succeeds, the old block is gone, also where the new one has its address. */
WRAPPED(void *, realloc, void *old, size_t size) {
    const bool outer = begin();
    void *block = __real_realloc(old, size);
    if (outer && old && (block || !size))
        GNOMON_SEND(GNOMON_CHANNEL_HEAP_FREE, (uintptr_t)old);
    if (outer && (block || size))
        allocated(block, size);
    end(outer);
    return block;
}

WRAPPED(void *, memalign, size_t alignment, size_t size) {
    const bool outer = begin();
    void *block = __real_memalign(alignment, size);
    if (outer)
        allocated(block, size);
    end(outer);
    return block;
}

WRAPPED(void *, aligned_alloc, size_t alignment, size_t size) {
    const bool outer = begin();
    void *block = __real_aligned_alloc(alignment, size);
    if (outer)
        allocated(block, size);
    end(outer);
    return block;
}

WRAPPED(int, posix_memalign, void **block, size_t alignment, size_t size) {
    const bool outer = begin();
    const int error = __real_posix_memalign(block, alignment, size);
    if (outer && error != EINVAL)
        allocated(error ? NULL : *block, size);
    end(outer);
    return error;
}

void __real_free(void *block);

void __gnomon_heap_free(void *block) {
    const bool outer = begin();
    if (outer && block)
        GNOMON_SEND(GNOMON_CHANNEL_HEAP_FREE, (uintptr_t)block);
    __real_free(block);
    end(outer);
}
