/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/util/histogram.h"

#include <math.h>

uint64_t gnomon_bucket_from(unsigned bucket) {
    return bucket ? UINT64_C(1) << bucket : 0;
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

/* Uses integers until after the subtraction, because it subtracts two large and nearly equal numbers. Profiles of many
 * runs can be too large for that. */
double gnomon_bucket_deviation(const struct gnomon_bucket *bucket) {
    gnomon_uint128 squares, square = (gnomon_uint128)bucket->cycles * bucket->cycles;
    if (__builtin_mul_overflow(bucket->squares, (gnomon_uint128)bucket->calls, &squares)) {
        const long double mean = (long double)bucket->cycles / (long double)bucket->calls;
        const long double variance = (long double)bucket->squares / (long double)bucket->calls - mean * mean;
        return variance > 0 ? (double)sqrtl(variance) : 0;
    }
    return squares > square ? sqrt((double)(squares - square)) / (double)bucket->calls : 0;
}
