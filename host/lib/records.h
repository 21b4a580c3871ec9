/* SPDX-License-Identifier: Apache-2.0 */
/* The records that a device keeps of its functions and traps, in place of their events (docs/profile.md, "Records"). */
#ifndef GNOMON_LIB_RECORDS_H
#define GNOMON_LIB_RECORDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board.h"
#include "histogram.h"

#define GNOMON_MOST_RECORDS 65536 /* that a device can have */
#define GNOMON_MOST_ARCS 65536    /* of a program, in one or several runs */
#define GNOMON_RECORD_TRAPS 64    /* the last records: of traps, by cause; */
#define GNOMON_RECORD_NONE 31     /* that of this cause: what passed in no function */

struct gnomon_record {
    uint32_t number;
    uint64_t calls, self, total; /* total: of outermost calls */
    uint64_t min, max;           /* min > max: there was no call */
    bool lost_here;              /* calls that it made were dropped */
    bool lost_within;            /* calls were dropped while it was open */
    uint64_t lost_calls;  /* dropped calls that it made, with those that they made; where the device counts them */
    uint64_t lost_cycles; /* in these */
    bool saturated;       /* a figure did not fit: it is at least that much */
    bool untimed;         /* of some calls only the number is known: min, max and buckets are those of the others */
};

/* A pair of caller and callee. */
struct gnomon_record_arc {
    uint32_t caller, callee;     /* numbers of records */
    uint64_t calls, self, total; /* of the callee, called from there; total: of outermost calls */
    bool saturated;
};

/* Calls of one function (or trap), of one range of cycles. */
struct gnomon_record_bucket {
    uint32_t number; /* of the record */
    unsigned bucket;
    struct gnomon_bucket figures; /* there are calls */
    bool saturated;
};

struct gnomon_records {
    uint32_t size;       /* records that the device has */
    uint64_t folded;     /* events that went into them, those below included */
    uint64_t placeless;  /* calls without record or frame: their cycles are those of the function that was open */
    uint64_t deep;       /* of these, where the device tells them apart: those without a frame. They are in `calls` */
    uint64_t deepest;    /* most calls and traps that were open at a time in one thread; 0: not known */
    unsigned threads;    /* that are followed, from 0 on */
    uint64_t unbalanced; /* exits of what was not open */
    uint64_t aside;      /* events of threads that are not followed */
    size_t count;
    struct gnomon_record *list; /* those that are not empty, by number */
    bool with_arcs;
    uint64_t arc_placeless; /* calls that are in no arc */
    size_t arc_count;
    struct gnomon_record_arc *arcs; /* by caller and callee */
    bool with_losses;               /* there are lost_calls and lost_cycles */
    uint32_t bucketed;              /* records with lower numbers have buckets */
    size_t bucket_count;
    struct gnomon_record_bucket *buckets; /* by record and bucket */
    bool in_memory;                       /* the program kept them itself: buckets have neither cycles nor squares */
};

/* After END: waits until the device has closed what was open, and reads what has ended in the last epoch, which is all
 * where none was ended before. Free the result. */
enum gnomon_status gnomon_records_read(struct gnomon_device *device, const struct gnomon_board *board,
                                       struct gnomon_records *records, struct gnomon_error *error);
void gnomon_records_free(struct gnomon_records *records);

/* Whether the function with that record can have been open more than once at a time: it calls itself, directly or
 * through others, or pairs of caller and callee are missing. */
bool gnomon_records_recursive(const struct gnomon_records *records, uint32_t number);

/* The same of pairs alone. Free the result. */
enum gnomon_status gnomon_records_read_arcs(struct gnomon_device *device, const struct gnomon_board *board,
                                            struct gnomon_records *records, struct gnomon_error *error);
/* Adds the pairs of another run of the same program with the same input; sorted again. GNOMON_ERR_MISMATCH: it was not
 * the same run. */
enum gnomon_status gnomon_records_add_arcs(struct gnomon_records *records, const struct gnomon_records *found,
                                           struct gnomon_error *error);

/* Calls in the records of functions and traps. */
uint64_t gnomon_records_calls(const struct gnomon_records *records);
/* Calls that are in no pair: of each number into `missing`, which has room for `size`, and their sum. */
uint64_t gnomon_records_missing(const struct gnomon_records *records, uint64_t *missing);

/* A new histogram of that record, NULL where the device keeps none. False: out of memory. */
bool gnomon_records_histogram(const struct gnomon_records *records, uint32_t number,
                              struct gnomon_histogram **histogram);

/* A new object, as a trace file holds it (docs/trace-format.md, "The file"); NULL: out of memory. */
json_t *gnomon_records_json(const struct gnomon_records *records);
/* The other way round. Nothing in `json` is trusted: GNOMON_ERR_FORMAT. */
enum gnomon_status gnomon_records_parse(const json_t *json, struct gnomon_records *records, struct gnomon_error *error);

#endif
