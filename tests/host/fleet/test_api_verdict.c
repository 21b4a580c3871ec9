/* SPDX-License-Identifier: Apache-2.0 */
/* The permutation test of API profiles: its numbers at random have the right distribution; with few calls p is the
 * share of all permutations, counted here one by one; builds without a change are flagged no more often than the level
 * says; a change of 3 % is found. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/fleet/api_verdict.h"
#include "lib/fleet/hypergeometric.h"

static struct gnomon_random chance;

/* ---- Making profiles ---- */

static void add_call(struct gnomon_api_profile *profile, const char *function, const char *scenario, uint64_t cycles) {
    const struct gnomon_api_source wanted_source = {
        .program = "p", .build = "", .scenario = scenario, .device = "full"};
    struct gnomon_api_source *source = gnomon_api_profile_source(profile, &wanted_source);
    const struct gnomon_api_row wanted = {
        .source = source, .cost = GNOMON_API_CYCLES, .module = "p", .build = "", .function = function, .file = ""};
    struct gnomon_api_row *row = gnomon_api_profile_row(profile, &wanted);
    const struct gnomon_bucket one = {1, cycles, (gnomon_uint128)cycles * cycles};
    assert_true(source && row && gnomon_api_row_add(row, gnomon_bucket_of(cycles), &one));
}

static struct gnomon_api_verdict verdict_of(const struct gnomon_api_profile *ours,
                                            const struct gnomon_api_profile *before) {
    const struct gnomon_api_rule rule = {.level = 0.05, .seed = 1};
    size_t count;
    struct gnomon_api_verdict *verdicts = gnomon_api_verdicts(ours, before, &rule, &count);
    assert_non_null(verdicts);
    assert_int_equal(count, 1);
    const struct gnomon_api_verdict verdict = verdicts[0];
    free(verdicts);
    return verdict;
}

/* ---- Numbers at random ---- */

/* Mean and variance; of numbers whose logarithms need more digits than a double has. */
static void check_moments(uint64_t all, uint64_t marked, uint64_t drawn) {
    enum { TIMES = 20000 };
    double sum = 0, squares = 0;
    for (int i = 0; i < TIMES; i++) {
        const double got = (double)gnomon_hypergeometric(&chance, all, marked, drawn);
        sum += got;
        squares += got * got;
    }
    const double n = (double)all, mean = (double)drawn * (double)marked / n;
    const double variance = mean * (1 - (double)marked / n) * (n - (double)drawn) / (n - 1);
    const double got_mean = sum / TIMES, got_variance = squares / TIMES - got_mean * got_mean;
    assert_true(fabs(got_mean - mean) < 4 * sqrt(variance / TIMES));
    assert_true(fabs(got_variance - variance) < 0.05 * variance);
}

static void check_distribution(uint64_t all, uint64_t marked, uint64_t drawn) {
    enum { TIMES = 20000 };
    double sum = 0, squares = 0;
    unsigned counts[64] = {0};
    for (int i = 0; i < TIMES; i++) {
        const uint64_t got = gnomon_hypergeometric(&chance, all, marked, drawn);
        assert_true(got <= marked && got <= drawn && drawn - got <= all - marked);
        counts[got < 63 ? got : 63]++;
        sum += (double)got;
        squares += (double)got * (double)got;
    }
    const double n = (double)all, mean = (double)drawn * (double)marked / n;
    const double variance = mean * (1 - (double)marked / n) * (n - (double)drawn) / (n - 1);
    const double got_mean = sum / TIMES, got_variance = squares / TIMES - got_mean * got_mean;
    assert_true(fabs(got_mean - mean) < 5 * sqrt(variance / TIMES) + 1e-9);
    assert_true(fabs(got_variance - variance) < 0.08 * variance + 1e-9);
    for (uint64_t value = 0; value < 63 && value <= marked && value <= drawn; value++) {
        if (drawn - value > all - marked)
            continue;
        const double p = exp(gnomon_log_choose(marked, value) + gnomon_log_choose(all - marked, drawn - value) -
                             gnomon_log_choose(all, drawn));
        assert_true(fabs(counts[value] - TIMES * p) < 5 * sqrt(TIMES * p) + 6);
    }
}

static void test_random(void **unused) {
    (void)unused;
    check_distribution(10, 4, 5);
    check_distribution(50, 25, 25);
    check_distribution(1000, 10, 300);
    check_distribution(1000, 900, 990);
    check_distribution(100000, 30, 70000);
    check_distribution(1000000, 400000, 300);
    check_distribution(10000000, 5000000, 5000000);
    check_moments(UINT64_C(1000000000000), 1000, UINT64_C(500000000000));
    check_moments(UINT64_C(100000000000), UINT64_C(100000000), 20000);
    assert_int_equal(gnomon_hypergeometric(&chance, 10, 0, 5), 0);
    assert_int_equal(gnomon_hypergeometric(&chance, 10, 10, 5), 5);
    assert_int_equal(gnomon_hypergeometric(&chance, 10, 3, 10), 3);
}

/* ---- All permutations ---- */

/* The share of all choices of `some` of the values whose sum is at least `least`. */
static double share_of(const uint64_t *values, unsigned count, unsigned some, uint64_t least) {
    unsigned all = 0, reached = 0;
    for (uint32_t chosen = 0; chosen < UINT32_C(1) << count; chosen++) {
        uint64_t sum = 0;
        if ((unsigned)__builtin_popcount(chosen) != some)
            continue;
        for (unsigned i = 0; i < count; i++)
            sum += chosen >> i & 1 ? values[i] : 0;
        all++;
        reached += sum >= least;
    }
    return (double)reached / all;
}

static void test_exact(void **unused) {
    (void)unused;
    unsigned worse = 0;
    for (int round = 0; round < 300; round++) {
        struct gnomon_api_profile *ours = gnomon_api_profile_new(), *before = gnomon_api_profile_new();
        uint64_t values[10], sum = 0, pooled = 0;
        const unsigned count = 4 + (unsigned)(gnomon_random_next(&chance) % 7);
        const unsigned some = 1 + (unsigned)(gnomon_random_next(&chance) % (count - 2));
        for (unsigned i = 0; i < count; i++) { /* two of a kind, or each in its own bucket, so that all are known */
            values[i] = (UINT64_C(1) << (4 + 2 * (i / 2))) + (i % 2 ? 0 : gnomon_random_next(&chance) % 8);
            if (gnomon_random_next(&chance) % 3 == 0)
                values[i] = UINT64_C(1) << (4 + 2 * (i / 2));
        }
        for (unsigned i = count; i-- > 1;) {
            const unsigned other = (unsigned)(gnomon_random_next(&chance) % (i + 1));
            const uint64_t kept = values[i];
            values[i] = values[other];
            values[other] = kept;
        }
        for (unsigned i = 0; i < count; i++) {
            add_call(i < some ? ours : before, "f", "s", values[i]);
            sum += i < some ? values[i] : 0;
            pooled += values[i];
        }
        const struct gnomon_api_verdict verdict = verdict_of(ours, before);
        const bool higher = sum * count > pooled * some;
        assert_true(verdict.exact && verdict.calls == some && verdict.calls_before == count - some);
        assert_true(fabs(verdict.p - (higher ? share_of(values, count, some, sum) : 1)) < 1e-9);
        worse += higher;
        gnomon_api_profile_free(ours);
        gnomon_api_profile_free(before);
    }
    assert_in_range(worse, 50, 250);
}

/* Strata: calls do not change sides between scenarios, however different these are. */
static void test_strata(void **unused) {
    (void)unused;
    struct gnomon_api_profile *ours = gnomon_api_profile_new(), *before = gnomon_api_profile_new();
    for (int i = 0; i < 5; i++) {
        add_call(ours, "f", "large", 5000);
        add_call(before, "f", "small", 50);
        add_call(ours, "f", "both", 100);
        add_call(before, "f", "both", 100);
    }
    struct gnomon_api_verdict verdict = verdict_of(ours, before);
    assert_true(verdict.p == 1 && !verdict.worse && verdict.strata == 1 && verdict.calls == 5);
    for (int i = 0; i < 5; i++) {
        add_call(ours, "f", "small", 52);
        add_call(before, "f", "large", 5000);
    }
    verdict = verdict_of(ours, before); /* of 252 ways in the scenario small one has all five */
    assert_true(verdict.exact && fabs(verdict.p - 1.0 / 252) < 1e-9 && verdict.worse && verdict.strata == 3);
    gnomon_api_profile_free(ours);
    gnomon_api_profile_free(before);
}

/* ---- How often it is wrong, and right ---- */

static uint64_t draw_cost(double factor) {
    const double cycles = 400 + 80 * gnomon_random_normal(&chance) + (gnomon_random_unit(&chance) < 0.1 ? 300 : 0);
    return (uint64_t)llround(fmax(1, cycles) * factor);
}

/* The share of `times` comparisons in which any of `functions` functions is flagged; only the first one has changed. */
static double flagged(int times, int functions, int calls, double factor) {
    const struct gnomon_api_rule rule = {.level = 0.05, .seed = 7, .permutations = 1000};
    char name[16];
    int found = 0;
    for (int i = 0; i < times; i++) {
        struct gnomon_api_profile *ours = gnomon_api_profile_new(), *before = gnomon_api_profile_new();
        for (int function = 0; function < functions; function++) {
            snprintf(name, sizeof name, "f%d", function);
            for (int call = 0; call < calls; call++) {
                add_call(ours, name, "s", draw_cost(function ? 1 : factor));
                add_call(before, name, "s", draw_cost(1));
            }
        }
        size_t count;
        struct gnomon_api_verdict *verdicts = gnomon_api_verdicts(ours, before, &rule, &count);
        assert_int_equal(count, functions);
        found += verdicts[0].worse;
        free(verdicts);
        gnomon_api_profile_free(ours);
        gnomon_api_profile_free(before);
    }
    return (double)found / times;
}

static void test_rates(void **unused) {
    (void)unused;
    const double one = flagged(600, 1, 60, 1), many = flagged(200, 8, 30, 1), worse = flagged(100, 4, 4000, 1.03);
    printf("without a change: %.1f %% of 600 flagged, %.1f %% of 200 with 8 functions; 3 %% more: %.0f %% of 100\n",
           100 * one, 100 * many, 100 * worse);
    const double allowed = 0.05 + 3 * sqrt(0.05 * 0.95 / 600), allowed_many = 0.05 + 3 * sqrt(0.05 * 0.95 / 200);
    assert_true(one <= allowed && many <= allowed_many);
    assert_true(one >= 0.05 - 3 * sqrt(0.05 * 0.95 / 600)); /* and it is no test that never flags */
    assert_true(worse >= 0.9);
}

/* A p that is plainly above the level takes fewer permutations: the same are flagged, and p is nearly the same. */
static void test_fewer(void **unused) {
    (void)unused;
    int plain = 0;
    for (int i = 0; i < 150; i++) {
        struct gnomon_api_profile *ours = gnomon_api_profile_new(), *before = gnomon_api_profile_new();
        const double factor = 1 + 0.002 * (i % 40);
        for (int call = 0; call < 120; call++) {
            add_call(ours, "f", "s", draw_cost(factor));
            add_call(before, "f", "s", draw_cost(1));
        }
        const struct gnomon_api_rule all = {.level = 0.05, .seed = 3, .permutations = 10000},
                                     few = {.level = 0.05, .seed = 3};
        size_t count;
        struct gnomon_api_verdict *one = gnomon_api_verdicts(ours, before, &all, &count);
        struct gnomon_api_verdict *other = gnomon_api_verdicts(ours, before, &few, &count);
        assert_true(one->worse == other->worse && fabs(one->p - other->p) <= 0.3 * one->p);
        assert_true(one->p > 0.07 || one->p == other->p);
        plain += one->p != other->p;
        free(one);
        free(other);
        gnomon_api_profile_free(ours);
        gnomon_api_profile_free(before);
    }
    assert_true(plain > 20);
}

/* Each call costs the same, and 3 % more; nothing else is different. */
static void test_constant(void **unused) {
    (void)unused;
    struct gnomon_api_profile *ours = gnomon_api_profile_new(), *before = gnomon_api_profile_new(),
                              *same = gnomon_api_profile_new();
    for (int i = 0; i < 1000; i++) {
        add_call(ours, "f", "s", 1030);
        add_call(before, "f", "s", 1000);
        add_call(same, "f", "s", 1000);
    }
    const struct gnomon_api_verdict worse = verdict_of(ours, before), equal = verdict_of(same, before),
                                    better = verdict_of(before, ours);
    assert_true(worse.worse && worse.p <= 1e-4 && worse.mean == 1030 && worse.mean_before == 1000 &&
                worse.effect > 1.9);
    assert_true(!equal.worse && equal.p == 1 && equal.effect == 0);
    assert_true(!better.worse && better.p == 1);
    gnomon_api_profile_free(ours);
    gnomon_api_profile_free(before);
    gnomon_api_profile_free(same);
}

/* Holm: 0.001, 0.02, 0.03 of three functions become 0.003, 0.04, 0.04. */
static void test_holm(void **unused) {
    (void)unused;
    struct gnomon_api_profile *ours = gnomon_api_profile_new(), *before = gnomon_api_profile_new();
    const char *const names[] = {"f", "g", "h"};
    const int calls[] = {6, 4, 3}; /* one way of 924, of 70, of 20 */
    for (int function = 0; function < 3; function++)
        for (int i = 0; i < calls[function]; i++) {
            add_call(ours, names[function], "s", 20);
            add_call(before, names[function], "s", 10);
        }
    const struct gnomon_api_rule rule = {.level = 0.05, .seed = 1};
    size_t count;
    struct gnomon_api_verdict *verdicts = gnomon_api_verdicts(ours, before, &rule, &count);
    assert_int_equal(count, 3);
    assert_true(fabs(verdicts[0].adjusted - 3.0 / 924) < 1e-9 && fabs(verdicts[1].adjusted - 2.0 / 70) < 1e-9 &&
                fabs(verdicts[2].adjusted - 1.0 / 20) < 1e-9 && verdicts[2].worse);
    free(verdicts);
    gnomon_api_profile_free(ours);
    gnomon_api_profile_free(before);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random), cmocka_unit_test(test_exact),    cmocka_unit_test(test_strata),
        cmocka_unit_test(test_rates),  cmocka_unit_test(test_constant), cmocka_unit_test(test_holm),
        cmocka_unit_test(test_fewer),
    };
    gnomon_random_start(&chance, argc > 1 ? strtoull(argv[1], NULL, 0) : 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
