/* SPDX-License-Identifier: Apache-2.0 */
/* What may leave a machine: paths and names, also odd and hostile ones; what is reduced passes the check, and loses no
 * call. usage: test_api_redact */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/fleet/api_redact.h"

static const char *const folders[] = {"/work/anne/project", "/srv/home", "/build/", "/", "", "/var/tmp/x/"};
static const struct gnomon_api_redaction redaction = {.folders = folders,
                                                      .folder_count = sizeof folders / sizeof *folders};

static const struct {
    const char *file, *sent;
} paths[] = {
    {"", ""},
    {"main.c", "main.c"},
    {"src/png/read.c", "src/png/read.c"},
    {"./src//read.c", "src/read.c"},
    {"src/../lib/read.c", "lib/read.c"},
    {"../lib/read.c", "read.c"},
    {"src/../../lib/read.c", "read.c"},
    {"../../home/x/y.c", "y.c"},
    {"home/x/y.c", "y.c"},
    {"a/Users/x/y.c", "y.c"},
    {"/work/anne/project/src/read.c", "src/read.c"},
    {"/work/anne/project//src/read.c", "src/read.c"},
    {"/work/anne/project/../other/read.c", "read.c"},
    {"/work/anne/projects/read.c", "read.c"},
    {"/work/anne/project", "project"},
    {"/work/anne/project/", ""},
    {"/srv/home/anne/y.c", "y.c"},    /* the folder has the users' own */
    {"/build/anne/y.c", "y.c"},       /* what is right below "/" can have */
    {"/home/anne/y.c", "y.c"},        /* not below "/" */
    {"/var/tmp/x/home/z/y.c", "y.c"}, /* nor this */
    {"/var/tmp/x/z/y.c", "z/y.c"},
    {"C:\\Users\\anne\\y.c", "y.c"},
    {"C:y.c", "y.c"},
    {"c:/Users/anne/y.c", "y.c"},
    {"d:/work/y.c", "y.c"},
    {"C:/../anne/y.c", "y.c"}, /* no drive is above a folder */
    {"a\\b/../anne/y.c", "y.c"},
    {"..\\anne\\y.c", "y.c"},
    {"\\\\server\\anne\\y.c", "y.c"},
    {"src\\y.c", "y.c"},
    {"..", ""},
    {".", ""},
    {"a/..", ""},
    {"/", ""},
    {"a/", "a"},
    {"/home/anne/\xff.c", ""},
    {"a\nb/y.c", "y.c"},
    {"\xc3\xa4/y.c", "\xc3\xa4/y.c"},
};

static struct gnomon_api_profile *profile_with(const struct gnomon_api_source *source, const char *module,
                                               const char *function, const char *file) {
    static const struct gnomon_bucket numbers = {3, 12, 50};
    struct gnomon_api_profile *profile = gnomon_api_profile_new();
    const struct gnomon_api_row wanted = {.source = gnomon_api_profile_source(profile, source),
                                          .cost = GNOMON_API_CYCLES,
                                          .module = module,
                                          .build = "00ff",
                                          .function = function,
                                          .file = file};
    struct gnomon_api_row *row = gnomon_api_profile_row(profile, &wanted);
    gnomon_api_row_add(row, 2, &numbers);
    row->lost = 1;
    return profile;
}

static const struct gnomon_api_source usual = {
    .program = "tool.elf", .build = "abcdef01", .scenario = "collected", .device = "sim:full"};

static bool may_be_sent(const struct gnomon_api_profile *profile) {
    struct gnomon_error error;
    const enum gnomon_status status = gnomon_api_redact_check(profile, &error);
    assert_true(status == GNOMON_OK || (status == GNOMON_ERR_FORMAT && *error.what && *error.remedy));
    return !status;
}

static void paths_are_reduced(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char *sent = gnomon_api_redact_path(paths[i].file, &redaction);
        if (strcmp(sent, paths[i].sent) != 0)
            fail_msg("%s: %s, not %s", paths[i].file, sent, paths[i].sent);
        struct gnomon_api_profile *profile = profile_with(&usual, "tool.elf", "f", sent);
        assert_true(may_be_sent(profile));
        gnomon_api_profile_free(profile);
        free(sent);
    }
}

/* A path passes the check as it is exactly if reducing it, without a folder, changes nothing. */
static void the_check_wants_what_is_made(void **state) {
    (void)state;
    const struct gnomon_api_redaction none = {0};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char *sent = gnomon_api_redact_path(paths[i].file, &none);
        struct gnomon_api_profile *profile = profile_with(&usual, "tool.elf", "f", paths[i].file);
        if (may_be_sent(profile) != !strcmp(sent, paths[i].file))
            fail_msg("%s: reduced to %s", paths[i].file, sent);
        gnomon_api_profile_free(profile);
        free(sent);
    }
}

static void names_are_checked(void **state) {
    (void)state;
    static const char *const bad[] = {"/home/anne/x", "a/b", "a\\b", "..", ".", "a\tb", "\xff", "\x7f"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (unsigned where = 0; where < 7; where++) {
            struct gnomon_api_source source = usual;
            const char *module = "tool.elf", *function = "f";
            if (where == 0)
                source.program = bad[i];
            if (where == 1)
                source.build = bad[i];
            if (where == 2)
                source.scenario = bad[i];
            if (where == 3)
                source.device = bad[i];
            if (where == 4)
                module = bad[i];
            if (where == 5)
                function = bad[i];
            struct gnomon_api_profile *profile = profile_with(&source, module, function, "x.c"), *reduced;
            if (where < 5 || i != 3)                                                /* a function may be named ".." */
                if ((where == 6 || (where == 5 && i == 4)) != may_be_sent(profile)) /* or "." */
                    fail_msg("%s at %u", bad[i], where);
            reduced = gnomon_api_redact(profile, &redaction);
            if (!may_be_sent(reduced))
                fail_msg("%s at %u is not reduced", bad[i], where);
            gnomon_api_profile_free(reduced);
            gnomon_api_profile_free(profile);
        }
    struct gnomon_api_profile *made = profile_with(&usual, "tool.elf", "_GLOBAL__sub_I__home_anne_y.cc", "y.cc");
    assert_false(may_be_sent(made));
    gnomon_api_profile_free(made);
}

/* Two files that get one path are one row with the sum; the program's name is replaced in its rows, too. */
static void rows_add(void **state) {
    (void)state;
    const struct gnomon_api_redaction named = {
        .program = "decoder", .folders = folders, .folder_count = redaction.folder_count};
    const struct gnomon_api_source source = {
        .program = "anne.elf", .build = "abcdef01", .scenario = "/home/anne/in.png", .device = "full"};
    struct gnomon_api_profile *profile = profile_with(&source, "anne.elf", "f", "/home/anne/a/x.c"),
                              *other = profile_with(&source, "anne.elf", "f", "/home/anne/b/x.c");
    assert_true(gnomon_api_profile_add(profile, other));
    size_t sources, rows;
    struct gnomon_api_source **list = gnomon_api_profile_sources(profile, &sources);
    gnomon_api_source_add(list[0], 7, 1000);
    free(list);
    struct gnomon_api_profile *sent = gnomon_api_redact(profile, &named);
    struct gnomon_api_row **row = gnomon_api_profile_rows(sent, &rows);
    list = gnomon_api_profile_sources(sent, &sources);
    assert_int_equal(sources, 1);
    assert_string_equal(list[0]->program, "decoder");
    assert_string_equal(list[0]->scenario, "in.png");
    assert_int_equal(list[0]->runs, 7);
    assert_int_equal(list[0]->cycles, 1000);
    assert_int_equal(rows, 1);
    assert_string_equal(row[0]->module, "decoder");
    assert_string_equal(row[0]->file, "x.c");
    assert_int_equal(row[0]->lost, 2);
    assert_int_equal(gnomon_api_row_sum(row[0]).calls, 6);
    assert_int_equal(gnomon_api_row_sum(row[0]).cycles, 24);
    assert_true(may_be_sent(sent));
    free(list);
    free(row);
    gnomon_api_profile_free(sent);
    gnomon_api_profile_free(other);
    gnomon_api_profile_free(profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_reduced),
        cmocka_unit_test(the_check_wants_what_is_made),
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(rows_add),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
