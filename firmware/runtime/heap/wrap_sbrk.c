/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon cc --gnomon-heap links with --wrap=sbrk: says where the heap grows. */
#include <gnomon.h>

#include "heap/heap.h"
#include "internal.h"

WRAPPED(void *, sbrk, ptrdiff_t increment) {
    void *end = __real_sbrk(increment);
    if (increment > 0 && end != (void *)-1)
        __gnomon_heap_tell(end, GNOMON_HEAP_GREW + (uint32_t)increment);
    return end;
}
