/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that begin and end, as all ways to take events have it in common. The functions are here because every call
 * goes through them: they become part of the loops that use them. */
#ifndef GNOMON_LIB_PROFILE_STACK_H
#define GNOMON_LIB_PROFILE_STACK_H

#include "lib/profile/profile_internal.h"
#include "lib/util/array.h"

static inline struct thread *profile_running(struct gnomon_profile *profile) {
    return &profile->stacks[profile->hart->running];
}

static inline struct activation *profile_top(const struct thread *thread) {
    return thread->top ? &thread->stack[thread->top - 1] : NULL;
}

/* Is nothing open of which the topmost activation has this height? Entries below the base belong to another stack. */
static inline bool profile_is_outermost(const struct thread *thread, uint32_t height) {
    return height <= thread->base;
}

/* Makes room for one more activation. False: out of memory. */
static inline bool profile_stack_room(struct thread *thread) {
    return thread->depth < thread->room ||
           gnomon_array_room(&thread->stack, &thread->room, (size_t)thread->depth + 1, sizeof *thread->stack);
}

/* Opens a call that is no trap, when the thread's clock is `own`. There is room. */
static inline struct activation *profile_open(struct gnomon_profile *profile, struct thread *thread,
                                              const struct profile_call *call, uint64_t own) {
    uint32_t *function_open = &profile->open[call->function_open], *arc_open = &profile->open[call->arc_open];
    struct activation *activation = &thread->stack[thread->depth++];
    activation->call = *call;
    activation->function_outer = *function_open;
    activation->arc_outer = *arc_open;
    activation->entered = own;
    activation->self = 0;
    activation->path = 0;
    activation->under = thread->top;
    activation->trap = activation->lost_within = activation->gone = false;
    activation->decoded = true;
    activation->outermost = profile_is_outermost(thread, *function_open);
    activation->arc_outermost = profile_is_outermost(thread, *arc_open);
    *function_open = *arc_open = thread->top = thread->depth;
    return activation;
}

static inline void profile_count(struct gnomon_profile *profile, const struct profile_call *call,
                                 enum gnomon_profile_measured how) {
    struct gnomon_profile_function *function = &profile->functions[call->function];
    function->calls++;
    function->measured |= how;
    profile->arcs[call->arc].calls++;
}

/* Books a call that has ended. `sums.self` is left to the caller. */
static inline void profile_book(struct gnomon_profile *profile, const struct profile_call *call, uint64_t cycles,
                                uint64_t self, bool outermost, bool arc_outermost) {
    struct gnomon_profile_function *function = &profile->functions[call->function];
    struct gnomon_profile_arc *arc = &profile->arcs[call->arc];
    function->self += self;
    arc->self += self;
    function->total += outermost ? cycles : 0;
    arc->total += arc_outermost ? cycles : 0;
}

/* The same of a call whose begin and end are known. */
static inline void profile_book_whole(struct gnomon_profile_function *function, uint64_t cycles) {
    if (cycles < function->min)
        function->min = cycles;
    if (cycles > function->max)
        function->max = cycles;
    if (function->histogram)
        gnomon_histogram_add(function->histogram, cycles);
}

/* The topmost activation is no longer open. It stays on the stack. */
static inline void profile_close(struct gnomon_profile *profile, struct thread *thread, struct activation *activation) {
    profile->open[activation->call.function_open] = activation->function_outer;
    profile->open[activation->call.arc_open] = activation->arc_outer;
    activation->gone = true;
    thread->top = activation->under;
    thread->unsure &= thread->top > 0;
    if (activation->lost_within) {
        profile->functions[activation->call.function].lost_within = true;
        if (!activation->trap && thread->top > 0)
            thread->stack[thread->top - 1].lost_within = true;
    }
}

#endif
