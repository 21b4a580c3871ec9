/* SPDX-License-Identifier: Apache-2.0 */
/* Words around and in freed blocks whose accesses the device traces (gnomon record --use-after-free). */
#ifndef GNOMON_RUNTIME_HEAP_WORDS_H
#define GNOMON_RUNTIME_HEAP_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Did the host ask for it? With two harts only hart 0 watches. */
bool __gnomon_heap_watches(void);
/* Takes all words out of the device's table, and tells the host so. */
void __gnomon_heap_words_empty(void);
/* Adds the first words of a freed block, or the guards of a live one, and tells the host. False: not all of them found
 * a place. */
bool __gnomon_heap_words_freed(const void *block, size_t size);
bool __gnomon_heap_words_guards(const void *block, size_t size);
/* What this block and its guards are accessed for from now on is none of the program's mistakes. */
void __gnomon_heap_words_forget(const void *block);

#endif
