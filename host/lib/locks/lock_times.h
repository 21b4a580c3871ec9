/* SPDX-License-Identifier: Apache-2.0 */
/* A distribution of durations. Count, sum, shortest and longest are exact. Percentiles come from cells: each power of
 * two has 64 of them, so a percentile is at most 1/64 (1.6 %) above the exact one, and never below it; up to 127 cycles
 * it is exact. */
#ifndef GNOMON_LIB_LOCK_TIMES_H
#define GNOMON_LIB_LOCK_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#define GNOMON_TIMES_OCTAVES 64
#define GNOMON_TIMES_CELLS 64

struct gnomon_lock_times {
    uint64_t count, total, min, max;         /* min and max: valid if count is not 0 */
    uint64_t *octaves[GNOMON_TIMES_OCTAVES]; /* GNOMON_TIMES_CELLS counts each; NULL: all are 0 */
};

/* False: out of memory. */
bool gnomon_lock_times_add(struct gnomon_lock_times *times, uint64_t cycles);
/* How many durations are from 2^octave to below 2^(octave + 1) cycles; octave 0 also has those of 0 cycles. */
uint64_t gnomon_lock_times_octave(const struct gnomon_lock_times *times, unsigned octave);
/* A duration that at least `percent` % of all durations do not exceed; 0 without durations. */
uint64_t gnomon_lock_times_percentile(const struct gnomon_lock_times *times, unsigned percent);
void gnomon_lock_times_free(struct gnomon_lock_times *times);

#endif
