/* SPDX-License-Identifier: Apache-2.0 */
/* The profiler: takes events and makes a profile with a call graph. docs/guide/report.md says what each figure means.
 *
 * Every cycle from BEGIN to the last event is booked exactly once: as self cycles of a function or trap, as lost, or as
 * unprofiled (no profiled function was open). gnomon_profile_finish checks that. */
#ifndef GNOMON_LIB_PROFILE_H
#define GNOMON_LIB_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/model/function_records.h"
#include "lib/trace/trace_decoder.h"

/* Ids of callers and callees. Below GNOMON_PROFILE_TRAP: a function's number. */
#define GNOMON_PROFILE_TRAP GNOMON_MAX_FUNCTIONS              /* + cause: a trap */
#define GNOMON_PROFILE_INTERRUPT (GNOMON_PROFILE_TRAP + 0x20) /* + code: an interrupt */
#define GNOMON_PROFILE_UNKNOWN UINT32_C(0x110000)             /* a function whose name was in lost frames */
#define GNOMON_PROFILE_OTHERS UINT32_C(0x110001)  /* all functions and traps of threads that were not asked for */
#define GNOMON_PROFILE_MODULE UINT32_C(0x200000)  /* first id of functions of modules (modules.h) */
#define GNOMON_PROFILE_ADDRESS UINT32_C(0x800000) /* first id of addresses in functions without a number */

#define GNOMON_PROFILE_UNPROFILED UINT32_MAX /* as caller: no profiled function; for traps: the hardware */

/* Who reported a function's calls; several bits may be set. */
enum gnomon_profile_measured {
    GNOMON_MEASURED_STORE = 1,      /* the plugin's hooks, or the hardware for traps */
    GNOMON_MEASURED_INSTRUMENT = 2, /* -finstrument-functions */
    GNOMON_MEASURED_MCOUNT = 4,     /* -pg: entries only */
    GNOMON_MEASURED_PATCHED = 8,    /* -fpatchable-function-entry: entries only */
    GNOMON_MEASURED_WATCH = 16,     /* the hardware, from calls and returns */
    GNOMON_MEASURED_MEMORY = 32,    /* the program itself, in its own records */
};
/* Functions of which only entries are known are never open: their cycles count for their callers. */
#define GNOMON_MEASURED_ENTRIES (GNOMON_MEASURED_MCOUNT | GNOMON_MEASURED_PATCHED)

/* How long an interrupt had been asked for when it was taken, in cycles. */
struct gnomon_profile_waits {
    struct gnomon_histogram histogram; /* of those that are known; their number can be less than that of the calls */
    uint64_t min, max;
    uint64_t longest_at; /* cycle in which the first with `max` was taken */
    bool at_least;       /* some were longer than a message can say: they count as INTERRUPT_WAIT_MOST */
};

struct gnomon_profile_function {
    uint32_t id;
    unsigned measured; /* of enum gnomon_profile_measured */
    uint64_t calls;
    uint64_t self;                      /* cycles while it was on top */
    uint64_t total;                     /* cycles from enter to exit of outermost activations: recursion counts once */
    uint64_t min, max;                  /* total cycles of one call; only of whole calls: min > max if there was none */
    struct gnomon_histogram *histogram; /* of whole calls; NULL: the device keeps none */
    uint64_t lost_calls;  /* enters dropped while it was on top: calls that it made, and the calls within those */
    uint64_t lost_cycles; /* cycles in the lost calls; part of its `total`, of no function's `self` */
    uint64_t samples, samples_total; /* of a sampled profile: those that `self` and `total` were estimated from */
    bool exact;                      /* no loss can have changed these figures */
    bool lost_here;                  /* enters were dropped while it was on top; some records do not say how many */
    bool lost_within;                /* calls were dropped while it was open */
    bool ended_unseen; /* may have ended earlier than it seems, because exits without enters were dropped */
    bool open;         /* was open at the end */
    bool saturated;    /* a figure is larger than its record can hold */
    struct gnomon_profile_waits *waits; /* NULL: nothing is known of waits; always so if it is no interrupt */
};

struct gnomon_profile_arc {
    uint32_t caller, callee; /* indices into the functions; caller may be GNOMON_PROFILE_UNPROFILED */
    uint64_t calls;
    uint64_t self;  /* of the callee, when called by this caller */
    uint64_t total; /* of the callee, when called by this caller; recursion through this arc counts once */
};

/* A call path: a function, called by the function of the parent path, called by ... The outermost path of each thread
 * is the time in which no profiled function was open. Traps begin below it: what they interrupted has not called them.
 * The device's records know only the callers: paths from them end there, and are of all threads together. */
struct gnomon_profile_path {
    uint32_t parent; /* index of a path with a lower index; GNOMON_PROFILE_UNPROFILED: the outermost path of a thread */
    uint32_t function; /* index of a function; GNOMON_PROFILE_UNPROFILED for outermost paths */
    uint32_t thread;   /* its number; GNOMON_PROFILE_ALL_THREADS */
    uint64_t calls[GNOMON_MAX_HARTS];
    uint64_t self[GNOMON_MAX_HARTS];
    uint64_t samples;                /* of a sampled profile: those that `self` was estimated from */
    uint64_t lost[GNOMON_MAX_HARTS]; /* in dropped calls that it made; of an outermost path, also in missing frames */
};
#define GNOMON_PROFILE_ALL_THREADS UINT32_MAX

struct gnomon_profile_thread {
    uint32_t thread;
    uint64_t cycles;      /* while it ran, traps included */
    uint64_t trap_cycles; /* of those, in traps; 0 if the traps are in the device's records */
    uint64_t runs;        /* how often it began to run */
    uint64_t first, last; /* cycle in which it first ran, and the last one in which it ran */
};

struct gnomon_profile_sums {
    uint64_t cycles;     /* from BEGIN to the last event; of several harts, of each, added */
    uint64_t self;       /* of all functions and traps */
    uint64_t lost;       /* in dropped subtrees and in missing frames */
    uint64_t unprofiled; /* no profiled function was open: at the start, at the end, or in between */
};

struct gnomon_profile;

struct gnomon_profile *gnomon_profile_new(void); /* NULL: out of memory */
void gnomon_profile_free(struct gnomon_profile *profile);

/* Says that functions and traps are in the device's records. Call it before the first event. Functions that other
 * compilers' hooks report have only their calls, because it is not known when they ran. */
void gnomon_profile_expect_records(struct gnomon_profile *profile);

/* Says that numbers from `first` on belong to watched functions. Call it before the first event. */
void gnomon_profile_expect_watched(struct gnomon_profile *profile, uint32_t first);

/* Only the functions of this thread get rows: what other threads do is all in the row OTHERS. Call it before the first
 * event. It needs functions and traps as events. False: out of memory. */
bool gnomon_profile_expect_thread(struct gnomon_profile *profile, uint32_t thread);

/* Also makes the call paths. Call it before the first event, after the calls above. False: out of memory. */
bool gnomon_profile_expect_paths(struct gnomon_profile *profile);

/* What happens in the run, for a time line. Steps come in the order of time of each hart. */
enum gnomon_profile_step_type {
    GNOMON_STEP_RUNS,  /* the hart runs `thread` from here on; also told if it did so before */
    GNOMON_STEP_STOPS, /* from here on it is not known what the hart runs, or it has ended */
    GNOMON_STEP_OPEN,  /* a call or trap begins in `thread` */
    GNOMON_STEP_CLOSE, /* what began last in `thread` ends; after a gap, or at the end, `thread` may not be running */
    GNOMON_STEP_ENTRY, /* a call of which only the entry is known */
    GNOMON_STEP_LOST,  /* `cycles` of the time from `cycle` on are lost: in calls from what is open in `thread`; after
                          STOPS, in a gap */
};
struct gnomon_profile_step {
    enum gnomon_profile_step_type type;
    unsigned hart;
    uint32_t thread;   /* its number */
    uint32_t function; /* of OPEN, CLOSE, ENTRY: index into the functions */
    uint32_t id;       /* the same function's id */
    bool trap;
    bool called; /* of OPEN: a call, which counts; not a function that is found open after a gap */
    uint64_t cycle, cycles;
};
/* Calls of one thread that begin, and that end in turn: the same as many steps OPEN, with `called`, and CLOSE. */
struct gnomon_profile_calls {
    unsigned hart;
    uint32_t thread;
    uint64_t from; /* the cycle to which the first one's `cycles` are added */
    const struct gnomon_call *calls;
    size_t count;
};
/* Says who hears of the steps; and of calls, many at a time, where they come so (gnomon_profile_calls). Call it before
 * the first event. */
typedef void gnomon_profile_listener(void *context, const struct gnomon_profile_step *step);
typedef void gnomon_profile_calls_listener(void *context, const struct gnomon_profile_calls *calls);
void gnomon_profile_listen(struct gnomon_profile *profile, gnomon_profile_listener *listener,
                           gnomon_profile_calls_listener *calls_listener, void *context);

/* Takes the next event. False: out of memory. */
bool gnomon_profile_event(struct gnomon_profile *profile, const struct gnomon_event *event);

/* Takes the events of all these calls. False: out of memory. */
bool gnomon_profile_calls(struct gnomon_profile *profile, const struct gnomon_calls *calls);

/* What a hart does after the last event that was taken. */
struct gnomon_profile_running {
    bool begun;        /* it has had an event */
    uint64_t now;      /* cycle of its last event */
    uint32_t thread;   /* its number */
    uint32_t function; /* index of the innermost open function; GNOMON_PROFILE_UNPROFILED: none is open */
};
struct gnomon_profile_running gnomon_profile_running(const struct gnomon_profile *profile, unsigned hart);
/* Index of the function or trap `id` that a step or a call has named. */
uint32_t gnomon_profile_index(struct gnomon_profile *profile, uint32_t id);
/* Index of the function or trap that the last event called; GNOMON_PROFILE_UNPROFILED: it was no call. */
uint32_t gnomon_profile_called(const struct gnomon_profile *profile);

/* Takes functions and traps from the device's records, after the last event of a trace without functions and traps.
 * `ids` gives the function of each record, by number. False: out of memory. */
bool gnomon_profile_records(struct gnomon_profile *profile, const struct gnomon_records *records, const uint32_t *ids);

/* Closes what is open after the last event. GNOMON_ERR_FORMAT: the cycles do not add up, which happens only with a
 * damaged trace; the figures can still be read. */
enum gnomon_status gnomon_profile_finish(struct gnomon_profile *profile, const struct gnomon_trace_stats *stats,
                                         struct gnomon_error *error);

/* If all losses are calls made by known functions (those with lost_here), only the functions that these calls can have
 * gone to are in doubt: `concerned` says which. Otherwise nothing changes. False: `concerned` was not called. */
typedef bool gnomon_profile_concerned(void *context, const struct gnomon_profile_function *function);
bool gnomon_profile_narrow(struct gnomon_profile *profile, gnomon_profile_concerned *concerned, void *context);

/* Marks functions whose records were too small as not exact; with `all` every function. Call it last. */
void gnomon_profile_doubt(struct gnomon_profile *profile, bool all);

/* The results live as long as the profile. Functions are in the order of their first appearance. */
const struct gnomon_profile_function *gnomon_profile_functions(const struct gnomon_profile *profile, size_t *count);
const struct gnomon_profile_arc *gnomon_profile_arcs(const struct gnomon_profile *profile, size_t *count);
/* The cycles of all paths, self and lost, add up to `sums.cycles`. */
const struct gnomon_profile_path *gnomon_profile_paths(const struct gnomon_profile *profile, size_t *count);
const struct gnomon_profile_thread *gnomon_profile_threads(const struct gnomon_profile *profile, size_t *count);
const struct gnomon_profile_sums *gnomon_profile_sums(const struct gnomon_profile *profile);
/* The part of `sums.cycles` that is the hart's. */
uint64_t gnomon_profile_hart_cycles(const struct gnomon_profile *profile, unsigned hart);

#endif
