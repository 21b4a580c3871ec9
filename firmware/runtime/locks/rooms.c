/* SPDX-License-Identifier: Apache-2.0 */
/* The default size of the table of locks. It is not in locks.c: there the compiler would take its value for the final
 * one, but a program that has GNOMON_LOCKS_ROOM replaces it. */
#include <gnomon_locks.h>

#define LOCKS 255
#define DEFAULT __attribute__((weak))
DEFAULT struct gnomon_lock_entry __gnomon_lock_table[LOCKS + 1];
DEFAULT uint16_t __gnomon_lock_slots[GNOMON_LOCKS_SLOTS(LOCKS)];
DEFAULT const uint32_t gnomon_locks_room = LOCKS + 1;
DEFAULT const uint32_t __gnomon_lock_slots_mask = GNOMON_LOCKS_SLOTS(LOCKS) - 1;
