/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon scan: gives tags to all functions of a running program, in turns, and prints what the tags counted. */
#include <stdlib.h>

#include "cli/find/find.h"
#include "cli/screen.h"
#include "lib/util/json_text.h"

#define SLICES_A_SECOND 100 /* default */

struct values {
    struct target_values target;
    uint64_t slice, page, top;
    bool whole;
};

struct scan {
    uint64_t slice; /* cycles of a slice; 0: a slice is a whole run */
    size_t next;    /* the piece that gets the first tag of the next slice */
    size_t seen;    /* number of pieces that have had a tag */
    bool again;     /* this is a second run: the program was too short for the usual slice */
};

static void opened(struct finding *finding) {
    const struct values *values = finding->context->values;
    struct scan *scan = finding->own;
    if (!values->whole)
        scan->slice = values->slice ? values->slice : finding->target.board.clock_hz / SLICES_A_SECOND;
}

/* Begins the next slice, with the pieces from `next` on. */
static enum gnomon_status go_on(struct finding *finding, struct gnomon_error *error) {
    struct scan *scan = finding->own;
    struct gnomon_finder *finder = &finding->finder;
    if (scan->next >= finder->count)
        scan->next = 0;
    enum gnomon_status status = gnomon_finder_tag_from(finder, scan->next, error);
    scan->next += finder->used;
    if (scan->seen < scan->next)
        scan->seen = scan->next;
    return status;
}

static enum gnomon_status prepared(struct finding *finding, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_finder_begin(&finding->finder, error);
    return status ? status : go_on(finding, error);
}

static enum gnomon_status tick(struct finding *finding, struct gnomon_error *error) {
    const struct scan *scan = finding->own;
    const struct gnomon_finder *finder = &finding->finder;
    uint64_t now;
    if (scan->slice == 0)
        return GNOMON_OK;
    enum gnomon_status status = gnomon_tags_now(&finding->tags, &now, error);
    if (status || now - finder->pieces[finder->tagged[1]].since < scan->slice)
        return status;
    status = gnomon_finder_collect(&finding->finder, GNOMON_FINDER_RUNNING, error);
    return status ? status : go_on(finding, error);
}

static enum gnomon_status ended(struct finding *finding, struct gnomon_error *error) {
    return gnomon_finder_collect(&finding->finder, finding->measured.cycles, error);
}

/* If a program ended before all pieces had their turn, it is run again. If all turns as whole runs take less than a
 * second of the device's time, each slice is a whole run; otherwise there is one more run, with slices that are short
 * enough. */
static bool run_again(struct finding *finding) {
    struct scan *scan = finding->own;
    const uint64_t turns = (finding->finder.count + GNOMON_TAG_VALUES - 1) / GNOMON_TAG_VALUES;
    const uint64_t cycles = finding->measured.cycles;
    scan->again = true;
    scan->slice = cycles * turns < finding->target.board.clock_hz ? 0 : cycles / turns * 9 / 10;
    scan->next = scan->seen = 0;
    gnomon_finder_forget(&finding->finder);
    return true;
}

static bool more(struct finding *finding) {
    const struct values *values = finding->context->values;
    const struct scan *scan = finding->own;
    if (scan->slice == 0)
        return scan->next < finding->finder.count;
    return !values->slice && !scan->again && scan->seen < finding->finder.count && run_again(finding);
}

/* ---- What was found ---- */

static double share(const struct gnomon_piece *piece) {
    return piece->watched ? 100 * (double)piece->cycles / (double)piece->watched : 0;
}

static struct screen_table *fill_table(const struct cli_context *context, const struct gnomon_piece **list,
                                       size_t count) {
    static const struct screen_column columns[] = {
        {.title = "% of its turn"},
        {.title = "cycles", .gives = 1},
        {.title = "executions", .gives = 2},
        {.title = "cycles of its turn", .gives = 3},
        {.title = "where", .left = true, .least = 12},
    };
    struct screen_table *table = screen_table_new(columns, sizeof columns / sizeof *columns);
    char name[FIND_NAME_BYTES];
    for (size_t i = 0; i < count; i++) {
        char percent[32];
        snprintf(percent, sizeof percent, "%.2f", share(list[i]));
        screen_cell(table, percent);
        screen_count(table, list[i]->cycles);
        screen_count(table, list[i]->executions);
        screen_count(table, list[i]->watched);
        screen_cell(table, find_name(context, list[i], name));
    }
    return table;
}

static void print_notes(const struct finding *finding, FILE *stream) {
    const struct scan *scan = finding->own;
    fprintf(stream, "\nCycles and executions are those of %s.\n", scan->slice ? "its turn" : "a whole run");
    if (scan->again)
        screen_sentence(stream, "The program is short: it was run again, so that all have their turn.", "");
    if (scan->seen < finding->finder.count)
        screen_sentence(stream,
                        "The program ended before the others had their turn: --slice makes turns shorter, --whole "
                        "repeats the run.",
                        "");
    if (finding->finder.overlays || finding->measured.trace.modules)
        screen_sentence(stream,
                        "Overlays and modules are not among these: what is loaded while the program runs loses its "
                        "tags.",
                        "");
    find_print_end(finding, stream);
}

static bool print_text(struct finding *finding, FILE *stream) {
    const struct values *values = finding->context->values;
    const struct scan *scan = finding->own;
    char cycles[CLI_COUNT_BYTES], text[GNOMON_EXACTNESS_BYTES + 600];
    size_t count;
    const struct gnomon_piece **list = find_sort(finding, 0, values->top, &count);
    struct screen_table *table = list ? fill_table(finding->context, list, count) : NULL;
    snprintf(text, sizeof text, "Scan of %.200s on %.200s, %s: %zu of %zu %s had their turn, in %u run%s of %s cycles",
             finding->target.argv[0], finding->target.board.address, finding->worth, scan->seen, finding->finder.count,
             finding->finder.by_page ? "pages" : "functions", finding->runs, finding->runs == 1 ? "" : "s",
             cli_count(cycles, finding->measured.cycles));
    fputc('\n', stream);
    screen_sentence(stream, text, "");
    fputc('\n', stream);
    const bool good = screen_table_print(table, finding->context, stream);
    print_notes(finding, stream);
    screen_table_free(table);
    free(list);
    return good;
}

static bool print_json(struct finding *finding, FILE *stream) {
    const struct values *values = finding->context->values;
    const struct scan *scan = finding->own;
    size_t count;
    const struct gnomon_piece **pieces = find_sort(finding, 0, values->top, &count);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct gnomon_piece *piece = pieces[i];
        json_t *one = json_object();
        find_json_name(finding->context, piece, one);
        json_object_update_new(one, json_pack("{s:I, s:I, s:I, s:I, s:I}", "address", (json_int_t)piece->start, "bytes",
                                              (json_int_t)(piece->end - piece->start), "executions",
                                              (json_int_t)piece->executions, "cycles", (json_int_t)piece->cycles,
                                              "cycles_of_turn", (json_int_t)piece->watched));
        json_array_append_new(list, one);
    }
    json_t *root =
        json_pack("{s:o, s:s, s:I, s:i, s:b, s:I, s:I, s:o}", "program", gnomon_json_text(finding->target.argv[0]),
                  "device", finding->target.board.address, "cycles", (json_int_t)finding->measured.cycles, "runs",
                  (int)finding->runs, "whole", scan->slice == 0, "pieces", (json_int_t)finding->finder.count,
                  "had_their_turn", (json_int_t)scan->seen, "found", list);
    if (root)
        json_object_update_new(root, gnomon_exactness_json(&finding->exactness));
    bool good = pieces && root && json_dumpf(root, stream, JSON_INDENT(2)) == 0 && fputc('\n', stream) != EOF;
    json_decref(root);
    free(pieces);
    return good;
}

static const struct find_kind kind = {
    .opened = opened,
    .prepared = prepared,
    .tick = tick,
    .ended = ended,
    .more = more,
    .print_text = print_text,
    .print_json = print_json,
};

static int run_scan(struct cli_context *context) {
    const struct values *values = context->values;
    struct scan scan = {0};
    if (values->whole && values->slice)
        return cli_usage(context, "--whole and --slice exclude each other");
    if (values->page % 4 || values->page > UINT32_MAX / 2)
        return cli_usage(context, "--page is a multiple of 4 bytes");
    return find_main(context, &kind, &values->target, (uint32_t)values->page, &scan);
}

static const struct cli_option options[] = {
    TARGET_OPTIONS,
    {0, "slice", "CYCLES", "how long a turn is, at least (default: a hundredth of a second of the device's clock)",
     CLI_NUMBER, offsetof(struct values, slice), false},
    {0, "whole", NULL, "a turn is a whole run: the program is run until all have had theirs", CLI_FLAG,
     offsetof(struct values, whole), false},
    {0, "page", "BYTES", "look at pages of so many bytes of code, not at functions", CLI_NUMBER,
     offsetof(struct values, page), false},
    {'n', "top", "N", "print so many (default: all that ran)", CLI_NUMBER, offsetof(struct values, top), false},
    {0},
};

const struct command command_scan = {
    .name = "scan",
    .summary = "look at every function of a running program in turn, and count it exactly",
    .synopsis = "[OPTION...] ELF [--] [ARG...]",
    .description =
        "Runs ELF like gnomon run, and gives its functions tags in turn, 31 at a time: for a slice of the run their "
        "executions and cycles are counted exactly, then those behind them have their turn, round and round until the "
        "program ends. So it finds also what samples never see, because it runs in step with them. With --whole the "
        "program is run as often as is needed for each function to have a whole run. The program's code and its cycles "
        "are the same as without, and no instrumentation is needed.\n\n" TARGET_FILES,
    .examples = "gnomon scan ./image.elf\tA program that runs for long.\n"
                "gnomon scan --whole -n 5 ./image.elf\tExact cycles of every function, in repeated runs.\n"
                "gnomon scan --page 256 ./image.elf\tPages of code.\n",
    .common = CLI_DEVICE | CLI_OUTPUT | CLI_JSON | CLI_NAMES,
    .options = options,
    .values_size = sizeof(struct values),
    .program_arguments = true,
    .min_operands = 1,
    .max_operands = -1,
    .run = run_scan,
};
