/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon dump: every event of a trace. */
#include <string.h>

#include "cli/choose.h"
#include "cli/report/dump.h"
#include "cli/screen.h"

static const struct cli_option options[] = {
    {0, "elf", "FILE", "the program, where it is not where it was when it was recorded", CLI_STRING,
     offsetof(struct dump_values, elf)},
    {0, "module", "FILE", "a module that the program loaded and whose file was not at hand then, or has moved",
     CLI_LIST, offsetof(struct dump_values, modules)},
    {'n', "limit", "N", "show the first N events, or frames", CLI_NUMBER, offsetof(struct dump_values, limit)},
    {0, "hart", "N", "the events of hart N: 0 (the default), 1, or both, in the order of time", CLI_STRING,
     offsetof(struct dump_values, hart)},
    {0, "raw", NULL, "the frames as they were received, not decoded", CLI_FLAG, offsetof(struct dump_values, raw)},
    {0, "strict", NULL, "exit with status 3 when events were lost or the end is missing", CLI_FLAG,
     offsetof(struct dump_values, strict)},
    {0},
};

struct dump_access dump_access_of(const struct gnomon_event *event) {
    static const char *const ports[] = {
        [GNOMON_PORT_INSTRUCTION] = "instruction", [GNOMON_PORT_DATA] = "data", [GNOMON_PORT_HOST] = "host"};
    unsigned lanes = GNOMON_ACCESS_LANES(event->number), first = 0, size = 0;
    struct dump_access access = {.port = event->number & GNOMON_ACCESS_WORD ? "word"
                                                                            : ports[GNOMON_ACCESS_PORT(event->number)],
                                 .write = event->number & GNOMON_ACCESS_WRITE,
                                 .address = event->value,
                                 .data = event->data};
    if (!lanes)
        return access;
    while (!(lanes >> first & 1))
        first++;
    while (lanes >> (first + size))
        size++;
    access.address = (event->value & ~3u) + first;
    access.size = size;
    access.data = event->data >> (8 * first) & (uint32_t)(UINT64_C(0xFFFFFFFF) >> (32 - 8 * size));
    return access;
}

void dump_name(const struct dump *dump, const struct gnomon_event *event, struct gnomon_name *name) {
    bool trap = event->type == GNOMON_EVENT_TRAP_ENTER || event->type == GNOMON_EVENT_TRAP_LEAVE;
    uint32_t id = event->number == GNOMON_FUNCTION_UNKNOWN ? GNOMON_PROFILE_UNKNOWN
                                                           : event->number + (trap ? GNOMON_PROFILE_TRAP : 0);
    gnomon_name_of(name, &dump->analysis, id);
}

static bool enough(const struct dump *dump, uint64_t shown) {
    return (dump->values->limit && shown >= dump->values->limit) || ferror(dump->stream);
}

/* How many of the next `count` events are shown. */
static size_t part_of(const struct dump *dump, uint64_t shown, size_t count) {
    const uint64_t limit = dump->values->limit;
    return enough(dump, shown) ? 0 : limit && limit - shown < count ? (size_t)(limit - shown) : count;
}

/* Explains why a recording with function records has so few events, and what to do about it. */
static void tell_records(const struct dump *dump) {
    static const char text[] =
        "# Enters, exits and traps are in the device's function records, which gnomon report shows; for "
        "each of them with its time record again: gnomon record --events";
    if (!dump->analysis.aggregates)
        return;
    if (dump->context->json)
        cli_note(dump->context, "%s", text + strlen("# "));
    else
        screen_sentence(dump->stream, text, "# ");
}

static void put_event(struct dump *dump, const struct gnomon_event *event) {
    if (dump->context->json)
        dump_json_event(dump, event);
    else if (dump->lines)
        dump_lines_event(dump, event);
    else
        dump_text_event(dump, event);
    if (event->type != GNOMON_EVENT_DAMAGE)
        dump->last = event->cycle;
}

/* Reads the next events, and adds their number to *shown. *got false: there are no more. */
static enum gnomon_status put_next(struct dump *dump, uint64_t *shown, bool *got, struct gnomon_error *error) {
    struct gnomon_event event;
    const struct gnomon_calls *calls = dump->lines ? gnomon_analysis_calls(&dump->analysis) : NULL;
    if (calls) {
        dump_lines_calls(dump, calls, part_of(dump, *shown, calls->count));
        *shown += calls->count;
        return GNOMON_OK;
    }
    const enum gnomon_status status = gnomon_analysis_next(&dump->analysis, &event, got, error);
    if (!status && *got && !enough(dump, (*shown)++))
        put_event(dump, &event);
    return status;
}

/* Reads all events even if not all are shown: only the end of the trace says what was lost. */
static enum gnomon_status put_events(struct dump *dump, struct gnomon_error *error) {
    bool got = true;
    uint64_t shown = 0;
    enum gnomon_status status = GNOMON_OK;
    tell_records(dump);
    dump->analysis.ahead = true;
    if (!dump->context->json) {
        dump_text_head(dump);
        dump_lines_open(dump);
    }
    while (!status && got)
        status = put_next(dump, &shown, &got, error);
    dump_lines_close(dump);
    return status;
}

static enum gnomon_status put_frames(struct dump *dump, struct gnomon_error *error) {
    const uint8_t *frame;
    struct gnomon_event event;
    enum gnomon_status status;
    for (uint64_t shown = 0; !(status = gnomon_gnt_next(dump->analysis.file, &frame, error)) && frame; shown++) {
        if (!enough(dump, shown) && dump->context->json)
            dump_raw_json(dump, shown, frame);
        else if (!enough(dump, shown))
            dump_raw_text(dump, shown, frame);
        gnomon_trace_feed(dump->analysis.trace, frame); /* the events give the messages at the end */
        while (gnomon_trace_next(dump->analysis.trace, &event) == GNOMON_TRACE_EVENT)
            ;
    }
    return status;
}

static enum gnomon_status choose_hart(struct dump *dump, struct gnomon_error *error) {
    const char *hart = dump->values->hart ? dump->values->hart : "0";
    const bool both = !strcmp(hart, "both");
    return cli_choose_hart(&dump->analysis, !both ? hart : dump->values->raw ? "0" : NULL, "a number or both", error);
}

static int print_all(struct dump *dump, const char *path) {
    struct gnomon_error error;
    const struct dump_values *values = dump->values;
    if (gnomon_analysis_open(&dump->analysis, path, values->elf,
                             values->raw ? GNOMON_WITHOUT_SYMBOLS : GNOMON_WITH_SYMBOLS, &error) ||
        choose_hart(dump, &error) || cli_add_modules(&dump->analysis, &values->modules, &error))
        return cli_error(dump->context, &error);
    dump->analysis.raw_names = dump->context->raw_names;
    if (dump->analysis.elf_path && !values->raw && gnomon_places_load(&dump->places, dump->analysis.elf_path, &error))
        return cli_error(dump->context, &error);
    if (dump->analysis.memory) {
        gnomon_fail(&error, GNOMON_ERR_UNSUPPORTED, "%s has records, and no events", path);
        gnomon_error_remedy(&error, "gnomon report reads it");
        return cli_error(dump->context, &error);
    }
    if (!values->raw && (gnomon_analysis_tables(&dump->analysis, &dump->tables, &error) ||
                         !gnomon_lock_names_open(&dump->names, &dump->tables, &dump->analysis)))
        return cli_error(dump->context, &error);
    dump->stream = cli_pager_begin(dump->context);
    dump->width = screen_width(dump->stream);
    enum gnomon_status status = values->raw ? put_frames(dump, &error) : put_events(dump, &error);
    int written = cli_pager_end(dump->context, dump->stream);
    if (status)
        return cli_error(dump->context, &error);
    struct gnomon_exactness exactness;
    gnomon_analysis_exactness(&dump->analysis, &exactness);
    int result = cli_reasons(dump->context, &exactness, values->strict);
    return written ? written : result;
}

int dump_file(struct cli_context *context, const struct dump_values *values, const char *path) {
    struct dump dump = {.context = context, .values = values, .names = {.fd = -1}};
    int status = print_all(&dump, path);
    gnomon_lock_names_close(&dump.names);
    gnomon_lock_tables_free(&dump.tables);
    gnomon_places_free(dump.places);
    gnomon_analysis_close(&dump.analysis);
    return status;
}

static int run(struct cli_context *context) {
    return dump_file(context, context->values, context->argc > 0 ? context->argv[0] : context->input);
}

const struct command command_dump = {
    .name = "dump",
    .summary = "print every event of a recorded run, with its time",
    .synopsis = "[OPTION...] [FILE]",
    .description = "Prints each event of a trace that `gnomon record` wrote (FILE, or -i, or gnomon.gnt): its cycle, "
                   "the cycles since "
                   "the event before, the thread, and what happened, indented by the depth of calls. With --json, one "
                   "object a line.\n\n"
                   "Exit status: 0 good; 1 the file cannot be read, or is damaged (what could be read is shown); 2 "
                   "wrong usage; 3 with "
                   "--strict, when events were lost or the end of the trace is missing.",
    .examples = "gnomon dump | less\tRead along.\n"
                "gnomon dump --json run.gnt\tFor programs.\n"
                "gnomon dump --raw run.gnt\tFrames and their bytes.\n",
    .common = CLI_INPUT | CLI_JSON | CLI_NAMES,
    .options = options,
    .values_size = sizeof(struct dump_values),
    .max_operands = 1,
    .run = run,
};
