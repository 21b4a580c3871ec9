/* SPDX-License-Identifier: Apache-2.0 */
/* What writers of many events use in place of printf, compared with printf: digits, times, and a buffer of text. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/export/json_stream.h"
#include "lib/export/timeline.h"

#define TRIALS 200000
#define TEXT_BYTES 64

static uint64_t state = 1;

static uint64_t next_random(void) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state >> 11 ^ state << 40;
}

/* Numbers of all lengths, and those where a digit more is needed. */
static uint64_t some_number(void) {
    static const uint64_t edges[] = {0, 1, 9, 10, 99, 100, 999, 1000, 9999, 999999, 1000000, 1000001, UINT64_MAX};
    const uint64_t random = next_random();
    return random % 8 ? random >> random % 61 : edges[random / 8 % (sizeof edges / sizeof *edges)];
}

static void same(const char *got, const char *end, const char *format, ...) {
    char want[TEXT_BYTES];
    va_list list;
    va_start(list, format);
    vsnprintf(want, sizeof want, format, list);
    va_end(list);
    assert_int_equal(end - got, strlen(want));
    assert_memory_equal(got, want, strlen(want));
}

static void digits(void **context) {
    char text[TEXT_BYTES];
    (void)context;
    for (unsigned i = 0; i < TRIALS; i++) {
        const uint64_t value = some_number();
        const int width = (int)(next_random() % 16);
        same(text, gnomon_decimal_put(text, value), "%" PRIu64, value);
        same(text, gnomon_decimal_justify(text, value, (unsigned)width), "%*" PRIu64, width, value);
        same(text, gnomon_decimal_column(text, value, 11), "%11" PRIu64, value);
    }
}

/* Numbers that grow, and at times jump. */
static void near(void **context) {
    struct gnomon_decimal_near column = {.width = 12}, plain = {0};
    char text[TEXT_BYTES];
    uint64_t value = 0;
    (void)context;
    for (unsigned i = 0; i < TRIALS; i++) {
        same(text, gnomon_decimal_put_near(&column, text, value), "%12" PRIu64, value);
        same(text, gnomon_decimal_put_thousandths(&plain, text, value), "%" PRIu64 ".%03" PRIu64, value / 1000,
             value % 1000);
        value = next_random() % 500 ? value + next_random() % 3000 : some_number();
    }
}

static uint64_t nanoseconds_of(uint64_t cycle, uint64_t hz) {
    return hz ? (uint64_t)(((gnomon_uint128)cycle * 1000000000 + hz / 2) / hz) : cycle * 1000;
}

static void times(void **context) {
    static const uint64_t rates[] = {
        0, 1, 3, 32768, 12000000, 47999983, 48000000, 60000000, 499999999, 1000000000, UINT64_C(4294967311), INT64_MAX};
    (void)context;
    for (size_t rate = 0; rate < sizeof rates / sizeof *rates; rate++) {
        struct export_clock clock = {.hz = rates[rate]};
        uint64_t cycle = 0;
        for (unsigned i = 0; i < TRIALS; i++) {
            assert_int_equal(export_clock_nanoseconds(&clock, cycle), nanoseconds_of(cycle, rates[rate]));
            cycle = next_random() % 1000 ? cycle + next_random() % 500 : some_number() >> 2;
        }
    }
}

/* Texts of all lengths come out whole and in order, also those that are longer than the buffer. */
static void buffer(void **context) {
    struct gnomon_text_buffer *text = calloc(1, sizeof *text);
    char *long_text = malloc(3 * GNOMON_TEXT_BYTES), *got, *want;
    size_t got_size, want_size;
    FILE *plain = open_memstream(&want, &want_size);
    (void)context;
    assert_true(text && long_text && plain && (text->stream = open_memstream(&got, &got_size)));
    for (unsigned i = 0; i < 400; i++) {
        const size_t length = next_random() % (i % 40 ? 1000 : 3 * GNOMON_TEXT_BYTES - 1);
        memset(long_text, 'a' + (int)(i % 26), length);
        long_text[length] = '\0';
        gnomon_text_put(text, long_text);
        gnomon_text_number(text, i);
        gnomon_text_format(text, "<%s %u>", long_text, i);
        json_add_string(text, "a\"b\\c");
        fprintf(plain, "%s%u<%s %u>\"a\\\"b\\\\c\"", long_text, i, long_text, i);
    }
    for (size_t left = 0; left < TEXT_BYTES; left++) { /* that fits, and that does not */
        memset(long_text, '-', GNOMON_TEXT_BYTES);
        gnomon_text_flush(text);
        gnomon_text_add(text, long_text, GNOMON_TEXT_BYTES - left);
        gnomon_text_format(text, "%032zu", left);
        fprintf(plain, "%.*s%032zu", (int)(GNOMON_TEXT_BYTES - left), long_text, left);
    }
    gnomon_text_flush(text);
    fclose(text->stream);
    fclose(plain);
    assert_int_equal(got_size, want_size);
    assert_memory_equal(got, want, want_size);
    free(got);
    free(want);
    free(long_text);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits),
        cmocka_unit_test(near),
        cmocka_unit_test(times),
        cmocka_unit_test(buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
