/* SPDX-License-Identifier: Apache-2.0 */
/* The table of threads of a kernel that is not ours, which knows a thread by the address of its control block. Index 0
 * is main's, until the scheduler starts. All functions run with interrupts off. */
#ifndef GNOMON_RUNTIME_HANDLES_H
#define GNOMON_RUNTIME_HANDLES_H

#include <gnomon/locks.h>

extern struct gnomon_thread_entry __gnomon_handle_threads[GNOMON_LOCKS_THREAD_OTHER];

/* Index of a thread, or GNOMON_LOCKS_THREAD_OTHER. */
uint32_t __gnomon_handle_index(const void *handle);

/* Gives a new thread its index: GNOMON_LOCKS_THREAD_OTHER if there is no place. The name is not copied. */
uint32_t __gnomon_handle_add(const void *handle, const char *name, const void *start);

/* The thread has this priority now. Those above 254 count as 254. */
void __gnomon_handle_priority(const void *handle, unsigned priority);

void __gnomon_handle_ended(const void *handle);

#endif
