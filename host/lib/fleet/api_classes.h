/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of costs (A7): does a call of a function cost the same for any input, does its cost grow with the size of the
 * input, and how; is there a call that costs far more than all others, as the first one of a run that prepares things?
 *
 * Rows of one function and cost belong together if they are of one program, build and kind of device, and of one
 * scenario with several sizes. The scenarios that have only one size each are one series together: so one can name the
 * scenario after the size, too. */
#ifndef GNOMON_LIB_API_CLASSES_H
#define GNOMON_LIB_API_CLASSES_H

#include "lib/fleet/api_view.h"
#include "lib/fleet/growth.h"

/* What is taken as the cost at a size. */
enum gnomon_api_measure {
    GNOMON_API_MEAN,    /* of a call: the mean; without the calls of a start */
    GNOMON_API_LONGEST, /* the most expensive call: of a function that calls itself the outermost one */
    GNOMON_API_ALL,     /* all calls together; only if all sizes have the same number of runs */
    GNOMON_API_MEASURES
};

/* Calls that cost more than 4 times as much as each other one, and of which each size has no more than it has runs, and
 * at least 10 times as many others. Buckets do not tell which call was the first. */
struct gnomon_api_start {
    bool found;
    struct gnomon_bucket calls, others; /* of all sizes */
};

struct gnomon_api_class {
    const struct gnomon_api_row *row; /* one of its rows: function, module, file, cost, program, build, device */
    const char *scenario;             /* NULL: of several */
    size_t count;                     /* rows */
    uint64_t calls;
    uint64_t least_size, most_size; /* of the sizes that are said; 0: none is */
    bool doubtful;                  /* a figure is not exact */
    bool known;                     /* false: sums are not known, or too large */
    struct gnomon_api_start start;
    struct gnomon_bucket usual; /* all calls; with a start the others */
    double spread;              /* their standard deviation by their mean; 0: the mean is 0 */
    bool same_runs;             /* ALL is of use */
    struct gnomon_growth_verdict measures[GNOMON_API_MEASURES];
    enum gnomon_api_measure best; /* what describes it best: the first that is told, or MEAN */
    bool steady; /* too few sizes to tell a growth, but at least 10 calls, and their spread is 5 % at most */
};

/* The classes of the rows that pass the filter, in the order of the profile's rows. The caller frees the array. NULL:
 * out of memory. */
struct gnomon_api_class *gnomon_api_classes(const struct gnomon_api_profile *profile,
                                            const struct gnomon_api_filter *filter, size_t *count);

#endif
