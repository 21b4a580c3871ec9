/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon export: a recorded run in the formats of other programs. */
#include "lib/export/export.h"

#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/choose.h"
#include "cli/interrupt.h"
#include "cli/print_names.h"
#include "cli/screen.h"
#include "lib/util/output.h"

struct values {
    const char *to, *elf, *hart, *thread;
    struct cli_list modules;
    bool list, strict;
};

static const struct cli_option options[] = {
    {0, "to", "FORMAT", "the format to write; --list shows all", CLI_STRING, offsetof(struct values, to)},
    {0, "list", NULL, "list the formats", CLI_FLAG, offsetof(struct values, list)},
    {0, "elf", "FILE", "the program, where it is not where it was when it was recorded", CLI_STRING,
     offsetof(struct values, elf)},
    {0, "module", "FILE", "a module that the program loaded and whose file was not at hand then, or has moved",
     CLI_LIST, offsetof(struct values, modules)},
    {0, "thread", "NAME", "only the functions of the thread of this name or number; it needs a recording with events",
     CLI_STRING, offsetof(struct values, thread)},
    {0, "hart", "N", "only hart N, 0 or 1 (default: both harts)", CLI_STRING, offsetof(struct values, hart)},
    {0, "strict", NULL, "exit with status 3 when events were lost or the end is missing", CLI_FLAG,
     offsetof(struct values, strict)},
    {0},
};

static const char *needs_text(const struct gnomon_export_format *format) {
    return format->needs == GNOMON_EXPORT_PROFILE ? "any" : format->needs == GNOMON_EXPORT_HEAP ? "heap" : "events";
}

static int list_formats(struct cli_context *context) {
    json_t *list = json_array();
    if (!context->json)
        printf("%-19s %-10s %s\n", "format", "recording", "what it is");
    for (const struct gnomon_export_format *const *at = gnomon_export_formats; *at; at++) {
        const struct gnomon_export_format *format = *at;
        if (context->json)
            json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "name", format->name, "extension",
                                                  format->extension, "needs", needs_text(format), "description",
                                                  format->description));
        else
            printf("%-19s %-10s %s\n", format->name, needs_text(format), format->description);
    }
    if (context->json)
        return cli_print_json(context, list);
    json_decref(list);
    return cli_pager_end(context, stdout);
}

/* "gnomon.folded" for "dir/gnomon.gnt": in the working directory. NULL: out of memory. */
static char *default_output(const char *input, const char *extension) {
    const char *name = cli_basename(input);
    const size_t length = strlen(name), ending = strlen(".gnt");
    const bool known = length > ending && !strcmp(name + length - ending, ".gnt");
    char *path = NULL;
    return asprintf(&path, "%.*s.%s", (int)(known ? length - ending : length), name, extension) < 0 ? NULL : path;
}

static enum gnomon_status open_recording(const struct cli_context *context, const char *input,
                                         const struct gnomon_export_format *format, struct gnomon_export *export,
                                         struct gnomon_error *error) {
    const struct values *values = context->values;
    enum gnomon_status status =
        gnomon_analysis_open_any(&export->analysis, input, values->elf, GNOMON_WITH_SYMBOLS, error);
    export->analysis.raw_names = context->raw_names;
    if (!status)
        status = cli_choose_hart(&export->analysis, values->hart, "a number", error);
    if (!status)
        status = cli_add_modules(&export->analysis, &values->modules, error);
    if (!status)
        status = cli_choose_thread(&export->analysis, &export->tables, &export->names, values->thread, error);
    if (!status)
        status = gnomon_export_read(export, format, error);
    if (!status && export->profile)
        status = cli_check_thread(&export->analysis, export->profile, values->thread, error);
    return status;
}

/* A format of events has its profile only after it has written the file. */
static enum gnomon_status write_output(const struct cli_context *context, struct gnomon_export *export,
                                       const struct gnomon_export_format *format, const char *path, uint64_t *size,
                                       struct gnomon_error *error) {
    const struct values *values = context->values;
    struct gnomon_output output;
    struct gnomon_error closing;
    cli_watch_interrupts(false); /* from now on a signal removes the half-written file */
    enum gnomon_status status = gnomon_output_open(&output, path, format->files, cli_interrupted, error);
    if (status)
        return status;
    export->stop = cli_interrupted;
    status = format->files ? format->write_files(export, output.streams, error)
                           : format->write(export, output.streams[0], error);
    if (!status && format->needs == GNOMON_EXPORT_EVENTS && export->profile)
        status = cli_check_thread(&export->analysis, export->profile, values->thread, error);
    const enum gnomon_status closed = gnomon_output_close(&output, !status, &closing);
    *size = output.written;
    if (status && cli_interrupted()) /* it fails a read of the input */
        return gnomon_fail(error, GNOMON_ERR_INTERRUPTED, "interrupted: %s is not written", path);
    if (status || !closed)
        return status;
    *error = closing;
    return closed;
}

static int export_to(struct cli_context *context, const char *input, const char *path,
                     const struct gnomon_export_format *format) {
    const struct values *values = context->values;
    struct gnomon_export export = {.names = {.fd = -1}};
    struct gnomon_error error;
    uint64_t size;
    char count[CLI_COUNT_BYTES];
    int result;
    if (open_recording(context, input, format, &export, &error) ||
        write_output(context, &export, format, path, &size, &error)) {
        result = cli_error(context, &error);
    } else {
        cli_note_stripped(context, export.analysis.symbols);
        result = cli_reasons(context, &export.exactness, values->strict);
        if (strcmp(path, "-") != 0)
            cli_note(context, "wrote %s (%s bytes): %s", path, cli_count(count, size), format->description);
    }
    gnomon_export_close(&export);
    return result;
}

static int run_export(struct cli_context *context) {
    const struct values *values = context->values;
    const char *input = context->argc > 0 ? context->argv[0] : context->input;
    if (values->list)
        return list_formats(context);
    if (!values->to)
        return cli_usage(context, "missing option: --to FORMAT; gnomon export --list shows the formats");
    const struct gnomon_export_format *format = gnomon_export_find(values->to);
    if (!format)
        return cli_usage(context, "unknown format %s; gnomon export --list shows the formats", values->to);
    const bool standard = context->output && !strcmp(context->output, "-");
    if (standard && format->files)
        return cli_usage(context, "%s is a directory of files: give -o DIRECTORY", format->name);
    if (standard && format->binary && isatty(STDOUT_FILENO))
        return cli_usage(context, "%s is binary, and standard output is a terminal: give -o FILE", format->name);
    char *path = context->output ? NULL : default_output(input, format->extension);
    if (!context->output && !path)
        return cli_usage(context, "out of memory");
    const int result = export_to(context, input, path ? path : context->output, format);
    free(path);
    return result;
}

const struct command command_export = {
    .name = "export",
    .summary = "write a recorded run in the format of another program",
    .synopsis = "--to FORMAT [OPTION...] [FILE]",
    .description = "Reads a recording of `gnomon record` (FILE, or -i, or gnomon.gnt) and writes it in FORMAT, to the "
                   "file of -o (`-o -`: standard output), or to the working directory under the "
                   "recording's name with the format's extension. The sums are those of `gnomon report`. --list shows "
                   "the formats and whether they need a recording with events.\n\nWhat was lost is in each file, and "
                   "is printed as a warning. The file (of ctf: the directory) appears when it is complete: an error or "
                   "Ctrl-C leaves an earlier one as it was.",
    .examples = "gnomon export --list\tThe formats.\n"
                "gnomon export --to folded -o run.folded run.gnt\tThe call paths of run.gnt with what each took.\n"
                "gnomon export --to perfetto -o run.pftrace run.gnt\tThe time line of run.gnt, for ui.perfetto.dev.\n",
    .common = CLI_INPUT | CLI_OUTPUT | CLI_JSON | CLI_NAMES,
    .options = options,
    .values_size = sizeof(struct values),
    .max_operands = 1,
    .run = run_export,
};
