/* SPDX-License-Identifier: Apache-2.0 */
/* API profiles and verdicts as JSON, and the data of their page: every number is that of the profile, also the largest;
 * texts can be anything; source files are read only if they are such. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/fleet/api_facts.h"
#include "lib/fleet/api_json.h"
#include "lib/fleet/api_verdict_json.h"
#include "lib/fleet/saturate.h"
#include "lib/ui/ui_api.h"
#include "lib/ui/ui_page.h"
#include "lib/util/json_text.h"

#define MOST_DIGITS "18446744073709551615"
#define MOST_SQUARES_DIGITS "340282366920938463463374607431768211455"

/* ---- Making profiles ---- */

static struct gnomon_api_row *add_row(struct gnomon_api_profile *profile, const char *scenario, const char *function,
                                      const char *file) {
    const struct gnomon_api_source wanted_source = {
        .program = "p", .build = "b", .scenario = scenario, .size = 3, .device = "d"};
    struct gnomon_api_source *source = gnomon_api_profile_source(profile, &wanted_source);
    assert_non_null(source);
    const struct gnomon_api_row wanted = {
        .source = source, .cost = GNOMON_API_CYCLES, .module = "m", .build = "mb", .function = function, .file = file};
    struct gnomon_api_row *row = gnomon_api_profile_row(profile, &wanted);
    assert_non_null(row);
    return row;
}

static void add_call(struct gnomon_api_row *row, uint64_t cycles) {
    const struct gnomon_bucket one = {1, cycles, (gnomon_uint128)cycles * cycles};
    assert_true(gnomon_api_row_add(row, gnomon_bucket_of(cycles), &one));
    row->least = cycles < row->least ? cycles : row->least;
    row->most = cycles > row->most ? cycles : row->most;
}

static json_t *json_of(const struct gnomon_api_profile *profile) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_true(gnomon_api_json(profile, false, stream));
    fclose(stream);
    assert_null(strchr(text, '\n'));
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    free(text);
    return json;
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    return text;
}

/* ---- Numbers ---- */

static void numbers_are_the_profiles(void **context) {
    (void)context;
    struct gnomon_api_profile *profile = gnomon_api_profile_new();
    struct gnomon_api_row *row = add_row(profile, "s", "_Z4namePKc", "f.c"), *other = add_row(profile, "t", "g", "");
    add_call(row, 0);
    add_call(row, 5);
    add_call(row, 7);
    row->line = 12;
    other->doubt = GNOMON_API_LOSS | GNOMON_API_UNSEEN;
    other->lost = 3;
    gnomon_api_source_add(row->source, 2, 100);
    json_t *json = json_of(profile), *rows = json_object_get(json, "rows");
    char *facts = gnomon_api_facts(profile);
    assert_string_equal(text_of(json, "about"), facts);
    assert_true(json_is_false(json_object_get(json, "exact")));
    assert_int_equal(json_array_size(rows), 2);
    const json_t *one = json_array_get(rows, 0), *second = json_array_get(rows, 1);
    assert_string_equal(text_of(one, "function"), "name(char const*)");
    assert_string_equal(text_of(one, "symbol"), "_Z4namePKc");
    assert_string_equal(text_of(one, "module_build"), "mb");
    assert_string_equal(text_of(one, "file"), "f.c");
    assert_int_equal(json_integer_value(json_object_get(one, "line")), 12);
    assert_string_equal(text_of(one, "count"), "3");
    assert_string_equal(text_of(one, "sum"), "12");
    assert_string_equal(text_of(one, "least"), "0");
    assert_string_equal(text_of(one, "most"), "7");
    assert_true(json_is_true(json_object_get(one, "exact")));
    const json_t *bucket = json_array_get(json_object_get(one, "buckets"), 1);
    assert_int_equal(json_integer_value(json_object_get(bucket, "log2")), 2);
    assert_string_equal(text_of(bucket, "squares"), "74");
    assert_int_equal(json_integer_value(json_object_get(one, "source")), 0);
    assert_int_equal(json_integer_value(json_object_get(second, "source")), 1);
    assert_true(json_is_null(json_object_get(second, "least")) && json_is_null(json_object_get(second, "file")));
    assert_string_equal(text_of(second, "lost"), "3");
    assert_string_equal(json_string_value(json_array_get(json_object_get(second, "doubt"), 1)), "unseen");
    const json_t *source = json_array_get(json_object_get(json, "sources"), 0);
    assert_string_equal(text_of(source, "size"), "3");
    assert_string_equal(text_of(source, "runs"), "2");
    assert_string_equal(text_of(source, "cycles"), "100");
    free(facts);
    json_decref(json);
    gnomon_api_profile_free(profile);
}

static void largest_values_are_whole(void **context) {
    (void)context;
    struct gnomon_api_profile *profile = gnomon_api_profile_new();
    struct gnomon_api_row *row = add_row(profile, "s", "f", "");
    const struct gnomon_bucket most = {UINT64_MAX, UINT64_MAX, GNOMON_WIDE_MOST};
    assert_true(gnomon_api_row_add(row, 31, &most) && gnomon_api_row_add(row, 30, &most));
    gnomon_api_source_add(row->source, UINT64_MAX, UINT64_MAX);
    gnomon_api_source_add(add_row(profile, "t", "f", "")->source, 1, 1);
    json_t *json = json_of(profile);
    const json_t *one = json_array_get(json_object_get(json, "rows"), 0);
    assert_string_equal(text_of(one, "count"), MOST_DIGITS);
    assert_string_equal(text_of(one, "sum"), MOST_DIGITS);
    assert_true(json_is_true(json_object_get(one, "saturated")) && json_is_false(json_object_get(one, "exact")));
    assert_string_equal(text_of(json_array_get(json_object_get(one, "buckets"), 0), "squares"), MOST_SQUARES_DIGITS);
    assert_non_null(strstr(text_of(json, "about"), ">=18,446,744,073,709,551,615 runs"));
    json_decref(json);
    gnomon_api_profile_free(profile);
}

static void texts_can_be_anything(void **context) {
    static const char *const names[] = {"\"\\\n\r\t</script>", "\xFF\xFE broken", "\xE2\x80\xAE", "", "\x7F\x01"};
    (void)context;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct gnomon_api_profile *profile = gnomon_api_profile_new();
        add_call(add_row(profile, names[i], names[i], names[i]), 4);
        json_t *json = json_of(profile);
        char *read = gnomon_json_text_read(json_object_get(json_array_get(json_object_get(json, "rows"), 0), "symbol"));
        assert_string_equal(read, names[i]);
        free(read);
        json_decref(json);
        gnomon_api_profile_free(profile);
    }
}

/* ---- Verdicts ---- */

static void verdicts_are_those_of_the_test(void **context) {
    (void)context;
    struct gnomon_api_profile *ours = gnomon_api_profile_new(), *before = gnomon_api_profile_new();
    for (unsigned i = 0; i < 60; i++) {
        add_call(add_row(before, "s", "worse", "a.c"), 100 + i % 7);
        add_call(add_row(ours, "s", "worse", "a.c"), 200 + i % 7);
        add_call(add_row(before, "s", "same", "a.c"), 100 + i % 7);
        add_call(add_row(ours, "s", "same", "a.c"), 100 + i % 7);
    }
    add_row(ours, "s", "same", "a.c")->doubt = GNOMON_API_LOSS;
    const struct gnomon_api_rule rule = {.level = GNOMON_API_LEVEL};
    size_t count;
    struct gnomon_api_verdict *verdicts = gnomon_api_verdicts(ours, before, &rule, &count);
    json_t *json = gnomon_api_compare_json(ours, before, &rule, false), *list = json_object_get(json, "functions");
    assert_int_equal(count, 2);
    assert_int_equal(json_integer_value(json_object_get(json, "worse")), 1);
    assert_true(json_is_false(json_object_get(json, "good")));
    for (size_t i = 0; i < count; i++) {
        const json_t *one = json_array_get(list, i);
        assert_string_equal(text_of(one, "symbol"), verdicts[i].row->function);
        assert_true(json_real_value(json_object_get(one, "adjusted")) == verdicts[i].adjusted);
        assert_true(json_is_true(json_object_get(one, "worse")) == verdicts[i].worse);
        assert_true(json_is_true(json_object_get(one, "doubtful")) == verdicts[i].doubtful);
    }
    assert_true(verdicts[0].worse && verdicts[1].doubtful);
    json_decref(json);
    free(verdicts);
    gnomon_api_profile_free(ours);
    gnomon_api_profile_free(before);
}

/* What has reached its largest value cannot be compared: the verdict says so. */
static void saturated_sums_are_doubtful(void **context) {
    (void)context;
    struct gnomon_api_profile *ours = gnomon_api_profile_new(), *before = gnomon_api_profile_new();
    const struct gnomon_bucket most = {UINT64_MAX, UINT64_MAX, GNOMON_WIDE_MOST}, one = {1, 1, 1};
    for (unsigned i = 0; i < 2; i++) {
        assert_true(gnomon_api_row_add(add_row(ours, i ? "s" : "t", "f", ""), 4, &most));
        assert_true(gnomon_api_row_add(add_row(before, i ? "s" : "t", "f", ""), 0, &one));
    }
    const struct gnomon_api_rule rule = {.level = GNOMON_API_LEVEL, .permutations = 10};
    json_t *json = gnomon_api_compare_json(ours, before, &rule, false);
    const json_t *verdict = json_array_get(json_object_get(json, "functions"), 0);
    assert_true(json_is_true(json_object_get(verdict, "doubtful")));
    json_decref(json);
    gnomon_api_profile_free(ours);
    gnomon_api_profile_free(before);
}

/* ---- The page ---- */

static char *page_data(const struct gnomon_api_profile *profile) {
    char *text = NULL;
    size_t size;
    struct gnomon_error error;
    struct gnomon_ui_api api = {.path = "x.gnp", .profile = (struct gnomon_api_profile *)profile, .with_source = true};
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(gnomon_ui_api_write(&api, stream, &error), GNOMON_OK);
    fclose(stream);
    return text;
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A profile can come from anybody: it makes no other file of this machine part of a page. */
static void only_source_files_are_read(void **context) {
    static const char *const lines = "one\ntwo\nthree\nfour\n";
    char folder[] = "/tmp/gnomon-json-XXXXXX", path[64];
    (void)context;
    assert_non_null(mkdtemp(folder));
    static const struct {
        const char *name;
        bool read;
    } files[] = {{"a.c", true}, {"secret.pem", false}, {"passwd", false}, {"B.CPP", true}, {".c.key", false}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct gnomon_api_profile *profile = gnomon_api_profile_new();
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        write_text(path, lines);
        add_row(profile, "s", "f", path)->line = 4;
        char *text = page_data(profile);
        assert_true(!strstr(text, "[\"two\",\"three\",\"four\"]") == !files[i].read);
        unlink(path);
        free(text);
        gnomon_api_profile_free(profile);
    }
    rmdir(folder);
}

static void page_of_a_fleet(void **context) {
    static const char *const paths[] = {"/", "/gnomon.css", "/gnomon.js"};
    (void)context;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const struct gnomon_ui_page *page = gnomon_ui_fleet_page(paths[i]);
        assert_ptr_equal(page, gnomon_ui_page(paths[i]));
        assert_int_equal(page->bytes, strlen(page->text));
    }
    assert_null(gnomon_ui_page("/profile.js"));
    assert_string_equal(gnomon_ui_fleet_page("/profile.js")->text, "gnomonData(\"summary\",{\"kind\":\"fleet\"})\n");
    assert_null(gnomon_ui_fleet_page("/../gnomon.js"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_the_profiles),
        cmocka_unit_test(largest_values_are_whole),
        cmocka_unit_test(texts_can_be_anything),
        cmocka_unit_test(verdicts_are_those_of_the_test),
        cmocka_unit_test(saturated_sums_are_doubtful),
        cmocka_unit_test(only_source_files_are_read),
        cmocka_unit_test(page_of_a_fleet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
