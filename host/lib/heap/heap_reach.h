/* SPDX-License-Identifier: Apache-2.0 */
/* Which blocks a program could still reach, from what of its memory points to them. */
#ifndef GNOMON_LIB_HEAP_REACH_H
#define GNOMON_LIB_HEAP_REACH_H

#include "lib/elf/objects.h"
#include "lib/heap/heap_account.h"
#include "lib/model/heap_memory.h"

/* A block is reached if a word of a variable, of the stack, of saved registers or of a reached block has an address in
 * it. reached[i] belongs to results->live[i]; the blocks that the results do not count are followed, too. `objects`:
 * the program's variables. One that blocks lie in is a heap itself, and no root; nor is the profiler's table of locks.
 * False: out of memory. */
bool gnomon_heap_reach(const struct gnomon_heap_results *results, const struct gnomon_heap_look *look,
                       const struct gnomon_objects *objects, bool *reached);

#endif
