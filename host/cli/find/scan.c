/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon scan: gives tags to all functions of a running program, in turns, and prints what the tags counted. */
#include <stdlib.h>

#include "cli/find/find.h"
#include "cli/screen.h"
#include "lib/util/json_text.h"

#define SLICES_A_SECOND 100 /* default */

struct values {
    struct find_values find;
    uint64_t slice, page;
    bool whole;
};

struct scan {
    uint64_t slice; /* cycles of a slice; 0: a slice is a whole run */
    size_t next;    /* the hotspot that gets the first tag of the next slice */
    size_t seen;    /* number of hotspots that have had a tag */
    bool again;     /* this is a second run: the program was too short for the usual slice */
};

static void opened(struct finding *finding) {
    const struct values *values = finding->context->values;
    struct scan *scan = finding->own;
    if (!values->whole)
        scan->slice = values->slice ? values->slice : finding->target.board.clock_hz / SLICES_A_SECOND;
}

/* Begins the next slice, with the hotspots from `next` on. */
static enum gnomon_status go_on(struct finding *finding, struct gnomon_error *error) {
    struct scan *scan = finding->own;
    struct gnomon_hotspot_search *search = &finding->search;
    if (scan->next >= search->count)
        scan->next = 0;
    enum gnomon_status status = gnomon_hotspot_search_tag_from(search, scan->next, error);
    scan->next += search->used;
    if (scan->seen < scan->next)
        scan->seen = scan->next;
    return status;
}

static enum gnomon_status prepared(struct finding *finding, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_hotspot_search_begin(&finding->search, error);
    return status ? status : go_on(finding, error);
}

static enum gnomon_status tick(struct finding *finding, struct gnomon_error *error) {
    const struct scan *scan = finding->own;
    const struct gnomon_hotspot_search *search = &finding->search;
    uint64_t now;
    if (scan->slice == 0)
        return GNOMON_OK;
    enum gnomon_status status = gnomon_tags_now(&finding->tags, &now, error);
    if (status || now - search->hotspots[search->tagged[1]].since < scan->slice)
        return status;
    status = gnomon_hotspot_search_collect(&finding->search, GNOMON_HOTSPOT_SEARCH_RUNNING, error);
    return status ? status : go_on(finding, error);
}

static enum gnomon_status ended(struct finding *finding, struct gnomon_error *error) {
    return gnomon_hotspot_search_collect(&finding->search, finding->measured.cycles, error);
}

/* If a program ended before all hotspots had their turn, it is run again. If all turns as whole runs take less than a
 * second of the device's time, each slice is a whole run; otherwise there is one more run, with slices that are short
 * enough. */
static bool run_again(struct finding *finding) {
    struct scan *scan = finding->own;
    uint64_t turns = 0;
    for (size_t first = 0; first < finding->search.count; turns++) {
        const size_t fitting = gnomon_hotspot_search_turn(&finding->search, first);
        first += fitting ? fitting : 1; /* a hotspot too large for the device ends the run when its turn comes */
    }
    const uint64_t cycles = finding->measured.cycles;
    scan->again = true;
    scan->slice = cycles * turns < finding->target.board.clock_hz ? 0 : cycles / turns * 9 / 10;
    scan->next = scan->seen = 0;
    gnomon_hotspot_search_forget(&finding->search);
    return true;
}

static bool more(struct finding *finding) {
    const struct values *values = finding->context->values;
    const struct scan *scan = finding->own;
    if (scan->slice == 0)
        return scan->next < finding->search.count;
    return !values->slice && !scan->again && scan->seen < finding->search.count && run_again(finding);
}

/* ---- What was found ---- */

static double share(const struct gnomon_hotspot *hotspot) {
    return hotspot->watched ? 100 * (double)hotspot->cycles / (double)hotspot->watched : 0;
}

static const struct screen_column columns[] = {
    {.title = "% of its turn"},
    {.title = "cycles", .gives = 1},
    {.title = "executions", .gives = 2},
    {.title = "cycles of its turn", .gives = 3},
    {.title = "where", .left = true, .least = 12},
};

static void put_row(const struct finding *finding, struct screen_table *table, const struct gnomon_hotspot *hotspot) {
    char name[FIND_NAME_BYTES], percent[32];
    snprintf(percent, sizeof percent, "%.2f", share(hotspot));
    screen_cell(table, percent);
    screen_count(table, hotspot->cycles);
    screen_count(table, hotspot->executions);
    screen_count(table, hotspot->watched);
    screen_cell(table, find_name(finding->context, hotspot, name));
}

static void print_notes(const struct finding *finding, FILE *stream, const struct gnomon_hotspot *const *list,
                        size_t count) {
    (void)list;
    (void)count;
    const struct scan *scan = finding->own;
    fprintf(stream, "Cycles and executions are those of %s.\n", scan->slice ? "its turn" : "a whole run");
    if (scan->again)
        screen_sentence(stream, "The program is short: it was run again, so that each function has its turn.", "");
    if (scan->seen < finding->search.count)
        screen_sentence(stream,
                        "The program ended before the other functions had their turn: a smaller --slice makes turns "
                        "shorter, --whole repeats the run.",
                        "");
    if (finding->search.overlays || finding->measured.trace.modules)
        screen_sentence(
            stream,
            "Overlays and modules are not in the table: code that is loaded while the program runs loses its "
            "tags.",
            "");
}

static uint64_t no_period(const struct finding *finding) {
    (void)finding;
    return 0;
}

static void heading(const struct finding *finding, char text[FIND_HEADING_BYTES]) {
    const struct scan *scan = finding->own;
    char cycles[CLI_COUNT_BYTES];
    snprintf(text, FIND_HEADING_BYTES,
             "Scan of %.200s on %.200s, %s: %zu of %zu %s had their turn, in %u run%s of %s cycles",
             finding->target.argv[0], finding->target.board.address, finding->worth, scan->seen, finding->search.count,
             finding->search.by_page ? "pages" : "functions", finding->runs, finding->runs == 1 ? "" : "s",
             cli_count(cycles, finding->measured.cycles));
}

static json_t *json_piece(const struct finding *finding, const struct gnomon_hotspot *hotspot) {
    json_t *one = json_object();
    find_json_name(finding->context, hotspot, one);
    json_object_update_new(one, json_pack("{s:I, s:I, s:I, s:I, s:I}", "address", (json_int_t)hotspot->start, "bytes",
                                          (json_int_t)(hotspot->end - hotspot->start), "executions",
                                          (json_int_t)hotspot->executions, "cycles", (json_int_t)hotspot->cycles,
                                          "cycles_of_turn", (json_int_t)hotspot->watched));
    return one;
}

static json_t *json_root(const struct finding *finding) {
    const struct scan *scan = finding->own;
    return json_pack("{s:o, s:s, s:I, s:i, s:b, s:I, s:I}", "program", gnomon_json_text(finding->target.argv[0]),
                     "device", finding->target.board.address, "cycles", (json_int_t)finding->measured.cycles, "runs",
                     (int)finding->runs, "whole", scan->slice == 0, "pieces", (json_int_t)finding->search.count,
                     "had_their_turn", (json_int_t)scan->seen);
}

static const struct find_kind kind = {
    .opened = opened,
    .prepared = prepared,
    .tick = tick,
    .ended = ended,
    .more = more,
    .period = no_period,
    .heading = heading,
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .put_row = put_row,
    .print_notes = print_notes,
    .json_piece = json_piece,
    .json_root = json_root,
    .json_list = "found",
};

static int run_scan(struct cli_context *context) {
    const struct values *values = context->values;
    struct scan scan = {0};
    if (values->whole && values->slice)
        return cli_usage(context, "--whole and --slice exclude each other");
    if (values->page % 4 || values->page > UINT32_MAX / 2)
        return cli_usage(context, "--page is a multiple of 4 bytes");
    return find_main(context, &kind, (uint32_t)values->page, &scan);
}

static const struct cli_option options[] = {
    TARGET_OPTIONS,
    {0, "slice", "CYCLES", "length of a turn, at least (default: a hundredth of a second of the device's clock)",
     CLI_NUMBER, offsetof(struct values, slice)},
    {0, "whole", NULL, "make each turn a whole run: run the program until each function has had a turn", CLI_FLAG,
     offsetof(struct values, whole)},
    {0, "page", "BYTES", "count pages of BYTES bytes of code instead of functions", CLI_NUMBER,
     offsetof(struct values, page)},
    {'n', "top", "N", "print the N most expensive functions or pages (default: all that ran)", CLI_NUMBER,
     offsetof(struct find_values, top)},
    {0},
};

const struct command command_scan = {
    .name = "scan",
    .summary = "count every function of a running program exactly, one group after another",
    .synopsis = "[OPTION...] ELF [--] [ARG...]",
    .description = "Runs ELF like gnomon run, and gives its functions tags in turns, 31 functions at a time. For a "
                   "slice of the run their executions and cycles are counted exactly, then the next 31 functions have "
                   "their turn. The turns go on until the program ends. So scan also finds code that runs in step "
                   "with the samples of gnomon hot. With --whole the program runs as often as is needed for each "
                   "function to have a whole run. Tags do not change the program's code or its cycles, and the "
                   "program needs no instrumentation.\n\n" TARGET_FILES,
    .examples = "gnomon scan ./image.elf\tCount a program that runs for long.\ngnomon scan --whole -n 5 "
                "./image.elf\tCount exact cycles of every function, in repeated runs.\ngnomon scan --page 256 "
                "./image.elf\tCount pages of code.\n",
    .common = CLI_DEVICE | CLI_OUTPUT | CLI_JSON | CLI_NAMES,
    TARGET_COMMAND(struct values, 1),
    .run = run_scan,
};
