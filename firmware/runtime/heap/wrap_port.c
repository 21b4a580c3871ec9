/* SPDX-License-Identifier: Apache-2.0 */
/* The same for FreeRTOS's heap. heap_3 calls malloc and free, whose wrappers have sent the messages. */
#include <gnomon.h>

#include "heap/heap.h"
#include "internal.h"

/* All heaps of FreeRTOS but heap_3 have it. */
size_t xPortGetFreeHeapSize(void) __attribute__((weak));

/* The kernel lets no other task run in pvPortMalloc, but it does after it. */
void __gnomon_port_allocated(const void *block, size_t size) {
    if (!xPortGetFreeHeapSize)
        return;
    __gnomon_heap_tell(block, size);
}

WRAPPED(void *, pvPortMalloc, size_t size) {
    void *block = __real_pvPortMalloc(size);
    __gnomon_port_allocated(block, size);
    return block;
}

/* The message comes first, so that it precedes that of the next owner. */
WRAPPED(void, vPortFree, void *block) {
    if (xPortGetFreeHeapSize && block)
        GNOMON_SEND(GNOMON_CHANNEL_HEAP_FREE, (uintptr_t)block);
    __real_vPortFree(block);
}
