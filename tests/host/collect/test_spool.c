/* SPDX-License-Identifier: Apache-2.0 */
/* The results on disk of a collector (spool.h), with several processes at a time: each run is there once,
 * whichever of them adds, packs and sends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/collect/spool.h"
#include "lib/fleet/api_file.h"

enum { PROCESSES = 6, RUNS = 25 };

static char folder[] = "/tmp/gnomon-spool-XXXXXX";
static char member[64];

static struct gnomon_spool spool_of(uint64_t pack_bytes) {
    return (struct gnomon_spool){
        .folder = folder, .member = member, .most_bytes = 1 << 20, .pack_bytes = pack_bytes, .pack_seconds = 1000};
}

/* A run of one call, which costs `cycles`. */
static struct gnomon_api_profile *one_run(uint64_t cycles) {
    const struct gnomon_api_source wanted = {
        .program = "a.elf", .build = "ab", .scenario = "collected", .device = "sim:full"};
    struct gnomon_api_profile *profile = gnomon_api_profile_new();
    struct gnomon_api_source *source = gnomon_api_profile_source(profile, &wanted);
    const struct gnomon_api_row of = {
        .source = source, .cost = GNOMON_API_CYCLES, .module = "a.elf", .build = "ab", .function = "f", .file = "a.c"};
    const struct gnomon_bucket numbers = {1, cycles, (gnomon_uint128)cycles * cycles};
    assert_true(gnomon_api_row_add(gnomon_api_profile_row(profile, &of), gnomon_bucket_of(cycles), &numbers));
    gnomon_api_source_add(source, 1, cycles);
    return profile;
}

/* Adds runs of costs that no other process adds; one that dies says so by its status. */
static void add_runs(const struct gnomon_spool *spool, unsigned process) {
    for (unsigned i = 0; i < RUNS; i++) {
        struct gnomon_api_profile *profile = one_run(process * RUNS + i + 1);
        if (gnomon_spool_add(spool, profile, NULL))
            _exit(1);
        gnomon_api_profile_free(profile);
    }
    _exit(0);
}

/* Sends as a service that takes all. The bodies are kept, to be counted. */
static void send_all(const struct gnomon_spool *spool, struct gnomon_api_profile *taken) {
    struct gnomon_spool_file *files;
    size_t count;
    bool is_profile;
    assert_int_equal(gnomon_spool_list(spool, &files, &count, NULL), GNOMON_OK);
    for (size_t i = 0; i < count; i++)
        if (*files[i].id) {
            assert_int_equal(gnomon_api_file_add(taken, files[i].path, &is_profile, NULL), GNOMON_OK);
            assert_true(is_profile);
            gnomon_spool_sent(&files[i]);
        }
    free(files);
}

static void check_sum(const struct gnomon_api_profile *taken, uint64_t runs, uint64_t cycles) {
    size_t sources, rows;
    struct gnomon_api_source **source = gnomon_api_profile_sources(taken, &sources);
    struct gnomon_api_row **row = gnomon_api_profile_rows(taken, &rows);
    assert_int_equal(sources, 1);
    assert_int_equal(rows, 1);
    assert_int_equal(source[0]->runs, runs);
    assert_int_equal(source[0]->cycles, cycles);
    assert_int_equal(gnomon_api_row_sum(row[0]).calls, runs);
    assert_int_equal(gnomon_api_row_sum(row[0]).cycles, cycles);
    free(source);
    free(row);
}

static void each_run_once(const struct gnomon_spool *spool, bool packs) {
    const uint64_t runs = (uint64_t)PROCESSES * RUNS;
    struct gnomon_api_profile *taken = gnomon_api_profile_new();
    unsigned left = PROCESSES;
    for (unsigned i = 0; i < PROCESSES; i++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (!child)
            add_runs(spool, i);
    }
    while (left) {
        int status;
        const pid_t ended = waitpid(-1, &status, packs ? WNOHANG : 0);
        assert_true(ended >= 0);
        if (packs && !ended) {
            assert_int_equal(gnomon_spool_pack(spool, true, NULL), GNOMON_OK);
            send_all(spool, taken);
            continue;
        }
        assert_int_equal(status, 0);
        left--;
    }
    assert_int_equal(gnomon_spool_pack(spool, true, NULL), GNOMON_OK);
    send_all(spool, taken);
    check_sum(taken, runs, runs * (runs + 1) / 2);
    gnomon_api_profile_free(taken);
}

static void processes_add(void **state) {
    (void)state;
    const struct gnomon_spool spool = spool_of(1 << 20);
    each_run_once(&spool, false);
}

static void processes_add_while_others_send(void **state) {
    (void)state;
    const struct gnomon_spool spool = spool_of(1 << 20);
    each_run_once(&spool, true);
}

/* Each run is a submission of its own. */
static void each_is_packed(void **state) {
    (void)state;
    const struct gnomon_spool spool = spool_of(1);
    each_run_once(&spool, false);
}

/* What was sent is not there any more, and what was not is. */
static void sent_is_gone(void **state) {
    (void)state;
    const struct gnomon_spool spool = spool_of(1);
    struct gnomon_spool_file *files;
    size_t count;
    for (uint64_t i = 0; i < 3; i++) {
        struct gnomon_api_profile *profile = one_run(i);
        assert_int_equal(gnomon_spool_add(&spool, profile, NULL), GNOMON_OK);
        gnomon_api_profile_free(profile);
    }
    for (size_t left = 3; left; left--) {
        assert_int_equal(gnomon_spool_list(&spool, &files, &count, NULL), GNOMON_OK);
        assert_int_equal(count, left);
        gnomon_spool_sent(&files[0]);
        assert_int_not_equal(access(files[0].path, F_OK), 0);
        free(files);
    }
    assert_int_equal(gnomon_spool_list(&spool, &files, &count, NULL), GNOMON_OK);
    assert_int_equal(count, 0);
    free(files);
}

static int begin(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(member, sizeof member, "%s/member", folder);
    const int file = open(member, O_CREAT | O_WRONLY, 0600);
    return file < 0 ? -1 : close(file);
}

static int end(void **state) {
    (void)state;
    gnomon_spool_remove(folder);
    return access(folder, F_OK) ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_add),
        cmocka_unit_test(processes_add_while_others_send),
        cmocka_unit_test(each_is_packed),
        cmocka_unit_test(sent_is_gone),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
