/* SPDX-License-Identifier: Apache-2.0 */
/* A recording as a time line for formats of events: spans, instants and values on tracks.
 *
 *   harts      what each hart runs: a span of the thread's name; and its interrupts, with what they call
 *   threads    calls, in wall-clock time: what is open stays open while the thread does not run. Instants: marks,
 * texts, calls of which only the entry is known locks      a track for each thread at a lock: spans `hold` and `wait`
 *   values     counters
 *   recording  instants where something was lost
 *
 * An interrupt that switches threads is split there, and goes on (category `resumed`) when its thread runs again. */
#ifndef GNOMON_LIB_EXPORT_TIMELINE_H
#define GNOMON_LIB_EXPORT_TIMELINE_H

#include "lib/export/export.h"
#include "lib/locks/lock_run.h"

enum timeline_group {
    TIMELINE_HARTS,
    TIMELINE_THREADS,
    TIMELINE_LOCKS,
    TIMELINE_VALUES,
    TIMELINE_RECORDING,
    TIMELINE_GROUPS
};
extern const char *const timeline_groups[TIMELINE_GROUPS];

/* A hart's tracks: rank = hart * TIMELINE_HART_TRACKS + one of these. A thread's rank is its number. */
enum timeline_hart_track { TIMELINE_HART_RUNS, TIMELINE_HART_INTERRUPTS, TIMELINE_HART_TRACKS };

/* What a span or instant is. */
enum timeline_category {
    TIMELINE_THREAD,       /* the thread runs */
    TIMELINE_CALL,         /* of a function */
    TIMELINE_TRAP,         /* an interrupt or exception */
    TIMELINE_RESUMED,      /* no new call: of an interrupt that goes on, or a function that is found open after a gap */
    TIMELINE_RESUMED_TRAP, /* an interrupt that goes on */
    TIMELINE_ENTRY,        /* instant: a call of which only the entry is known */
    TIMELINE_LOST,         /* time in calls whose events were dropped, or in missing frames; or instant: a loss */
    TIMELINE_HOLD,
    TIMELINE_WAIT,
    TIMELINE_OPEN, /* a hold or wait that has no end in the recording; its cycles do not count in gnomon locks */
    TIMELINE_MESSAGE,
    TIMELINE_CATEGORIES
};
extern const char *const timeline_categories[TIMELINE_CATEGORIES];

enum timeline_key {
    TIMELINE_VALUE,
    TIMELINE_TEXT,
    TIMELINE_BY,
    TIMELINE_HART,
    TIMELINE_NUMBER, /* of the thread that runs */
    TIMELINE_ENTERS,
    TIMELINE_EXITS,
    TIMELINE_OTHERS,
    TIMELINE_CYCLES,
    TIMELINE_BUS,
    TIMELINE_FRAMES,
    TIMELINE_KEYS
};
extern const char *const timeline_keys[TIMELINE_KEYS];

struct timeline_argument {
    enum timeline_key key;
    const char *text; /* NULL: a number. No control characters */
    uint64_t number;
};

/* Names and tracks have numbers from 0 on, in the order of their first use. */
struct timeline_name {
    uint32_t number;
    uint32_t function; /* its index in the profile; GNOMON_PROFILE_UNPROFILED: it is the name of something else */
    const char *text;  /* UTF-8 without control characters */
};
struct timeline_track {
    uint32_t number;
    enum timeline_group group;
    uint64_t rank; /* place in its group */
    const char *name;
};

struct timeline_event {
    enum timeline_category category;
    uint32_t track;
    uint64_t cycle;
    struct timeline_name name;
    const struct timeline_argument *arguments;
    size_t count;
};

/* A call without arguments that begins, or the end of the one that began last. */
struct timeline_call {
    uint64_t cycle;
    const struct timeline_name *name; /* NULL: it ends */
};

/* A format. Events of a track come in the order of time, but those of locks come late, each span with begin and end.
 * Events of the same track and cycle are in the order in which they happened. */
struct timeline_writer {
    void (*track)(void *context, const struct timeline_track *track); /* before its first use */
    void (*name)(void *context, const struct timeline_name *name);    /* before its first use; may be NULL */
    void (*begin)(void *context, const struct timeline_event *event);
    void (*end)(void *context, uint32_t track, uint64_t cycle);
    /* Many calls of one track, in place of `begin` and `end` of each; may be NULL. */
    void (*calls)(void *context, uint32_t track, const struct timeline_call *calls, size_t count);
    void (*instant)(void *context, const struct timeline_event *event);
    void (*value)(void *context, uint32_t track, uint64_t cycle, uint32_t value);
    /* At the end, with the account of the locks; may be NULL. False: out of memory. */
    bool (*locks)(void *context, const struct gnomon_lock_run *locks);
};

/* Spans of locks that are missing, because messages were lost. */
struct timeline_unknown {
    uint64_t holds, waits;
};
/* Reads the whole recording, or until `stream` (may be NULL) has failed, and ends it (gnomon_export_end). */
enum gnomon_status timeline_read(struct gnomon_export *export, const struct timeline_writer *writer, void *context,
                                 FILE *stream, struct timeline_unknown *unknown, struct gnomon_error *error);
/* gnomon_export_remarks, and what is not known of locks. */
void timeline_remarks(const struct gnomon_export *export, const struct timeline_unknown *unknown,
                      gnomon_export_line *put, void *context);

/* From cycles to nanoseconds from cycle 0, rounded once. They tell the cycle if the clock is 500 MHz or less. A cycle
 * has 1,000 ns if the clock is not known. Starts as zeros, with the clock's rate. */
struct export_clock {
    uint64_t hz;
    uint64_t inverse; /* 2^64 / hz: a multiplication is faster than a division */
    /* A cycle that was converted, with what was left: from there the way to the next ones is short. */
    uint64_t cycle, nanoseconds, rest;
};
void export_clock_set(struct export_clock *clock, uint64_t cycle);
static inline uint64_t export_clock_nanoseconds(struct export_clock *clock, uint64_t cycle) {
    const uint64_t passed = cycle - clock->cycle;
    if (passed <= UINT32_MAX && clock->cycle) {
        const uint64_t scaled = clock->rest + passed * 1000000000;
        const uint64_t quotient = (uint64_t)((gnomon_uint128)scaled * clock->inverse >> 64); /* or 1 too small */
        return clock->nanoseconds + quotient + (scaled - quotient * clock->hz >= clock->hz);
    }
    export_clock_set(clock, cycle);
    return clock->nanoseconds;
}

#endif
