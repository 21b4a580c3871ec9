/* SPDX-License-Identifier: Apache-2.0 */
/* The records that a device keeps of its functions and traps, in place of their events (docs/internals/profile.md,
 * "Records"). */
#ifndef GNOMON_LIB_FUNCTION_RECORDS_H
#define GNOMON_LIB_FUNCTION_RECORDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/util/error.h"
#include "lib/util/histogram.h"

#define GNOMON_MOST_RECORDS 65536 /* the most that a device can have */
#define GNOMON_MOST_ARCS 65536    /* the most of a program, in one or several runs */
#define GNOMON_RECORD_TRAPS 64    /* the last records are those of traps, by cause */
#define GNOMON_RECORD_NONE 31     /* the trap record with this cause holds what passed in no function */

struct gnomon_record {
    uint32_t number;
    uint64_t calls, self, total; /* total: of outermost calls */
    uint64_t min, max;           /* min > max: there was no call */
    bool lost_here;              /* calls that it made were dropped */
    bool lost_within;            /* calls were dropped while it was open */
    uint64_t lost_calls;  /* dropped calls that it made, and calls within those; only if the device counts them */
    uint64_t lost_cycles; /* cycles in the dropped calls */
    bool saturated;       /* a figure did not fit: the true figure is at least this large */
    bool untimed;         /* some calls were only counted: min, max and buckets are of the other calls */
};

/* A pair of caller and callee. */
struct gnomon_record_arc {
    uint32_t caller, callee;     /* numbers of records */
    uint64_t calls, self, total; /* of the callee, when called by this caller; total: of outermost calls */
    bool saturated;
};

/* The calls of one function (or trap) whose length is in one range of cycles. */
struct gnomon_record_bucket {
    uint32_t number; /* of the record */
    unsigned bucket;
    struct gnomon_bucket figures; /* at least one call */
    bool saturated;
};

struct gnomon_records {
    unsigned hart;       /* whose records a device gave; 0 for those of a file */
    uint32_t size;       /* records that the device has */
    uint64_t aggregated; /* events that went into the records, including those counted below */
    uint64_t overflow;   /* calls without record or frame: their cycles went to the function that was open */
    uint64_t deep; /* part of `overflow`, if the device counts it apart: calls without a frame. They are in `calls` */
    uint64_t deepest;    /* the most calls and traps that were open at one time in one thread; 0: not known */
    unsigned threads;    /* threads 0 to `threads` - 1 are followed */
    uint64_t unbalanced; /* exits and trap leaves that did not end the call or trap that began last */
    uint64_t untracked;  /* events of threads that are not followed */
    size_t count;
    struct gnomon_record *list; /* records that are not empty, by number */
    bool with_arcs;
    uint64_t arc_overflow; /* calls that are in no arc */
    size_t arc_count;
    struct gnomon_record_arc *arcs; /* by caller and callee */
    bool with_losses;               /* lost_calls and lost_cycles are valid */
    uint32_t bucketed;              /* records with numbers below this have buckets */
    size_t bucket_count;
    struct gnomon_record_bucket *buckets; /* by record and bucket */
    bool in_memory; /* the program kept the records itself: buckets have neither cycles nor squares */
};

void gnomon_records_free(struct gnomon_records *records);

/* The records of two harts of one run as those of one: all figures added. It is exact if no thread had a call open on
 * both. The caller frees `sum`. */
enum gnomon_status gnomon_records_add_up(const struct gnomon_records *one, const struct gnomon_records *other,
                                         struct gnomon_records *sum, struct gnomon_error *error);

/* What was counted between two moments of one run: `later` less `earlier`. Counts that are no function's are those of
 * `later`; there are no buckets, and no shortest and longest calls of functions that are in both. The caller frees
 * `difference`. */
enum gnomon_status gnomon_records_between(const struct gnomon_records *earlier, const struct gnomon_records *later,
                                          struct gnomon_records *difference, struct gnomon_error *error);

/* Can the function with that record have been open more than once at a time? True if it calls itself, directly or
 * through other functions, if traps call it, or if pairs of caller and callee are missing. */
bool gnomon_records_recursive(const struct gnomon_records *records, uint32_t number);

/* Adds the pairs of another run of the same program with the same input, and sorts all pairs again.
 * GNOMON_ERR_MISMATCH: it was not the same run. */
enum gnomon_status gnomon_records_add_arcs(struct gnomon_records *records, const struct gnomon_records *found,
                                           struct gnomon_error *error);

/* Have there been traps? */
bool gnomon_records_trapped(const struct gnomon_records *records);

/* Calls in the records of functions and traps. */
uint64_t gnomon_records_calls(const struct gnomon_records *records);
/* Calls that are in no pair: their sum, and the calls of each record in `missing`, which has room for `size` numbers.
 */
uint64_t gnomon_records_missing(const struct gnomon_records *records, uint64_t *missing);

/* Makes a new histogram of that record; *histogram is NULL if the device keeps none. False: out of memory. */
bool gnomon_records_histogram(const struct gnomon_records *records, uint32_t number,
                              struct gnomon_histogram **histogram);

/* The member of the file's object that has the records of hart 1, as a further object. */
#define GNOMON_RECORDS_OF_HART1 "hart1"

/* A new object, as a trace file holds it (docs/reference/trace-format.md, "The file"); NULL: out of memory. */
json_t *gnomon_records_json(const struct gnomon_records *records);
/* Reads what gnomon_records_json wrote. `json` is not trusted: GNOMON_ERR_FORMAT. */
enum gnomon_status gnomon_records_parse(const json_t *json, struct gnomon_records *records, struct gnomon_error *error);

#endif
