/* SPDX-License-Identifier: Apache-2.0 */
/* The stacks of open functions that the decoder keeps, one per thread. */
#ifndef GNOMON_LIB_TRACE_STACK_H
#define GNOMON_LIB_TRACE_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An entry is a function's number, a trap marker (the cause with this bit), or unknown. Entries that longjmp left stay
 * on the stack, as on the encoder's stack, and have the bit TRACE_LEFT. */
#define TRACE_MARKER UINT32_C(0x80000000)
#define TRACE_LEFT UINT32_C(0x40000000)
#define TRACE_UNKNOWN UINT32_C(0x3FFFFFFF)

struct trace_stack {
    uint32_t thread;
    uint32_t depth, capacity;
    uint32_t *entries;
    uint32_t jumped_at;          /* the depth plus 1 at which the last LONGJMP may still land; 0: nowhere */
    uint32_t left_from, left_to; /* entries from `left_from` up to `left_to` are left */
    uint64_t cycles;             /* cycles while the thread ran, up to its last stop */
    unsigned harts;              /* bit n: it ran on hart n */
};

struct trace_threads {
    size_t count, capacity;
    struct trace_stack *stacks; /* in the order in which the threads were first seen */
    uint32_t *slots;            /* hash table of index + 1 */
    size_t slot_count;          /* a power of two, or 0 */
};

/* Makes room for `depth` entries. False: out of memory, or the stack is too deep. */
bool trace_stack_reserve(struct trace_stack *stack, uint32_t depth);
/* False: the same. */
bool trace_stack_push(struct trace_stack *stack, uint32_t entry);

/* Number of entries from the top down to the nearest `entry`, left or not, that one included; 0 if there is none.
 * `above_trap`: searches only above the last marker. */
uint32_t trace_stack_find(const struct trace_stack *stack, uint32_t entry, bool above_trap);
/* The same for the last marker. */
uint32_t trace_stack_find_marker(const struct trace_stack *stack);

/* Handles a longjmp that returned to the nearest `entry` above the last marker that is not left: marks all entries
 * above it as left. Returns 0 if there is no such entry: longjmp has come from a trap, or the function is not known.
 * Else returns how many such entries are open, also below markers: with more than one, longjmp can have meant another
 * entry. */
uint32_t trace_stack_land(struct trace_stack *stack, uint32_t entry);

void trace_stack_pop(struct trace_stack *stack, uint32_t popped);
void trace_stack_clear(struct trace_stack *stack);

/* Is the lowest of the `popped` top entries next to end? True if all entries above it are left, and it is not. */
bool trace_stack_in_turn(const struct trace_stack *stack, uint32_t popped);

/* Adds unknown entries below the bottom until there are `depth` entries. */
bool trace_stack_underpin(struct trace_stack *stack, uint32_t depth);

/* Index of the thread's stack; makes the stack if there is none. SIZE_MAX: out of memory. */
size_t trace_threads_find(struct trace_threads *threads, uint32_t thread);
void trace_threads_free(struct trace_threads *threads);

#endif
