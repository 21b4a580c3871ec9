/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "lib/profile/profile_map.h"
#include "lib/util/array.h"

/* An open function or trap. An `own` clock counts the cycles of one stack: a thread's, or that of a trap above it. */
struct activation {
    uint32_t function, arc;             /* indices */
    uint32_t function_open, arc_open;   /* indices into `open` */
    uint32_t function_outer, arc_outer; /* entries of `open` before this activation */
    uint64_t entered;                   /* own clock */
    uint64_t self;
    uint32_t under; /* height of the entry that was on top before */
    bool trap, outermost, arc_outermost;
    bool lost_within;
    bool decoded; /* also on the decoder's stack: the decoder counts it at exits, even after it is gone */
    bool gone;    /* has ended without an exit that the decoder reported */
    /* For a trap: where the interrupted stack continues. */
    uint32_t saved_base;
    uint64_t saved_own;
};

struct thread {
    struct activation *stack;
    uint32_t depth;
    size_t room;
    uint32_t top;  /* height of the topmost entry that is not gone; 0: none */
    uint32_t base; /* entries below this belong to the code that the open trap interrupted */
    bool unsure;   /* an exit was dropped: the top entry may have ended */
    uint64_t own;
};

struct gnomon_profile {
    struct gnomon_profile_sums sums;
    uint64_t now;                     /* cycle of the last event */
    struct gnomon_event_lost pending; /* losses since the last event */

    struct profile_map function_map; /* by id */
    struct gnomon_profile_function *functions;
    size_t function_room;
    struct profile_map arc_map; /* by caller + 1 and callee */
    struct gnomon_profile_arc *arcs;
    size_t arc_room;

    struct profile_map thread_map; /* by number */
    struct gnomon_profile_thread *threads;
    struct thread *stacks;
    size_t thread_room, stack_room;
    uint32_t running;

    /* For each function and each arc, in each thread: height of its topmost open activation, 0: none. */
    struct profile_map open_map;
    uint32_t *open;
    size_t open_room;

    bool lost_enters, lost_others, lost_frames, lost_outside; /* losses that can have made figures inexact */
    bool by_message;        /* messages have influenced the figures: threads, functions without hooks, landings */
    bool folds;             /* functions and traps are in the device's records */
    bool recorded;          /* the records were available */
    uint32_t first_watched; /* functions from this number on have no hooks */
    bool excess;            /* more cycles were reported as lost than had passed */
};

/* ---- Tables ---- */

/* Index of `id`; a new id gets a new index. PROFILE_MAP_NONE: out of memory. */
static uint32_t find_function(struct gnomon_profile *profile, uint32_t id) {
    uint32_t known = profile->function_map.count, index = profile_map_find(&profile->function_map, id);
    if (index != known)
        return index;
    if (!gnomon_array_room(&profile->functions, &profile->function_room, index + 1, sizeof *profile->functions))
        return PROFILE_MAP_NONE;
    struct gnomon_profile_function *function = &profile->functions[index];
    *function = (struct gnomon_profile_function){.id = id, .min = UINT64_MAX, .exact = true};
    if (profile->folds) /* the device's records tell it, if they are available */
        return index;
    function->histogram = calloc(1, sizeof *function->histogram);
    return function->histogram ? index : PROFILE_MAP_NONE;
}

static uint32_t find_arc(struct gnomon_profile *profile, uint32_t caller, uint32_t callee) {
    uint64_t key = (uint64_t)(caller + 1) << 32 | callee; /* OUTSIDE + 1 is 0 */
    uint32_t known = profile->arc_map.count, index = profile_map_find(&profile->arc_map, key);
    if (index != known)
        return index;
    if (!gnomon_array_room(&profile->arcs, &profile->arc_room, index + 1, sizeof *profile->arcs))
        return PROFILE_MAP_NONE;
    profile->arcs[index] = (struct gnomon_profile_arc){.caller = caller, .callee = callee};
    return index;
}

static uint32_t find_thread(struct gnomon_profile *profile, uint32_t number) {
    uint32_t known = profile->thread_map.count, index = profile_map_find(&profile->thread_map, number);
    if (index != known)
        return index;
    if (!gnomon_array_room(&profile->threads, &profile->thread_room, index + 1, sizeof *profile->threads) ||
        !gnomon_array_room(&profile->stacks, &profile->stack_room, index + 1, sizeof *profile->stacks))
        return PROFILE_MAP_NONE;
    profile->threads[index] = (struct gnomon_profile_thread){.thread = number};
    profile->stacks[index] = (struct thread){0};
    return index;
}

enum open_kind { OPEN_FUNCTION, OPEN_ARC };

static uint32_t find_open(struct gnomon_profile *profile, enum open_kind kind, uint32_t index) {
    uint64_t key = (uint64_t)profile->running << 33 | (uint64_t)kind << 32 | index;
    uint32_t known = profile->open_map.count, place = profile_map_find(&profile->open_map, key);
    if (place != known)
        return place;
    if (!gnomon_array_room(&profile->open, &profile->open_room, place + 1, sizeof *profile->open))
        return PROFILE_MAP_NONE;
    profile->open[place] = 0;
    return place;
}

static struct thread *running(struct gnomon_profile *profile) {
    return &profile->stacks[profile->running];
}

static struct activation *top(struct gnomon_profile *profile) {
    struct thread *thread = running(profile);
    return thread->top ? &thread->stack[thread->top - 1] : NULL;
}

/* ---- Time ---- */

/* Handles dropped exits without enters: until the stack is empty, it is not known which functions have ended. The time
 * since then, and the calls dropped since then, may belong to any function that was open. */
static void lose_stack(struct gnomon_profile *profile) {
    struct thread *thread = running(profile);
    for (uint32_t i = thread->top; i > 0; i = thread->stack[i - 1].under)
        profile->functions[thread->stack[i - 1].function].ended_unseen = true;
    thread->unsure = thread->top > 0;
}

static void book_lost(struct gnomon_profile *profile, uint64_t cycles) {
    struct gnomon_event_lost *pending = &profile->pending;
    struct activation *activation = top(profile);
    if (pending->exits > pending->enters)
        lose_stack(profile);
    if (activation) {
        struct gnomon_profile_function *function = &profile->functions[activation->function];
        function->lost_calls += pending->enters;
        function->lost_here |= pending->enters > 0;
        function->lost_cycles += cycles;
        activation->lost_within |= pending->enters > 0;
    }
    if (pending->enters > 0 && (!activation || running(profile)->unsure))
        profile->lost_outside = !profile->folds; /* the records tell who made them */
    profile->sums.lost += cycles;
    *pending = (struct gnomon_event_lost){0};
}

/* Gives the time up to `cycle` to the top of the stack, except the time of dropped subtrees. */
static void credit(struct gnomon_profile *profile, uint64_t cycle) {
    uint64_t passed = cycle - profile->now;
    uint64_t lost = profile->pending.cycles < passed ? profile->pending.cycles : passed;
    profile->excess |= profile->pending.cycles > passed;
    if (profile->pending.enters | profile->pending.exits | profile->pending.others | lost)
        book_lost(profile, lost);
    struct activation *activation = top(profile);
    *(activation ? &activation->self : &profile->sums.outside) += passed - lost;
    running(profile)->own += passed;
    profile->threads[profile->running].cycles += passed;
    profile->now = cycle;
}

/* ---- Stack ---- */

static struct activation *push(struct gnomon_profile *profile) {
    struct thread *thread = running(profile);
    if (!gnomon_array_room(&thread->stack, &thread->room, thread->depth + 1, sizeof *thread->stack))
        return NULL;
    struct activation *activation = &thread->stack[thread->depth++];
    *activation = (struct activation){0};
    return activation;
}

/* Entries below the base belong to another stack. */
static bool is_outermost(const struct thread *thread, uint32_t height) {
    return height == 0 || height <= thread->base;
}

static bool open_call(struct gnomon_profile *profile, uint32_t id, bool trap) {
    struct thread *thread = running(profile);
    uint32_t function = find_function(profile, id);
    uint32_t caller = !trap && thread->top ? thread->stack[thread->top - 1].function : GNOMON_PROFILE_OUTSIDE;
    if (function == PROFILE_MAP_NONE)
        return false;
    uint32_t arc = find_arc(profile, caller, function);
    uint32_t function_open = find_open(profile, OPEN_FUNCTION, function);
    uint32_t arc_open = arc == PROFILE_MAP_NONE ? arc : find_open(profile, OPEN_ARC, arc);
    struct activation *activation = push(profile);
    if (!activation || function_open == PROFILE_MAP_NONE || arc_open == PROFILE_MAP_NONE)
        return false;
    uint32_t *open = profile->open;
    *activation = (struct activation){
        .function = function,
        .arc = arc,
        .function_open = function_open,
        .arc_open = arc_open,
        .function_outer = open[function_open],
        .arc_outer = open[arc_open],
        .entered = trap ? 0 : thread->own,
        .under = thread->top,
        .trap = trap,
        .decoded = id < GNOMON_PROFILE_ADDRESS,
        .outermost = trap || is_outermost(thread, open[function_open]),
        .arc_outermost = trap || is_outermost(thread, open[arc_open]),
        .saved_base = thread->base,
        .saved_own = thread->own,
    };
    open[function_open] = open[arc_open] = thread->top = thread->depth;
    if (trap) {
        thread->base = thread->depth;
        thread->own = 0;
    }
    return true;
}

static bool enter(struct gnomon_profile *profile, uint32_t id, bool trap, enum gnomon_profile_measured how) {
    if (!open_call(profile, id, trap))
        return false;
    const struct activation *activation = top(profile);
    profile->functions[activation->function].calls++;
    profile->functions[activation->function].measured |= how;
    profile->arcs[activation->arc].calls++;
    return true;
}

/* Ends the topmost activation. `whole` is false if the frames that tell its end were lost. */
static void leave(struct gnomon_profile *profile, bool whole) {
    struct thread *thread = running(profile);
    struct activation *activation = top(profile);
    struct gnomon_profile_function *function = &profile->functions[activation->function];
    struct gnomon_profile_arc *arc = &profile->arcs[activation->arc];
    uint64_t cycles = thread->own - activation->entered;
    function->self += activation->self;
    arc->self += activation->self;
    profile->sums.self += activation->self;
    if (activation->outermost)
        function->total += cycles;
    if (activation->arc_outermost)
        arc->total += cycles;
    if (whole && cycles < function->min)
        function->min = cycles;
    if (whole && cycles > function->max)
        function->max = cycles;
    if (whole && function->histogram)
        gnomon_histogram_add(function->histogram, cycles);
    profile->open[activation->function_open] = activation->function_outer;
    profile->open[activation->arc_open] = activation->arc_outer;
    if (activation->trap) {
        thread->own = activation->saved_own;
        thread->base = activation->saved_base;
    }
    activation->gone = true;
    thread->top = activation->under;
    thread->unsure &= thread->top > 0;
    function->lost_within |= activation->lost_within;
    if (activation->lost_within && !activation->trap && thread->top > 0)
        thread->stack[thread->top - 1].lost_within = true;
}

/* Ends `count` entries of the decoder's stack, and everything above them. */
static void leave_many(struct gnomon_profile *profile, uint32_t count) {
    struct thread *thread = running(profile);
    while (count > 0 && thread->depth > 0) {
        struct activation *last = &thread->stack[thread->depth - 1];
        if (!last->gone)
            leave(profile, true);
        count -= last->decoded;
        thread->depth--;
    }
}

/* Ends the calls above the nearest call of `id` that no trap has interrupted; with `itself` also that call. */
static void leave_above(struct gnomon_profile *profile, uint32_t id, bool itself) {
    struct thread *thread = running(profile);
    uint32_t height = thread->top;
    while (height > thread->base && profile->functions[thread->stack[height - 1].function].id != id)
        height = thread->stack[height - 1].under;
    if (height <= thread->base)
        return;
    while (thread->top > height)
        leave(profile, true);
    if (itself)
        leave(profile, true);
    while (thread->depth > thread->top && !thread->stack[thread->depth - 1].decoded)
        thread->depth--;
}

static void leave_all(struct gnomon_profile *profile, bool at_end) {
    uint32_t back = profile->running;
    for (uint32_t thread = 0; thread < profile->thread_map.count; thread++) {
        profile->running = thread;
        while (running(profile)->top > 0) {
            struct gnomon_profile_function *function = &profile->functions[top(profile)->function];
            function->open |= at_end;
            leave(profile, at_end);
        }
        running(profile)->own = running(profile)->depth = 0;
    }
    profile->running = back;
}

/* ---- Events ---- */

static bool run_thread(struct gnomon_profile *profile, uint32_t number) {
    uint32_t index = find_thread(profile, number);
    if (index == PROFILE_MAP_NONE)
        return false;
    profile->running = index;
    return true;
}

/* Handles a gap: the time since the last event is not known. Of the calls that are open now, only the number is known.
 */
static bool gap(struct gnomon_profile *profile, const struct gnomon_event *event) {
    credit(profile, profile->now); /* books earlier losses */
    profile->sums.lost += event->cycle - profile->now;
    profile->now = event->cycle;
    profile->lost_frames = true;
    leave_all(profile, false);
    if (!run_thread(profile, event->thread))
        return false;
    for (uint32_t i = 0; i < event->gap.unknown; i++)
        if (!open_call(profile, GNOMON_PROFILE_UNKNOWN, false))
            return false;
    return true;
}

static void lost(struct gnomon_profile *profile, const struct gnomon_event_lost *counts) {
    profile->pending.enters += counts->enters;
    profile->pending.exits += counts->exits;
    profile->pending.others += counts->others;
    profile->pending.cycles += counts->cycles;
    profile->lost_enters |= counts->enters > 0;
    profile->lost_others |= counts->others > 0;
}

/* Counts a call of which only the entry is known; with records not even its caller is known. */
static bool count_entry(struct gnomon_profile *profile, uint32_t id, enum gnomon_profile_measured how) {
    const struct activation *caller = top(profile);
    uint32_t function = find_function(profile, id);
    if (function == PROFILE_MAP_NONE)
        return false;
    profile->functions[function].calls++;
    profile->functions[function].measured |= how;
    if (profile->folds)
        return true;
    uint32_t arc = find_arc(profile, caller ? caller->function : GNOMON_PROFILE_OUTSIDE, function);
    if (arc == PROFILE_MAP_NONE)
        return false;
    profile->arcs[arc].calls++;
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
    default:
        return true;
    }
    if (event->number == GNOMON_CHANNEL_THREAD)
        return run_thread(profile, event->value);
    if (event->number == GNOMON_CHANNEL_LANDED) {
        leave_above(profile, UINT32_MAX - event->value, false);
        return true;
    }
    if (event->value < GNOMON_PROFILE_ADDRESS) /* no function's address: no memory is there */
        return true;
    switch (event->number) {
    case GNOMON_CHANNEL_CALL_ENTER:
        return profile->folds ? count_entry(profile, event->value, GNOMON_MEASURED_INSTRUMENT)
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

static enum gnomon_profile_measured how_of(const struct gnomon_profile *profile, uint32_t id) {
    return id >= profile->first_watched && id < GNOMON_PROFILE_TRAP ? GNOMON_MEASURED_WATCH : GNOMON_MEASURED_STORE;
}

static uint32_t id_of(uint32_t number) {
    return number == GNOMON_FUNCTION_UNKNOWN ? GNOMON_PROFILE_UNKNOWN : number;
}

bool gnomon_profile_event(struct gnomon_profile *profile, const struct gnomon_event *event) {
    switch (event->type) {
    case GNOMON_EVENT_GAP:
        return gap(profile, event);
    case GNOMON_EVENT_DAMAGE:
        profile->lost_frames = true;
        return true;
    case GNOMON_EVENT_LOST:
        lost(profile, &event->lost);
        return true;
    default:
        credit(profile, event->cycle);
        break;
    }
    switch (event->type) {
    case GNOMON_EVENT_ENTER:
        return enter(profile, id_of(event->number), false, how_of(profile, event->number));
    case GNOMON_EVENT_TRAP_ENTER:
        return enter(profile, GNOMON_PROFILE_TRAP + event->number, true, GNOMON_MEASURED_STORE);
    case GNOMON_EVENT_EXIT:
    case GNOMON_EVENT_TRAP_LEAVE:
        leave_many(profile, event->popped);
        return true;
    case GNOMON_EVENT_CHANNEL:
        return channel(profile, event);
    default:
        return true;
    }
}

/* Index of the function or trap of that record, or OUTSIDE. False: out of memory. */
static bool find_recorded(struct gnomon_profile *profile, const struct gnomon_records *records, const uint32_t *ids,
                          uint32_t number, uint32_t *index) {
    uint32_t traps = records->size - GNOMON_RECORD_TRAPS;
    *index = GNOMON_PROFILE_OUTSIDE;
    if (number == traps + GNOMON_RECORD_NONE)
        return true;
    *index = find_function(profile, number < traps ? ids[number] : GNOMON_PROFILE_TRAP + number - traps);
    return *index != PROFILE_MAP_NONE;
}

static bool take_arcs(struct gnomon_profile *profile, const struct gnomon_records *records, const uint32_t *ids) {
    for (size_t i = 0; i < records->arc_count; i++) {
        const struct gnomon_record_arc *recorded = &records->arcs[i];
        uint32_t caller, callee;
        if (!find_recorded(profile, records, ids, recorded->caller, &caller) ||
            !find_recorded(profile, records, ids, recorded->callee, &callee))
            return false;
        if (callee == GNOMON_PROFILE_OUTSIDE) /* impossible for a device */
            continue;
        uint32_t arc = find_arc(profile, caller, callee);
        if (arc == PROFILE_MAP_NONE)
            return false;
        profile->arcs[arc].calls = recorded->calls;
        profile->arcs[arc].self = recorded->self;
        profile->arcs[arc].total = recorded->total;
    }
    return true;
}

/* The record of time outside of all functions replaces the result from the events, which count all time as outside. It
 * has no cycles of threads that the device does not follow. */
bool gnomon_profile_records(struct gnomon_profile *profile, const struct gnomon_records *records, const uint32_t *ids) {
    struct gnomon_profile_sums *sums = &profile->sums;
    uint64_t outside = 0;
    profile->recorded = true;
    credit(profile, profile->now);
    for (size_t i = 0; i < records->count; i++) {
        const struct gnomon_record *record = &records->list[i];
        uint32_t index;
        if (!find_recorded(profile, records, ids, record->number, &index))
            return false;
        if (index == GNOMON_PROFILE_OUTSIDE) {
            outside = record->self;
            profile->lost_outside = record->lost_here;
            continue;
        }
        /* If the device does not count them apart, any function may have had calls without a frame. */
        bool untimed = record->untimed || (records->placeless > 0 && !records->deepest);
        struct gnomon_profile_function *function = &profile->functions[index];
        function->calls = record->calls;
        function->self = record->self;
        function->total = record->total;
        function->min = record->calls && !untimed ? record->min : UINT64_MAX;
        function->max = untimed ? 0 : record->max;
        function->lost_here = record->lost_here;
        function->lost_calls = record->lost_calls;
        function->lost_cycles = record->lost_cycles;
        function->lost_within = record->lost_within;
        function->saturated = record->saturated;
        function->measured = records->in_memory ? GNOMON_MEASURED_MEMORY : how_of(profile, function->id);
        sums->self += record->self;
        if (!untimed && !gnomon_records_histogram(records, record->number, &function->histogram))
            return false;
    }
    uint64_t booked = sums->self + sums->lost + outside;
    sums->outside = records->aside && booked < profile->now ? outside + profile->now - booked : outside;
    return take_arcs(profile, records, ids);
}

/* Any function may have been called in a dropped subtree or in a missing frame. After such losses no figure is known to
 * be exact. Losses of other messages matter only if the messages say what runs. */
static void judge(struct gnomon_profile *profile) {
    bool any = profile->lost_enters || profile->lost_frames || (profile->lost_others && profile->by_message);
    for (uint32_t i = 0; i < profile->function_map.count; i++)
        profile->functions[i].exact = !any && !profile->functions[i].ended_unseen;
}

bool gnomon_profile_narrow(struct gnomon_profile *profile, gnomon_profile_concerned *concerned, void *context) {
    if (!profile->lost_enters || profile->lost_frames || profile->lost_outside ||
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
    credit(profile, profile->now);
    leave_all(profile, true);
    profile->lost_frames |= stats->frames_lost + stats->frames_damaged > 0;
    judge(profile);
    struct gnomon_profile_sums *sums = &profile->sums;
    sums->cycles = profile->now;
    if (profile->folds && !profile->recorded) { /* it is not known what was open */
        sums->lost += sums->outside;
        sums->outside = 0;
    }
    uint64_t threads = 0;
    for (uint32_t i = 0; i < profile->thread_map.count; i++)
        threads += profile->threads[i].cycles;
    if (profile->excess)
        return gnomon_fail(error, GNOMON_ERR_FORMAT, "more cycles are said to be lost than passed between two events");
    if (sums->self + sums->lost + sums->outside == sums->cycles && threads <= sums->cycles)
        return GNOMON_OK;
    return gnomon_fail(error, GNOMON_ERR_FORMAT,
                       "the cycles do not add up: %llu in functions, %llu lost and %llu outside are not %llu",
                       (unsigned long long)sums->self, (unsigned long long)sums->lost,
                       (unsigned long long)sums->outside, (unsigned long long)sums->cycles);
}

/* ---- Life and results ---- */

void gnomon_profile_expect_records(struct gnomon_profile *profile) {
    profile->folds = true;
}

void gnomon_profile_expect_watched(struct gnomon_profile *profile, uint32_t first) {
    profile->first_watched = first;
}

struct gnomon_profile *gnomon_profile_new(void) {
    struct gnomon_profile *profile = calloc(1, sizeof *profile);
    if (!profile)
        return NULL;
    profile->first_watched = GNOMON_PROFILE_TRAP;
    if (!run_thread(profile, 0)) {
        gnomon_profile_free(profile);
        return NULL;
    }
    return profile;
}

void gnomon_profile_free(struct gnomon_profile *profile) {
    if (!profile)
        return;
    for (uint32_t i = 0; profile->stacks && i < profile->thread_map.count; i++)
        free(profile->stacks[i].stack);
    for (uint32_t i = 0; i < profile->function_map.count && i < profile->function_room; i++)
        free(profile->functions[i].histogram);
    profile_map_free(&profile->function_map);
    profile_map_free(&profile->arc_map);
    profile_map_free(&profile->thread_map);
    profile_map_free(&profile->open_map);
    free(profile->functions);
    free(profile->arcs);
    free(profile->threads);
    free(profile->stacks);
    free(profile->open);
    free(profile);
}

const struct gnomon_profile_function *gnomon_profile_functions(const struct gnomon_profile *profile, size_t *count) {
    *count = profile->function_map.count;
    return profile->functions;
}

const struct gnomon_profile_arc *gnomon_profile_arcs(const struct gnomon_profile *profile, size_t *count) {
    *count = profile->arc_map.count;
    return profile->arcs;
}

const struct gnomon_profile_thread *gnomon_profile_threads(const struct gnomon_profile *profile, size_t *count) {
    *count = profile->thread_map.count;
    return profile->threads;
}

const struct gnomon_profile_sums *gnomon_profile_sums(const struct gnomon_profile *profile) {
    return &profile->sums;
}
