/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon report: where the cycles went. */
#include "cli/report/report.h"
#include "cli/choose.h"
#include "cli/report/cost_columns.h"

#include <stdlib.h>
#include <string.h>

static const struct cli_option options[] = {
    {0, "elf", "FILE", "the program, where it is not where it was when it was recorded", CLI_STRING,
     offsetof(struct report_values, elf)},
    {0, "module", "FILE", "a module that the program loaded and whose file was not at hand then, or has moved",
     CLI_LIST, offsetof(struct report_values, modules)},
    {0, "flat", NULL, "only the flat profile", CLI_FLAG, offsetof(struct report_values, flat)},
    {0, "graph", NULL, "only the call graph", CLI_FLAG, offsetof(struct report_values, graph)},
    {0, "histogram", NULL, "only how long the calls were: for each function how many of each power of two of cycles",
     CLI_FLAG, offsetof(struct report_values, histogram)},
    {0, "causes", NULL, "only what the functions' cycles went to, if the file was recorded with --cpi", CLI_FLAG,
     offsetof(struct report_values, causes)},
    {0, "threads", NULL, "only the threads: cycles of each, its interrupts apart, and how often it ran", CLI_FLAG,
     offsetof(struct report_values, threads)},
    {0, "thread", "NAME", "only the functions of the thread of this name or number; it needs a recording with events",
     CLI_STRING, offsetof(struct report_values, thread)},
    {'f', "function", "NAME", "only functions of this name; [interrupt 7] is also a name", CLI_STRING,
     offsetof(struct report_values, function)},
    {'s', "sort", "KEY", "order of the functions: " REPORT_SORT_KEYS " (default: self)", CLI_STRING,
     offsetof(struct report_values, sort)},
    {'n', "limit", "N", "show the first N functions", CLI_NUMBER, offsetof(struct report_values, limit)},
    {0, "hart", "N", "only the functions and threads of hart N, 0 or 1 (default: both harts, added; with --causes: 0)",
     CLI_STRING, offsetof(struct report_values, hart)},
    {0, "strict", NULL, "exit with status 3 when events were lost or the end is missing", CLI_FLAG,
     offsetof(struct report_values, strict)},
    {0},
};

static void close_profile(struct report *report) {
    report->stats = gnomon_analysis_stats(&report->analysis);
    gnomon_analysis_finish(&report->analysis, report->profile, &report->exactness);
    report->sums = gnomon_profile_sums(report->profile);
}

static enum gnomon_status name_rows(struct report *report, struct gnomon_error *error) {
    const struct gnomon_profile_function *functions = gnomon_profile_functions(report->profile, &report->count);
    report->rows = calloc(report->count + 1, sizeof *report->rows);
    report->order = calloc(report->count + 1, sizeof *report->order);
    report->shown = calloc(report->count + 1, sizeof *report->shown);
    report->places = calloc(report->count + 1, sizeof *report->places);
    if (!report->rows || !report->order || !report->shown || !report->places)
        return gnomon_fail_memory(error);
    report->analysis.raw_names = report->context->raw_names;
    cli_note_stripped(report->context, report->analysis.symbols);
    for (size_t i = 0; i < report->count; i++) {
        report->rows[i].figures = &functions[i];
        gnomon_name_of(&report->rows[i].name, &report->analysis, functions[i].id);
    }
    const char *key = report->values->sort ? report->values->sort : "self";
    if (!report_sort(report, key, report->order)) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "--sort does not know \"%s\"", key);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "the keys are " REPORT_SORT_KEYS);
    }
    return GNOMON_OK;
}

static enum gnomon_status check_wanted(const struct report *report, struct gnomon_error *error) {
    if (!report->values->function)
        return GNOMON_OK;
    for (uint32_t i = 0; i < report->count; i++)
        if (report_wanted(report, i))
            return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "no function named %s was called", report->values->function);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "gnomon report lists the functions that were called");
}

static int print_text(const struct report *report) {
    const struct report_values *values = report->values;
    FILE *stream = cli_pager_begin(report->context);
    if (report->analysis.sampled) {
        (values->threads ? report_sampled_threads : report_samples)(report, stream);
        return cli_pager_end(report->context, stream);
    }
    bool most = !values->flat && !values->graph && !values->histogram && !values->threads, flat = most || values->flat;
    if (flat)
        report_flat(report, stream);
    if (flat)
        report_waits(report, stream);
    if (flat && (most || values->graph || values->histogram))
        fputc('\n', stream);
    if (most || values->graph)
        report_graph(report, stream);
    if (values->histogram)
        report_histogram(report, stream);
    if (values->threads && !flat)
        report_first_line(report, stream);
    if (values->threads)
        report_threads(report, stream);
    return cli_pager_end(report->context, stream);
}

/* Prints each function's own cycles by cause. */
static int print_causes(const struct report *report) {
    struct gnomon_instructions instructions;
    struct gnomon_error error;
    enum gnomon_status status = gnomon_costs_open(&report->analysis, &instructions, &error);
    if (!status && report->context->json)
        status = costs_print_json(&report->analysis, &instructions, &error);
    else if (!status)
        status =
            costs_functions(report->context, &report->analysis, &instructions, report->values->limit, stdout, &error);
    gnomon_instructions_free(&instructions);
    return status ? cli_error(report->context, &error) : cli_pager_end(report->context, stdout);
}

/* Samples say nothing about calls. */
static enum gnomon_status check_sampled(const struct report *report, struct gnomon_error *error) {
    const struct report_values *values = report->values;
    if (!report->analysis.sampled || !(values->graph || values->histogram || values->causes))
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has samples, which count no calls and no causes",
                report->analysis.path);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                         "record without --sample; gnomon export --to dot, pprof or flamegraph shows sampled stacks");
}

static int make_report(struct report *report, const char *path) {
    struct gnomon_error error;
    /* Causes are of one hart. */
    const char *hart = report->values->causes && !report->values->hart ? "0" : report->values->hart;
    if (gnomon_analysis_open_any(&report->analysis, path, report->values->elf, GNOMON_WITH_SYMBOLS, &error) ||
        (report->values->causes && gnomon_analysis_need_cycles(&report->analysis, &error)) ||
        check_sampled(report, &error) || cli_choose_hart(&report->analysis, hart, "a number", &error) ||
        cli_add_modules(&report->analysis, &report->values->modules, &error) ||
        cli_choose_thread(&report->analysis, &report->tables, &report->names, report->values->thread, &error) ||
        gnomon_analysis_profile(&report->analysis, &report->profile, &error))
        return cli_error(report->context, &error);
    close_profile(report);
    if (cli_check_thread(&report->analysis, report->profile, report->values->thread, &error) ||
        name_rows(report, &error) || check_wanted(report, &error))
        return cli_error(report->context, &error);
    int worth = cli_reasons(report->context, &report->exactness, report->values->strict);
    int printed = report->values->causes  ? print_causes(report)
                  : report->context->json ? report_json(report)
                                          : print_text(report);
    return printed ? printed : worth;
}

static int run(struct cli_context *context) {
    struct report report = {.context = context, .values = context->values, .names = {.fd = -1}};
    int status = make_report(&report, context->argc > 0 ? context->argv[0] : context->input);
    gnomon_profile_free(report.profile);
    gnomon_lock_names_close(&report.names);
    gnomon_lock_tables_free(&report.tables);
    gnomon_analysis_close(&report.analysis);
    free(report.rows);
    free(report.order);
    free(report.shown);
    free(report.places);
    return status;
}

const char *report_unit(const struct report *report) {
    return report->analysis.unit;
}

double report_percent(const struct report *report, uint64_t cycles) {
    return report->sums->cycles ? 100.0 * (double)cycles / (double)report->sums->cycles : 0.0;
}

bool report_wanted(const struct report *report, uint32_t index) {
    const struct gnomon_name *name = &report->rows[index].name;
    const char *wanted = report->values->function;
    return !wanted || !strcmp(wanted, name->text) || (name->symbol && !strcmp(wanted, name->symbol));
}

const struct command command_report = {
    .name = "report",
    .summary = "show where every cycle of a recorded run went: flat profile and call graph",
    .synopsis = "[OPTION...] [FILE]",
    .description = "Reads a trace that `gnomon record` wrote (FILE, or -i, or gnomon.gnt) and prints for each "
                   "function how often it was called and how many cycles it took, itself and with all that it called; "
                   "then, for each function, by whom it was called and whom it called. Figures are counted, not "
                   "sampled, unless the file was recorded with --sample: then each figure has its standard "
                   "error.\n\nOf a recording with "
                   "--clock EVENT all figures are of that event, not of cycles, and the first line and the JSON say "
                   "so.\n\nFILE may also be the gnomon.records of a program that kept its records in memory "
                   "(gnomon cc --gnomon-records=...); it needs --elf.\n\nThe first line says what was lost. Exit "
                   "status: 0 good; 1 the file cannot be read, or is damaged (what could be read is shown); 2 wrong "
                   "usage; 3 with --strict, when events were lost or the end of the trace is missing.",
    .examples = "gnomon report\tProfile of gnomon.gnt.\n"
                "gnomon report --flat --limit 20 --sort total\tThe 20 functions with most cycles below them.\n"
                "gnomon report --graph --function main run.gnt\tWhat main called.\n"
                "gnomon report --histogram --function main run.gnt\tHow long its calls were.\n"
                "gnomon report --threads\tHow long each thread ran, and how often.\n"
                "gnomon report --elf image.elf gnomon.records\tWhat a program has measured itself.\n",
    .common = CLI_INPUT | CLI_JSON | CLI_NAMES,
    .options = options,
    .values_size = sizeof(struct report_values),
    .max_operands = 1,
    .run = run,
};
