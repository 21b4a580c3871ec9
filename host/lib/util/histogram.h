/* SPDX-License-Identifier: Apache-2.0 */
/* A histogram of the lengths of a function's calls: one bucket for each power of two, as in the device
 * (docs/internals/profile.md, "Records"). */
#ifndef GNOMON_LIB_HISTOGRAM_H
#define GNOMON_LIB_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define GNOMON_BUCKETS 32 /* the first: calls of 0 and 1 cycle; the last: calls of 2^31 cycles and more */

typedef unsigned __int128 gnomon_uint128;

struct gnomon_bucket {
    uint64_t calls;
    uint64_t cycles; /* of all these calls, including the inner calls of a recursion */
    gnomon_uint128 squares;
};

struct gnomon_histogram {
    bool counts_only; /* buckets have neither cycles nor squares */
    struct gnomon_bucket buckets[GNOMON_BUCKETS];
};

static inline unsigned gnomon_bucket_of(uint64_t cycles) {
    unsigned log2 = 63 - (unsigned)__builtin_clzll(cycles | 1);
    return log2 < GNOMON_BUCKETS ? log2 : GNOMON_BUCKETS - 1;
}
uint64_t gnomon_bucket_from(unsigned bucket); /* cycles of the shortest call that belongs in it */

static inline void gnomon_histogram_add(struct gnomon_histogram *histogram, uint64_t cycles) {
    struct gnomon_bucket *bucket = &histogram->buckets[gnomon_bucket_of(cycles)];
    bucket->calls++;
    bucket->cycles += cycles;
    bucket->squares += (gnomon_uint128)cycles * cycles;
}
struct gnomon_bucket gnomon_histogram_sum(const struct gnomon_histogram *histogram);

/* Mean and standard deviation of all these calls (not of a sample); 0 without calls. */
double gnomon_bucket_mean(const struct gnomon_bucket *bucket);
double gnomon_bucket_deviation(const struct gnomon_bucket *bucket);

#endif
