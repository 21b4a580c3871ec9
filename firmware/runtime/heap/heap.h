/* SPDX-License-Identifier: Apache-2.0 */
/* What the wrapper of free calls: each is linked only if the program was linked with the option that wants it. */
#ifndef GNOMON_RUNTIME_HEAP_H
#define GNOMON_RUNTIME_HEAP_H

/* --gnomon-heap: sends the message, and frees the block. */
void __gnomon_heap_free(void *block) __attribute__((weak));
/* --gnomon-locks: locks in the block are wrong use. */
void __gnomon_locks_freed(void *block) __attribute__((weak));

#endif
