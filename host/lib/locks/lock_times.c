/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/locks/lock_times.h"

#include <stdlib.h>

#define CELL_BITS 6

bool gnomon_lock_times_add(struct gnomon_lock_times *times, uint64_t cycles) {
    const unsigned octave = cycles ? 63 - (unsigned)__builtin_clzll(cycles) : 0;
    const uint64_t offset = octave ? cycles - (UINT64_C(1) << octave) : cycles;
    uint64_t **cells = &times->octaves[octave];
    if (!*cells && !(*cells = calloc(GNOMON_TIMES_CELLS, sizeof **cells)))
        return false;
    (*cells)[octave > CELL_BITS ? offset >> (octave - CELL_BITS) : offset]++;
    times->min = !times->count || cycles < times->min ? cycles : times->min;
    times->max = !times->count || cycles > times->max ? cycles : times->max;
    times->count++;
    times->total += cycles;
    return true;
}

uint64_t gnomon_lock_times_octave(const struct gnomon_lock_times *times, unsigned octave) {
    uint64_t sum = 0;
    for (unsigned i = 0; times->octaves[octave] && i < GNOMON_TIMES_CELLS; i++)
        sum += times->octaves[octave][i];
    return sum;
}

/* The longest duration of a cell. */
static uint64_t last_of(unsigned octave, unsigned cell) {
    const uint64_t start = octave ? UINT64_C(1) << octave : 0;
    return octave > CELL_BITS ? start + ((uint64_t)(cell + 1) << (octave - CELL_BITS)) - 1 : start + cell;
}

/* Counts from the longest durations down, because the number above the percentile needs no product that overflows. */
uint64_t gnomon_lock_times_percentile(const struct gnomon_lock_times *times, unsigned percent) {
    const unsigned rest = 100 - percent;
    uint64_t above = times->count / 100 * rest + times->count % 100 * rest / 100;
    for (unsigned octave = GNOMON_TIMES_OCTAVES; octave-- > 0;)
        for (unsigned cell = GNOMON_TIMES_CELLS; times->octaves[octave] && cell-- > 0;) {
            const uint64_t here = times->octaves[octave][cell];
            if (here > above)
                return last_of(octave, cell) < times->max ? last_of(octave, cell) : times->max;
            above -= here;
        }
    return 0;
}

void gnomon_lock_times_free(struct gnomon_lock_times *times) {
    for (unsigned i = 0; i < GNOMON_TIMES_OCTAVES; i++)
        free(times->octaves[i]);
    *times = (struct gnomon_lock_times){0};
}
