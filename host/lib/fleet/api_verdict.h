/* SPDX-License-Identifier: Apache-2.0 */
/* Does a function cost more than it did? A permutation test (A7): if it does not, the calls of both profiles are of one
 * kind, and which of them are "ours" is chance. Calls change sides within their scenario, size and device only,
 * because another input costs something else. The statistic is what ours cost in all.
 *
 * A profile has buckets, not calls. A bucket whose calls cost all the same, or that has one or two calls, tells each of
 * them. Of another one count, mean and variance are known: how many of its calls are drawn is exact, what they cost
 * together is taken as normal with that mean and variance, without putting back. */
#ifndef GNOMON_LIB_API_VERDICT_H
#define GNOMON_LIB_API_VERDICT_H

#include "lib/fleet/api_profile.h"

#define GNOMON_API_LEVEL 0.05 /* unless the user says another one */

struct gnomon_api_rule {
    double level;          /* the share of profiles without a change in which any function may be flagged */
    uint64_t permutations; /* 0: 10,000, or more where 10,000 could flag none of the functions */
    uint64_t seed;
    bool (*stop)(void *context); /* NULL: none; asked before each function, true ends it */
    void *context;
};

struct gnomon_api_verdict {
    const struct gnomon_api_row *row; /* one of ours: function, module, file, cost */
    size_t strata;                    /* scenarios, sizes and devices that both have */
    uint64_t calls, calls_before;
    double mean, mean_before; /* of the calls in these */
    double effect;            /* the change of the mean in standard deviations of all these calls; 0 without any */
    double p;                 /* the chance that ours cost as much or more if nothing has changed */
    double adjusted;          /* p for all functions together, by Holm's method */
    bool exact;               /* p is of all permutations, not of some drawn at random */
    double least_p;           /* the lowest p that any costs could have had: one way of all */
    bool few;                 /* not flagged, and too few calls: even the lowest p would not be enough */
    bool worse;               /* adjusted is at most the level */
    bool doubtful;            /* a figure of one of the profiles is not exact */
};

/* Compares `ours` with `before`, function by function and cost by cost, where both have calls in a scenario, size and
 * device. The verdicts are in the order of rising p; the caller frees them. NULL: out of memory, or stopped. */
struct gnomon_api_verdict *gnomon_api_verdicts(const struct gnomon_api_profile *ours,
                                               const struct gnomon_api_profile *before,
                                               const struct gnomon_api_rule *rule, size_t *count);

#endif
