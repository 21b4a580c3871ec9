/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon scan: gives all functions of a running program tags in turn, and prints what these counted. */
#include "find.h"

#define SLICES_A_SECOND 100 /* if nobody says otherwise */

struct values {
    struct target_values target;
    uint64_t slice, page, top;
    bool whole;
};

struct scan {
    uint64_t slice; /* cycles; 0: a run */
    size_t next;    /* piece that gets the first tag of the next slice */
    size_t seen;    /* pieces that have had one */
    unsigned runs;
};

static void opened(struct finding *finding) {
    const struct values *values = finding->context->values;
    struct scan *scan = finding->own;
    if (!values->whole)
        scan->slice = values->slice ? values->slice : finding->target.board.clock_hz / SLICES_A_SECOND;
}

/* The run that will have shown the rest is the last one. */
static bool last(const struct finding *finding) {
    const struct scan *scan = finding->own;
    return scan->slice || finding->finder.count - scan->next <= GNOMON_TAG_VALUES;
}

/* The next slice begins, with the pieces from `next` on. */
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
    status = gnomon_finder_collect(&finding->finder, now, error);
    return status ? status : go_on(finding, error);
}

static enum gnomon_status ended(struct finding *finding, struct gnomon_error *error) {
    struct scan *scan = finding->own;
    scan->runs++;
    return gnomon_finder_collect(&finding->finder, finding->measured.cycles, error);
}

/* ---- What was found ---- */

static double share(const struct gnomon_piece *piece) {
    return piece->watched ? 100 * (double)piece->cycles / (double)piece->watched : 0;
}

static size_t choose(struct finding *finding) {
    const struct values *values = finding->context->values;
    const size_t ran = find_sort(finding, 0);
    return values->top && values->top < ran ? (size_t)values->top : ran;
}

static void print_text(struct finding *finding, FILE *stream) {
    const struct scan *scan = finding->own;
    const size_t top = choose(finding);
    char counts[3][CLI_COUNT_BYTES], name[FIND_NAME_BYTES];
    fprintf(stream, "\n Scan of %s on %s: %zu of %zu %s had their turn, in %u run%s of %s cycles\n\n",
            finding->target.argv[0], finding->target.board.address, scan->seen, finding->finder.count,
            finding->finder.count && ((const struct values *)finding->context->values)->page ? "pages" : "functions",
            scan->runs, scan->runs == 1 ? "" : "s", cli_count(counts[0], finding->measured.cycles));
    fprintf(stream, "    %% of its turn           cycles       executions   cycles of its turn  where\n");
    for (size_t i = 0; i < top; i++) {
        const struct gnomon_piece *piece = &finding->finder.pieces[i];
        fprintf(stream, " %16.2f %17s %16s %20s  %s\n", share(piece), cli_count(counts[0], piece->cycles),
                cli_count(counts[1], piece->executions), cli_count(counts[2], piece->watched), find_name(piece, name));
    }
    if (scan->slice)
        fprintf(stream, "\n Cycles and executions are those of its turn, counted exactly.\n");
    else
        fprintf(stream, "\n Cycles and executions are those of a whole run, counted exactly.\n");
    if (scan->seen < finding->finder.count)
        fprintf(stream,
                " The program ended before the others had their turn: --slice makes turns shorter, --whole repeats "
                "the run.\n");
}

static bool print_json(struct finding *finding, FILE *stream) {
    const struct scan *scan = finding->own;
    const size_t top = choose(finding);
    char name[FIND_NAME_BYTES];
    json_t *list = json_array();
    for (size_t i = 0; i < top; i++) {
        const struct gnomon_piece *piece = &finding->finder.pieces[i];
        json_array_append_new(list,
                              json_pack("{s:s, s:I, s:I, s:I, s:I, s:I}", "name", find_name(piece, name), "address",
                                        (json_int_t)piece->start, "bytes", (json_int_t)(piece->end - piece->start),
                                        "executions", (json_int_t)piece->executions, "cycles",
                                        (json_int_t)piece->cycles, "cycles_of_turn", (json_int_t)piece->watched));
    }
    json_t *root = json_pack("{s:s, s:s, s:I, s:i, s:b, s:I, s:I, s:o}", "program", finding->target.argv[0], "device",
                             finding->target.board.address, "cycles", (json_int_t)finding->measured.cycles, "runs",
                             (int)scan->runs, "whole", scan->slice == 0, "pieces", (json_int_t)finding->finder.count,
                             "had_their_turn", (json_int_t)scan->seen, "found", list);
    bool good = root && json_dumpf(root, stream, JSON_INDENT(2)) == 0 && fputc('\n', stream) != EOF;
    json_decref(root);
    return good;
}

static const struct find_kind kind = {
    .opened = opened,
    .last = last,
    .prepared = prepared,
    .tick = tick,
    .ended = ended,
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
    .common = CLI_DEVICE | CLI_OUTPUT | CLI_JSON,
    .options = options,
    .values_size = sizeof(struct values),
    .program_arguments = true,
    .min_operands = 1,
    .max_operands = -1,
    .run = run_scan,
};
