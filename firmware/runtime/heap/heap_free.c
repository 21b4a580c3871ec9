/* SPDX-License-Identifier: Apache-2.0 */
/* free of programs linked with --gnomon-heap, perhaps with --gnomon-locks, too. An object file of its own (lib/heap.o),
 * so that it comes before locks/wrap_free.c of the library. */
#include "heap/heap.h"
#include "internal.h"

WRAPPED(void, free, void *block) {
    if (__gnomon_locks_freed && block)
        __gnomon_locks_freed(block);
    __gnomon_heap_free(block);
}
