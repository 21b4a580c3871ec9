/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/trace/trace_stack.h"

#include <stdlib.h>
#include <string.h>

#include "lib/trace/trace_decoder.h"

bool trace_stack_reserve(struct trace_stack *stack, uint32_t depth) {
    if (depth <= stack->capacity)
        return true;
    if (depth > GNOMON_TRACE_MAX_DEPTH)
        return false;
    uint32_t capacity = stack->capacity ? stack->capacity : 64;
    while (capacity < depth)
        capacity *= 2;
    uint32_t *entries = realloc(stack->entries, capacity * sizeof *entries);
    if (!entries)
        return false;
    stack->entries = entries;
    stack->capacity = capacity;
    return true;
}

bool trace_stack_push(struct trace_stack *stack, uint32_t entry) {
    if (stack->depth == stack->capacity && !trace_stack_reserve(stack, stack->depth + 1))
        return false;
    stack->entries[stack->depth++] = entry;
    return true;
}

uint32_t trace_stack_find(const struct trace_stack *stack, uint32_t entry, bool above_trap) {
    for (uint32_t popped = 1; popped <= stack->depth; popped++) {
        uint32_t found = stack->entries[stack->depth - popped];
        if ((found & ~TRACE_LEFT) == entry)
            return popped;
        if (above_trap && (found & TRACE_MARKER))
            return 0;
    }
    return 0;
}

uint32_t trace_stack_find_marker(const struct trace_stack *stack) {
    for (uint32_t popped = 1; popped <= stack->depth; popped++)
        if (stack->entries[stack->depth - popped] & TRACE_MARKER)
            return popped;
    return 0;
}

void trace_stack_pop(struct trace_stack *stack, uint32_t popped) {
    stack->depth -= popped;
    if (stack->left_to > stack->depth)
        stack->left_to = stack->depth;
}

void trace_stack_clear(struct trace_stack *stack) {
    stack->depth = stack->left_from = stack->left_to = stack->jumped_at = 0;
}

/* The next entry below the `i`th one. Entries that are known to be left are skipped at once, because a program can use
 * longjmp a million times from above them. */
static uint32_t below(const struct trace_stack *stack, uint32_t i) {
    return i > stack->left_from && i <= stack->left_to ? stack->left_from : i - 1;
}

static void leave_from(struct trace_stack *stack, uint32_t height) {
    for (uint32_t i = stack->depth; i > height; i = below(stack, i))
        stack->entries[i - 1] |= TRACE_LEFT;
    stack->left_from = height;
    stack->left_to = stack->depth;
}

uint32_t trace_stack_land(struct trace_stack *stack, uint32_t entry) {
    uint32_t open = 0, height = 0;
    bool in_trap = true;
    for (uint32_t i = stack->depth; i > 0 && (open || in_trap); i = below(stack, i)) {
        in_trap &= !(stack->entries[i - 1] & TRACE_MARKER);
        if (stack->entries[i - 1] == entry && (open || in_trap) && open++ == 0)
            height = i;
    }
    if (open)
        leave_from(stack, height);
    return open;
}

bool trace_stack_in_turn(const struct trace_stack *stack, uint32_t popped) {
    if (popped == 0 || (stack->entries[stack->depth - popped] & TRACE_LEFT))
        return false;
    for (uint32_t above = 1; above < popped; above++)
        if (!(stack->entries[stack->depth - above] & TRACE_LEFT))
            return false;
    return true;
}

bool trace_stack_underpin(struct trace_stack *stack, uint32_t depth) {
    if (stack->depth >= depth)
        return true;
    if (!trace_stack_reserve(stack, depth))
        return false;
    uint32_t missing = depth - stack->depth;
    memmove(stack->entries + missing, stack->entries, stack->depth * sizeof *stack->entries);
    for (uint32_t i = 0; i < missing; i++)
        stack->entries[i] = TRACE_UNKNOWN;
    stack->depth = depth;
    stack->left_from = stack->left_to = stack->jumped_at = 0;
    return true;
}

static size_t slot_of(const struct trace_threads *threads, uint32_t thread) {
    size_t slot = (thread * UINT32_C(2654435761)) & (threads->slot_count - 1);
    while (threads->slots[slot] && threads->stacks[threads->slots[slot] - 1].thread != thread)
        slot = (slot + 1) & (threads->slot_count - 1);
    return slot;
}

static bool grow(struct trace_threads *threads) {
    size_t capacity = threads->capacity ? 2 * threads->capacity : 8;
    struct trace_stack *stacks = realloc(threads->stacks, capacity * sizeof *stacks);
    if (!stacks)
        return false;
    threads->stacks = stacks;
    uint32_t *slots = calloc(2 * capacity, sizeof *slots);
    if (!slots)
        return false;
    free(threads->slots);
    threads->capacity = capacity;
    threads->slots = slots;
    threads->slot_count = 2 * capacity;
    for (size_t i = 0; i < threads->count; i++)
        threads->slots[slot_of(threads, stacks[i].thread)] = (uint32_t)i + 1;
    return true;
}

size_t trace_threads_find(struct trace_threads *threads, uint32_t thread) {
    if (threads->slot_count) {
        size_t slot = slot_of(threads, thread);
        if (threads->slots[slot])
            return threads->slots[slot] - 1;
    }
    if (threads->count == threads->capacity && !grow(threads))
        return SIZE_MAX;
    size_t index = threads->count++;
    threads->stacks[index] = (struct trace_stack){.thread = thread};
    threads->slots[slot_of(threads, thread)] = (uint32_t)index + 1;
    return index;
}

void trace_threads_free(struct trace_threads *threads) {
    for (size_t i = 0; i < threads->count; i++)
        free(threads->stacks[i].entries);
    free(threads->stacks);
    free(threads->slots);
}
