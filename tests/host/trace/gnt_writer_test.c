/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the writer of trace files: gnt_writer_test FOLDER. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gnomon/trace.h"
#include "lib/trace/gnt.h"

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static const struct gnomon_gnt_trailer good = {.complete = true, .reason = "exit", .exit_status = 3};
static struct gnomon_error error;
static json_t *header;
static uint8_t frames[3 * GNOMON_FRAME_BYTES];

static struct gnomon_gnt_writer *open_good(const char *path) {
    struct gnomon_gnt_writer *writer;
    CHECK(gnomon_gnt_writer_open(&writer, path, header, &error) == GNOMON_OK);
    return writer;
}

static void write_good(const char *path) {
    struct gnomon_gnt_writer *writer = open_good(path);
    CHECK(gnomon_gnt_writer_frames(writer, frames, sizeof frames, &error) == GNOMON_OK);
    CHECK(gnomon_gnt_writer_close(writer, &good, &error) == GNOMON_OK);
}

static void check_good(const char *path) {
    struct gnomon_gnt_reader *reader;
    const uint8_t *frame;
    CHECK(gnomon_gnt_open(&reader, path, &error) == GNOMON_OK);
    CHECK(json_equal(gnomon_gnt_header(reader), header));
    for (size_t i = 0; i < sizeof frames; i += GNOMON_FRAME_BYTES) {
        CHECK(gnomon_gnt_next(reader, &frame, &error) == GNOMON_OK && frame);
        CHECK(!memcmp(frame, frames + i, GNOMON_FRAME_BYTES));
    }
    CHECK(gnomon_gnt_next(reader, &frame, &error) == GNOMON_OK && !frame);
    CHECK(gnomon_gnt_flaws(reader) == 0 && gnomon_gnt_frames(reader) == 3);
    const json_t *trailer = gnomon_gnt_trailer(reader);
    CHECK(json_integer_value(json_object_get(trailer, "exit_status")) == 3);
    CHECK(json_is_true(json_object_get(trailer, "complete")));
    gnomon_gnt_close(reader);
}

static bool exists(const char *path) {
    struct stat about;
    return lstat(path, &about) == 0;
}

static void test_earlier_file_survives(void) {
    write_good("a.gnt");
    check_good("a.gnt");
    CHECK(!exists("a.gnt.tmp"));

    struct gnomon_gnt_writer *writer = open_good("a.gnt");
    CHECK(exists("a.gnt.tmp"));
    gnomon_gnt_writer_abort(writer);
    CHECK(!exists("a.gnt.tmp"));
    check_good("a.gnt");
    gnomon_gnt_writer_abort(NULL);
}

/* A limit of the file size simulates a full disk. */
static void test_full_disk(void) {
    struct rlimit limit, old;
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    limit = (struct rlimit){.rlim_cur = 620, .rlim_max = old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    struct gnomon_gnt_writer *writer = open_good("a.gnt");
    CHECK(gnomon_gnt_writer_frames(writer, frames, sizeof frames, &error) == GNOMON_ERR_SYSTEM);
    CHECK(strstr(error.what, "a.gnt"));
    gnomon_gnt_writer_abort(writer);
    writer = open_good("a.gnt"); /* full only at the trailer */
    CHECK(gnomon_gnt_writer_frames(writer, frames, GNOMON_FRAME_BYTES, &error) == GNOMON_OK);
    CHECK(gnomon_gnt_writer_close(writer, &good, &error) == GNOMON_ERR_SYSTEM);
    CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
    CHECK(!exists("a.gnt.tmp"));
    check_good("a.gnt");
    CHECK(gnomon_gnt_writer_open(&writer, "/dev/full", header, &error) == GNOMON_ERR_SYSTEM && !writer);
    CHECK(strstr(error.what, "No space left") && strstr(error.remedy, "make room"));
    CHECK(exists("/dev/full"));
}

static void test_targets(void) {
    write_good("/dev/null");
    CHECK(exists("/dev/null"));
    unlink("link.gnt");
    CHECK(symlink("target.gnt", "link.gnt") == 0);
    write_good("target.gnt");
    write_good("link.gnt");
    struct stat about;
    CHECK(lstat("link.gnt", &about) == 0 && S_ISLNK(about.st_mode));
    check_good("target.gnt");

    struct gnomon_gnt_writer *writer, *second = open_good("a.gnt");
    CHECK(gnomon_gnt_writer_open(&writer, "a.gnt", header, &error) == GNOMON_ERR_BUSY && !writer);
    CHECK(exists("a.gnt.tmp"));
    gnomon_gnt_writer_abort(second);
    CHECK(gnomon_gnt_writer_open(&writer, ".", header, &error) == GNOMON_ERR_ARGUMENT);
    CHECK(gnomon_gnt_writer_open(&writer, "no/such/folder.gnt", header, &error) == GNOMON_ERR_SYSTEM);
    CHECK(strstr(error.remedy, "-o"));
    writer = open_good("odd.gnt");
    CHECK(gnomon_gnt_writer_frames(writer, frames, 100, &error) == GNOMON_ERR_ARGUMENT);
    gnomon_gnt_writer_abort(writer);
}

int main(int argc, char **argv) {
    CHECK(argc == 2 && chdir(argv[1]) == 0);
    header = json_pack("{s:{s:s}, s:I}", "device", "address", "sim:full", "clock_hz", (json_int_t)60000000);
    for (size_t i = 0; i < sizeof frames; i++)
        frames[i] = (uint8_t)(i * 7 + i / 512);
    test_earlier_file_survives();
    test_full_disk();
    test_targets();
    json_decref(header);
    puts("writer: earlier files survive, full disks are reported, devices and links are respected");
    return 0;
}
