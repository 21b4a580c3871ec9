/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon info: what a device can do, read from the device itself. */
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/screen.h"
#include "lib/device/board.h"

struct values {
    struct cli_list sim_options;
};

static void line(const struct cli_context *context, const char *name, const char *value) {
    printf("%s%-14s%s ", cli_style(context, stdout, CLI_BOLD), name, cli_style(context, stdout, CLI_PLAIN));
    screen_item(stdout, value, 15);
}

static int print_text(struct cli_context *context, const struct gnomon_board *board) {
    char text[400], isa[GNOMON_ISA_BYTES];
    line(context, "device", board->address);
    snprintf(text, sizeof text, "%s, serial %s%s", board->usb.name[0] ? board->usb.name : "(no name)",
             board->usb.serial[0] ? board->usb.serial : "(none)", board->simulated ? ", simulated" : "");
    line(context, "product", text);
    line(context, "configuration", board->config);
    snprintf(text, sizeof text, "registers %u.%u, USB %x.%02x, RTL %08x", board->version_major, board->version_minor,
             board->usb.release >> 8, board->usb.release & 0xFFu, (unsigned)board->rtl_hash);
    line(context, "version", text);
    snprintf(text, sizeof text, "%s, %s%s, %u hart%s at %.6g MHz", gnomon_board_isa(board, isa),
             gnomon_board_has_user(board) ? "modes M and U" : "mode M", gnomon_board_has_pmp(board) ? ", PMP" : "",
             board->harts, board->harts == 1 ? "" : "s", board->clock_hz / 1e6);
    line(context, "core", text);
    snprintf(text, sizeof text, "%u KiB at 0x%08x%s", (unsigned)board->ram_bytes / 1024, (unsigned)board->ram_base,
             board->icache ? ", instruction cache" : "");
    line(context, "memory", text);
    if (board->flash_bytes) {
        snprintf(text, sizeof text, "%u KiB for programs at 0x%08x", (unsigned)board->flash_bytes / 1024,
                 (unsigned)board->flash_start);
        line(context, "flash memory", text);
    }
    char buckets[32] = "";
    if (board->bucketed)
        snprintf(buckets, sizeof buckets, " (%u with buckets)", board->bucketed);
    char threads[32] = "";
    if (board->threads)
        snprintf(threads, sizeof threads, " of %u threads", board->threads);
    if (board->profiler)
        snprintf(
            text, sizeof text,
            "up to %u functions, event stream, buffer of %u events, nesting of %u, %u records%s%s%s, %u counters, lock "
            "snooper %s, calls of %u functions without hooks",
            (unsigned)board->numbers, board->fifo_entries, board->stack_entries, board->records, buckets,
            board->epochs ? " in epochs" : "", threads, board->hpm_counters, board->locks ? "yes" : "no", board->watch);
    else
        snprintf(text, sizeof text, "none");
    line(context, "profiler", text);
    snprintf(text, sizeof text, "%s", board->causes ? "counted for the run" : "not counted");
    if (board->code_window)
        snprintf(text, sizeof text, "counted for the run, and for each instruction of %u bytes of code",
                 board->code_window);
    line(context, "causes", text);
    line(context, "stack",
         board->stack_guard ? "its end is guarded: a program that leaves it is stopped" : "not guarded");
    if (board->profiler)
        line(context, "threads",
             board->switches ? "switches that no message tells of are counted"
                             : "switches that no message tells of are not seen on this board");
    snprintf(text, sizeof text, "none");
    if (board->tagged)
        snprintf(text, sizeof text, "on %u KiB of memory at a time%s%s", (unsigned)(board->tagged / 1024),
                 board->tag_cache ? ", with tag caches on all of it" : "",
                 board->reduced_tags ? ", of instructions only (reduced tags)"
                 : board->sampler    ? ", and a sampler"
                                     : "");
    line(context, "tags", text);
    return cli_pager_end(context, stdout);
}

static int run_info(struct cli_context *context) {
    const struct values *values = context->values;
    struct gnomon_transport_options options = {values->sim_options.items, values->sim_options.count, true};
    struct gnomon_error error;
    struct gnomon_device *device;
    struct gnomon_board board;
    if (gnomon_device_open(context->device, &options, &device, &error))
        return cli_error(context, &error);
    enum gnomon_status status = gnomon_board_read(device, &board, &error);
    gnomon_device_close(device);
    if (status)
        return cli_error(context, &error);
    return context->json ? cli_print_json(context, gnomon_board_json(&board)) : print_text(context, &board);
}

static const struct cli_option options[] = {
    CLI_SIM_OPTION(struct values, sim_options),
    {0},
};

const struct command command_info = {
    .name = "info",
    .summary = "show what a device can do, as the device itself reports it",
    .synopsis = "[OPTION...]",
    .examples = "gnomon info -d sim:small --json\tWhat the small configuration has, for a program to read.\n",
    .common = CLI_DEVICE | CLI_JSON,
    .options = options,
    .values_size = sizeof(struct values),
    .run = run_info,
};
