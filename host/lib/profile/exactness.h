/* SPDX-License-Identifier: Apache-2.0 */
/* Judges how exact the figures of a run are: why the run ended, and everything that can have made its figures inexact.
 * All users of this judgement take it from here: the summary of record, the first lines of report, dump, annotate,
 * stat, tag, hot, scan and callers, and the JSON. */
#ifndef GNOMON_LIB_EXACTNESS_H
#define GNOMON_LIB_EXACTNESS_H

#include "lib/model/event_classes.h"
#include "lib/model/function_records.h"
#include "lib/profile/memory_records_file.h"
#include "lib/trace/trace_decoder.h"

/* Why a run ended. */
enum gnomon_run_end {
    GNOMON_RUN_ENDED,       /* the program ended by itself */
    GNOMON_RUN_CRASHED,     /* the program had a trap that it did not handle */
    GNOMON_RUN_DEBUG,       /* the program stopped in debug mode */
    GNOMON_RUN_INTERRUPTED, /* the user stopped it */
    GNOMON_RUN_LIMITED,     /* the requested time was over */
    GNOMON_RUN_DEVICE,      /* the device ended its trace, because it was not read for too long */
    GNOMON_RUN_BROKEN,      /* the recorder failed: the device was lost, the disk was full */
    GNOMON_RUN_UNKNOWN,     /* the end is not in the file */
};

/* The name in trace files and in the JSON: "exit", "crashed", "debug", "interrupted", "duration", "device", "error",
 * "unknown". */
const char *gnomon_run_end_name(enum gnomon_run_end end);

enum gnomon_reason_kind {
    GNOMON_REASON_LOSS,     /* something is missing, and it is known what: the result is incomplete */
    GNOMON_REASON_CUT,      /* the end is missing: the recorder, or the device, was stopped, or the file was cut */
    GNOMON_REASON_DAMAGE,   /* what was recorded and what is in the file differ: figures may be wrong */
    GNOMON_REASON_ESTIMATE, /* nothing is missing, but the figures were sampled, not counted */
};

/* The figures that a reason can have changed. */
enum gnomon_reason_reach {
    GNOMON_REACH_NONE,  /* none: what was counted up to the end is right */
    GNOMON_REACH_GRAPH, /* only who called whom */
    GNOMON_REACH_SOME,  /* functions that the profile marks, or messages */
    GNOMON_REACH_ALL,   /* any figure */
};

/* A reason why the figures are not exact or not complete. */
struct gnomon_reason {
    const char *id; /* for programs: "events-lost", "file-cut" ...; docs/guide/report.md lists them */
    enum gnomon_reason_kind kind;
    enum gnomon_reason_reach reach;
    uint64_t count; /* how often `id` happened; 0: it cannot be counted */
    char brief[96]; /* a few words, for a first line */
    char text[320]; /* sentences for the user, with advice */
};

#define GNOMON_MAX_REASONS 24

#define GNOMON_UNIT_BYTES 40

struct gnomon_exactness {
    enum gnomon_run_end end;
    uint64_t cycle;  /* of the end, or of the last known event; with `unit`, how many of them there were */
    int status;      /* exit status of a program that ended; -1: not known */
    char cause[160]; /* why it crashed; "" if not known */
    size_t count;
    struct gnomon_reason reasons[GNOMON_MAX_REASONS];
    bool no_figures;              /* the figures of functions are in records, and the records are missing */
    uint64_t lost_events, events; /* lower bounds; `events` includes the lost ones */
    char unit[GNOMON_UNIT_BYTES]; /* what the figures count in place of cycles; "": cycles */
};

struct gnomon_tag_losses;

/* What figures are judged. */
enum gnomon_evidence_of {
    GNOMON_OF_CALLS,     /* of functions and their calls */
    GNOMON_OF_ADDRESSES, /* of addresses: missing knowledge about calls does not affect them */
    GNOMON_OF_MESSAGES,  /* of threads and locks, from messages only: missing calls do not affect them */
};

/* What is known of a run. A pointer is NULL if the run has no such thing. */
struct gnomon_evidence {
    const struct gnomon_trace_stats *stats; /* not NULL */
    bool aggregates;                        /* functions and traps are in the device's records */
    const struct gnomon_records *records;
    size_t untracked;                   /* threads that the records do not follow */
    uint64_t untracked_cycles;          /* how long the untracked threads ran */
    const struct gnomon_memory *memory; /* the program kept its records itself: there is no trace */
    enum gnomon_evidence_of of;
    bool file;                /* the trace was read from a file: `flaws` and `missing` are valid */
    unsigned flaws;           /* enum gnomon_gnt_flaw */
    uint64_t missing;         /* bytes missing in the file, a lower bound */
    uint64_t modules_missing; /* missing messages about loads of modules */
    uint64_t watch_missed, watch_overrun;
    bool lock_calls;          /* with OF_MESSAGES: the messages are calls that were watched */
    uint64_t unseen_switches; /* switches of threads without a message */
    /* The parts of `stats`, if the figures are of both harts. */
    const struct gnomon_trace_stats *harts[GNOMON_MAX_HARTS];
    unsigned hart;       /* whose figures these are */
    bool other_hart;     /* the other hart ran, too */
    bool other_recorded; /* and its trace was recorded */
    uint64_t moved;      /* threads that ran on both harts, if that can have changed figures of calls */
    bool watched;        /* no function has hooks; calls are watched by their stack pointers */
    const struct gnomon_tag_losses *tags; /* of a recording with tags */
    uint64_t landings;                    /* ambiguous landings of longjmp: gnomon_exactness_landings */
    const char *end;                      /* why the run ended, as gnomon_run_end_name has it; NULL: not known */
    int status;
    const char *crash; /* NULL: none */
    const char *unit;  /* what the figures count in place of cycles; NULL: cycles */
};

void gnomon_exactness_judge(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence);

/* Landings of longjmp in a function that can have been open more than once: nothing tells which of its activations it
 * landed in. With records, the result is the number of functions with such landings. */
uint64_t gnomon_exactness_landings(const struct gnomon_trace *trace, const struct gnomon_records *records);

/* Adds a reason. */
void gnomon_exactness_add(struct gnomon_exactness *exactness, enum gnomon_reason_kind kind,
                          enum gnomon_reason_reach reach, const char *id, uint64_t count, const char *brief,
                          const char *format, ...) __attribute__((format(printf, 7, 8)));

/* Adds the reasons of classes of events that were not recorded, although figures of functions and threads depend on
 * them. The events that were recorded are as exact as without it. */
void gnomon_exactness_classes(struct gnomon_exactness *exactness, const struct gnomon_event_classes *classes);

/* True if no reason can have changed a figure of the run up to its end. */
bool gnomon_exactness_exact(const struct gnomon_exactness *exactness);
/* True if nothing is missing: the program ended by itself, and the figures are exact, or at most sampled. */
bool gnomon_exactness_complete(const struct gnomon_exactness *exactness);
/* The number of reasons of that kind. */
size_t gnomon_exactness_kind(const struct gnomon_exactness *exactness, enum gnomon_reason_kind kind);
/* *reach: the widest reach of all reasons; false: there are no reasons. */
bool gnomon_exactness_reach(const struct gnomon_exactness *exactness, enum gnomon_reason_reach *reach);

/* What a profile adds to the phrase. */
struct gnomon_exactness_share {
    double lost;             /* percentage of the cycles that are in no function's self cycles */
    size_t functions, exact; /* all functions, and those that no loss can have changed */
};

/* The end of a first line: "counted exactly, nothing lost", or what is missing, and where the run ended if the program
 * did not end by itself. `share` may be NULL. */
#define GNOMON_EXACTNESS_BYTES 768
const char *gnomon_exactness_phrase(const struct gnomon_exactness *exactness,
                                    const struct gnomon_exactness_share *share, char text[GNOMON_EXACTNESS_BYTES]);

/* A new object with `exact`, `complete`, `end` and `reasons`. The caller moves these members into a command's JSON.
 * NULL: out of memory. */
json_t *gnomon_exactness_json(const struct gnomon_exactness *exactness);

#endif
