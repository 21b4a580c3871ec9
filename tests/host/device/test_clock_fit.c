/* SPDX-License-Identifier: Apache-2.0 */
/* The calibration of clocks against simulated clocks whose truth is known: it must lie within the printed error,
 * whatever the delays of the reads. Jumps must be refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/profile/clock_fit.h"

#define TRIALS 400
#define NOMINAL_HZ 48000000u

static uint64_t state = 1;

static double uniform(void) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 9007199254740992.0;
}

static double exponential(double mean) {
    return -mean * log(1 - uniform());
}

/* A board's clock: cycle c begins at host time start + c * period (ns). */
struct clock {
    double start, period;
};

/* Of a read: the means of the delays to the device and back, and the part of both that is always there. */
struct delays {
    double to, back, least_to, least_back;
};

static struct clock random_clock(void) {
    return (struct clock){1e12 + uniform() * 1e9, 1e9 / NOMINAL_HZ * (1 + (uniform() - 0.5) * 4e-4)};
}

static struct delays random_delays(void) {
    return (struct delays){uniform() * 1e5, uniform() * 1e5, uniform() * 3e5, uniform() * 3e5};
}

/* Reads the counter `count` times, `interval` ns apart, from host time `now` on. */
static void sample(struct gnomon_clock_samples *samples, const struct clock *clock, const struct delays *delays,
                   double now, unsigned count, double interval) {
    for (unsigned i = 0; i < count; i++) {
        const double read = now + delays->least_to + exponential(delays->to);
        const double end = read + delays->least_back + exponential(delays->back);
        const struct gnomon_clock_sample taken = {(uint64_t)now, (uint64_t)end,
                                                  (uint64_t)((read - clock->start) / clock->period)};
        gnomon_clock_samples_add(samples, &taken);
        now = end + interval * uniform();
    }
}

static double true_host(const struct clock *clock, double cycle) {
    return clock->start + cycle * clock->period;
}

static double fitted_host(const struct gnomon_clock_fit *fit, uint64_t cycle) {
    return (double)fit->host_ns + gnomon_clock_fit_host(fit, cycle);
}

static void assert_within(double value, double truth, double error) {
    if (fabs(value - truth) > error)
        fail_msg("%.3f is %.3f from the truth, more than the error %.3f", value, fabs(value - truth), error);
}

/* In the middle, at both ends, at any cycle between, and before and after. */
static void assert_holds(const struct gnomon_clock_fit *fit, const struct clock *clock) {
    const uint64_t window = fit->last_cycle - fit->first_cycle;
    for (unsigned i = 0; i <= 20; i++) {
        const uint64_t cycle = fit->first_cycle + (uint64_t)((double)window * i / 20);
        assert_within(fitted_host(fit, cycle), true_host(clock, (double)cycle), fit->error_ns);
    }
    const uint64_t later = fit->last_cycle + 10 * (uint64_t)NOMINAL_HZ;
    assert_within(fitted_host(fit, later), true_host(clock, (double)later), fit->error_ns + fit->drift_ppm * 1e3 * 10);
    assert_within(fit->rate_ppm, (1e9 / clock->period / NOMINAL_HZ - 1) * 1e6, fit->rate_error_ppm);
}

static struct gnomon_clock_fit fit_of(const struct gnomon_clock_samples *samples) {
    struct gnomon_error error;
    struct gnomon_clock_fit fit;
    if (gnomon_clock_fit(samples, NOMINAL_HZ, samples->kept[0].cycle, samples->last.cycle, "board", &fit, &error))
        fail_msg("%s", error.what);
    return fit;
}

static void test_truth(void **unused) {
    (void)unused;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        struct gnomon_clock_samples samples = {0};
        const struct clock clock = random_clock();
        const struct delays delays = random_delays();
        sample(&samples, &clock, &delays, clock.start + uniform() * 1e12, 8 + trial * 2, 1e6);
        const struct gnomon_clock_fit fit = fit_of(&samples);
        assert_holds(&fit, &clock);
        assert_int_equal(fit.taken, 8 + trial * 2);
    }
}

/* All delay on one side is the worst case: the truth is at the edge of the error, which half a round trip gives. */
static void test_one_sided(void **unused) {
    (void)unused;
    const struct delays sides[] = {{.least_to = 500000}, {.least_back = 500000}};
    for (unsigned side = 0; side < 2; side++) {
        struct gnomon_clock_samples samples = {0};
        const struct clock clock = random_clock();
        sample(&samples, &clock, &sides[side], clock.start + 1e9, 2000, 1e6);
        const struct gnomon_clock_fit fit = fit_of(&samples);
        assert_holds(&fit, &clock);
        assert_true(fit.error_ns >= 250000 && fit.error_ns < 760000);
        assert_within(fit.round_trip_ns, 500000, 2);
        const double middle = fabs(fitted_host(&fit, fit.cycle) - true_host(&clock, (double)fit.cycle));
        assert_within(middle, 250000, 2000);
    }
}

/* The delay moves from one direction to the other, in constant round trips: the worst case of the rate. */
static void test_moving(void **unused) {
    (void)unused;
    for (unsigned side = 0; side < 2; side++) {
        struct gnomon_clock_samples samples = {0};
        const struct clock clock = random_clock();
        for (unsigned i = 0; i < 60; i++) {
            const double part = side ? i / 59.0 : 1 - i / 59.0;
            const struct delays delays = {.least_to = 1e5 * part, .least_back = 1e5 * (1 - part)};
            sample(&samples, &clock, &delays, clock.start + i * 1e7, 1, 0);
        }
        const struct gnomon_clock_fit fit = fit_of(&samples);
        assert_holds(&fit, &clock);
        const double truth = (1e9 / clock.period / NOMINAL_HZ - 1) * 1e6;
        assert_within(fabs(fit.rate_ppm - truth), fit.rate_error_ppm, fit.rate_error_ppm / 100);
        assert_within(fabs(clock.period - fit.ns_per_cycle) * NOMINAL_HZ * 1e-3, fit.drift_ppm, fit.drift_ppm / 100);
    }
}

/* A clock so slow that what the delays leave open is much less than its period, in which its counter does not change.
 */
static void test_slow_clock(void **unused) {
    (void)unused;
    struct gnomon_error error;
    struct gnomon_clock_samples samples = {0};
    struct gnomon_clock_fit fit;
    const struct clock clock = {1e12, 1.05e6};
    const struct delays delays = {10, 10, 10, 10};
    for (unsigned i = 0; i < 60; i++)
        sample(&samples, &clock, &delays, 1e12 + 1e6 + i * 1.05e9, 1, 0);
    assert_int_equal(gnomon_clock_fit(&samples, 1000, 0, samples.last.cycle, "board", &fit, &error), GNOMON_OK);
    for (uint64_t cycle = 0; cycle <= fit.last_cycle; cycle += 100)
        assert_within(fitted_host(&fit, cycle), true_host(&clock, (double)cycle), fit.error_ns);
}

/* Delays that vary must make the error smaller than half of the shortest round trip: the limits cross each other. */
static void test_error_is_small(void **unused) {
    (void)unused;
    struct gnomon_clock_samples samples = {0};
    const struct clock clock = random_clock();
    const struct delays delays = {.to = 1e5, .back = 1e5, .least_to = 1e3, .least_back = 1e3};
    sample(&samples, &clock, &delays, clock.start, 20000, 1e6);
    const struct gnomon_clock_fit fit = fit_of(&samples);
    assert_holds(&fit, &clock);
    assert_true(fit.error_ns < 20000);
    assert_true(fit.rate_error_ppm < 1);
    assert_true(fit.used > GNOMON_CLOCK_SAMPLES / 2 - 1);
}

static void test_pair(void **unused) {
    (void)unused;
    struct gnomon_error error;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        struct gnomon_clock_samples samples[2] = {0};
        struct clock clocks[2];
        struct gnomon_clock_fit fits[2];
        const double begin = 2e12;
        for (unsigned i = 0; i < 2; i++) {
            const struct delays delays = random_delays();
            clocks[i] = random_clock();
            sample(&samples[i], &clocks[i], &delays, begin + uniform() * 1e7, 200, 1e6);
            fits[i] = fit_of(&samples[i]);
        }
        struct gnomon_clock_pair pair;
        assert_int_equal(gnomon_clock_pair(&fits[0], &fits[1], &pair, &error), GNOMON_OK);
        assert_within(pair.error_ns, fits[0].error_ns + fits[1].error_ns, 1e-3);
        for (unsigned i = 0; i <= 10; i++) {
            const uint64_t a = pair.first_cycle + (pair.last_cycle - pair.first_cycle) * i / 10;
            const double b = (double)pair.b_cycle + ((double)a - (double)pair.a_cycle) * pair.ratio;
            assert_within(b, (true_host(&clocks[0], (double)a) - clocks[1].start) / clocks[1].period,
                          pair.error_cycles);
        }
    }
}

static void assert_refused(enum gnomon_status status, const struct gnomon_error *error, const char *says) {
    assert_int_not_equal(status, GNOMON_OK);
    if (!strstr(error->what, says))
        fail_msg("\"%s\" does not say \"%s\"", error->what, says);
    assert_true(*error->remedy);
}

static enum gnomon_status fit_status(const struct gnomon_clock_samples *samples, struct gnomon_error *error) {
    struct gnomon_clock_fit fit;
    return gnomon_clock_fit(samples, NOMINAL_HZ, 0, samples->last.cycle, "board", &fit, error);
}

static void test_refused(void **unused) {
    (void)unused;
    struct gnomon_error error;
    const struct clock clock = {1e12, 1e9 / NOMINAL_HZ}, reset = {1e12 + 1e8, 1e9 / NOMINAL_HZ};
    const struct clock jumped = {1e12 - 2e6, 1e9 / NOMINAL_HZ}, other_rate = {1e12 - 1e8, 1.1e9 / NOMINAL_HZ};
    const struct clock stopped = {1e12 - 1e12, 1e30};
    const struct delays delays = {1e4, 1e4, 1e4, 1e4};
    struct gnomon_clock_samples samples = {0};
    sample(&samples, &clock, &delays, 1e12, 7, 1e5);
    assert_refused(fit_status(&samples, &error), &error, "too few samples of the cycle counter of board: 7");

    memset(&samples, 0, sizeof samples);
    sample(&samples, &clock, &delays, 1e12, 10, 0);
    assert_int_equal(fit_status(&samples, &error), GNOMON_OK);
    sample(&samples, &reset, &delays, 1e12 + 1e8, 2, 1e6);
    assert_refused(fit_status(&samples, &error), &error, "counter of board went back");

    memset(&samples, 0, sizeof samples);
    sample(&samples, &clock, &delays, 1e12, 100, 1e6);
    sample(&samples, &clock, &delays, 1e12, 2, 1e6);
    assert_refused(fit_status(&samples, &error), &error, "host's clock went back");

    memset(&samples, 0, sizeof samples);
    sample(&samples, &clock, &delays, 1e12, 100, 1e6);
    sample(&samples, &jumped, &delays, 1e12 + 1e9, 100, 1e6);
    assert_refused(fit_status(&samples, &error), &error, "no constant rate");

    memset(&samples, 0, sizeof samples);
    sample(&samples, &clock, &delays, 1e12, 100, 1e6);
    sample(&samples, &other_rate, &delays, 1e12 + 1e9, 100, 1e6);
    assert_refused(fit_status(&samples, &error), &error, "no constant rate");

    memset(&samples, 0, sizeof samples);
    sample(&samples, &stopped, &delays, 1e12, 100, 1e6);
    assert_refused(fit_status(&samples, &error), &error, "stands still");

    struct gnomon_clock_samples others[2] = {0};
    struct gnomon_clock_pair pair;
    sample(&others[0], &clock, &delays, 1e12, 100, 1e6);
    sample(&others[1], &clock, &delays, 2e12, 100, 1e6);
    const struct gnomon_clock_fit early = fit_of(&others[0]), late = fit_of(&others[1]);
    assert_refused(gnomon_clock_pair(&early, &late, &pair, &error), &error, "no time in common");
}

/* One very slow read among many fast ones changes nothing; 64 of each 65 samples are dropped at most. */
static void test_keeps_the_best(void **unused) {
    (void)unused;
    struct gnomon_clock_samples samples = {0};
    const struct clock clock = random_clock();
    const struct delays fast = {0, 0, 1e4, 1e4}, slow = {0, 0, 1e8, 1e8};
    double now = clock.start;
    for (unsigned i = 0; i < 200; i++, now += 1e9) {
        sample(&samples, &clock, &slow, now, 1, 0);
        sample(&samples, &clock, &fast, now + 3e8, 1, 0);
    }
    for (size_t i = 0; i + 1 < samples.count; i++)
        assert_within((double)(samples.kept[i].after - samples.kept[i].before), 2e4, 2);
    assert_true(samples.count >= GNOMON_CLOCK_SAMPLES / 2);
    const struct gnomon_clock_fit fit = fit_of(&samples);
    assert_holds(&fit, &clock);
    assert_true(fit.error_ns < 15000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truth),      cmocka_unit_test(test_one_sided),      cmocka_unit_test(test_moving),
        cmocka_unit_test(test_slow_clock), cmocka_unit_test(test_error_is_small), cmocka_unit_test(test_pair),
        cmocka_unit_test(test_refused),    cmocka_unit_test(test_keeps_the_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
