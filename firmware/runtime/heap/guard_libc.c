/* SPDX-License-Identifier: Apache-2.0 */
/* malloc and its relatives with guards (guard.h). */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "heap/guard.h"
#include "heap/heap.h"
#include "internal.h"

void *__real_malloc(size_t size);
void *__real_memalign(size_t alignment, size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);

static void *take(size_t alignment, size_t size) {
    return alignment > 1 ? __real_memalign(alignment, size) : __real_malloc(size);
}

/* On a small device a sixteenth of main memory. */
static size_t room(void) {
    const size_t share = GNOMON_REG(GNOMON_SYSCTL_RAM_BYTES) / 16;
    return share < MOST_QUARANTINE ? share : MOST_QUARANTINE;
}

static struct heap_pool pool = {.take = take, .give = __real_free, .room = room};

WRAPPED(void *, malloc, size_t size) {
    const bool outer = __gnomon_guard_begin();
    void *block = outer ? __gnomon_guard_allocate(&pool, 1, size) : __real_malloc(size);
    __gnomon_guard_end(outer);
    return block;
}

WRAPPED(void *, calloc, size_t count, size_t size) {
    const bool outer = __gnomon_guard_begin();
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX;
    void *block = outer ? __gnomon_guard_allocate(&pool, 1, bytes) : __real_calloc(count, size);
    __gnomon_guard_end(outer);
    if (outer && block)
        memset(block, 0, bytes);
    return block;
}

/* The new block is always another one. */
static void *move(void *old, size_t size) {
    size_t before = 0;
    void *block = NULL;
    if (size && (!old || __gnomon_guard_size(&pool, old, &before))) {
        block = __gnomon_guard_allocate(&pool, 1, size);
        if (!block)
            return NULL;
        if (old)
            memcpy(block, old, size < before ? size : before);
    }
    if (old)
        __gnomon_guard_free(&pool, old);
    return block;
}

WRAPPED(void *, realloc, void *old, size_t size) {
    const bool outer = __gnomon_guard_begin();
    void *block = outer ? move(old, size) : __real_realloc(old, size);
    __gnomon_guard_end(outer);
    return block;
}

WRAPPED(void *, memalign, size_t alignment, size_t size) {
    const bool outer = __gnomon_guard_begin();
    void *block = outer ? __gnomon_guard_allocate(&pool, alignment, size) : __real_memalign(alignment, size);
    __gnomon_guard_end(outer);
    return block;
}

WRAPPED(void *, aligned_alloc, size_t alignment, size_t size) {
    return __wrap_memalign(alignment, size);
}

WRAPPED(int, posix_memalign, void **block, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)))
        return EINVAL;
    void *made = __wrap_memalign(alignment, size);
    if (!made)
        return ENOMEM;
    *block = made;
    return 0;
}

WRAPPED(size_t, malloc_usable_size, void *block) {
    size_t size = 0;
    return block && __gnomon_guard_size(&pool, block, &size) ? size : 0;
}

void __gnomon_heap_free(void *block) {
    const bool outer = __gnomon_guard_begin();
    if (!outer)
        __real_free(block);
    else if (block)
        __gnomon_guard_free(&pool, block);
    __gnomon_guard_end(outer);
}
