/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of API profiles in columns of 64 bits with a sign. A sum is kept as words of 32 bits, a column each, and
 * each is added to without a carry: so one statement adds, in any order, and no sum of 2^30 numbers is too large for
 * its columns. Reading carries, and stays at the largest value where the profile's sum would. */
#ifndef GNOMON_LIB_FLEET_NUMBERS_H
#define GNOMON_LIB_FLEET_NUMBERS_H

#include "lib/fleet/saturate.h"

#define GNOMON_FLEET_WORD_BITS 32

static inline int64_t gnomon_fleet_word(gnomon_uint128 number, unsigned word) {
    return (int64_t)(uint32_t)(number >> (GNOMON_FLEET_WORD_BITS * word));
}

/* The sum that `count` columns hold, each of them not negative; 2^(32 * count) - 1 if it is larger than that. */
static inline gnomon_uint128 gnomon_fleet_sum(const int64_t *words, unsigned count) {
    gnomon_uint128 carry = 0, sum = 0;
    for (unsigned i = 0; i < count; i++) {
        carry += (uint64_t)words[i];
        sum |= (gnomon_uint128)(uint32_t)carry << (GNOMON_FLEET_WORD_BITS * i);
        carry >>= GNOMON_FLEET_WORD_BITS;
    }
    return carry ? GNOMON_WIDE_MOST >> (128 - GNOMON_FLEET_WORD_BITS * count) : sum;
}

/* A number in a column that sorts as the number does. */
static inline int64_t gnomon_fleet_ordered(uint64_t number) {
    return (int64_t)(number ^ UINT64_C(1) << 63);
}

static inline uint64_t gnomon_fleet_from_ordered(int64_t column) {
    return (uint64_t)column ^ UINT64_C(1) << 63;
}

/* Of lines the lowest is kept, and 0 is none: it comes last. */
#define GNOMON_FLEET_NO_LINE (INT64_C(1) << 32)

#endif
