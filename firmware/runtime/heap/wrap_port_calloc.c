/* SPDX-License-Identifier: Apache-2.0 */
/* In a file of its own: some heaps of FreeRTOS have no pvPortCalloc. */
#include "heap/heap.h"
#include "internal.h"

WRAPPED(void *, pvPortCalloc, size_t count, size_t size) {
    void *block = __real_pvPortCalloc(count, size);
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX;
    __gnomon_port_allocated(block, bytes);
    return block;
}
