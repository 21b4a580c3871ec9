/* SPDX-License-Identifier: Apache-2.0 */
/* The table of lock words of the hart that runs (gnomon_locks.h). Code that uses it has interrupts off: the device
 * answers for the last address that it got. */
#ifndef GNOMON_RUNTIME_LOCK_WORD_H
#define GNOMON_RUNTIME_LOCK_WORD_H

#include <gnomon_locks.h>

#include "internal.h"

/* Adds the word at the address, a multiple of 4. *way: which of its set's places it has. */
enum gnomon_lock_word __gnomon_lock_word_add(uint32_t address, uint32_t *way);
/* Takes all words out of the table, which takes some 300 cycles. Returns the log2 of its places. */
uint32_t __gnomon_lock_words_empty(void);

/* GNOMON_HEAP_WATCH_ON: the table is the heap's, and the program can add no words. Only in programs linked with
 * --gnomon-heap=guard. */
extern volatile uint32_t __gnomon_heap_watch __attribute__((weak));

#endif
