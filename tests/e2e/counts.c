/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program with counters and ranges that the host has programmed, reads them continuously, and writes their
 * values at the program's end as JSON.
 *
 * usage: counts DEVICE SPEC.json OUT.json ELF [ARG...]
 *        counts refuse DEVICE
 *
 * SPEC is as in sim/counts.h; its "settings" hold each counter's setting as text, and its first value. The environment
 * variable COUNTS holds the operand of the simulator's option --counts. "refuse" prints a line for each invalid
 * setting: status, text. The environment variable PMU_LOST holds what the device's register PMU.LOST is to read. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gnomon/registers.h"
#include "lib/device/board.h"
#include "lib/device/pmu.h"
#include "lib/run/session.h"

struct run {
    struct gnomon_device *device;
    struct gnomon_board board;
    struct gnomon_pmu pmu;
    struct gnomon_pmu_value last[GNOMON_PMU_COUNTERS];
    unsigned reads;
};

/* No program can make a device with registers before the profiler lose counts, so the loss is pretended. */
enum gnomon_status __real_gnomon_device_get(struct gnomon_device *device, uint32_t address, uint32_t *value,
                                            struct gnomon_error *error);
enum gnomon_status __wrap_gnomon_device_get(struct gnomon_device *device, uint32_t address, uint32_t *value,
                                            struct gnomon_error *error);
enum gnomon_status __wrap_gnomon_device_get(struct gnomon_device *device, uint32_t address, uint32_t *value,
                                            struct gnomon_error *error) {
    enum gnomon_status status = __real_gnomon_device_get(device, address, value, error);
    const char *lost = getenv("PMU_LOST");
    if (!status && address == GNOMON_PMU_LOST && lost)
        *value = (uint32_t)strtoul(lost, NULL, 16);
    return status;
}

static void check(enum gnomon_status status, const struct gnomon_error *error) {
    if (!status)
        return;
    fprintf(stderr, "counts: %s\n", error->what);
    exit(1);
}

/* Counters that count up never decrease. */
static bool on_tick(void *context) {
    struct run *run = context;
    struct gnomon_pmu_value values[GNOMON_PMU_COUNTERS];
    struct gnomon_error error;
    check(gnomon_pmu_read(&run->pmu, values, &error), &error);
    for (unsigned i = 0; i < run->pmu.counters; i++)
        if (values[i].count - run->last[i].count > (uint64_t)1 << 40) {
            fprintf(stderr, "counts: counter %u went back\n", i);
            exit(1);
        }
    memcpy(run->last, values, sizeof values);
    run->reads++;
    return false;
}

static void on_console(void *context, const uint8_t *data, size_t size) {
    (void)context;
    fwrite(data, 1, size, stdout);
}

static void program(struct run *run, json_t *spec) {
    struct gnomon_error error;
    size_t index;
    json_t *item;
    json_array_foreach(json_object_get(spec, "ranges"), index, item) {
        uint32_t base = (uint32_t)json_integer_value(json_array_get(item, 0));
        check(gnomon_pmu_range(&run->pmu, (unsigned)index, base, (uint32_t)json_integer_value(json_array_get(item, 1)),
                               &error),
              &error);
    }
    json_array_foreach(json_object_get(spec, "settings"), index, item) {
        struct gnomon_pmu_setting setting;
        check(gnomon_pmu_parse(json_string_value(json_array_get(item, 0)), &setting, &error), &error);
        setting.start = (uint64_t)json_integer_value(json_array_get(item, 1));
        check(gnomon_pmu_program(&run->pmu, (unsigned)index, &setting, &error), &error);
        run->last[index].count = setting.start;
    }
}

static void put(struct run *run, json_t *spec, const char *path) {
    struct gnomon_pmu_value values[GNOMON_PMU_COUNTERS];
    struct gnomon_error error;
    json_t *counters = json_array(), *ranges = json_array();
    check(gnomon_pmu_read(&run->pmu, values, &error), &error);
    for (size_t i = 0; i < json_array_size(json_object_get(spec, "settings")); i++)
        json_array_append_new(counters, json_pack("[I, b]", (json_int_t)values[i].count, (int)values[i].overflowed));
    for (unsigned i = 0; i < run->pmu.ranges + run->pmu.data_ranges; i++) {
        struct gnomon_pmu_range_value range;
        check(gnomon_pmu_range_read(&run->pmu, i, &range, &error), &error);
        json_array_append_new(ranges,
                              json_pack("[I, I, I, I, I]", (json_int_t)range.entries, (json_int_t)range.instructions,
                                        (json_int_t)range.cycles, (json_int_t)range.reads, (json_int_t)range.writes));
    }
    json_t *root = json_pack("{s:o, s:o, s:i}", "counters", counters, "ranges", ranges, "reads", (int)run->reads);
    if (json_dump_file(root, path, JSON_INDENT(1)))
        exit(1);
    json_decref(root);
}

static int refuse(const char *device) {
    static const char *const texts[] = {"branch",
                                        "",
                                        "branches:",
                                        "branches:x",
                                        "branches:thread=256",
                                        "branches:thread=",
                                        "branches:thread=-1",
                                        "branches:range2",
                                        "none:u:thread=1:thread=2"};
    struct run run = {0};
    struct gnomon_error error;
    const struct gnomon_transport_options options = {0};
    struct gnomon_pmu_setting setting;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        printf("%d %s\n", (int)gnomon_pmu_parse(texts[i], &setting, &error), error.what);
    check(gnomon_pmu_parse("branches", &setting, &error), &error);
    check(gnomon_device_open(device, &options, &run.device, &error), &error);
    check(gnomon_board_read(run.device, &run.board, &error), &error);
    enum gnomon_status status = gnomon_pmu_open(&run.pmu, run.device, &run.board, &error);
    printf("%d %s\n", (int)status, status ? error.what : "");
    if (!status) {
        printf("%d %s\n", (int)gnomon_pmu_program(&run.pmu, run.pmu.counters, &setting, &error), error.what);
        printf("%d %s\n", (int)gnomon_pmu_stop(&run.pmu, 1u << run.pmu.counters, &error), error.what);
        printf("%d %s\n", (int)gnomon_pmu_range(&run.pmu, 3, 0, 4, &error), error.what);
        printf("%d %s\n", (int)gnomon_pmu_range(&run.pmu, 0, 4, 4, &error), error.what);
        const struct gnomon_pmu_event unknown = {run.pmu.last_event + 1, "later", ""};
        setting.event = &unknown;
        printf("%d %s\n", (int)gnomon_pmu_program(&run.pmu, 0, &setting, &error), error.what);
        /* Reserved bits and missing events read 0. */
        uint32_t words[2] = {0xFFFFFFFF, 0xFFFFFFFF}, event = GNOMON_PMU_EVENT_LO;
        check(gnomon_device_write(run.device, event, words, 2, &error), &error);
        check(gnomon_device_read(run.device, event, words, 2, &error), &error);
        printf("%08x %08x\n", (unsigned)words[0], (unsigned)words[1]);
        check(gnomon_device_set(run.device, event, run.pmu.last_event, &error), &error);
        check(gnomon_device_get(run.device, event, words, &error), &error);
        printf("%d\n", words[0] == run.pmu.last_event);
    }
    gnomon_device_close(run.device);
    return 0;
}

int main(int argc, char **argv) {
    struct run run = {0};
    struct gnomon_error error;
    struct gnomon_image *image;
    struct gnomon_param_block param;
    struct gnomon_files inputs = {0};
    const char *simulator[] = {"--usb-speedup", "64", "--counts", getenv("COUNTS")};
    const struct gnomon_transport_options options = {.sim_options = simulator,
                                                     .sim_option_count = simulator[3] ? 4 : 2};
    json_error_t why;
    uint32_t end;
    if (argc == 3 && strcmp(argv[1], "refuse") == 0)
        return refuse(argv[2]);
    json_t *spec = argc >= 5 ? json_load_file(argv[2], 0, &why) : NULL;
    if (!spec)
        return 2;
    for (int i = 5; i < argc; i++) { /* copies arguments that name a file into memory */
        FILE *file = fopen(argv[i], "rb");
        if (file) {
            fclose(file);
            check(gnomon_files_add(&inputs, argv[i], argv[i], &error), &error);
        }
    }
    check(gnomon_image_open(argv[4], &image, &error), &error);
    check(gnomon_device_open(argv[1], &options, &run.device, &error), &error);
    check(gnomon_board_read(run.device, &run.board, &error), &error);
    check(gnomon_image_fits(image, &run.board, &end, &error), &error);
    check(gnomon_param_build(&run.board, end, argc - 4, (const char *const *)argv + 4, &inputs, &param, &error),
          &error);
    struct gnomon_session session = {.device = run.device,
                                     .board = &run.board,
                                     .image = image,
                                     .param = &param,
                                     .context = &run,
                                     .console = on_console,
                                     .tick = on_tick};
    check(gnomon_session_prepare(&session, &error), &error);
    check(gnomon_pmu_open(&run.pmu, run.device, &run.board, &error), &error);
    program(&run, spec);
    check(gnomon_session_run(&session, &error), &error);
    put(&run, spec, argv[3]);
    check(gnomon_session_finish(&session, &error), &error);
    gnomon_param_free(&param);
    gnomon_image_close(image);
    gnomon_device_close(run.device);
    json_decref(spec);
    return session.end != GNOMON_END_EXIT;
}
