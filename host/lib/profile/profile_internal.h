/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the profiler share: its tables and its open calls. Only profile*.c use this header. */
#ifndef GNOMON_LIB_PROFILE_INTERNAL_H
#define GNOMON_LIB_PROFILE_INTERNAL_H

#include "lib/profile/profile.h"
#include "lib/profile/profile_map.h"

/* An open function or trap. An `own` clock counts the cycles of one stack: a thread's, or that of a trap above it. */
struct activation {
    uint32_t function, arc;             /* indices */
    uint32_t function_open, arc_open;   /* indices into `open` */
    uint32_t path;                      /* index */
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
    uint32_t path; /* what it runs while nothing is open */
    bool unsure;   /* an exit was dropped: the top entry may have ended */
    uint64_t own;
};

/* What one hart does. */
struct profile_hart {
    bool begun;
    uint64_t start, now;              /* cycles of its first and of its last event; hart 0 starts with cycle 0 */
    struct gnomon_event_lost pending; /* losses since the last event */
    uint32_t running;                 /* index of its thread */
};

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

    struct profile_map path_map; /* by parent and function; outermost ones by thread and UNPROFILED */
    struct gnomon_profile_path *paths;
    size_t path_room;
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
    gnomon_profile_listener *listener; /* of the steps; may be NULL */
    void *listener_context;
    bool excess; /* more cycles were reported as lost than had passed */
};

/* Index of the function or trap `id`, of the arc, of the thread `number`. A new one gets a new index. PROFILE_MAP_NONE:
 * out of memory. */
uint32_t profile_find_function(struct gnomon_profile *profile, uint32_t id);
uint32_t profile_find_arc(struct gnomon_profile *profile, uint32_t caller, uint32_t callee);
uint32_t profile_find_thread(struct gnomon_profile *profile, uint32_t number);

/* Index into `open` for a function or an arc in the running thread. PROFILE_MAP_NONE: out of memory. */
enum open_kind { OPEN_FUNCTION, OPEN_ARC };
uint32_t profile_find_open(struct gnomon_profile *profile, enum open_kind kind, uint32_t index);

/* Takes the message INTERRUPT_WAIT. False: out of memory. */
bool profile_wait(struct gnomon_profile *profile, const struct gnomon_event *event);

/* Is the running thread one whose functions are not shown? */
bool profile_is_other(const struct gnomon_profile *profile);

/* Gives the time up to `cycle` to the top of the stack, except the time of dropped subtrees. */
void profile_credit(struct gnomon_profile *profile, uint64_t cycle);

/* The paths; without gnomon_profile_expect_paths these functions do nothing. Index of the path of a call of `function`
 * from the path `parent`; PROFILE_MAP_NONE: out of memory. */
uint32_t profile_find_path(struct gnomon_profile *profile, uint32_t parent, uint32_t function);
/* Makes the path of a thread with nothing open. False: out of memory. */
bool profile_begin_path(struct gnomon_profile *profile, uint32_t thread);
/* The outermost path of the running thread. */
uint32_t profile_outermost(const struct gnomon_profile *profile);
void profile_path_call(struct gnomon_profile *profile, uint32_t path);
void profile_path_self(struct gnomon_profile *profile, uint32_t path, uint64_t cycles);
void profile_path_lost(struct gnomon_profile *profile, uint32_t path, uint64_t cycles);
/* Books what is lost and unprofiled, of all threads together. False: out of memory. */
bool profile_path_rest(struct gnomon_profile *profile);
/* Makes the paths from functions and arcs, for a profile that has the device's records. False: out of memory. */
bool profile_paths_of_arcs(struct gnomon_profile *profile);

/* Who reports the calls of the function `id`, unless a message of another compiler's hooks does. */
enum gnomon_profile_measured profile_measured_by(const struct gnomon_profile *profile, uint32_t id);

#endif
