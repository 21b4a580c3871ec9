/* SPDX-License-Identifier: Apache-2.0 */
/* Who spent the cycles: events in, a profile with call graph out. docs/report.md says what each figure means.
 *
 * Every cycle from BEGIN to the last event is booked exactly once: as self cycles of a function or trap, as lost, or as
 * outside (no profiled function was open). gnomon_profile_finish checks that. */
#ifndef GNOMON_LIB_PROFILE_H
#define GNOMON_LIB_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "records.h"
#include "trace.h"

/* What calls and is called: functions have their number; */
#define GNOMON_PROFILE_TRAP GNOMON_MAX_FUNCTIONS  /* + cause: a trap; */
#define GNOMON_PROFILE_UNKNOWN UINT32_C(0x110000) /* a function whose name was in frames that were lost; */
#define GNOMON_PROFILE_MODULE UINT32_C(0x200000)  /* from here on: functions of modules (modules.h); */
#define GNOMON_PROFILE_ADDRESS UINT32_C(0x800000) /* from here on: an address in a function without a number. */

#define GNOMON_PROFILE_OUTSIDE UINT32_MAX /* as caller: nobody who is profiled; the hardware, for traps */

/* What told of a function's calls; may be several. */
enum gnomon_profile_measured {
    GNOMON_MEASURED_STORE = 1,      /* the plugin's hooks, or the hardware for traps */
    GNOMON_MEASURED_INSTRUMENT = 2, /* -finstrument-functions */
    GNOMON_MEASURED_MCOUNT = 4,     /* -pg: entries only */
    GNOMON_MEASURED_PATCHED = 8,    /* -fpatchable-function-entry: entries only */
    GNOMON_MEASURED_WATCH = 16,     /* the hardware, from calls and returns */
    GNOMON_MEASURED_MEMORY = 32,    /* the program itself, in records of its own */
};
/* Functions of which only entries are known are never open: their cycles are those of who called them. */
#define GNOMON_MEASURED_ENTRIES (GNOMON_MEASURED_MCOUNT | GNOMON_MEASURED_PATCHED)

struct gnomon_profile_function {
    uint32_t id;
    unsigned measured; /* of enum gnomon_profile_measured */
    uint64_t calls;
    uint64_t self;        /* cycles while it was on top */
    uint64_t total;       /* cycles from enter to exit, of outermost activations: recursion counts once */
    uint64_t min, max;    /* total cycles of one call; of whole calls only: min > max where there was none */
    uint64_t lost_calls;  /* enters dropped while it was on top: calls that it made, and what those called */
    uint64_t lost_cycles; /* that passed in them; in its total, in nobody's self cycles */
    bool exact;           /* nothing that was lost can have changed these figures */
    bool lost_here;       /* enters were dropped while it was on top; how many not all records say */
    bool lost_within;     /* calls were dropped while it was open */
    bool ended_unseen;    /* may have ended earlier than it seems: exits without enters were dropped */
    bool open;            /* was open at the end */
    bool saturated;       /* a figure is larger than its record can hold */
    struct gnomon_histogram *histogram; /* of whole calls; NULL: the device keeps none */
};

struct gnomon_profile_arc {
    uint32_t caller, callee; /* indices into the functions; caller may be GNOMON_PROFILE_OUTSIDE */
    uint64_t calls;
    uint64_t self;  /* of the callee, called from here */
    uint64_t total; /* likewise; recursion through this arc counts once */
};

struct gnomon_profile_thread {
    uint32_t thread;
    uint64_t cycles; /* while it ran, traps included */
};

struct gnomon_profile_sums {
    uint64_t cycles;  /* from BEGIN to the last event */
    uint64_t self;    /* of all functions and traps */
    uint64_t lost;    /* in dropped subtrees and in missing frames */
    uint64_t outside; /* before the first, after the last, between: no profiled function was open */
};

struct gnomon_profile;

struct gnomon_profile *gnomon_profile_new(void); /* NULL: out of memory */
void gnomon_profile_free(struct gnomon_profile *profile);

/* Before the first event: functions and traps are in the device's records. Of functions that other compilers' hooks
 * tell of there only are the calls, for nobody knows who ran. */
void gnomon_profile_expect_records(struct gnomon_profile *profile);

/* Before the first event: numbers of functions from `first` on are of watched ones. */
void gnomon_profile_expect_watched(struct gnomon_profile *profile, uint32_t first);

/* Events in order. False: out of memory. */
bool gnomon_profile_event(struct gnomon_profile *profile, const struct gnomon_event *event);

/* After the last event of a trace without functions and traps: takes them from the device's records. `ids` are the
 * functions by number, as many as there are records. False: out of memory. */
bool gnomon_profile_records(struct gnomon_profile *profile, const struct gnomon_records *records, const uint32_t *ids);

/* After the last event: closes what is open. GNOMON_ERR_FORMAT: the cycles do not add up, which only a damaged trace
 * can bring about; the figures can be read nevertheless. */
enum gnomon_status gnomon_profile_finish(struct gnomon_profile *profile, const struct gnomon_trace_stats *stats,
                                         struct gnomon_error *error);

/* Where all that was lost are calls made by known functions (those with lost_here), it is enough to doubt the
 * functions that these calls can have gone to: `concerned` tells. Otherwise nothing changes. False: `concerned`
 * was not asked. */
typedef bool gnomon_profile_concerned(void *context, const struct gnomon_profile_function *function);
bool gnomon_profile_narrow(struct gnomon_profile *profile, gnomon_profile_concerned *concerned, void *context);

/* At last: functions whose records were too small are not exact; with `all` none is. */
void gnomon_profile_doubt(struct gnomon_profile *profile, bool all);

/* Results; they live as long as the profile. Functions are in the order in which they were first seen. */
const struct gnomon_profile_function *gnomon_profile_functions(const struct gnomon_profile *profile, size_t *count);
const struct gnomon_profile_arc *gnomon_profile_arcs(const struct gnomon_profile *profile, size_t *count);
const struct gnomon_profile_thread *gnomon_profile_threads(const struct gnomon_profile *profile, size_t *count);
const struct gnomon_profile_sums *gnomon_profile_sums(const struct gnomon_profile *profile);

#endif
