/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon calibrate: the host's time of a board's cycles, and the cycles of a second board, each with its error. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/run/target.h"
#include "cli/screen.h"
#include "lib/run/calibrate.h"

#define DEFAULT_SAMPLES 1000
#define MOST_CLOCKS 2

struct values {
    const char *with;
    uint64_t samples;
};

struct clocked {
    const char *name; /* the device's address, or the file */
    uint32_t clock_hz;
    struct gnomon_device *device; /* NULL: a file */
    struct gnomon_board board;
    bool started;
    struct gnomon_clock_samples samples;
    struct gnomon_clock_fit fit;
};

struct calibration {
    struct clocked devices[MOST_CLOCKS];
    size_t count;
    struct gnomon_clock_pair pair; /* with two devices */
};

static enum gnomon_status open_one(struct clocked *clocked, const char *address, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_device_open(address, NULL, &clocked->device, error);
    if (!status)
        status = gnomon_board_read(clocked->device, &clocked->board, error);
    if (!status)
        status = gnomon_calibrate_check(&clocked->board, error);
    if (status)
        return status;
    clocked->name = clocked->board.address;
    clocked->clock_hz = clocked->board.clock_hz;
    return gnomon_calibrate_begin(clocked->device, &clocked->started, error);
}

/* Reads the devices in turn, so that their samples cover the same time. */
static enum gnomon_status take_samples(struct calibration *calibration, uint64_t count, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    cli_watch_interrupts(true);
    for (uint64_t i = 0; i < count && !status && !cli_interrupted(); i++)
        for (size_t d = 0; d < calibration->count && !status; d++)
            status = gnomon_calibrate_sample(calibration->devices[d].device, &calibration->devices[d].samples, error);
    return status;
}

static enum gnomon_status fit(struct calibration *calibration, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    struct clocked *devices = calibration->devices;
    for (size_t d = 0; d < calibration->count && !status; d++)
        status = gnomon_clock_fit(&devices[d].samples, devices[d].board.clock_hz, devices[d].samples.kept[0].cycle,
                                  devices[d].samples.last.cycle, devices[d].board.address, &devices[d].fit, error);
    return status;
}

static enum gnomon_status measure(struct calibration *calibration, const struct cli_context *context,
                                  struct gnomon_error *error) {
    const struct values *values = context->values;
    const char *addresses[MOST_CLOCKS] = {context->device, values->with};
    enum gnomon_status status = GNOMON_OK;
    for (size_t d = 0; d < (values->with ? MOST_CLOCKS : 1) && !status; d++)
        status = open_one(&calibration->devices[calibration->count++], addresses[d], error);
    if (!status)
        status = take_samples(calibration, values->samples ? values->samples : DEFAULT_SAMPLES, error);
    return status ? status : fit(calibration, error);
}

/* Takes the fits of recordings. Host times of two of them can be compared if the host did not start again meanwhile. */
static enum gnomon_status load(struct calibration *calibration, int count, char **paths, struct gnomon_error *error) {
    struct gnomon_recorded_clock clocks[MOST_CLOCKS];
    for (int i = 0; i < count; i++) {
        struct clocked *clocked = &calibration->devices[calibration->count++];
        enum gnomon_status status = gnomon_calibrate_load(paths[i], &clocks[i], error);
        if (status)
            return status;
        clocked->name = paths[i];
        clocked->clock_hz = clocks[i].clock_hz;
        clocked->fit = clocks[i].fit;
    }
    if (count < 2 || (*clocks[0].boot && !strcmp(clocks[0].boot, clocks[1].boot)))
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_MISMATCH, "%s and %s have times of different clocks", paths[0], paths[1]);
    return gnomon_remedy(error, GNOMON_ERR_MISMATCH, "record both on one host, without a restart between them");
}

static void close_all(struct calibration *calibration, enum gnomon_status *status, struct gnomon_error *error) {
    for (size_t d = 0; d < calibration->count; d++) {
        struct clocked *clocked = &calibration->devices[d];
        enum gnomon_status ended = clocked->device
                                       ? gnomon_calibrate_end(clocked->device, clocked->started, *status ? NULL : error)
                                       : GNOMON_OK;
        *status = *status ? *status : ended;
        gnomon_device_close(clocked->device);
    }
}

static void print_board(const struct clocked *clocked) {
    const struct gnomon_clock_fit *fit = &clocked->fit;
    char cycle[CLI_COUNT_BYTES], first[CLI_COUNT_BYTES], last[CLI_COUNT_BYTES];
    printf("%s  %.6g MHz %+.3f ppm, +-%.3f ppm, by the host's clock\n", clocked->name, clocked->clock_hz / 1e6,
           fit->rate_ppm, fit->rate_error_ppm);
    printf("  host time = %" PRIu64 ".%09" PRIu64 " s + (cycle - %s) * %.9f ns\n", fit->host_ns / 1000000000,
           fit->host_ns % 1000000000, cli_count(cycle, fit->cycle), fit->ns_per_cycle);
    printf("  +-%.3f us for cycles %s to %s; later %.3f us more each second\n", fit->error_ns / 1e3,
           cli_count(first, fit->first_cycle), cli_count(last, fit->last_cycle), fit->drift_ppm);
    printf("  %" PRIu64 " reads, the shortest round trip %.3f us\n", fit->taken, fit->round_trip_ns / 1e3);
}

static void print_pair(const struct calibration *calibration) {
    const struct gnomon_clock_pair *pair = &calibration->pair;
    char a[CLI_COUNT_BYTES], b[CLI_COUNT_BYTES], error[CLI_COUNT_BYTES], first[CLI_COUNT_BYTES], last[CLI_COUNT_BYTES];
    printf("cycle of %s\n  = %s%s + (cycle of %s - %s) * %.12f\n", calibration->devices[1].name,
           pair->b_cycle < 0 ? "-" : "", cli_count(b, (uint64_t)llabs(pair->b_cycle)), calibration->devices[0].name,
           cli_count(a, pair->a_cycle), pair->ratio);
    printf("  +-%s cycles (%.3f us) for cycles %s to %s\n", cli_count(error, (uint64_t)ceil(pair->error_cycles)),
           pair->error_ns / 1e3, cli_count(first, pair->first_cycle), cli_count(last, pair->last_cycle));
}

static json_t *pair_json(const struct gnomon_clock_pair *pair) {
    return json_pack("{s:I, s:I, s:f, s:f, s:f, s:I, s:I}", "a_cycle", (json_int_t)pair->a_cycle, "b_cycle",
                     (json_int_t)pair->b_cycle, "ratio", pair->ratio, "error_cycles", pair->error_cycles, "error_ns",
                     pair->error_ns, "first_cycle", (json_int_t)pair->first_cycle, "last_cycle",
                     (json_int_t)pair->last_cycle);
}

static int print_json(struct cli_context *context, const struct calibration *calibration) {
    json_t *boards = json_array();
    for (size_t d = 0; d < calibration->count; d++) {
        const struct clocked *clocked = &calibration->devices[d];
        json_array_append_new(boards,
                              json_pack("{s:s, s:I, s:o}", "device", clocked->name, "clock_hz",
                                        (json_int_t)clocked->clock_hz, "fit", gnomon_clock_fit_json(&clocked->fit)));
    }
    json_t *all = json_pack("{s:s, s:o}", "host_clock", "CLOCK_MONOTONIC_RAW", "boards", boards);
    if (all && calibration->count > 1)
        json_object_set_new(all, "pair", pair_json(&calibration->pair));
    return cli_print_json(context, all);
}

static int print_text(struct cli_context *context, const struct calibration *calibration) {
    for (size_t d = 0; d < calibration->count; d++)
        print_board(&calibration->devices[d]);
    if (calibration->count > 1)
        print_pair(calibration);
    return cli_pager_end(context, stdout);
}

static int run_calibrate(struct cli_context *context) {
    const struct values *values = context->values;
    if (context->argc && (values->with || values->samples))
        return cli_usage(context, "--with and --samples are for devices, not for files");
    struct calibration *calibration = calloc(1, sizeof *calibration);
    struct gnomon_error error;
    if (!calibration) {
        gnomon_fail_memory(&error);
        return cli_error(context, &error);
    }
    enum gnomon_status status =
        context->argc ? load(calibration, context->argc, context->argv, &error) : measure(calibration, context, &error);
    if (!status && calibration->count > 1)
        status =
            gnomon_clock_pair(&calibration->devices[0].fit, &calibration->devices[1].fit, &calibration->pair, &error);
    close_all(calibration, &status, &error);
    int result = status          ? cli_error(context, &error)
                 : context->json ? print_json(context, calibration)
                                 : print_text(context, calibration);
    free(calibration);
    return result;
}

static const struct cli_option options[] = {
    {0, "with", "ADDRESS", "also calibrate this device, and give its cycles for those of the first one", CLI_STRING,
     offsetof(struct values, with)},
    {'n', "samples", "N", "read each cycle counter N times (default: 1000); more reads make the error smaller",
     CLI_NUMBER, offsetof(struct values, samples)},
    {0},
};

const struct command command_calibrate = {
    .name = "calibrate",
    .summary = "bring the clocks of a board and the host, or of two boards, together, with the error",
    .synopsis = "[OPTION...] [FILE [FILE]]",
    .description =
        "Reads the cycle counter of a board again and again, each time between two readings of the host's clock "
        "(CLOCK_MONOTONIC_RAW). Prints the host's time as a function of the board's cycle, the rate of the board's "
        "clock against its nominal rate, and the errors of both. With --with it does the same for a second board, and "
        "prints that board's cycle as a function of the first one's.\n\nAn error is a bound, not an estimate: "
        "whatever part of a round trip was before the value was read and whatever part after it, the truth is not "
        "farther away. The only assumption is that the clocks keep their rates during the calibration; if no constant "
        "rate fits the reads, the command fails. The rate is against the host's clock, whose own deviation is not "
        "known.\n\nA running program loses no cycle by the reads. Where no program runs, the hart is halted outside "
        "its reset meanwhile, and executes nothing. The cycle counter starts at 0 with each run: gnomon record "
        "--calibrate takes the host's time of a run's own cycles. With FILE, such a recording, the command prints what "
        "is in it; with two, recorded at the same time on one host, also the cycle of the second as a function of the "
        "cycle of the first. A simulated board has no rate.\n\nExit status: 0 "
        "good; 1 an error; 2 wrong usage.",
    .examples = "gnomon calibrate\tHow far the board's clock is off its nominal rate.\n"
                "gnomon calibrate -d usb:1209:0001:A --with usb:1209:0001:B --json\tThe cycles of board B for those of "
                "board A, for programs.\n"
                "gnomon calibrate a.gnt b.gnt\tThe cycles of a recording for those of another.\n",
    .common = CLI_DEVICE | CLI_JSON,
    .options = options,
    .values_size = sizeof(struct values),
    .max_operands = 2,
    .run = run_calibrate,
};
