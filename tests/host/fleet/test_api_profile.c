/* SPDX-License-Identifier: Apache-2.0 */
/* API profiles add in any order and grouping to the same bytes, also where sums reach their largest values; damaged
 * files are refused. usage: test_api_profile [SEED] */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gnp.pb-c.h>
#include <zlib.h>

#include "lib/fleet/api_classes.h"
#include "lib/fleet/api_file.h"
#include "lib/fleet/api_groups.h"

#define PARTS 12
#define ROWS 40

static uint64_t state = 1;

static uint64_t draw(uint64_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return below ? state % below : state;
}

/* Small numbers, and such that a few of them reach the largest value. */
static uint64_t draw_number(void) {
    return draw(4) ? draw(1000) + 1 : draw(3) ? draw(0) >> draw(40) : UINT64_MAX - draw(3);
}

struct bytes {
    uint8_t *data;
    size_t size;
};

static struct bytes written(const struct gnomon_api_profile *profile) {
    struct bytes bytes;
    struct gnomon_error error;
    assert_int_equal(gnomon_api_file_write(profile, &bytes.data, &bytes.size, &error), GNOMON_OK);
    return bytes;
}

static void read_into(struct gnomon_api_profile *profile, const struct bytes *bytes) {
    struct gnomon_error error;
    assert_int_equal(gnomon_api_file_read(profile, bytes->data, bytes->size, "part", &error), GNOMON_OK);
}

static void add_random_row(struct gnomon_api_profile *profile) {
    static const char *const names[] = {"f", "g", "_ZN2ns1CIiE1hEi", "", "a.constprop.0"};
    static const char *const costs[] = {"cycles", "bytes", "own-bytes"};
    const struct gnomon_api_source wanted_source = {.program = names[draw(3)],
                                                    .build = draw(2) ? "0123" : "",
                                                    .scenario = names[draw(5)],
                                                    .size = draw(2) ? draw_number() : 0,
                                                    .device = "full"};
    struct gnomon_api_source *source = gnomon_api_profile_source(profile, &wanted_source);
    assert_non_null(source);
    gnomon_api_source_add(source, 1, draw_number());
    const struct gnomon_api_row wanted = {.source = source,
                                          .cost = costs[draw(3)],
                                          .module = names[draw(2)],
                                          .build = "0123",
                                          .function = names[draw(5)],
                                          .file = draw(2) ? "lib/x/a.c" : ""};
    struct gnomon_api_row *row = gnomon_api_profile_row(profile, &wanted);
    assert_non_null(row);
    const struct gnomon_api_row rest = {.line = (unsigned)draw(50),
                                        .doubt = draw(4) ? 0 : (unsigned)draw(16),
                                        .lost = draw(8) ? 0 : draw_number(),
                                        .least = draw(8) ? draw(100) : UINT64_MAX,
                                        .most = draw(1000)};
    assert_true(gnomon_api_row_join(row, &rest));
    for (unsigned i = 0; i < 1 + draw(4); i++) {
        const struct gnomon_bucket numbers = {draw_number(), draw_number(),
                                              (gnomon_uint128)draw_number() << (draw(2) * 64) | draw_number()};
        assert_true(gnomon_api_row_add(row, (unsigned)draw(GNOMON_BUCKETS), &numbers));
    }
}

static struct bytes random_part(void) {
    struct gnomon_api_profile *profile = gnomon_api_profile_new();
    assert_non_null(profile);
    for (uint64_t i = draw(ROWS); i > 0; i--)
        add_random_row(profile);
    const struct bytes bytes = written(profile);
    gnomon_api_profile_free(profile);
    return bytes;
}

/* The parts from `first` to before `last`, added in a random tree; some of the sums go through a file. */
static struct gnomon_api_profile *sum_of(const struct bytes *const *parts, size_t first, size_t last) {
    struct gnomon_api_profile *sum = gnomon_api_profile_new();
    assert_non_null(sum);
    if (last - first == 1) {
        read_into(sum, parts[first]);
        return sum;
    }
    const size_t middle = first + 1 + draw(last - first - 1);
    struct gnomon_api_profile *left = sum_of(parts, first, middle), *right = sum_of(parts, middle, last);
    if (draw(2)) {
        assert_true(gnomon_api_profile_add(left, right));
        gnomon_api_profile_free(sum);
        gnomon_api_profile_free(right);
        return left;
    }
    struct bytes one = written(right), other = written(left);
    read_into(sum, &one);
    read_into(sum, &other);
    free(one.data);
    free(other.data);
    gnomon_api_profile_free(left);
    gnomon_api_profile_free(right);
    return sum;
}

static void test_order(void **unused) {
    (void)unused;
    for (int round = 0; round < 40; round++) {
        struct bytes made[PARTS], expected = {0};
        const struct bytes *parts[PARTS];
        for (size_t i = 0; i < PARTS; i++)
            parts[i] = (made[i] = random_part(), &made[i]);
        for (int turn = 0; turn < 6; turn++) {
            struct gnomon_api_profile *sum = sum_of(parts, 0, PARTS);
            struct bytes got = written(sum);
            gnomon_api_profile_free(sum);
            if (turn) {
                assert_int_equal(got.size, expected.size);
                assert_memory_equal(got.data, expected.data, got.size);
                free(got.data);
            } else {
                expected = got;
            }
            for (size_t i = PARTS - 1; i > 0; i--) {
                const size_t other = draw(i + 1);
                const struct bytes *kept = parts[i];
                parts[i] = parts[other];
                parts[other] = kept;
            }
        }
        free(expected.data);
        for (size_t i = 0; i < PARTS; i++)
            free(made[i].data);
    }
}

static struct gnomon_api_row *plain_row(struct gnomon_api_profile *profile) {
    const struct gnomon_api_source source = {.program = "p", .build = "", .scenario = "s", .device = "d"};
    const struct gnomon_api_row wanted = {.source = gnomon_api_profile_source(profile, &source),
                                          .cost = GNOMON_API_CYCLES,
                                          .module = "p",
                                          .build = "",
                                          .function = "f",
                                          .file = ""};
    return gnomon_api_profile_row(profile, &wanted);
}

static void test_numbers(void **unused) {
    (void)unused;
    struct gnomon_api_profile *profile = gnomon_api_profile_new();
    struct gnomon_api_row *row = plain_row(profile);
    const struct gnomon_bucket few = {2, 5, 13}, many = {3, 30, 302}, most = {UINT64_MAX, UINT64_MAX, 1};
    assert_true(gnomon_api_row_add(row, 3, &many) && gnomon_api_row_add(row, 1, &few) &&
                gnomon_api_row_add(row, 3, &few));
    assert_int_equal(row->used, 1 << 3 | 1 << 1);
    const struct gnomon_bucket *bucket = gnomon_api_row_bucket(row, 3);
    assert_true(bucket->calls == 5 && bucket->cycles == 35 && bucket->squares == 315);
    assert_null(gnomon_api_row_bucket(row, 2));
    struct gnomon_bucket sum = gnomon_api_row_sum(row);
    assert_true(sum.calls == 7 && sum.cycles == 40 && sum.squares == 328);
    assert_false(gnomon_api_row_saturated(row));
    assert_true(gnomon_api_row_add(row, 1, &most));
    sum = gnomon_api_row_sum(row);
    assert_true(sum.calls == UINT64_MAX && sum.cycles == UINT64_MAX && gnomon_api_row_saturated(row));
    gnomon_api_profile_free(profile);
}

/* The deviation of more calls than the square of their sum of squares has room for: half of them 2^31, half of them
 * 2^31 + 2^20. */
static void test_deviation(void **unused) {
    (void)unused;
    const uint64_t calls = UINT64_C(1) << 32, low = UINT64_C(1) << 31, high = low + (1 << 20);
    const struct gnomon_bucket bucket = {calls * 4, calls / 2 * (low + high),
                                         (gnomon_uint128)calls * 2 * ((gnomon_uint128)low * low) +
                                             (gnomon_uint128)calls * 2 * ((gnomon_uint128)high * high)};
    struct gnomon_bucket small = {4, 2 * (low + high), 2 * (gnomon_uint128)low * low + 2 * (gnomon_uint128)high * high};
    assert_true(gnomon_bucket_deviation(&small) == 1 << 19);
    small.calls = bucket.calls;
    small.cycles = UINT64_MAX;
    small.squares = ~(gnomon_uint128)0;
    assert_true(gnomon_bucket_deviation(&small) >= 0); /* too large: no more than an estimate, and no trap */
}

static void test_damage(void **unused) {
    (void)unused;
    struct gnomon_error error;
    for (int round = 0; round < 20; round++) {
        struct bytes whole = random_part();
        for (size_t size = 0; size < whole.size; size++) {
            struct gnomon_api_profile *profile = gnomon_api_profile_new();
            uint8_t *cut = malloc(size + 1); /* of its own, so that a read beyond it is seen */
            memcpy(cut, whole.data, size);
            assert_int_not_equal(gnomon_api_file_read(profile, cut, size, "cut", &error), GNOMON_OK);
            free(cut);
            gnomon_api_profile_free(profile);
        }
        for (int flip = 0; flip < 400; flip++) {
            struct gnomon_api_profile *profile = gnomon_api_profile_new();
            const size_t at = draw(whole.size);
            const uint8_t kept = whole.data[at];
            whole.data[at] ^= (uint8_t)(1 + draw(255));
            assert_int_not_equal(gnomon_api_file_read(profile, whole.data, whole.size, "damaged", &error), GNOMON_OK);
            whole.data[at] = kept;
            gnomon_api_profile_free(profile);
        }
        free(whole.data);
    }
}

/* What reads rows copes with any. */
static void use_rows(const struct gnomon_api_profile *profile) {
    static const char *const costs[] = {"cycles", "own-cycles", "own-bytes"};
    const struct gnomon_api_filter all = {0};
    size_t count;
    struct gnomon_api_class *classes = gnomon_api_classes(profile, &all, &count);
    assert_non_null(classes);
    free(classes);
    const struct gnomon_api_grouping grouping = {.by = (enum gnomon_api_by)draw(4), .depth = (unsigned)draw(3)};
    struct gnomon_api_group *groups = gnomon_api_groups(profile, costs[draw(3)], &grouping, &count);
    assert_non_null(groups);
    gnomon_api_groups_free(groups, count);
}

/* Files whose check sum is right, and whose content makes no sense. */
static void test_hostile(void **unused) {
    (void)unused;
    struct gnomon_error error;
    unsigned taken = 0;
    for (int round = 0; round < 20000; round++) {
        struct bytes whole = random_part();
        struct gnomon_api_profile *profile = gnomon_api_profile_new();
        Gnomon__ApiFile *file = gnomon__api_file__unpack(NULL, whole.size, whole.data);
        for (uint64_t flips = 1 + draw(3); flips > 0 && file->profile.len; flips--)
            file->profile.data[draw(file->profile.len)] = (uint8_t)draw(256);
        file->crc = (uint32_t)crc32_z(crc32_z(0, (const uint8_t *)"gnp", 3), file->profile.data, file->profile.len);
        uint8_t *made = malloc(gnomon__api_file__get_packed_size(file));
        const size_t size = gnomon__api_file__pack(file, made);
        if (gnomon_api_file_read(profile, made, size, "hostile", &error) == GNOMON_OK) {
            struct bytes again = written(profile);
            free(again.data);
            use_rows(profile);
            taken++;
        }
        gnomon__api_file__free_unpacked(file, NULL);
        free(made);
        free(whole.data);
        gnomon_api_profile_free(profile);
    }
    assert_in_range(taken, 1000, 19000);
}

/* A file without sizes is byte for byte what it was before sources had sizes; a source with a size is another one. */
static void test_size(void **unused) {
    (void)unused;
    static const uint8_t before[] = {
        0x0A, 0x03, 0x67, 0x6E, 0x70, 0x10, 0x01, 0x1D, 0x55, 0x4A, 0x19, 0x11, 0x22, 0x4F, 0x0A, 0x00,
        0x0A, 0x02, 0x30, 0x31, 0x0A, 0x06, 0x63, 0x79, 0x63, 0x6C, 0x65, 0x73, 0x0A, 0x01, 0x66, 0x0A,
        0x04, 0x66, 0x75, 0x6C, 0x6C, 0x0A, 0x05, 0x70, 0x2E, 0x65, 0x6C, 0x66, 0x0A, 0x01, 0x73, 0x12,
        0x0D, 0x08, 0x05, 0x10, 0x01, 0x18, 0x06, 0x20, 0x04, 0x28, 0x03, 0x30, 0xBC, 0x05, 0x1A, 0x1D,
        0x10, 0x02, 0x18, 0x05, 0x20, 0x01, 0x28, 0x03, 0x50, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xFF, 0x01, 0x62, 0x08, 0x08, 0x02, 0x10, 0x02, 0x18, 0x09, 0x20, 0x29,
    };
    const struct bytes old = {(uint8_t *)before, sizeof before};
    struct gnomon_api_profile *profile = gnomon_api_profile_new();
    read_into(profile, &old);
    struct bytes again = written(profile);
    assert_int_equal(again.size, old.size);
    assert_memory_equal(again.data, old.data, old.size);
    size_t count;
    struct gnomon_api_source **sources = gnomon_api_profile_sources(profile, &count);
    assert_int_equal(count, 1);
    assert_int_equal(sources[0]->size, 0);
    struct gnomon_api_source wanted = *sources[0];
    assert_ptr_equal(gnomon_api_profile_source(profile, &wanted), sources[0]);
    wanted.size = UINT64_MAX;
    wanted.device = "a"; /* before the other one's; the size decides first */
    assert_ptr_not_equal(gnomon_api_profile_source(profile, &wanted), sources[0]);
    free(sources);
    free(again.data);
    again = written(profile);
    gnomon_api_profile_free(profile);
    profile = gnomon_api_profile_new();
    read_into(profile, &again);
    sources = gnomon_api_profile_sources(profile, &count);
    assert_int_equal(count, 2);
    assert_int_equal(sources[0]->size, 0);
    assert_true(sources[1]->size == UINT64_MAX);
    free(sources);
    free(again.data);
    gnomon_api_profile_free(profile);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),  cmocka_unit_test(test_numbers), cmocka_unit_test(test_deviation),
        cmocka_unit_test(test_damage), cmocka_unit_test(test_hostile), cmocka_unit_test(test_size),
    };
    state = argc > 1 ? strtoull(argv[1], NULL, 0) | 1 : 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
