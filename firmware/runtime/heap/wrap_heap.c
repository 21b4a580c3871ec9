/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon cc --gnomon-heap links with --wrap for malloc and its relatives (cc_heap_functions in
 * host/cli/cc/cc_locks.c): each call sends what
 * it did to the heap. The lock of malloc is held meanwhile, so the messages of two threads come in the order in which
 * the heap changed, and the two stores about a block are not parted by those of another thread. */
#include <errno.h>
#include <gnomon.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

#include "heap/heap.h"
#include "heap/lock.h"
#include "internal.h"

WRAPPED(void *, malloc, size_t size) {
    const bool outer = heap_begin();
    void *block = __real_malloc(size);
    if (outer)
        heap_allocated(block, size);
    heap_end(outer);
    return block;
}

WRAPPED(void *, calloc, size_t count, size_t size) {
    const bool outer = heap_begin();
    void *block = __real_calloc(count, size);
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX;
    if (outer)
        heap_allocated(block, bytes);
    heap_end(outer);
    return block;
}

/* If it fails, the old block stays. If it succeeds, the old block is gone, also where the new one has its address. */
WRAPPED(void *, realloc, void *old, size_t size) {
    const bool outer = heap_begin();
    void *block = __real_realloc(old, size);
    if (outer && old && (block || !size))
        GNOMON_SEND(GNOMON_CHANNEL_HEAP_FREE, (uintptr_t)old);
    if (outer && (block || size))
        heap_allocated(block, size);
    heap_end(outer);
    return block;
}

WRAPPED(void *, memalign, size_t alignment, size_t size) {
    const bool outer = heap_begin();
    void *block = __real_memalign(alignment, size);
    if (outer)
        heap_allocated(block, size);
    heap_end(outer);
    return block;
}

WRAPPED(void *, aligned_alloc, size_t alignment, size_t size) {
    const bool outer = heap_begin();
    void *block = __real_aligned_alloc(alignment, size);
    if (outer)
        heap_allocated(block, size);
    heap_end(outer);
    return block;
}

WRAPPED(int, posix_memalign, void **block, size_t alignment, size_t size) {
    const bool outer = heap_begin();
    const int error = __real_posix_memalign(block, alignment, size);
    if (outer && error != EINVAL)
        heap_allocated(error ? NULL : *block, size);
    heap_end(outer);
    return error;
}

void __real_free(void *block);

void __gnomon_heap_free(void *block) {
    const bool outer = heap_begin();
    if (outer && block)
        GNOMON_SEND(GNOMON_CHANNEL_HEAP_FREE, (uintptr_t)block);
    __real_free(block);
    heap_end(outer);
}
