/* SPDX-License-Identifier: Apache-2.0 */
/* What the wrappers of the heap share. */
#ifndef GNOMON_RUNTIME_HEAP_H
#define GNOMON_RUNTIME_HEAP_H

#include <stddef.h>

/* Sends the message, and frees the block. */
void __gnomon_heap_free(void *block);
/* Locks in the block are wrong use. Linked only with --gnomon-locks. */
void __gnomon_locks_freed(void *block) __attribute__((weak));

/* Sends what pvPortMalloc or pvPortCalloc of FreeRTOS has allocated; NULL: nothing. */
void __gnomon_port_allocated(const void *block, size_t size);

#endif
