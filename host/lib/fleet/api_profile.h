/* SPDX-License-Identifier: Apache-2.0 */
/* API profiles: what the calls of functions cost, in numbers that add over runs, inputs, scenarios and boards. For each
 * function and cost there is a bucket for each power of two, with its count, sum and sum of squares. Adding is
 * commutative and associative to the last bit, because every number either adds, with a largest value at which it
 * stays, or is a least, a largest, or bits that are or-ed (A4). */
#ifndef GNOMON_LIB_API_PROFILE_H
#define GNOMON_LIB_API_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/util/histogram.h"

/* The costs that recordings have. Others may come: a cost is a name. */
#define GNOMON_API_CYCLES "cycles"       /* of a call, with all that it called */
#define GNOMON_API_BYTES "bytes"         /* of a block that the function or what it called allocated */
#define GNOMON_API_OWN_BYTES "own-bytes" /* of a block that it allocated itself */
/* Of a whole run in place of a call: what all calls took together, without what they called. Of a run that was recorded
 * whole, these rows add up to its cycles, with those of the two names below. A run that was measured in an event has
 * "own-" and the event's name in the same way. */
#define GNOMON_API_OWN "own-"
#define GNOMON_API_OWN_CYCLES GNOMON_API_OWN GNOMON_API_CYCLES
#define GNOMON_API_UNPROFILED "[unprofiled]" /* no function was open. Each such run has it, also with 0 cycles */
#define GNOMON_API_LOST "[lost]"             /* in calls whose events were lost */

/* Why the figures of a row are not exact. */
enum gnomon_api_doubt {
    GNOMON_API_LOSS = 1,   /* events were lost that can have changed them */
    GNOMON_API_COUNTS = 2, /* some runs have counts only: sums and squares are too small */
    GNOMON_API_UNSEEN = 4, /* some calls did not end: they are in no bucket (see `lost`), or with their cycles so far */
    GNOMON_API_DEEP = 8,   /* some stacks were longer than is kept: blocks are missing in outer functions */
};

/* Runs of one program, in one scenario, with one size of its input, on one kind of device. The texts live as long as
 * the profile. */
struct gnomon_api_source {
    const char *program; /* name of its file */
    const char *build;   /* its build id; "": not known */
    const char *scenario;
    uint64_t size; /* of the input, in what the user counts; 0: not said */
    const char *device;
    uint64_t runs, cycles; /* these add */
};

struct gnomon_api_row {
    struct gnomon_api_source *source;
    const char *cost;
    const char *module;            /* name of the file that holds the function: the program's, or a module's */
    const char *build;             /* its build id; "": not known */
    const char *function;          /* the linker's name */
    const char *file;              /* as the compiler was given it; "": not known */
    unsigned line;                 /* of the declaration; 0: not known. Of several the lowest */
    unsigned doubt;                /* of enum gnomon_api_doubt */
    uint64_t lost;                 /* calls that are known to have been made, and are in no bucket */
    uint64_t least, most;          /* of one call; least > most: not known */
    uint32_t used;                 /* bit N: there is a bucket N */
    struct gnomon_bucket *buckets; /* in their order, only those in use; owned. "cycles" are units of the cost */
};

struct gnomon_api_profile;

/* Is the cost one of whole runs in place of calls? */
bool gnomon_api_of_runs(const char *cost);

struct gnomon_api_profile *gnomon_api_profile_new(void);          /* NULL: out of memory */
void gnomon_api_profile_free(struct gnomon_api_profile *profile); /* may be NULL */

/* The source with these texts and this size, made if there is none: the sums of `wanted` are not looked at. NULL: out
 * of memory. */
struct gnomon_api_source *gnomon_api_profile_source(struct gnomon_api_profile *profile,
                                                    const struct gnomon_api_source *wanted);
/* The row with these texts and this source, which is one of the profile's; made if there is none. Only the texts of
 * `wanted` are looked at. NULL: out of memory. */
struct gnomon_api_row *gnomon_api_profile_row(struct gnomon_api_profile *profile, const struct gnomon_api_row *wanted);

void gnomon_api_source_add(struct gnomon_api_source *source, uint64_t runs, uint64_t cycles);

/* Adds numbers to a row; `bucket` is below GNOMON_BUCKETS. False: out of memory. */
bool gnomon_api_row_add(struct gnomon_api_row *row, unsigned bucket, const struct gnomon_bucket *numbers);
/* Adds numbers, least, largest and doubts of `from`. False: out of memory. */
bool gnomon_api_row_join(struct gnomon_api_row *row, const struct gnomon_api_row *from);

/* Adds all of `from`. False: out of memory. */
bool gnomon_api_profile_add(struct gnomon_api_profile *profile, const struct gnomon_api_profile *from);

/* All sources and rows, each sorted by its texts, which is the order of the file. The array is the caller's to free;
 * NULL: out of memory. */
struct gnomon_api_source **gnomon_api_profile_sources(const struct gnomon_api_profile *profile, size_t *count);
struct gnomon_api_row **gnomon_api_profile_rows(const struct gnomon_api_profile *profile, size_t *count);

/* The bucket of that number; NULL: it is not in use. */
const struct gnomon_bucket *gnomon_api_row_bucket(const struct gnomon_api_row *row, unsigned bucket);
/* Of all its buckets. */
struct gnomon_bucket gnomon_api_row_sum(const struct gnomon_api_row *row);
/* Has a number reached its largest value? Then it, and what follows from it, is only a lower bound. */
bool gnomon_api_saturated(const struct gnomon_bucket *numbers);
bool gnomon_api_row_saturated(const struct gnomon_api_row *row);

#endif
