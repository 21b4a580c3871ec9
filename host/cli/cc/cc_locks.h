/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon cc --gnomon-locks, --gnomon-heap and --gnomon-freertos: what they pass to the compiler and to the linker. */
#ifndef GNOMON_CC_LOCKS_H
#define GNOMON_CC_LOCKS_H

/* Names of the functions that --gnomon-locks puts wrappers around, in firmware/runtime/locks, and of those of
 * --gnomon-heap, in firmware/runtime/heap. Both also wrap free. Each ends in NULL. */
extern const char *const cc_lock_functions[];
extern const char *const cc_heap_functions[];

/* Options that keep hooks out of functions of FreeRTOS in which the thread changes. Ends in NULL. */
extern const char *const cc_freertos_flags[];

#endif
