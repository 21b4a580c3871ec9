/* SPDX-License-Identifier: Apache-2.0 */
/* free, which --gnomon-heap and --gnomon-locks both wrap. */
#include "heap/heap.h"
#include "internal.h"

WRAPPED(void, free, void *block) {
    if (__gnomon_locks_freed && block)
        __gnomon_locks_freed(block);
    if (__gnomon_heap_free)
        __gnomon_heap_free(block);
    else
        __real_free(block);
}
