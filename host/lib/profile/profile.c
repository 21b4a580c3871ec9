/* SPDX-License-Identifier: Apache-2.0 */
/* Open calls, and the time that passes in them: from events to figures. */
#include "lib/profile/profile_stack.h"

/* ---- Steps ---- */

/* Only if there is a listener. */
static void tell(const struct gnomon_profile *profile, struct gnomon_profile_step step) {
    step.hart = (unsigned)(profile->hart - profile->harts);
    step.thread = profile->threads[profile->hart->running].thread;
    step.cycle = profile->hart->now;
    if (step.function != GNOMON_PROFILE_UNPROFILED)
        step.id = profile->functions[step.function].id;
    profile->listener(profile->listener_context, &step);
}

static void tell_time(const struct gnomon_profile *profile, enum gnomon_profile_step_type type, uint64_t cycles) {
    if (profile->listener)
        tell(profile,
             (struct gnomon_profile_step){.type = type, .function = GNOMON_PROFILE_UNPROFILED, .cycles = cycles});
}

static void tell_open(const struct gnomon_profile *profile, const struct activation *activation, bool called) {
    if (profile->listener)
        tell(profile, (struct gnomon_profile_step){.type = GNOMON_STEP_OPEN,
                                                   .function = activation->call.function,
                                                   .trap = activation->trap,
                                                   .called = called});
}

static void tell_close(const struct gnomon_profile *profile, const struct activation *activation) {
    if (profile->listener)
        tell(profile, (struct gnomon_profile_step){
                          .type = GNOMON_STEP_CLOSE, .function = activation->call.function, .trap = activation->trap});
}

static void tell_entry(const struct gnomon_profile *profile, uint32_t function) {
    if (profile->listener)
        tell(profile, (struct gnomon_profile_step){.type = GNOMON_STEP_ENTRY, .function = function});
}

void gnomon_profile_listen(struct gnomon_profile *profile, gnomon_profile_listener *listener,
                           gnomon_profile_calls_listener *calls_listener, void *context) {
    profile->listener = listener;
    profile->calls_listener = calls_listener;
    profile->listener_context = context;
}

/* ---- Time ---- */

/* Handles dropped exits without enters: until the stack is empty, it is not known which functions have ended. The time
 * since then, and the calls dropped since then, may belong to any function that was open. */
static void lose_stack(struct gnomon_profile *profile) {
    struct thread *thread = profile_running(profile);
    for (uint32_t i = thread->top; i > 0; i = thread->stack[i - 1].under)
        profile->functions[thread->stack[i - 1].call.function].ended_unseen = true;
    thread->unsure = thread->top > 0;
}

static void book_lost(struct gnomon_profile *profile, uint64_t cycles) {
    struct gnomon_event_lost *pending = &profile->hart->pending;
    struct activation *activation = profile_top(profile_running(profile));
    if (pending->exits > pending->enters)
        lose_stack(profile);
    if (activation) {
        struct gnomon_profile_function *function = &profile->functions[activation->call.function];
        function->lost_calls += pending->enters;
        function->lost_here |= pending->enters > 0;
        function->lost_cycles += cycles;
        activation->lost_within |= pending->enters > 0;
    }
    if (pending->enters > 0 && (!activation || profile_running(profile)->unsure))
        profile->lost_unprofiled = !profile->aggregates; /* the records tell who made them */
    if (cycles > 0)
        tell_time(profile, GNOMON_STEP_LOST, cycles);
    profile->sums.lost += cycles;
    profile_path_lost(profile, activation ? activation->path : profile_running(profile)->path, cycles);
    *pending = (struct gnomon_event_lost){0};
}

/* Gives cycles in which nothing was lost to the top of the stack. */
static void credit_top(struct gnomon_profile *profile, struct thread *thread, uint64_t cycles) {
    struct activation *activation = profile_top(thread);
    thread->own += cycles;
    if (activation) {
        activation->self += cycles;
    } else if (profile_is_other(profile)) {
        profile->functions[profile->others].self += cycles;
        profile->sums.self += cycles;
    } else {
        profile->sums.unprofiled += cycles;
    }
    profile_path_self(profile, activation ? activation->path : thread->path, cycles);
}

/* The running thread has run up to `cycle`. */
static void credit_thread(struct gnomon_profile *profile, uint64_t passed, uint64_t cycle) {
    struct gnomon_profile_thread *thread = &profile->threads[profile->hart->running];
    thread->cycles += passed;
    thread->trap_cycles += profile_running(profile)->base ? passed : 0;
    thread->last = cycle;
}

static bool is_any(const struct gnomon_event_lost *pending) {
    return pending->enters | pending->exits | pending->others | pending->cycles;
}

void profile_credit(struct gnomon_profile *profile, uint64_t cycle) {
    uint64_t passed = cycle - profile->hart->now;
    uint64_t lost = profile->hart->pending.cycles < passed ? profile->hart->pending.cycles : passed;
    profile->excess |= profile->hart->pending.cycles > passed;
    if (is_any(&profile->hart->pending))
        book_lost(profile, lost);
    credit_top(profile, profile_running(profile), passed - lost);
    profile_running(profile)->own += lost;
    credit_thread(profile, passed, cycle);
    profile->hart->now = cycle;
}

/* ---- Stack ---- */

static void open_trap(struct thread *thread, struct activation *trap) {
    trap->entered = 0;
    trap->trap = trap->outermost = trap->arc_outermost = true;
    trap->saved_base = thread->base;
    trap->saved_own = thread->own;
    thread->base = thread->depth;
    thread->own = 0;
}

static bool open_call(struct gnomon_profile *profile, struct thread *thread, uint32_t id, bool trap) {
    const struct activation *caller = trap ? NULL : profile_top(thread);
    const struct profile_call *call = profile_find_call(profile, caller, id);
    if (!call)
        return false;
    const uint32_t path = profile_find_path(profile, caller ? caller->path : thread->path, call->function);
    if (path == PROFILE_MAP_NONE || !profile_stack_room(thread))
        return false;
    struct activation *activation = profile_open(profile, thread, call, thread->own);
    activation->path = path;
    activation->decoded = id < GNOMON_PROFILE_ADDRESS;
    if (trap)
        open_trap(thread, activation);
    return true;
}

static bool enter(struct gnomon_profile *profile, uint32_t id, bool trap, enum gnomon_profile_measured how) {
    struct thread *thread = profile_running(profile);
    if (!open_call(profile, thread, id, trap))
        return false;
    const struct activation *activation = profile_top(thread);
    profile->called = activation->call.function;
    profile_count(profile, &activation->call, how);
    profile_path_call(profile, activation->path);
    tell_open(profile, activation, true);
    return true;
}

/* Ends the topmost activation. `whole` is false if the frames that tell its end were lost. */
static void leave(struct gnomon_profile *profile, struct thread *thread, bool whole) {
    struct activation *activation = profile_top(thread);
    const uint64_t cycles = thread->own - activation->entered;
    tell_close(profile, activation);
    profile_book(profile, &activation->call, cycles, activation->self, activation->outermost,
                 activation->arc_outermost);
    if (whole)
        profile_book_whole(&profile->functions[activation->call.function], cycles);
    profile->sums.self += activation->self;
    if (activation->trap) {
        thread->own = activation->saved_own;
        thread->base = activation->saved_base;
    }
    profile_close(profile, thread, activation);
}

/* Ends `count` entries of the decoder's stack, and everything above them. */
static void leave_many(struct gnomon_profile *profile, struct thread *thread, uint32_t count) {
    while (count > 0 && thread->depth > 0) {
        struct activation *last = &thread->stack[thread->depth - 1];
        if (!last->gone)
            leave(profile, thread, true);
        count -= last->decoded;
        thread->depth--;
    }
}

/* Ends the calls above the nearest call of `id` that no trap has interrupted; with `itself` also that call. */
static void leave_above(struct gnomon_profile *profile, uint32_t id, bool itself) {
    struct thread *thread = profile_running(profile);
    uint32_t height = thread->top;
    while (height > thread->base && profile->functions[thread->stack[height - 1].call.function].id != id)
        height = thread->stack[height - 1].under;
    if (height <= thread->base)
        return;
    while (thread->top > height)
        leave(profile, thread, true);
    if (itself)
        leave(profile, thread, true);
    while (thread->depth > thread->top && !thread->stack[thread->depth - 1].decoded)
        thread->depth--;
}

/* Does another hart run the thread? */
static bool runs_elsewhere(const struct gnomon_profile *profile, uint32_t thread) {
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++)
        if (&profile->harts[i] != profile->hart && profile->harts[i].begun && profile->harts[i].running == thread)
            return true;
    return false;
}

/* Ends all calls; before the end, without those of the thread that the other hart runs. */
static void leave_all(struct gnomon_profile *profile, bool at_end) {
    uint32_t back = profile->hart->running;
    for (uint32_t thread = 0; thread < profile->thread_map.count; thread++) {
        if (!at_end && runs_elsewhere(profile, thread))
            continue;
        profile->hart->running = thread;
        while (profile_running(profile)->top > 0) {
            struct gnomon_profile_function *function =
                &profile->functions[profile_top(profile_running(profile))->call.function];
            function->open |= at_end;
            leave(profile, profile_running(profile), at_end);
        }
        profile_running(profile)->own = profile_running(profile)->depth = 0;
    }
    profile->hart->running = back;
}

/* ---- Events ---- */

static bool run_thread(struct gnomon_profile *profile, uint32_t number) {
    uint32_t index = profile_find_thread(profile, number);
    if (index == PROFILE_MAP_NONE)
        return false;
    struct gnomon_profile_thread *thread = &profile->threads[index];
    if (!thread->runs)
        thread->first = thread->last = profile->hart->now;
    thread->runs += index != profile->hart->running;
    profile->hart->running = index;
    tell_time(profile, GNOMON_STEP_RUNS, 0);
    return true;
}

/* Handles a gap: the time since the last event is not known. Of the calls that are open now, only the number is known.
 */
static bool gap(struct gnomon_profile *profile, const struct gnomon_event *event) {
    const uint64_t cycles = event->cycle - profile->hart->now;
    profile_credit(profile, profile->hart->now); /* books earlier losses */
    tell_time(profile, GNOMON_STEP_STOPS, 0);
    leave_all(profile, false);
    tell_time(profile, GNOMON_STEP_LOST, cycles);
    profile->sums.lost += cycles;
    profile_path_lost(profile, profile_outermost(profile), cycles);
    profile->hart->now = event->cycle;
    profile->lost_frames = true;
    if (!run_thread(profile, event->thread))
        return false;
    for (uint32_t i = 0; i < event->gap.unknown; i++) {
        if (!open_call(profile, profile_running(profile), GNOMON_PROFILE_UNKNOWN, false))
            return false;
        tell_open(profile, profile_top(profile_running(profile)), false);
    }
    return true;
}

static void lost(struct gnomon_profile *profile, const struct gnomon_event_lost *counts) {
    profile->hart->pending.enters += counts->enters;
    profile->hart->pending.exits += counts->exits;
    profile->hart->pending.others += counts->others;
    profile->hart->pending.cycles += counts->cycles;
    profile->lost_enters |= counts->enters > 0;
    profile->lost_others |= counts->others > 0;
}

/* Counts a call of which only the entry is known; with records not even its caller is known. */
static bool count_entry(struct gnomon_profile *profile, uint32_t id, enum gnomon_profile_measured how) {
    const struct activation *caller = profile_top(profile_running(profile));
    uint32_t function = profile_find_function(profile, id);
    if (function == PROFILE_MAP_NONE)
        return false;
    profile->called = function;
    profile->functions[function].calls++;
    profile->functions[function].measured |= how;
    if (profile->aggregates)
        return true;
    tell_entry(profile, function);
    uint32_t arc = profile_find_arc(profile, caller ? caller->call.function : GNOMON_PROFILE_UNPROFILED, function);
    if (arc == PROFILE_MAP_NONE)
        return false;
    uint32_t path = profile_find_path(profile, caller ? caller->path : profile_running(profile)->path, function);
    if (path == PROFILE_MAP_NONE)
        return false;
    profile->arcs[arc].calls++;
    profile_path_call(profile, path);
    return true;
}

/* Handles messages about what runs. They come from the runtime, or from the compiler if one word is not enough for it.
 */
static bool channel(struct gnomon_profile *profile, const struct gnomon_event *event) {
    switch (event->number) {
    case GNOMON_CHANNEL_THREAD:
    case GNOMON_CHANNEL_LANDED:
    case GNOMON_CHANNEL_CALL_ENTER:
    case GNOMON_CHANNEL_CALL_EXIT:
    case GNOMON_CHANNEL_CALL_MCOUNT:
    case GNOMON_CHANNEL_CALL_PATCHED:
        profile->by_message = true;
        break;
    case GNOMON_CHANNEL_INTERRUPT_WAIT:
        return profile_wait(profile, event);
    default:
        return true;
    }
    if (event->number == GNOMON_CHANNEL_THREAD)
        return run_thread(profile, event->value);
    if (profile_is_other(profile)) /* which functions these messages name is not kept there */
        return true;
    if (event->number == GNOMON_CHANNEL_LANDED) {
        leave_above(profile, UINT32_MAX - event->value, false);
        return true;
    }
    if (event->value < GNOMON_PROFILE_ADDRESS) /* no function's address: no memory is there */
        return true;
    switch (event->number) {
    case GNOMON_CHANNEL_CALL_ENTER:
        return profile->aggregates ? count_entry(profile, event->value, GNOMON_MEASURED_INSTRUMENT)
                                   : enter(profile, event->value, false, GNOMON_MEASURED_INSTRUMENT);
    case GNOMON_CHANNEL_CALL_EXIT:
        leave_above(profile, event->value, true);
        return true;
    case GNOMON_CHANNEL_CALL_MCOUNT:
        return count_entry(profile, event->value, GNOMON_MEASURED_MCOUNT);
    default:
        return count_entry(profile, event->value, GNOMON_MEASURED_PATCHED);
    }
}

static uint32_t id_of(uint32_t number) {
    return number == GNOMON_FUNCTION_UNKNOWN ? GNOMON_PROFILE_UNKNOWN : number;
}

/* The hart's first event. What a hart other than hart 0 did before is not known: it waited in reset, or it was lost. */
static bool begin_hart(struct gnomon_profile *profile, const struct gnomon_event *event) {
    const uint32_t thread = event->hart ? profile_find_thread(profile, event->thread) : profile->hart->running;
    if (thread == PROFILE_MAP_NONE)
        return false;
    profile->hart->begun = true;
    profile->hart->running = thread;
    if (event->hart)
        profile->hart->start = profile->hart->now = event->cycle;
    if (profile->threads[thread].runs++ == 0)
        profile->threads[thread].first = profile->threads[thread].last = profile->hart->now;
    tell_time(profile, GNOMON_STEP_RUNS, 0);
    return true;
}

bool gnomon_profile_event(struct gnomon_profile *profile, const struct gnomon_event *event) {
    profile->hart = &profile->harts[event->hart];
    profile->called = GNOMON_PROFILE_UNPROFILED;
    if (event->type == GNOMON_EVENT_DAMAGE) {
        profile->lost_frames = true;
        return true;
    }
    if (!profile->hart->begun && !begin_hart(profile, event))
        return false;
    switch (event->type) {
    case GNOMON_EVENT_GAP:
        return gap(profile, event);
    case GNOMON_EVENT_LOST:
        lost(profile, &event->lost);
        return true;
    default:
        profile_credit(profile, event->cycle);
        break;
    }
    profile->hart->over |= event->type == GNOMON_EVENT_END;
    switch (event->type) {
    case GNOMON_EVENT_ENTER:
        return enter(profile, id_of(event->number), false, profile_measured_by(profile, event->number));
    case GNOMON_EVENT_TRAP_ENTER:
        return enter(profile, GNOMON_PROFILE_TRAP + event->number, true, GNOMON_MEASURED_STORE);
    case GNOMON_EVENT_EXIT:
    case GNOMON_EVENT_TRAP_LEAVE:
        leave_many(profile, profile_running(profile), event->popped);
        return true;
    case GNOMON_EVENT_CHANNEL:
        return channel(profile, event);
    default:
        return true;
    }
}

/* Is a call nothing but figures of functions that are shown? No one hears of it alone. */
static bool only_counts(const struct gnomon_profile *profile) {
    return profile->hart->begun && !is_any(&profile->hart->pending) && !profile->one_thread &&
           (!profile->listener || profile->calls_listener);
}

/* Takes calls that only count; *taken: how many. *cycle: before them, and then after them. False: out of memory. */
static bool take_calls(struct gnomon_profile *profile, const struct gnomon_call *calls, size_t count, size_t *taken,
                       uint64_t *cycle) {
    const uint64_t from = *cycle;
    profile_credit(profile, from);
    if (!profile_take_calls(profile, calls, count, taken))
        return false;
    *cycle = profile->hart->now;
    credit_thread(profile, *cycle - from, *cycle);
    if (profile->listener && *taken)
        profile->calls_listener(profile->listener_context,
                                &(struct gnomon_profile_calls){(unsigned)(profile->hart - profile->harts),
                                                               profile->threads[profile->hart->running].thread, from,
                                                               calls, *taken});
    return true;
}

bool gnomon_profile_calls(struct gnomon_profile *profile, const struct gnomon_calls *calls) {
    uint64_t cycle = calls->from;
    for (size_t i = 0, taken; i < calls->count; i += taken) {
        profile->hart = &profile->harts[calls->hart];
        taken = 0;
        if (only_counts(profile) && !take_calls(profile, calls->calls + i, calls->count - i, &taken, &cycle))
            return false;
        if (!taken) {
            const struct gnomon_event event = gnomon_calls_event(calls, i, cycle);
            if (!gnomon_profile_event(profile, &event))
                return false;
            taken = 1;
            cycle = event.cycle;
        }
    }
    return true;
}

/* Any function may have been called in a dropped subtree or in a missing frame. After such losses no figure is known to
 * be exact. Losses of other messages matter only if the messages say what runs. */
static void judge(struct gnomon_profile *profile) {
    bool any = profile->lost_enters || profile->lost_frames || (profile->lost_others && profile->by_message);
    for (uint32_t i = 0; i < profile->function_map.count; i++)
        profile->functions[i].exact = !any && !profile->functions[i].ended_unseen;
}

bool gnomon_profile_narrow(struct gnomon_profile *profile, gnomon_profile_concerned *concerned, void *context) {
    if (!profile->lost_enters || profile->lost_frames || profile->lost_unprofiled ||
        (profile->lost_others && profile->by_message))
        return false;
    for (uint32_t i = 0; i < profile->function_map.count; i++) {
        struct gnomon_profile_function *function = &profile->functions[i];
        function->exact = !function->ended_unseen && !concerned(context, function);
    }
    return true;
}

void gnomon_profile_doubt(struct gnomon_profile *profile, bool all) {
    for (uint32_t i = 0; i < profile->function_map.count; i++)
        profile->functions[i].exact &= !all && !profile->functions[i].saturated;
}

enum gnomon_status gnomon_profile_finish(struct gnomon_profile *profile, const struct gnomon_trace_stats *stats,
                                         struct gnomon_error *error) {
    struct gnomon_profile_sums *sums = &profile->sums;
    struct profile_hart *latest = profile->harts;
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++) {
        profile->hart = &profile->harts[i];
        if (profile->hart->begun) {
            profile_credit(profile, profile->hart->now);
            tell_time(profile, GNOMON_STEP_STOPS, 0);
        }
        if (profile->hart->now > latest->now)
            latest = profile->hart;
        sums->cycles += gnomon_profile_hart_cycles(profile, i);
    }
    profile->hart = latest;
    leave_all(profile, true);
    profile->lost_frames |= stats->frames_lost + stats->frames_damaged > 0;
    judge(profile);
    if (profile->aggregates && !profile->recorded) { /* it is not known what was open */
        sums->lost += sums->unprofiled;
        sums->unprofiled = 0;
    }
    if (profile->aggregates && !profile_paths_of_arcs(profile))
        return gnomon_fail_memory(error);
    uint64_t threads = 0;
    for (uint32_t i = 0; i < profile->thread_map.count; i++)
        threads += profile->threads[i].cycles;
    if (profile->excess)
        return gnomon_fail(error, GNOMON_ERR_FORMAT, "more cycles are said to be lost than passed between two events");
    if (sums->self + sums->lost + sums->unprofiled == sums->cycles && threads <= sums->cycles)
        return GNOMON_OK;
    return gnomon_fail(error, GNOMON_ERR_FORMAT,
                       "the cycles do not add up: %llu in functions, %llu lost and %llu unprofiled are not %llu",
                       (unsigned long long)sums->self, (unsigned long long)sums->lost,
                       (unsigned long long)sums->unprofiled, (unsigned long long)sums->cycles);
}

bool gnomon_profile_expect_thread(struct gnomon_profile *profile, uint32_t thread) {
    profile->others = profile_find_function(profile, GNOMON_PROFILE_OTHERS);
    profile->one_thread = profile->others != PROFILE_MAP_NONE;
    profile->thread = thread;
    return profile->one_thread;
}

void gnomon_profile_expect_records(struct gnomon_profile *profile) {
    profile->aggregates = true;
}

void gnomon_profile_expect_watched(struct gnomon_profile *profile, uint32_t first) {
    profile->first_watched = first;
}
