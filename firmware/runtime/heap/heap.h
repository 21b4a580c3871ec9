/* SPDX-License-Identifier: Apache-2.0 */
/* What the wrappers of the heap share. */
#ifndef GNOMON_RUNTIME_HEAP_H
#define GNOMON_RUNTIME_HEAP_H

#include <gnomon/heap.h>
#include <stddef.h>

/* Sends the message, and frees the block. */
void __gnomon_heap_free(void *block);
/* Locks in the block are wrong use. Linked only with --gnomon-locks. */
void __gnomon_locks_freed(void *block) __attribute__((weak));

extern struct gnomon_heap_state __gnomon_heap;
/* Sends what is no allocation (GNOMON_HEAP_GREW) about an address. */
void __gnomon_heap_tell(const void *address, uint32_t what);
/* Tells of all blocks that were written to where they must not be. Linked only with --gnomon-heap=guard. */
void __gnomon_heap_verify(void) __attribute__((weak));
/* The cycle of now, the low word first. */
void __gnomon_heap_cycle(uint32_t cycle[2]);
/* Saves in __gnomon_heap what the host needs for a look at the memory. */
void __gnomon_heap_save(void);

/* Sends what pvPortMalloc or pvPortCalloc of FreeRTOS has allocated; NULL: nothing. */
void __gnomon_port_allocated(const void *block, size_t size);

#endif
