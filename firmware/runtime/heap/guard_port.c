/* SPDX-License-Identifier: Apache-2.0 */
/* The heaps of FreeRTOS with guards (guard.h). heap_3 calls malloc and free, which have them. */
#include <string.h>

#include "heap/guard.h"
#include "heap/heap.h"
#include "internal.h"

/* All weak: programs without FreeRTOS have this file, too. */
void *__real_pvPortMalloc(size_t size) __attribute__((weak));
void *__real_pvPortCalloc(size_t count, size_t size) __attribute__((weak));
void __real_vPortFree(void *block) __attribute__((weak));
/* All heaps of FreeRTOS but heap_3 have it. */
size_t xPortGetFreeHeapSize(void) __attribute__((weak));

static void *take(size_t alignment, size_t size);

/* The heap is an array that the program has made as large as it needs. */
static size_t room(void) {
    const size_t share = xPortGetFreeHeapSize() / 4;
    return share < MOST_QUARANTINE ? share : MOST_QUARANTINE;
}

static void give(void *real) {
    __real_vPortFree(real);
}

static struct heap_pool port = {.take = take, .give = give, .room = room};

/* A failure may call a hook of the program, so freed blocks go before there is one. */
static void *take(size_t alignment, size_t size) {
    (void)alignment; /* always 1: what is in front of a block has 32 bytes, so the block is aligned as FreeRTOS's are */
    if (xPortGetFreeHeapSize() / 2 < size)
        __gnomon_guard_release(&port, 0);
    return __real_pvPortMalloc(size);
}

/* Of no bytes, FreeRTOS gives no block. */
static void *allocate(size_t size) {
    const bool outer = __gnomon_guard_begin();
    void *block = NULL;
    if (size)
        block = __gnomon_guard_allocate(&port, 1, size);
    else
        __gnomon_heap_tell(NULL, 0);
    __gnomon_guard_end(outer);
    return block;
}

WRAPPED(void *, pvPortMalloc, size_t size) {
    return xPortGetFreeHeapSize ? allocate(size) : __real_pvPortMalloc(size);
}

WRAPPED(void *, pvPortCalloc, size_t count, size_t size) {
    size_t bytes;
    if (!xPortGetFreeHeapSize)
        return __real_pvPortCalloc(count, size);
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX;
    void *block = allocate(bytes);
    if (block)
        memset(block, 0, bytes);
    return block;
}

WRAPPED(void, vPortFree, void *block) {
    if (!xPortGetFreeHeapSize) {
        __real_vPortFree(block);
        return;
    }
    const bool outer = __gnomon_guard_begin();
    if (block)
        __gnomon_guard_free(&port, block);
    __gnomon_guard_end(outer);
}
