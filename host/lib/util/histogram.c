/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/util/histogram.h"

#include <math.h>

unsigned gnomon_bucket_of(uint64_t cycles) {
    unsigned log2 = cycles ? 63 - (unsigned)__builtin_clzll(cycles) : 0;
    return log2 < GNOMON_BUCKETS ? log2 : GNOMON_BUCKETS - 1;
}

uint64_t gnomon_bucket_from(unsigned bucket) {
    return bucket ? UINT64_C(1) << bucket : 0;
}

void gnomon_histogram_add(struct gnomon_histogram *histogram, uint64_t cycles) {
    struct gnomon_bucket *bucket = &histogram->buckets[gnomon_bucket_of(cycles)];
    bucket->calls++;
    bucket->cycles += cycles;
    bucket->squares += (gnomon_uint128)cycles * cycles;
}

struct gnomon_bucket gnomon_histogram_sum(const struct gnomon_histogram *histogram) {
    struct gnomon_bucket sum = {0};
    for (unsigned i = 0; i < GNOMON_BUCKETS; i++) {
        sum.calls += histogram->buckets[i].calls;
        sum.cycles += histogram->buckets[i].cycles;
        sum.squares += histogram->buckets[i].squares;
    }
    return sum;
}

double gnomon_bucket_mean(const struct gnomon_bucket *bucket) {
    return bucket->calls ? (double)bucket->cycles / (double)bucket->calls : 0;
}

/* Uses integers until after the subtraction, because it subtracts two large and nearly equal numbers. */
double gnomon_bucket_deviation(const struct gnomon_bucket *bucket) {
    gnomon_uint128 squares = bucket->calls * bucket->squares, square = (gnomon_uint128)bucket->cycles * bucket->cycles;
    return squares > square ? sqrt((double)(squares - square)) / (double)bucket->calls : 0;
}
