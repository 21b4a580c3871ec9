/* SPDX-License-Identifier: Apache-2.0 */
/* Many calls at once: what gnomon_profile_event does, in a loop that only counts. Most of a run's calls call nothing:
 * they are counted without being opened. */
#include "lib/profile/profile_stack.h"

/* Where cycles go that pass now. */
static inline uint64_t *clock_of(struct gnomon_profile *profile, struct activation *innermost) {
    return innermost ? &innermost->self : &profile->sums.unprofiled;
}

/* A call that begins, and ends after `cycles` without another event in between. */
static inline void take_leaf(struct gnomon_profile *profile, const struct thread *thread,
                             const struct profile_call *call, uint32_t cycles) {
    profile_book(profile, call, cycles, cycles, profile_is_outermost(thread, profile->open[call->function_open]),
                 profile_is_outermost(thread, profile->open[call->arc_open]));
    profile_book_whole(&profile->functions[call->function], cycles);
    profile->sums.self += cycles;
}

/* Ends the call that is on top of both stacks, the decoder's and this one's. */
static inline void take_end(struct gnomon_profile *profile, struct thread *thread, uint64_t own) {
    struct activation *activation = profile_top(thread);
    const uint64_t cycles = own - activation->entered;
    profile_book(profile, &activation->call, cycles, activation->self, activation->outermost,
                 activation->arc_outermost);
    profile_book_whole(&profile->functions[activation->call.function], cycles);
    profile->sums.self += activation->self;
    profile_close(profile, thread, activation);
    thread->depth--;
}

/* Is the topmost activation the decoder's, too, with nothing in between that has ended? */
static bool is_plain(const struct thread *thread) {
    return thread->top && thread->top == thread->depth && thread->stack[thread->top - 1].decoded;
}

/* Finds the path of a call from what is open, and counts the call there. False: out of memory. */
static inline bool take_path(struct gnomon_profile *profile, uint32_t parent, const struct profile_call *call,
                             unsigned hart, uint32_t *path) {
    *path = profile_find_path_edge(profile, parent, call->function);
    if (*path == PROFILE_MAP_NONE)
        return false;
    profile->paths[*path].calls[hart]++;
    return true;
}

bool profile_take_calls(struct gnomon_profile *profile, const struct gnomon_call *calls, size_t count, size_t *taken) {
    struct thread *thread = profile_running(profile);
    const bool paths = profile->with_paths && !profile->aggregates;
    const unsigned hart = (unsigned)(profile->hart - profile->harts);
    const struct gnomon_call *call = calls, *const end = calls + count;
    struct activation *innermost = profile_top(thread);
    uint64_t own = thread->own, *clock = clock_of(profile, innermost);
    for (; call < end; call++) {
        if (call->ends && !is_plain(thread))
            break;
        own += call->cycles;
        *clock += call->cycles;
        if (paths)
            profile->paths[innermost ? innermost->path : thread->path].self[hart] += call->cycles;
        if (call->ends) {
            take_end(profile, thread, own);
            innermost = profile_top(thread);
            clock = clock_of(profile, innermost);
            continue;
        }
        const struct profile_call *known = profile_find_call(profile, innermost, call->number);
        uint32_t path = 0;
        if (!known || (paths && !take_path(profile, innermost ? innermost->path : thread->path, known, hart, &path)))
            return false;
        profile_count(profile, known, profile_measured_by(profile, call->number));
        if (call + 1 < end && call[1].ends) {
            call++;
            own += call->cycles;
            if (paths)
                profile->paths[path].self[hart] += call->cycles;
            take_leaf(profile, thread, known, call->cycles);
        } else if (!profile_stack_room(thread)) {
            return false;
        } else {
            innermost = profile_open(profile, thread, known, own);
            innermost->path = path;
            clock = &innermost->self;
        }
    }
    profile->hart->now += own - thread->own;
    thread->own = own;
    *taken = (size_t)(call - calls);
    return true;
}
