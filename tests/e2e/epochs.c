/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program with function records and ends epochs as often as possible; writes a line of JSON for each epoch, and
 * one for the rest. "open": only what is open is read, which is faster; the records are empty.
 *
 * usage: epochs records|open DEVICE OUT.jsonl ELF [ARG...] */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gnomon/registers.h"
#include "gnomon/trace.h"
#include "lib/device/board.h"
#include "lib/device/epoch.h"
#include "lib/device/read_records.h"
#include "lib/run/epoch_sampler.h"
#include "lib/run/session.h"
#include "lib/trace/trace_decoder.h"

struct run {
    struct gnomon_device *device;
    struct gnomon_board board;
    struct gnomon_trace *trace;
    struct gnomon_symbols *symbols;
    bool only_open;
    FILE *out;
    uint64_t console; /* in bytes */
};

static void check(enum gnomon_status status, const struct gnomon_error *error) {
    if (!status)
        return;
    fprintf(stderr, "epochs: %s\n", error->what);
    exit(1);
}

/* The sample that this moment gives. */
static json_t *stack_json(const struct run *run, const struct gnomon_epoch *epoch) {
    struct gnomon_open_stack stack;
    gnomon_open_stack(epoch, &run->board, &(struct gnomon_function_starts){.symbols = run->symbols}, &stack);
    json_t *json = json_pack("[i]", (int)stack.thread);
    for (uint32_t i = 0; i < stack.depth; i++)
        json_array_append_new(json, json_integer(stack.addresses[i]));
    return json;
}

static void put(struct run *run, const struct gnomon_epoch *epoch) {
    json_t *open = json_array();
    for (size_t i = 0; i < epoch->open_count; i++) {
        const struct gnomon_open_frame *frame = &epoch->open[i];
        json_array_append_new(open,
                              json_pack("[I, i, b, I, I]", (json_int_t)frame->number, (int)frame->context,
                                        (int)frame->outermost, (json_int_t)frame->total, (json_int_t)frame->self));
    }
    json_t *line =
        json_pack("{s:I, s:I, s:o, s:o, s:o}", "number", (json_int_t)epoch->number, "cycle", (json_int_t)epoch->cycle,
                  "open", open, "stack", stack_json(run, epoch), "records", gnomon_records_json(&epoch->records));
    json_dumpf(line, run->out, JSON_COMPACT);
    fputc('\n', run->out);
    json_decref(line);
}

static bool on_tick(void *context) {
    struct run *run = context;
    struct gnomon_epoch epoch;
    struct gnomon_error error;
    check((run->only_open ? gnomon_epoch_open : gnomon_epoch_end)(run->device, &run->board, &epoch, &error), &error);
    put(run, &epoch);
    gnomon_epoch_free(&epoch);
    return false;
}

static void on_console(void *context, const uint8_t *data, size_t size) {
    struct run *run = context;
    (void)data;
    run->console += size;
}

static bool on_frame(void *context, const uint8_t *frame) {
    struct run *run = context;
    struct gnomon_event event;
    gnomon_trace_feed(run->trace, frame);
    while (gnomon_trace_next(run->trace, &event) == GNOMON_TRACE_EVENT)
        continue;
    return gnomon_trace_stats(run->trace)->ended;
}

int main(int argc, char **argv) {
    struct run run = {0};
    struct gnomon_error error;
    struct gnomon_image *image;
    struct gnomon_param_block param;
    struct gnomon_files none = {0};
    const struct gnomon_transport_options options = {0};
    uint32_t end;
    if (argc < 5 || !(run.out = fopen(argv[3], "w")))
        return 2;
    run.only_open = !strcmp(argv[1], "open");
    check(gnomon_image_open(argv[4], &image, &error), &error);
    check(gnomon_symbols_load(&run.symbols, argv[4], &error), &error);
    check(gnomon_device_open(argv[2], &options, &run.device, &error), &error);
    check(gnomon_board_read(run.device, &run.board, &error), &error);
    check(gnomon_image_fits(image, &run.board, &end, &error), &error);
    check(gnomon_param_build(&run.board, end, argc - 4, (const char *const *)argv + 4, &none, &param, &error), &error);
    run.trace = gnomon_trace_new(run.board.stack_entries);
    gnomon_trace_expect_records(run.trace);
    struct gnomon_session session = {
        .device = run.device,
        .board = &run.board,
        .image = image,
        .param = &param,
        .profile_control = GNOMON_PROFILE_CONTROL_ENABLE | GNOMON_PROFILE_CONTROL_FUNCTIONS |
                           GNOMON_PROFILE_CONTROL_TRAPS | GNOMON_PROFILE_CONTROL_CHANNELS |
                           GNOMON_PROFILE_CONTROL_RECORDS,
        .context = &run,
        .console = on_console,
        .frame = on_frame,
        .tick = on_tick,
        .tick_ms = 1,
    };
    check(gnomon_session_prepare(&session, &error), &error);
    check(gnomon_session_run(&session, &error), &error);
    struct gnomon_epoch last = {.cycle = gnomon_trace_stats(run.trace)->last_cycle};
    check(gnomon_records_read(run.device, &run.board, 0, &last.records, &error), &error);
    put(&run, &last);
    check(gnomon_session_finish(&session, &error), &error);
    gnomon_epoch_free(&last);
    gnomon_trace_free(run.trace);
    gnomon_symbols_free(run.symbols);
    gnomon_param_free(&param);
    gnomon_image_close(image);
    gnomon_device_close(run.device);
    return fclose(run.out) != 0;
}
