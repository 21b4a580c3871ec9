/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that are measured are a uniform choice: each number, and each pair, is drawn equally often (chi-square,
 * fixed seeds); what a chosen one can jump to at its end is watched, too, or it is not chosen. usage: test_choice ELF
 */
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

static const char *program;

/* All functions of that name. */
static bool watches(const struct gnomon_collect_choice *choice, const struct gnomon_symbols *symbols,
                    const char *name) {
    uint32_t starts[16];
    const size_t count = gnomon_symbols_named(symbols, name, starts, sizeof starts / sizeof *starts);
    size_t found = 0;
    assert_in_range(count, 1, sizeof starts / sizeof *starts);
    for (size_t i = 0; i < count; i++)
        for (size_t at = 0; at < choice->watch_count; at++)
            found += choice->watch[at] == starts[i];
    return found == count;
}

static bool is_chosen_at(const struct gnomon_collect_choice *choice, const struct gnomon_symbols *symbols,
                         uint32_t address) {
    return gnomon_collect_chosen(choice, gnomon_symbols_next(symbols, address)->symbol);
}

/* Those to which functions of the program jump, as its source says. */
static void jumps_are_watched(void **state) {
    (void)state;
    static const struct {
        const char *from, *to;
    } jumps[] = {{"api_jumps", "api_long"},  {"api_leaps", "api_leaf"},  {"api_leaps", "api_jumps"},
                 {"api_switch", "api_leaf"}, {"api_switch", "api_long"}, {"api_switch", "api_leaps"}};
    static const size_t rooms[] = {0, 1, 2, 5, 30, 1000};
    const struct gnomon_collect_filter all = {0};
    struct gnomon_symbols *symbols;
    size_t seen = 0;
    assert_int_equal(gnomon_symbols_load_any(&symbols, program, NULL), GNOMON_OK);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct gnomon_collect_choice choice;
        const struct gnomon_collect_room room = {rooms[seed % (sizeof rooms / sizeof *rooms)], seed % 7 ? 1000 : 3};
        assert_int_equal(gnomon_collect_choose(&choice, symbols, &all, 8, &room, seed, NULL), GNOMON_OK);
        assert_true(choice.watch_count <= room.watched && choice.count <= choice.watch_count && choice.count <= 8);
        assert_true(room.watched < 1000 || choice.count == (room.full < 8 ? room.full : 8));
        for (size_t i = 0; i < choice.watch_count; i++)
            assert_true((i < choice.count) == is_chosen_at(&choice, symbols, choice.watch[i]));
        for (size_t i = 0; i < choice.count; i++)
            assert_true(watches(&choice, symbols, choice.symbols[i]));
        for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++)
            if (gnomon_collect_chosen(&choice, jumps[i].from)) {
                assert_true(watches(&choice, symbols, jumps[i].to));
                seen++;
            }
        gnomon_collect_choice_free(&choice);
    }
    assert_true(seen > 10);
    gnomon_symbols_free(symbols);
}

int main(int argc, char **argv) {
    program = argc > 1 ? argv[1] : "";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_drawn_equally_often),
        cmocka_unit_test(few_and_all),
        cmocka_unit_test(jumps_are_watched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
