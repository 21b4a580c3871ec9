/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon callers: who calls a function, and who calls those callers. The monitor in the program finds them. */
#include "lib/run/callers_monitor.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/print_names.h"
#include "cli/run/target.h"
#include "cli/screen.h"
#include "lib/elf/address_range.h"
#include "lib/elf/demangle.h"
#include "lib/elf/symbols.h"
#include "lib/run/measure.h"
#include "lib/util/json_text.h"

struct values {
    struct target_values target;
    uint64_t period, settle, quiet, levels;
};

struct callers {
    struct cli_context *context; /* context of the program: the operands without the function */
    struct target target;
    const char *function;
    struct gnomon_symbols *symbols;
    struct gnomon_monitor_results results;
    bool died; /* the program died */
    struct gnomon_measured measured;
    struct gnomon_exactness exactness;
};

/* A function's name. A part that the compiler moved out of a function is included in it. */
struct name {
    char text[256], where[CLI_WHERE_BYTES];
};

static void on_console(void *context, const uint8_t *data, size_t size) {
    const struct callers *callers = context;
    target_console_beside(callers->context, data, size);
}

/* A part that the compiler moved out of a function gets the name of the function. */
static void put_name(const struct callers *callers, struct name *name, const struct gnomon_function *function) {
    char clean[CLI_CLEAN_BYTES], whole[CLI_CLEAN_BYTES];
    const char *part = strstr(function->symbol, ".cold");
    if (!part || (part[5] && part[5] != '.')) {
        const char *text = callers->context->raw_names ? function->symbol : function->name;
        snprintf(name->text, sizeof name->text, "%.255s", cli_clean(clean, text));
        return;
    }
    snprintf(whole, sizeof whole, "%.*s", (int)(part - function->symbol), function->symbol);
    char *readable = callers->context->raw_names ? NULL : gnomon_demangle(whole);
    snprintf(name->text, sizeof name->text, "%.255s", cli_clean(clean, readable ? readable : whole));
    free(readable);
}

/* The name of the function at an address. */
static struct name name_of(const struct callers *callers, uint32_t address) {
    struct name name;
    const struct gnomon_function *function = gnomon_symbols_at(callers->symbols, address);
    struct gnomon_name shown = {.file = function ? function->file : NULL, .line = function ? function->line : 0};
    if (function)
        put_name(callers, &name, function);
    else
        snprintf(name.text, sizeof name.text, "[0x%08x]", (unsigned)address);
    cli_where(name.where, &shown);
    return name;
}

static struct name caller_name(const struct callers *callers, const struct gnomon_caller *caller) {
    return name_of(callers, caller->site - 2);
}

/* ---- Output ---- */

/* One calling function on a line. The callers of one function are sorted by hits, most first. */
struct line {
    struct name name;
    uint64_t hits;
    unsigned sites;
};

static int by_hits(const void *a, const void *b) {
    const struct line *left = a, *right = b;
    return left->hits < right->hits ? 1 : left->hits > right->hits ? -1 : strcmp(left->name.text, right->name.text);
}

static size_t gather(const struct callers *callers, const char *callee, struct line *lines) {
    size_t count = 0;
    for (uint32_t i = 0; i < callers->results.count; i++) {
        const struct gnomon_caller *caller = &callers->results.callers[i];
        struct name name = name_of(callers, caller->callee);
        if (strcmp(name.text, callee) != 0)
            continue;
        name = caller_name(callers, caller);
        size_t at = 0;
        while (at < count && strcmp(lines[at].name.text, name.text) != 0)
            at++;
        if (at == count)
            lines[count++] = (struct line){.name = name};
        lines[at].hits += caller->hits;
        lines[at].sites++;
    }
    qsort(lines, count, sizeof *lines, by_hits);
    return count;
}

/* True if this entry is the first one about the callee. */
static bool first_of_callee(const struct callers *callers, uint32_t index, const char *callee) {
    for (uint32_t i = 0; i < index; i++)
        if (strcmp(name_of(callers, callers->results.callers[i].callee).text, callee) == 0)
            return false;
    return true;
}

static void put_lines(struct screen_table *table, const struct line *lines, size_t count) {
    for (size_t i = 0; i < count; i++) {
        screen_count(table, lines[i].hits);
        screen_cell(table, lines[i].name.text);
        screen_count(table, lines[i].sites);
        screen_cell(table, lines[i].name.where);
    }
}

/* A table with each function whose callers were searched, and its callers below it. */
static struct screen_table *fill_table(const struct callers *callers) {
    static const struct screen_column columns[] = {{.title = "walks"},
                                                   {.title = "caller", .left = true, .least = 16},
                                                   {.title = "places"},
                                                   {.title = "where", .left = true, .least = 12, .gives = 1}};
    const struct gnomon_monitor_results *results = &callers->results;
    struct line *lines = malloc((results->count + 1) * sizeof *lines);
    struct screen_table *table = lines ? screen_table_new(columns, sizeof columns / sizeof *columns) : NULL;
    for (uint32_t i = 0; lines && i < results->count; i++) {
        const struct name callee = name_of(callers, results->callers[i].callee);
        if (!first_of_callee(callers, i, callee.text))
            continue;
        screen_cell(table, "of");
        screen_cell(table, callee.text);
        screen_none(table);
        screen_cell(table, callee.where);
        put_lines(table, lines, gather(callers, callee.text, lines));
    }
    free(lines);
    return table;
}

static bool print_text(const struct callers *callers, FILE *stream) {
    const struct gnomon_monitor_results *results = &callers->results;
    char phrase[GNOMON_EXACTNESS_BYTES], text[GNOMON_EXACTNESS_BYTES + 800], shortened[SCREEN_TEXT_BYTES];
    snprintf(text, sizeof text,
             "# callers of %.200s in %.200s on %.200s, %s: %u found in %u walks; %u walks found none",
             screen_shorten(shortened, callers->function, screen_width(stream) / 2),
             cli_basename(callers->target.image->path), callers->target.board.address,
             gnomon_exactness_phrase(&callers->exactness, NULL, phrase), (unsigned)results->count,
             (unsigned)results->walks, (unsigned)results->missed);
    screen_sentence(stream, text, "# ");
    struct screen_table *table = fill_table(callers);
    const bool good = results->count == 0 || screen_table_print(table, callers->context, stream);
    screen_table_free(table);
    return good;
}

static void print_json(const struct callers *callers, FILE *stream) {
    const struct gnomon_monitor_results *results = &callers->results;
    json_t *list = json_array();
    for (uint32_t i = 0; i < results->count; i++) {
        const struct gnomon_caller *caller = &results->callers[i];
        json_array_append_new(list, json_pack("{s:o, s:o, s:I, s:I, s:I}", "callee",
                                              gnomon_json_text(name_of(callers, caller->callee).text), "caller",
                                              gnomon_json_text(caller_name(callers, caller).text), "site",
                                              (json_int_t)caller->site, "callee_address", (json_int_t)caller->callee,
                                              "hits", (json_int_t)caller->hits));
    }
    json_t *root = json_pack("{s:s, s:i, s:o, s:I, s:I, s:I, s:I, s:o}", "format", "gnomon-callers", "version", 1,
                             "function", gnomon_json_text(callers->function), "functions",
                             (json_int_t)results->functions, "walks", (json_int_t)results->walks, "missed",
                             (json_int_t)results->missed, "dropped", (json_int_t)results->dropped, "callers", list);
    if (root)
        json_object_update_new(root, gnomon_exactness_json(&callers->exactness));
    json_dumpf(root, stream, JSON_INDENT(2));
    fputc('\n', stream);
    json_decref(root);
}

/* Walks are samples, so the figures are not counts of calls. */
static void judge(struct callers *callers) {
    const uint32_t dropped = callers->results.dropped;
    char brief[96], count[CLI_COUNT_BYTES];
    gnomon_measured_exactness(&callers->measured, callers->target.image->path, &callers->exactness);
    gnomon_exactness_add(
        &callers->exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "sampled", 0,
        "found by samples: rare callers may be missing",
        "callers are found by walks up the stack at some of the calls: a caller that calls rarely may be "
        "missing");
    if (!dropped)
        return;
    snprintf(brief, sizeof brief, "no room for the callers of %s walks", cli_count(count, dropped));
    gnomon_exactness_add(&callers->exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "callers-overflow", dropped, brief,
                         "%s walks found callers for which there was no room", count);
}

static int print(struct callers *callers) {
    judge(callers);
    const char *path = callers->context->output;
    FILE *stream = path ? fopen(path, "we") : stdout;
    struct gnomon_error error;
    bool printed = true;
    target_end_progress();
    if (stream && callers->context->json)
        print_json(callers, stream);
    else if (stream)
        printed = print_text(callers, stream);
    const bool good = stream && printed && !ferror(stream) && (path ? fclose(stream) : fflush(stream)) == 0;
    if (good)
        return CLI_OK;
    gnomon_fail_errno(&error, GNOMON_ERR_SYSTEM, "cannot write %s", path ? path : "standard output");
    return cli_error(callers->context, &error);
}

/* ---- The run ---- */

static enum gnomon_status find_function(const struct callers *callers, struct gnomon_address_range *range,
                                        struct gnomon_error *error) {
    if (gnomon_address_range_parse(callers->function, range))
        return GNOMON_OK;
    return gnomon_address_range_find(callers->target.image->path, callers->function, GNOMON_ADDRESS_RANGE_FUNCTION,
                                     range, error);
}

static enum gnomon_status ask(void *context, struct gnomon_error *error) {
    const struct callers *callers = context;
    const struct values *values = callers->context->values;
    const struct target *target = &callers->target;
    struct gnomon_address_range range = {0};
    enum gnomon_status status = find_function(callers, &range, error);
    const struct gnomon_monitor_request request = {.function = range.start,
                                                   .period = (uint32_t)values->period,
                                                   .settle = (uint32_t)values->settle,
                                                   .quiet = (uint32_t)values->quiet,
                                                   .levels = (uint32_t)values->levels};
    return status ? status : gnomon_callers_ask(target->device, &target->board, target->image->path, &request, error);
}

static enum gnomon_status measure(struct callers *callers, struct gnomon_session *session, struct gnomon_error *error) {
    const struct target *target = &callers->target;
    struct gnomon_measured *measured = &callers->measured;
    enum gnomon_status status = gnomon_symbols_load_any(&callers->symbols, target->image->path, error);
    if (!status)
        status = gnomon_measure(session, ask, measured, error);
    if (!status)
        status = target_explain_measured(callers->context, target, measured, &callers->died, error);
    if (!status && measured->end == GNOMON_END_EXIT)
        status = target_fetch(target, callers->context, error);
    if (!status)
        status = gnomon_callers_read(target->device, &target->board, target->image->path, &callers->results, error);
    return status ? status : gnomon_session_finish(session, error);
}

static int run_program(struct callers *callers) {
    struct gnomon_error error;
    const struct gnomon_measured *measured = &callers->measured;
    struct gnomon_session session = target_session(&callers->target, callers);
    session.console = on_console;
    session.tick = target_tick;
    if (measure(callers, &session, &error))
        return cli_error(callers->context, &error);
    const int result = print(callers);
    if (callers->died)
        return CLI_FAILED;
    return result == CLI_OK && measured->end == GNOMON_END_STOPPED
               ? target_stopped(callers->context, measured->timed_out)
               : result;
}

/* Returns the context without the operand FUNCTION: the program and its arguments, as in other commands. */
static struct cli_context without_function(const struct cli_context *context) {
    struct cli_context program = *context;
    program.argc--;
    program.argv++;
    if (program.argc > 1 && !strcmp(program.argv[1], "--")) {
        memmove(&program.argv[1], &program.argv[2], (size_t)(program.argc - 1) * sizeof *program.argv);
        program.argc--;
    }
    return program;
}

static int run_callers(struct cli_context *context) {
    const struct values *values = context->values;
    struct gnomon_error error;
    struct cli_context program = without_function(context);
    struct callers callers = {.context = &program, .function = context->argv[0]};
    const uint64_t most = UINT32_MAX / 4096; /* the monitor makes periods and turns up to 4096 times as long */
    if (values->period > most || values->quiet > UINT32_MAX || values->settle > UINT32_MAX ||
        values->levels > UINT32_MAX)
        return cli_usage(context, "--period is at most %u, --settle, --quiet and --levels %u", (unsigned)most,
                         UINT32_MAX);
    cli_watch_interrupts(true);
    const int result = target_open(&callers.target, &program, &values->target, &error) ? cli_error(context, &error)
                                                                                       : run_program(&callers);
    gnomon_symbols_free(callers.symbols);
    target_close(&callers.target);
    return result;
}

static const struct cli_option options[] = {
    {0, "period", "N", "walk up the stack every N calls, on average (default 8)", CLI_NUMBER,
     offsetof(struct values, period)},
    {0, "settle", "N", "take a function as known after N walks without a new caller (default 32)", CLI_NUMBER,
     offsetof(struct values, settle)},
    {0, "quiet", "N", "end the turn of a caller after N cycles at the latest (default 100000)", CLI_NUMBER,
     offsetof(struct values, quiet)},
    {0, "levels", "N", "find N levels of callers: 1 finds only the callers of FUNCTION (default: all levels)",
     CLI_NUMBER, offsetof(struct values, levels)},
    TARGET_OPTIONS,
    {0}};

const struct command command_callers = {
    .name = "callers",
    .summary = "find the callers of a function, and their callers, while the program runs",
    .synopsis = "[OPTION...] FUNCTION ELF [--] [ARG...]",
    .description = "Runs ELF, which must have been compiled and linked with gnomon cc --gnomon-monitor, and prints "
                   "the callers of FUNCTION, their callers, and so on, with the number of times that each caller was "
                   "found. Two counters of the device count calls: one counts the calls of FUNCTION, the other the "
                   "calls of one of the callers at a time. Every N calls (--period) an interrupt walks up the "
                   "program's stack. So frequent callers are found first, and a rare caller may be missed. A smaller "
                   "--period and a larger --settle find more callers and slow the program down more. The program "
                   "takes more cycles than without the monitor.\n\n" TARGET_FILES,
    .examples = "gnomon cc --gnomon-monitor -O2 -g -o prog prog.c && gnomon callers malloc prog\tFind the callers "
                "of malloc.\n",
    .common = CLI_DEVICE | CLI_OUTPUT | CLI_JSON | CLI_NAMES,
    TARGET_COMMAND(struct values, 2),
    .run = run_callers,
};
