/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that are measured are a uniform choice: each number, and each pair, is drawn equally often (chi-square,
 * fixed seeds). usage: test_choice */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/collect/choice.h"

#define COUNT 20
#define SOME 6
#define DRAWS 200000

/* How many standard deviations a sum of squares is from what chance makes: `freedom` is that of its chi-square. */
static double deviations(double chi_square, double freedom) {
    return (chi_square - freedom) / sqrt(2 * freedom);
}

static void each_is_drawn_equally_often(void **state) {
    (void)state;
    static uint32_t of[COUNT], pairs[COUNT][COUNT];
    size_t numbers[COUNT];
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        struct gnomon_random random;
        bool seen[COUNT] = {false};
        gnomon_random_start(&random, seed);
        gnomon_collect_draw(&random, numbers, COUNT, SOME);
        for (size_t i = 0; i < SOME; i++) {
            assert_true(numbers[i] < COUNT && !seen[numbers[i]]);
            seen[numbers[i]] = true;
            of[numbers[i]]++;
            for (size_t j = 0; j < SOME; j++)
                pairs[numbers[i]][numbers[j]]++;
        }
    }
    /* Numbers of one draw exclude each other: that makes the variance of each count smaller. */
    const double share = (double)SOME / COUNT, each = DRAWS * share, pair = DRAWS * share * (SOME - 1) / (COUNT - 1);
    double singles = 0, doubles = 0;
    for (size_t i = 0; i < COUNT; i++) {
        singles += (of[i] - each) * (of[i] - each) / (each * (1 - share)) * (COUNT - 1) / COUNT;
        for (size_t j = 0; j < i; j++)
            doubles += (pairs[i][j] - pair) * (pairs[i][j] - pair) / (pair * (1 - pair / DRAWS));
    }
    print_message("singles %.2f, pairs %.2f standard deviations\n", deviations(singles, COUNT - 1),
                  deviations(doubles, COUNT * (COUNT - 1) / 2.0));
    assert_true(fabs(deviations(singles, COUNT - 1)) < 4);
    assert_true(deviations(doubles, COUNT * (COUNT - 1) / 2.0) < 4);
}

static void few_and_all(void **state) {
    (void)state;
    struct gnomon_random random;
    size_t numbers[COUNT], sum = 0;
    gnomon_random_start(&random, 5);
    gnomon_collect_draw(&random, numbers, 1, 1);
    assert_int_equal(numbers[0], 0);
    gnomon_collect_draw(&random, numbers, COUNT, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        sum += numbers[i];
    assert_int_equal(sum, COUNT * (COUNT - 1) / 2);
    gnomon_collect_draw(&random, numbers, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_drawn_equally_often),
        cmocka_unit_test(few_and_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
