/* SPDX-License-Identifier: Apache-2.0 */
/* Laws of growth: the fit is the best one, and thousands of random costs of known growth and noise are judged right, or
 * said to be ambiguous. usage: test_growth [SEED] */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/fleet/growth.h"
#include "lib/fleet/hypergeometric.h"

#define MOST_POINTS 12

static uint64_t seed = 1;
static struct gnomon_random state;

static double between(double low, double high) {
    return low + (high - low) * gnomon_random_unit(&state);
}

/* f(n), written down once more. */
static double f_of(enum gnomon_growth law, double n) {
    const double values[GNOMON_GROWTHS] = {0,           log(n) / log(2), pow(n, 0.5), n, n * log(n) / log(2),
                                           pow(n, 1.5), pow(n, 2),       pow(n, 3)};
    return values[law];
}

struct costs {
    size_t count;
    double grown; /* from the first to the last size, without the noise, as a share */
    struct gnomon_growth_point points[MOST_POINTS];
};

/* Sizes from 4 to 64 on. */
static struct costs random_costs(enum gnomon_growth law, double base, double factor, double noise, size_t count,
                                 double step) {
    struct costs costs = {.count = count};
    double size = floor(between(4, 64));
    for (size_t i = 0; i < count; i++, size = ceil(size * step)) {
        costs.points[i].size = size;
        const double cost = base + factor * f_of(law, size);
        costs.grown = cost / (base + factor * f_of(law, costs.points[0].size)) - 1;
        costs.points[i].cost = cost * fmax(0.1, 1 + noise * gnomon_random_normal(&state));
    }
    return costs;
}

/* The derivatives of the sum of squares by base and factor, divided by what they consist of: 0 where the fit is free,
 * above 0 where it would have to be negative. No other fit is better, because the sum is convex. */
static void check_best(const struct costs *costs, enum gnomon_growth law) {
    const struct gnomon_growth_fit fit = gnomon_growth_fit(costs->points, costs->count, law);
    double most = 0, slopes[2] = {0}, sizes[2] = {0}, squares = 0;
    for (size_t i = 0; i < costs->count; i++)
        most = fmax(most, costs->points[i].cost);
    for (size_t i = 0; i < costs->count; i++) {
        const double y = costs->points[i].cost, w = 1 / fmax(y, most / 1000), f = f_of(law, costs->points[i].size);
        const double error = fit.base + fit.factor * f - y;
        slopes[0] += w * w * error;
        slopes[1] += w * w * error * f;
        sizes[0] += w * w * y;
        sizes[1] += w * w * y * f;
        squares += w * w * error * error;
    }
    assert_true(fit.base >= 0 && fit.factor >= 0);
    assert_true(fabs(slopes[0]) <= 1e-9 * sizes[0] || (fit.base == 0 && slopes[0] > 0));
    assert_true(law == GNOMON_GROWTH_CONSTANT || fabs(slopes[1]) <= 1e-9 * sizes[1] ||
                (fit.factor == 0 && slopes[1] > 0));
    assert_true(fabs(squares - fit.squares) <= 1e-9 * (1 + squares));
    assert_true(fabs(fit.error - sqrt(squares / (double)costs->count)) <= 1e-9 * (1 + squares));
    assert_true(fit.r2 <= 1 + 1e-9 && fit.r2 >= -1e-6); /* a constant is one of its fits */
}

static void test_fit(void **unused) {
    (void)unused;
    for (int round = 0; round < 4000; round++) {
        const enum gnomon_growth truth = (enum gnomon_growth)(round % GNOMON_GROWTHS);
        const struct costs costs = random_costs(truth, between(0, 500), between(0, 20), between(0, 0.5),
                                                3 + (size_t)round % 10, between(1.1, 4));
        for (enum gnomon_growth law = 0; law < GNOMON_GROWTHS; law++)
            check_best(&costs, law);
    }
}

/* Two-sided points of the distribution, from tables. */
static void test_student(void **unused) {
    (void)unused;
    static const struct {
        size_t freedom;
        double t, p;
    } table[] = {{1, 63.657, 0.01}, {2, 9.925, 0.01},  {3, 5.841, 0.01}, {4, 4.604, 0.01},
                 {5, 4.032, 0.01},  {10, 3.169, 0.01}, {9, 1.833, 0.10}, {30, 2.042, 0.05}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_true(fabs(gnomon_student_tail(table[i].t, table[i].freedom) - table[i].p) < 2e-4 * table[i].p / 0.01);
    assert_true(gnomon_student_tail(0, 5) == 1);
}

struct tally {
    unsigned right, wrong;      /* of those that are told */
    unsigned ambiguous, missed; /* with, and without the true law; of noise that is too strong neither */
};

/* A constant is right, too, where the cost hardly grows over the sizes. */
static void count_verdict(struct tally *tally, enum gnomon_growth law, const struct costs *costs) {
    const struct gnomon_growth_verdict verdict = gnomon_growth_judge(costs->points, costs->count);
    const bool told = verdict.reason == GNOMON_GROWTH_TOLD;
    const bool right = verdict.law == law || (verdict.law == GNOMON_GROWTH_CONSTANT && costs->grown <= 0.25);
    tally->right += told && right;
    tally->wrong += told && !right;
    const bool ambiguous = verdict.reason == GNOMON_GROWTH_AMBIGUOUS;
    tally->ambiguous += ambiguous && verdict.possible >> law & 1;
    tally->missed += ambiguous && !(verdict.possible >> law & 1);
    if (told)
        assert_int_equal(verdict.possible, 1U << verdict.law);
}

struct sort {
    const char *what;
    double noise;
    size_t least, most;  /* sizes */
    double step;         /* the factor from each to the next */
    double right, wrong; /* the least and the largest share */
};

/* Random costs of each law. What does not grow is up to as much as what does. */
static void judge_many(const struct sort *sort) {
    struct tally tally = {0};
    unsigned all = 0;
    for (unsigned round = 0; round < 400; round++)
        for (enum gnomon_growth law = 0; law < GNOMON_GROWTHS; law++, all++) {
            const size_t count = sort->least + (size_t)(gnomon_random_next(&state) % (sort->most - sort->least + 1));
            const double factor = between(0.5, 30), largest = f_of(law, 30 * pow(sort->step, (double)count - 1));
            const double base = law ? between(0, factor * largest) : between(5, 1000);
            const struct costs costs = random_costs(law, base, factor, sort->noise, count, sort->step);
            count_verdict(&tally, law, &costs);
        }
    print_message("%-34s %5u right, %4u ambiguous, %3u without the true one, %3u wrong\n", sort->what, tally.right,
                  tally.ambiguous, tally.missed, tally.wrong);
    assert_true(tally.right >= sort->right * all);
    assert_true(tally.wrong <= sort->wrong * all);
    assert_true(tally.missed <= 2 * sort->wrong * all);
}

static void test_laws(void **unused) {
    (void)unused;
    static const struct sort sorts[] = {
        {"no noise, 5 to 12 sizes, doubled", 0, 5, 12, 2, 0.98, 0},
        {"no noise, 6 to 12 sizes, times 4", 0, 6, 12, 4, 0.95, 0},
        {"1 % noise, 5 to 12 sizes", 0.01, 5, 12, 2, 0.8, 0.005},
        {"5 % noise, 5 to 12 sizes", 0.05, 5, 12, 2, 0.4, 0.01},
        {"5 % noise, 3 or 4 sizes", 0.05, 3, 4, 2, 0.1, 0.03},
        {"1 % noise, sizes times 1.1", 0.01, 5, 8, 1.1, 0.1, 0.01},
        {"30 % noise, 5 to 12 sizes", 0.3, 5, 12, 2, 0, 0.01},
    };
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
        judge_many(&sorts[i]);
}

static struct gnomon_growth_verdict judge(size_t count, const double (*points)[2]) {
    struct gnomon_growth_point list[MOST_POINTS];
    for (size_t i = 0; i < count; i++)
        list[i] = (struct gnomon_growth_point){points[i][0], points[i][1]};
    return gnomon_growth_judge(list, count);
}

static void test_edges(void **unused) {
    (void)unused;
    static const double two_sizes[][2] = {{10, 100}, {20, 200}, {10, 100}, {20, 200}};
    struct gnomon_growth_verdict verdict = judge(4, two_sizes);
    assert_true(verdict.reason == GNOMON_GROWTH_FEW && verdict.sizes == 2);
    static const double nothing[][2] = {{1, 0}, {2, 0}, {4, 0}};
    verdict = judge(3, nothing);
    assert_true(verdict.reason == GNOMON_GROWTH_TOLD && verdict.law == GNOMON_GROWTH_CONSTANT);
    assert_true(verdict.fit.base == 0 && verdict.fit.error == 0 && verdict.fit.r2 == 1);
    static const double jumps[][2] = {{1, 10}, {2, 500}, {4, 20}, {8, 400}, {16, 10}};
    verdict = judge(5, jumps);
    assert_true(verdict.reason == GNOMON_GROWTH_NO_LAW);
    static const double falls[][2] = {{1, 500}, {2, 250}, {4, 120}, {8, 60}, {16, 30}};
    verdict = judge(5, falls);
    assert_true(verdict.reason == GNOMON_GROWTH_NO_LAW && verdict.law == GNOMON_GROWTH_CONSTANT);
    static const double close[][2] = {{1000, 5000}, {1001, 5004}, {1002, 5011}, {1003, 5014}, {1004, 5021}};
    verdict = judge(5, close);
    assert_true(verdict.reason == GNOMON_GROWTH_TOLD && verdict.law == GNOMON_GROWTH_CONSTANT);
    static const double exact[][2] = {{10, 25}, {100, 205}, {1000, 2005}}; /* 5 + 2 n */
    verdict = judge(3, exact);
    assert_true(verdict.reason == GNOMON_GROWTH_TOLD && verdict.law == GNOMON_GROWTH_LINEAR);
    assert_true(fabs(verdict.fit.base - 5) < 1e-9 && fabs(verdict.fit.factor - 2) < 1e-12);
    static const double large[][2] = {{1e6, 3e18}, {1e7, 3e21}, {1e8, 3e24}, {1e9, 3e27}}; /* 3 n^3 */
    verdict = judge(4, large);
    assert_true(verdict.reason == GNOMON_GROWTH_TOLD && verdict.law == GNOMON_GROWTH_CUBE);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fit), cmocka_unit_test(test_student),
                                       cmocka_unit_test(test_edges), cmocka_unit_test(test_laws)};
    seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    gnomon_random_start(&state, seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
