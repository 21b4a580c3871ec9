/* SPDX-License-Identifier: Apache-2.0 */
/* How long the calls of a function were: a bucket for each power of two, as the device keeps them (docs/profile.md,
 * "Records"). */
#ifndef GNOMON_LIB_HISTOGRAM_H
#define GNOMON_LIB_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define GNOMON_BUCKETS 32 /* the first has calls of 0 and 1 cycle, the last all of 2^31 and more */

typedef unsigned __int128 gnomon_uint128;

struct gnomon_bucket {
    uint64_t calls;
    uint64_t cycles; /* of all these calls, inner ones of a recursion, too */
    gnomon_uint128 squares;
};

struct gnomon_histogram {
    bool counts_only; /* buckets have neither cycles nor squares */
    struct gnomon_bucket buckets[GNOMON_BUCKETS];
};

unsigned gnomon_bucket_of(uint64_t cycles);
uint64_t gnomon_bucket_from(unsigned bucket); /* cycles of the shortest call that belongs there */

void gnomon_histogram_add(struct gnomon_histogram *histogram, uint64_t cycles);
struct gnomon_bucket gnomon_histogram_sum(const struct gnomon_histogram *histogram);

/* Mean and standard deviation (of these calls, which are all there were); 0 without calls. */
double gnomon_bucket_mean(const struct gnomon_bucket *bucket);
double gnomon_bucket_deviation(const struct gnomon_bucket *bucket);

#endif
