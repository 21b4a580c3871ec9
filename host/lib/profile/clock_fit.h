/* SPDX-License-Identifier: Apache-2.0 */
/* The host's time of a board's cycles, with an error that is a bound. The host reads the board's cycle counter again
 * and again. The counter had the value that was read at some time between the two host times taken before and after. So
 * each read is a pair of limits, whatever part of its round trip was before the value and whatever part after it.
 *
 * The only assumption: both clocks run at constant rates during the calibration. Then host time against cycle is a
 * straight line that passes between all limits. The fit is in the middle of all such lines, and the error is the
 * largest distance from it to any of them (docs/guide/calibrate.md). */
#ifndef GNOMON_LIB_CLOCK_FIT_H
#define GNOMON_LIB_CLOCK_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "lib/util/error.h"

#define GNOMON_CLOCK_SAMPLES 64       /* kept at most; even */
#define GNOMON_CLOCK_FEWEST_SAMPLES 8 /* that a fit needs */

/* One read of the cycle counter: host times in ns before and after, from an arbitrary start. */
struct gnomon_clock_sample {
    uint64_t before, after, cycle;
};

/* Starts as zeros. Of each group of consecutive samples the one with the shortest round trip is kept. The groups grow
 * with the number of samples, so that the kept samples always cover the whole time. */
struct gnomon_clock_samples {
    struct gnomon_clock_sample kept[GNOMON_CLOCK_SAMPLES], last;
    size_t count;
    uint64_t taken;
    bool host_back, counter_back; /* a clock went back: there is no fit */
    uint64_t group;               /* samples of a group; 0 stands for 1 */
    uint64_t grouped;             /* samples of the last group so far */
};

struct gnomon_clock_fit {
    uint64_t cycle, host_ns;          /* the counter became `cycle` at this host time ... */
    double ns_per_cycle;              /* ... and is incremented once in this time */
    uint64_t first_cycle, last_cycle; /* from this cycle to that one ... */
    double error_ns;                  /* ... the host time is wrong by at most this */
    double drift_ppm;                 /* per second before or after them, the error grows by at most this many us */
    double rate_ppm, rate_error_ppm;  /* the board's clock, measured by the host's: deviation from its nominal rate */
    double round_trip_ns;             /* the shortest */
    uint64_t taken;                   /* samples */
    size_t used;
};

void gnomon_clock_samples_add(struct gnomon_clock_samples *samples, const struct gnomon_clock_sample *sample);
/* `first_cycle`, `last_cycle`: the cycles for which the error is stated; they may lie outside of the samples. `name`:
 * of the device, for messages. */
enum gnomon_status gnomon_clock_fit(const struct gnomon_clock_samples *samples, uint32_t nominal_hz,
                                    uint64_t first_cycle, uint64_t last_cycle, const char *name,
                                    struct gnomon_clock_fit *fit, struct gnomon_error *error);
/* Host time of a cycle, in ns after fit->host_ns. */
double gnomon_clock_fit_host(const struct gnomon_clock_fit *fit, uint64_t cycle);
/* A new object; NULL: out of memory. */
json_t *gnomon_clock_fit_json(const struct gnomon_clock_fit *fit);
/* Reads such an object. False: it is none. */
bool gnomon_clock_fit_parse(const json_t *json, struct gnomon_clock_fit *fit);

/* The cycles of board B as a function of those of board A: of the time that both fits have in common. */
struct gnomon_clock_pair {
    uint64_t a_cycle;                 /* when A's counter became a_cycle, ... */
    int64_t b_cycle;                  /* ... B's was at b_cycle, negative before B's counter started */
    double ratio;                     /* B's cycles for each of A's */
    double error_cycles, error_ns;    /* of B's cycle: the sum of both errors */
    uint64_t first_cycle, last_cycle; /* of A: for these cycles */
};
/* Fails if the fits have no time in common. */
enum gnomon_status gnomon_clock_pair(const struct gnomon_clock_fit *a, const struct gnomon_clock_fit *b,
                                     struct gnomon_clock_pair *pair, struct gnomon_error *error);

#endif
