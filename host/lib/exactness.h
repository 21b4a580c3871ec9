/* SPDX-License-Identifier: Apache-2.0 */
/* What the figures of a run are worth: why it ended, and everything that can have made them other than exact. The one
 * place that decides it, for the summary of record, the first lines of report, dump, annotate, stat, tag, hot, scan and
 * callers, and the JSON. */
#ifndef GNOMON_LIB_EXACTNESS_H
#define GNOMON_LIB_EXACTNESS_H

#include "memory.h"
#include "records.h"
#include "trace.h"

/* Why a run ended. */
enum gnomon_run_end {
    GNOMON_RUN_ENDED,       /* the program, by itself */
    GNOMON_RUN_CRASHED,     /* the program, by a trap that it did not handle */
    GNOMON_RUN_DEBUG,       /* the program stopped in debug mode */
    GNOMON_RUN_INTERRUPTED, /* by the user */
    GNOMON_RUN_LIMITED,     /* the time that was asked for was over */
    GNOMON_RUN_DEVICE,      /* the device ended its trace, because it was not read for too long */
    GNOMON_RUN_BROKEN,      /* the recorder failed: the device was lost, the disk was full */
    GNOMON_RUN_UNKNOWN,     /* the end is not in the file */
};

/* As a trace file and the JSON call it: "exit", "crashed", "debug", "interrupted", "duration", "device", "error",
 * "unknown". */
const char *gnomon_run_end_name(enum gnomon_run_end end);

enum gnomon_reason_kind {
    GNOMON_REASON_LOSS,   /* something is missing, and it is known what: the result is incomplete */
    GNOMON_REASON_CUT,    /* the end is missing: the recorder, or the device, was stopped, or the file was cut */
    GNOMON_REASON_DAMAGE, /* what was recorded and what is in the file differ: figures may be wrong */
};

/* What it can have changed. */
enum gnomon_reason_reach {
    GNOMON_REACH_NONE,  /* nothing: what was counted up to the end stands */
    GNOMON_REACH_GRAPH, /* who called whom, and nothing else */
    GNOMON_REACH_SOME,  /* functions that the profile marks, or messages */
    GNOMON_REACH_ALL,   /* any figure */
};

/* One of the things that were not as they should be. */
struct gnomon_reason {
    const char *id; /* for programs: "events-lost", "file-cut" ...; docs/report.md lists them */
    enum gnomon_reason_kind kind;
    enum gnomon_reason_reach reach;
    uint64_t count; /* how many, of what `id` says; 0: it cannot be counted */
    char brief[96]; /* a few words, for a first line */
    char text[240]; /* sentences for a person, with what helps */
};

#define GNOMON_MAX_REASONS 24

struct gnomon_exactness {
    enum gnomon_run_end end;
    uint64_t cycle;  /* of the end, or of the last event that is known */
    int status;      /* of a program that ended; -1: not known */
    char cause[160]; /* what it crashed of; "" where that is not known */
    size_t count;
    struct gnomon_reason reasons[GNOMON_MAX_REASONS];
    bool no_figures;              /* those of functions are in records, and these are not there */
    uint64_t lost_events, events; /* as far as they are known; `events` with those that were lost */
};

/* What is known of a run. Pointers may be NULL where there is no such thing. */
struct gnomon_evidence {
    const struct gnomon_trace_stats *stats; /* not NULL */
    bool folds;                             /* functions and traps are in the device's records */
    const struct gnomon_records *records;
    size_t untracked;                   /* threads that these do not follow, */
    uint64_t untracked_cycles;          /* and how long they ran */
    const struct gnomon_memory *memory; /* the program kept its records itself: there is no trace */
    bool by_address;                    /* figures are of addresses: what is not known of calls leaves them alone */
    bool file;                          /* the trace was read from a file: */
    unsigned flaws;                     /* enum gnomon_gnt_flaw */
    uint64_t missing;                   /* bytes that the file must have had, at least */
    uint64_t modules_missing;           /* messages about loads of modules */
    uint64_t watch_missed, watch_overrun;
    uint64_t unseen_switches; /* of threads, that no message told of */
    uint64_t landings;        /* of longjmp, in doubt: gnomon_exactness_landings */
    const char *end;          /* why the run ended, as gnomon_run_end_name has it; NULL: not known */
    int status;
    const char *crash; /* NULL: none */
};

void gnomon_exactness_judge(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence);

/* Landings of longjmp in a function that can have been open more than once: nothing says in which of its activations.
 * With records, functions with such landings are counted. */
uint64_t gnomon_exactness_landings(const struct gnomon_trace *trace, const struct gnomon_records *records);

/* One reason more. */
void gnomon_exactness_add(struct gnomon_exactness *exactness, enum gnomon_reason_kind kind,
                          enum gnomon_reason_reach reach, const char *id, uint64_t count, const char *brief,
                          const char *format, ...) __attribute__((format(printf, 7, 8)));

/* No reason is there that can have changed any figure of the run, up to its end. */
bool gnomon_exactness_exact(const struct gnomon_exactness *exactness);
/* And the program ended by itself: nothing is missing. */
bool gnomon_exactness_complete(const struct gnomon_exactness *exactness);
/* The reasons that are of that kind. */
size_t gnomon_exactness_kind(const struct gnomon_exactness *exactness, enum gnomon_reason_kind kind);
/* The widest reach of all reasons; false: there is none. */
bool gnomon_exactness_reach(const struct gnomon_exactness *exactness, enum gnomon_reason_reach *reach);

/* What a profile adds to the sentence. */
struct gnomon_exactness_share {
    double lost;             /* percent of the cycles that are in nobody's figures */
    size_t functions, exact; /* all, and those that no loss can have changed */
};

/* The end of a first line: "counted exactly, nothing lost", or what is missing, and where the run ended when it did not
 * end by itself. `share` may be NULL. */
#define GNOMON_EXACTNESS_BYTES 768
const char *gnomon_exactness_phrase(const struct gnomon_exactness *exactness,
                                    const struct gnomon_exactness_share *share, char text[GNOMON_EXACTNESS_BYTES]);

/* A new object with `exact`, `complete`, `end` and `reasons`, whose members belong into a command's JSON. NULL: out of
 * memory. */
json_t *gnomon_exactness_json(const struct gnomon_exactness *exactness);

#endif
