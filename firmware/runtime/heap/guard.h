/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon cc --gnomon-heap=guard: each block has a guard before and after it, and a freed block is filled with a pattern
 * and kept for a while. Linked in place of the wrappers of wrap_heap.c and wrap_port.c (lib/heap-guard.o). */
#ifndef GNOMON_RUNTIME_GUARD_H
#define GNOMON_RUNTIME_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct header;
struct heap_list {
    struct header *first, *last;
};

/* Where memory comes from: the heap of libc, or FreeRTOS's. */
struct heap_pool {
    void *(*take)(size_t alignment, size_t size); /* `alignment` is 1 or a power of two; NULL: no memory */
    void (*give)(void *real);
    size_t (*room)(void); /* most bytes of freed blocks that are kept */
    /* The rest starts with zeros. */
    struct heap_list live, quarantine;
    size_t quarantined; /* bytes */
    bool listed;
    struct heap_pool *next;
};
enum { MOST_QUARANTINE = 1 << 16 }; /* bytes */

/* Around all of the below. Begin returns true if the program called, and not a heap. */
bool __gnomon_guard_begin(void);
void __gnomon_guard_end(bool outer);

/* Allocates and tells the host, also that there is no memory. `alignment` is a power of two. */
void *__gnomon_guard_allocate(struct heap_pool *pool, size_t alignment, size_t size);
/* False: it is no live block of the pool. */
bool __gnomon_guard_size(const struct heap_pool *pool, void *block, size_t *size);
/* Tells the host. What has no header of a live block is not freed: one whose header was overwritten, or was freed
 * already, or is none. The host knows which. */
void __gnomon_guard_free(struct heap_pool *pool, void *block);
/* Gives the oldest freed blocks back until `most` bytes are left. */
void __gnomon_guard_release(struct heap_pool *pool, size_t most);

#endif
