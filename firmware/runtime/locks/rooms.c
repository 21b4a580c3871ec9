/* SPDX-License-Identifier: Apache-2.0 */
/* Default sizes of the tables. They are not in locks.c: there the compiler would take their values for the final ones,
 * but a program that has GNOMON_LOCKS_ROOM or GNOMON_THREADS_ROOM replaces them. */
#include <gnomon_locks.h>

#define LOCKS 255
#define THREADS 256
#define DEFAULT __attribute__((weak))
DEFAULT struct gnomon_lock_entry __gnomon_lock_table[LOCKS + 1];
DEFAULT uint16_t __gnomon_lock_slots[GNOMON_LOCKS_SLOTS(LOCKS)];
DEFAULT const uint32_t gnomon_locks_room = LOCKS + 1;
DEFAULT const uint32_t __gnomon_lock_slots_mask = GNOMON_LOCKS_SLOTS(LOCKS) - 1;
DEFAULT struct gnomon_thread_entry __gnomon_thread_table[THREADS];
DEFAULT const uint32_t gnomon_threads_room = THREADS;
/* The threads layer has one of its own. */
DEFAULT uint32_t __gnomon_thread;
