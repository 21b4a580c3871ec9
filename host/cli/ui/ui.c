/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon ui: the pictures of a recording in a browser. */
#include "cli/ui/ui.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "cli/choose.h"
#include "cli/interrupt.h"
#include "cli/print_names.h"
#include "cli/ui/ui_program.h"

#define PROGRESS_EVENTS 65536 /* between two looks at the clock */

static const struct cli_option options[] = {
    {0, "export", "DIR", "write the page and its data as files to DIR, to open from a disk or put on any web server",
     CLI_STRING, offsetof(struct ui_values, export)},
    {0, "port", "N", "serve on port N of 127.0.0.1 (default: one that is free)", CLI_NUMBER,
     offsetof(struct ui_values, port)},
    {0, "no-source", NULL, "leave the text of source files out", CLI_FLAG, offsetof(struct ui_values, no_source)},
    {0, "api", "PROFILE",
     "with a recording: an API profile (*.gnp), by which costly functions stand out in the flame graph", CLI_STRING,
     offsetof(struct ui_values, api)},
    {0, "elf", "FILE", "the program, where it is not where it was when it was recorded", CLI_STRING,
     offsetof(struct ui_values, elf)},
    {0, "old-elf", "FILE", "the same for the program of OTHER", CLI_STRING, offsetof(struct ui_values, old_elf)},
    {0, "module", "FILE", "a module that the program loaded and whose file was not at hand then, or has moved",
     CLI_LIST, offsetof(struct ui_values, modules)},
    {0, "hart", "N", "only hart N, 0 or 1 (default: both harts)", CLI_STRING, offsetof(struct ui_values, hart)},
    {0, "strict", NULL, "exit with status 3 when events were lost or the end is missing", CLI_FLAG,
     offsetof(struct ui_values, strict)},
    TARGET_OPTIONS,
    {0},
};

/* ---- Progress ---- */

static struct cli_progress progress;

/* Called for each event that is read. */
static bool reading_stops(void) {
    static uint64_t events;
    char count[CLI_COUNT_BYTES];
    if (++events % PROGRESS_EVENTS == 0 && cli_progress_due(&progress))
        cli_progress_draw(&progress, "reading: %s events", cli_count(count, events));
    return cli_interrupted();
}

/* ---- Reading ---- */

static enum gnomon_status read_recording(const struct cli_context *context, struct gnomon_ui *ui,
                                         struct gnomon_error *error) {
    const struct ui_values *values = context->values;
    struct gnomon_analysis *analysis = &ui->export.analysis;
    const char *input = context->argc > 0 ? context->argv[0] : context->input;
    enum gnomon_status status = gnomon_analysis_open(analysis, input, values->elf, GNOMON_WITH_SYMBOLS, error);
    analysis->raw_names = context->raw_names;
    ui->with_source = !values->no_source;
    ui->other_elf = values->old_elf;
    ui->hart = GNOMON_BOTH_HARTS;
    ui->export.stop = reading_stops;
    if (!status)
        status = cli_hart_number(values->hart, "a number", &ui->hart, error);
    if (!status)
        status = cli_choose_hart(analysis, values->hart, "a number", error);
    if (!status)
        status = cli_add_modules(analysis, &values->modules, error);
    if (!status)
        status = cli_choose_thread(analysis, &ui->export.tables, &ui->export.names, NULL, error);
    if (status)
        return status;
    cli_progress_begin(&progress, context);
    status = gnomon_ui_read(ui, error);
    cli_progress_end(&progress);
    return status;
}

/* ---- The command ---- */

static int show(struct cli_context *context, struct gnomon_ui *ui) {
    const struct ui_values *values = context->values;
    struct gnomon_error error;
    cli_watch_interrupts(false);
    if (read_recording(context, ui, &error))
        return cli_error(context, &error);
    cli_note_stripped(context, ui->export.analysis.symbols);
    const int worth = cli_reasons(context, &ui->export.exactness, values->strict);
    const int shown = values->export ? ui_export_recording(context, ui, values->export)
                                     : ui_serve_recording(context, ui, values->port);
    return shown ? shown : worth;
}

/* A recording otherwise: reading it says what is wrong with it. */
static bool is_program(const char *path) {
    char magic[SELFMAG] = "";
    FILE *file = fopen(path, "rb");
    const bool read = file && fread(magic, 1, sizeof magic, file) == sizeof magic;
    if (file)
        fclose(file);
    return read && !memcmp(magic, ELFMAG, SELFMAG);
}

static int show_api(const struct cli_context *context, const char *path) {
    const struct ui_values *values = context->values;
    struct gnomon_ui_api api = {.path = path,
                                .other = context->argc > 1 ? context->argv[1] : NULL,
                                .raw_names = context->raw_names,
                                .with_source = !values->no_source};
    const int status = ui_show_api(context, &api, values->export, values->port);
    gnomon_ui_api_close(&api);
    return status;
}

/* An API profile beside the recording highlights in it; a second recording is compared with it. */
static int show_recording(struct cli_context *context) {
    const struct ui_values *values = context->values;
    const char *second = context->argc > 1 ? context->argv[1] : NULL;
    const bool is_api = !values->api && second && ui_is_api(second);
    struct gnomon_ui ui = {.export = {.names = {.fd = -1}}, .other = is_api ? NULL : second};
    struct gnomon_ui_api api = {.path = is_api ? second : values->api, .raw_names = context->raw_names};
    struct gnomon_error error;
    int status;
    if (api.path && gnomon_ui_api_read(&api, &error)) {
        status = cli_error(context, &error);
    } else {
        ui.api = api.path ? &api : NULL;
        status = show(context, &ui);
        gnomon_ui_close(&ui);
    }
    gnomon_ui_api_close(&api);
    return status;
}

static int run_ui(struct cli_context *context) {
    const struct ui_values *values = context->values;
    const char *path = context->argc > 0 ? context->argv[0] : context->input;
    if (values->port > UINT16_MAX)
        return cli_usage(context, "--port takes a number up to %d", UINT16_MAX);
    if (context->argc > 0 && is_program(path))
        return values->export || values->api ? cli_usage(context, "--%s takes a recording, and %s is a program",
                                                         values->api ? "api" : "export", path)
                                             : ui_serve_program(context, values);
    if (context->argc > 2)
        return cli_usage(context, "too many operands: %s", context->argv[2]);
    if (!ui_is_api(path))
        return show_recording(context);
    if (values->api || values->elf || values->old_elf || values->modules.count || values->hart || values->strict)
        return cli_usage(context,
                         "--api, --elf, --old-elf, --module, --hart and --strict are for recordings, and %s is an API "
                         "profile",
                         path);
    return show_api(context, path);
}

const struct command command_ui = {
    .name = "ui",
    .summary = "show a recorded run in a browser: flame graph, functions, source, time line, locks",
    .synopsis = "[OPTION...] [FILE [OTHER]] | [OPTION...] PROFILE [OTHER] | [OPTION...] ELF [--] [ARG...]",
    .description =
        "Reads a recording of `gnomon record` (FILE, or -i, or gnomon.gnt), and serves one page on 127.0.0.1 until "
        "Ctrl-C: flame graph and icicle, function table, stall causes, source with heat, histograms, time line with "
        "threads, interrupts, locks and marks. With OTHER, an earlier recording, it also shows what changed since "
        "then. The page needs no network.\n\nWith PROFILE, an API profile (*.gnp) of gnomon merge or gnomon api run, "
        "it shows "
        "what the calls of functions cost: a table, the spectrum of all, and each program, scenario and source one by "
        "one; with OTHER, an earlier profile, also which functions cost more than in that (gnomon check --against). "
        "--api, or a profile in the place of OTHER, makes functions that are costly by a profile stand out in the "
        "flame graph of a recording.\n\nWith ELF, a program, it runs that like gnomon run, and shows its "
        "functions and their callers "
        "meanwhile, without disturbing it: what the device has counted up to now, read again every second. The device "
        "needs "
        "function records with epochs (gnomon info).\n\nWith --export the page and its data are written as files to a "
        "directory. They open from a disk, too. The time line in them has a limited depth of zoom.\n\nWhat was lost, "
        "and "
        "how exact "
        "the figures are, stands at the top of each view.",
    .examples = "gnomon ui\tServe gnomon.gnt.\n"
                "gnomon ui after.gnt before.gnt\tWith what changed since before.gnt.\n"
                "gnomon ui --export run.ui run.gnt\tWrite run.ui/index.html and its data.\n"
                "gnomon ui primes.gnp\tShow an API profile.\n"
                "gnomon ui --api published.gnp run.gnt\tA run, with the functions that are costly by a profile.\n"
                "gnomon ui -d usb ./image.elf\tRun a program, and show where its cycles go meanwhile.\n",
    .common = CLI_INPUT | CLI_DEVICE | CLI_NAMES,
    TARGET_COMMAND(struct ui_values, 0),
    .run = run_ui,
};
