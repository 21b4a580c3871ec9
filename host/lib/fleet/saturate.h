/* SPDX-License-Identifier: Apache-2.0 */
/* Sums that stay at their largest value. Such sums do not depend on the order in which numbers are added. */
#ifndef GNOMON_LIB_SATURATE_H
#define GNOMON_LIB_SATURATE_H

#include "lib/util/histogram.h"

#define GNOMON_WIDE_MOST (~(gnomon_uint128)0)

static inline uint64_t gnomon_saturate_add(uint64_t a, uint64_t b) {
    return a + b < a ? UINT64_MAX : a + b;
}

static inline gnomon_uint128 gnomon_saturate_add_wide(gnomon_uint128 a, gnomon_uint128 b) {
    return a + b < a ? GNOMON_WIDE_MOST : a + b;
}

#endif
