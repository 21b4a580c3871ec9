/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the profiler share: its tables and its open calls. Only profile*.c use this header. */
#ifndef GNOMON_LIB_PROFILE_INTERNAL_H
#define GNOMON_LIB_PROFILE_INTERNAL_H

#include "lib/profile/profile.h"
#include "lib/profile/profile_map.h"

/* What a call is about, as indices: the function or trap, the arc, and of both, in the running thread, the entry of
 * `open`. */
struct profile_call {
    uint32_t function, arc, function_open, arc_open;
};

/* An open function or trap. An `own` clock counts the cycles of one stack: a thread's, or that of a trap above it. */
struct activation {
    struct profile_call call;
    uint32_t function_outer, arc_outer; /* entries of `open` before this activation */
    uint64_t entered;                   /* own clock */
    uint64_t self;
    uint32_t path;  /* index */
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
    uint32_t path; /* what it runs while nothing is open */
    bool unsure;   /* an exit was dropped: the top entry may have ended */
    uint64_t own;
};

/* What one hart does. */
struct profile_hart {
    bool begun, over;                 /* `over`: its END has come */
    uint64_t start, now;              /* cycles of its first and of its last event; hart 0 starts with cycle 0 */
    struct gnomon_event_lost pending; /* losses since the last event */
    uint32_t running;                 /* index of its thread */
};

/* What is known of a call from one function to another, in one thread. */
struct profile_edge {
    uint64_t key; /* PROFILE_EDGE_NONE: not used */
    struct profile_call call;
};
/* And of the path of a call from a path to a function. */
struct profile_path_edge {
    uint64_t key; /* PROFILE_EDGE_NONE: not used */
    uint32_t path;
};
#define PROFILE_EDGE_NONE UINT64_MAX
#define PROFILE_EDGES_LOG2 13

struct gnomon_profile {
    struct gnomon_profile_sums sums;
    struct profile_hart harts[GNOMON_MAX_HARTS];
    struct profile_hart *hart; /* of the event that is taken */
    uint32_t called;           /* index of the function or trap that it called; UNPROFILED: it is no call */

    struct profile_map function_map; /* by id */
    struct gnomon_profile_function *functions;
    size_t function_room;
    struct profile_map arc_map; /* by caller + 1 and callee */
    struct gnomon_profile_arc *arcs;
    size_t arc_room;

    /* The last used edges: most calls are found here, at once, and not in four maps. */
    struct profile_edge edges[1 << PROFILE_EDGES_LOG2];

    struct profile_map path_map; /* by parent and function; outermost ones by thread and UNPROFILED */
    struct gnomon_profile_path *paths;
    size_t path_room;
    struct profile_path_edge *path_edges; /* the last used ones, like `edges`; NULL without paths */
    bool with_paths;

    struct profile_map thread_map; /* by number */
    struct gnomon_profile_thread *threads;
    struct thread *stacks;
    size_t thread_room, stack_room;

    /* For each function and each arc, in each thread: height of its topmost open activation, 0: none. */
    struct profile_map open_map;
    uint32_t *open;
    size_t open_room;

    bool lost_enters, lost_others, lost_frames, lost_unprofiled; /* losses that can have made figures inexact */
    bool by_message;         /* messages have influenced the figures: threads, functions without hooks, landings */
    bool aggregates;         /* functions and traps are in the device's records */
    bool recorded;           /* the records were available */
    uint32_t first_watched;  /* functions from this number on have no hooks */
    bool one_thread;         /* only `thread` is shown function by function */
    uint32_t thread, others; /* `others`: index of the row of all other threads */
    gnomon_profile_listener *listener;             /* of the steps; may be NULL */
    gnomon_profile_calls_listener *calls_listener; /* with a listener */
    void *listener_context;
    bool excess; /* more cycles were reported as lost than had passed */
};

/* Index of the function or trap `id`, of the arc, of the thread `number`. A new one gets a new index. PROFILE_MAP_NONE:
 * out of memory. */
uint32_t profile_find_function(struct gnomon_profile *profile, uint32_t id);
uint32_t profile_find_arc(struct gnomon_profile *profile, uint32_t caller, uint32_t callee);
uint32_t profile_find_thread(struct gnomon_profile *profile, uint32_t number);

/* The call of the function or trap `id` from what is open in the running thread; `caller` NULL: nothing is. Valid until
 * the next call of this function. NULL: out of memory. The caller's entry of `open` tells the thread, too. */
static inline size_t profile_edge_place(uint64_t key) {
    return key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - PROFILE_EDGES_LOG2);
}
bool profile_fill_edge(struct gnomon_profile *profile, struct profile_edge *edge, const struct activation *caller,
                       uint32_t id);
static inline const struct profile_call *profile_find_call(struct gnomon_profile *profile,
                                                           const struct activation *caller, uint32_t id) {
    const uint32_t from = caller ? caller->call.function_open : ~profile->hart->running;
    const uint64_t key = (uint64_t)from << 32 | id;
    struct profile_edge *edge = &profile->edges[profile_edge_place(key)];
    if (edge->key == key)
        return &edge->call;
    if (!profile_fill_edge(profile, edge, caller, id))
        return NULL;
    edge->key = key;
    return &edge->call;
}

/* Takes the message INTERRUPT_WAIT. False: out of memory. */
bool profile_wait(struct gnomon_profile *profile, const struct gnomon_event *event);

/* Is the running thread one whose functions are not shown? */
static inline bool profile_is_other(const struct gnomon_profile *profile) {
    return profile->one_thread && profile->threads[profile->hart->running].thread != profile->thread;
}

/* Takes calls of the running thread, from the cycle of its hart's last event on, that need nothing but to be counted.
 * *taken: how many; the next one is not that plain. False: out of memory. */
bool profile_take_calls(struct gnomon_profile *profile, const struct gnomon_call *calls, size_t count, size_t *taken);

/* Gives the time up to `cycle` to the top of the stack, except the time of dropped subtrees. */
void profile_credit(struct gnomon_profile *profile, uint64_t cycle);

/* The paths; without gnomon_profile_expect_paths these functions do nothing. Index of the path of a call of `function`
 * from the path `parent`; PROFILE_MAP_NONE: out of memory. */
uint32_t profile_find_path(struct gnomon_profile *profile, uint32_t parent, uint32_t function);
/* The same of any path, in any profile; outermost paths have UNPROFILED as parent and function. */
uint32_t profile_path_of(struct gnomon_profile *profile, uint32_t parent, uint32_t function, uint32_t thread);
/* Makes the path of a thread with nothing open. False: out of memory. */
bool profile_begin_path(struct gnomon_profile *profile, uint32_t thread);
/* The outermost path of the running thread. */
uint32_t profile_outermost(const struct gnomon_profile *profile);
/* The same, from the last used ones; only with gnomon_profile_expect_paths. */
static inline uint32_t profile_find_path_edge(struct gnomon_profile *profile, uint32_t parent, uint32_t function) {
    const uint64_t key = (uint64_t)parent << 32 | function;
    struct profile_path_edge *edge = &profile->path_edges[profile_edge_place(key)];
    if (edge->key != key)
        *edge = (struct profile_path_edge){key, profile_find_path(profile, parent, function)};
    return edge->path;
}
void profile_path_call(struct gnomon_profile *profile, uint32_t path);
void profile_path_self(struct gnomon_profile *profile, uint32_t path, uint64_t cycles);
void profile_path_lost(struct gnomon_profile *profile, uint32_t path, uint64_t cycles);
/* Books what is lost and unprofiled, of all threads together. False: out of memory. */
bool profile_path_rest(struct gnomon_profile *profile);
/* Makes the paths from functions and arcs, for a profile that has the device's records. False: out of memory. */
bool profile_paths_of_arcs(struct gnomon_profile *profile);

/* Who reports the calls of the function `id`, unless a message of another compiler's hooks does. */
static inline enum gnomon_profile_measured profile_measured_by(const struct gnomon_profile *profile, uint32_t id) {
    return id >= profile->first_watched && id < GNOMON_PROFILE_TRAP ? GNOMON_MEASURED_WATCH : GNOMON_MEASURED_STORE;
}

#endif
