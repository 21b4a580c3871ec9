/* SPDX-License-Identifier: Apache-2.0 */
/* The stacks of open functions that the decoder keeps, one per thread. */
#ifndef GNOMON_LIB_TRACE_STACK_H
#define GNOMON_LIB_TRACE_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An entry is a function's number, the marker of a trap (its cause with this bit), or unknown. */
#define TRACE_MARKER UINT32_C(0x80000000)
#define TRACE_UNKNOWN UINT32_C(0x7FFFFFFF)

struct trace_stack {
    uint32_t thread;
    uint32_t depth, capacity;
    uint32_t *entries;
    uint64_t cycles; /* while the thread ran, up to when it last stopped */
};

struct trace_threads {
    size_t count, capacity;
    struct trace_stack *stacks; /* in the order in which the threads were first seen */
    uint32_t *slots;            /* hash table of index + 1 */
    size_t slot_count;          /* a power of two, or 0 */
};

/* False: out of memory, or too deep. */
bool trace_stack_push(struct trace_stack *stack, uint32_t entry);

/* Entries from the top down to the nearest `entry`, that one included; 0 where there is none. With `above_trap` only
 * the part above the last marker is searched. */
uint32_t trace_stack_find(const struct trace_stack *stack, uint32_t entry, bool above_trap);
/* The same for the last marker. */
uint32_t trace_stack_find_marker(const struct trace_stack *stack);

/* Entries are put under the bottom until there are `depth`. */
bool trace_stack_underpin(struct trace_stack *stack, uint32_t depth);

/* Index of the thread's stack, made where there is none yet; SIZE_MAX: out of memory. */
size_t trace_threads_find(struct trace_threads *threads, uint32_t thread);
void trace_threads_free(struct trace_threads *threads);

#endif
