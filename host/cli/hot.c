/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon hot: samples a running program, gives the functions that come up most tags, and prints what these counted. */
#include <math.h>

#include "find.h"

#define SAMPLES_A_SECOND 1000 /* if nobody says otherwise */
#define LEAST_PERIOD 64
#define LEAST_SAMPLES 8 /* of a function, before it gets a tag */

struct values {
    struct target_values target;
    uint64_t period, top;
};

struct hot {
    uint32_t period, lost, nobody;
};

static void opened(struct finding *finding) {
    const struct values *values = finding->context->values;
    struct hot *hot = finding->own;
    hot->period = values->period ? (uint32_t)values->period : finding->target.board.clock_hz / SAMPLES_A_SECOND;
}

static bool last(const struct finding *finding) {
    (void)finding;
    return true; /* there is one run */
}

static enum gnomon_status prepared(struct finding *finding, struct gnomon_error *error) {
    const struct hot *hot = finding->own;
    enum gnomon_status status = gnomon_finder_begin(&finding->finder, error);
    return status ? status : gnomon_sampler_set(&finding->tags, hot->period, error);
}

static enum gnomon_status tick(struct finding *finding, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_finder_sample(&finding->finder, error);
    return status ? status : gnomon_finder_tag_hottest(&finding->finder, LEAST_SAMPLES, error);
}

static enum gnomon_status ended(struct finding *finding, struct gnomon_error *error) {
    struct hot *hot = finding->own;
    enum gnomon_status status = gnomon_finder_sample(&finding->finder, error);
    if (!status)
        status = gnomon_finder_collect(&finding->finder, finding->measured.cycles, error);
    if (!status)
        status = gnomon_sampler_losses(&finding->tags, &hot->lost, &hot->nobody, error);
    return status ? status : gnomon_sampler_set(&finding->tags, 0, error);
}

/* ---- What was found ---- */

/* Share of the samples in percent, and its standard error. */
static double share(const struct gnomon_finder *finder, const struct gnomon_piece *piece, double *margin) {
    const double all = (double)finder->samples, part = all > 0 ? (double)piece->samples / all : 0;
    *margin = all > 0 ? 100 * sqrt(part * (1 - part) / all) : 0;
    return 100 * part;
}

/* How many are to be printed: the pieces are in order then. */
static size_t choose(struct finding *finding) {
    const struct values *values = finding->context->values;
    const struct hot *hot = finding->own;
    const size_t found = find_sort(finding, hot->period);
    return values->top && values->top < found ? (size_t)values->top : found;
}

static void print_text(struct finding *finding, FILE *stream) {
    const struct gnomon_finder *finder = &finding->finder;
    const struct hot *hot = finding->own;
    const size_t top = choose(finding);
    char counts[3][CLI_COUNT_BYTES];
    fprintf(stream, "\n Hottest functions of %s on %s: %s cycles, %s samples, one each %s cycles\n\n",
            finding->target.argv[0], finding->target.board.address, cli_count(counts[0], finding->measured.cycles),
            cli_count(counts[1], finder->samples), cli_count(counts[2], hot->period));
    fprintf(stream, "    sampled %%            cycles       executions     counted from cycle  function\n");
    for (size_t i = 0; i < top; i++) {
        const struct gnomon_piece *piece = &finder->pieces[i];
        double margin, part = share(finder, piece, &margin);
        fprintf(stream, " %5.1f +- %4.1f", part, margin);
        if (piece->watched)
            fprintf(stream, " %17s %16s %22s", cli_count(counts[0], piece->cycles),
                    cli_count(counts[1], piece->executions), cli_count(counts[2], piece->since));
        else
            fprintf(stream, " %17s %16s %22s", "-", "-", "-");
        fprintf(stream, "  %s\n", piece->function->name);
    }
    fprintf(stream, "\n Cycles and executions were counted exactly, from that cycle on; shares are estimates.\n");
    if (finder->elsewhere)
        fprintf(stream, " %s samples were in no function.\n", cli_count(counts[0], finder->elsewhere));
    if (hot->lost)
        fprintf(stream, " %s samples were lost: with a longer --period there is room for all.\n",
                cli_count(counts[0], hot->lost));
}

static bool print_json(struct finding *finding, FILE *stream) {
    const struct gnomon_finder *finder = &finding->finder;
    const struct hot *hot = finding->own;
    const size_t top = choose(finding);
    json_t *list = json_array();
    for (size_t i = 0; i < top; i++) {
        const struct gnomon_piece *piece = &finder->pieces[i];
        double margin, part = share(finder, piece, &margin);
        json_t *one =
            json_pack("{s:s, s:I, s:I, s:f, s:f}", "name", piece->function->name, "address", (json_int_t)piece->start,
                      "samples", (json_int_t)piece->samples, "share_percent", part, "error_percent", margin);
        if (piece->watched) {
            json_object_set_new(one, "counted_cycles", json_integer((json_int_t)piece->watched));
            json_object_set_new(one, "counted_from_cycle", json_integer((json_int_t)piece->since));
            json_object_set_new(one, "executions", json_integer((json_int_t)piece->executions));
            json_object_set_new(one, "cycles", json_integer((json_int_t)piece->cycles));
        }
        json_array_append_new(list, one);
    }
    json_t *root = json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "program", finding->target.argv[0],
                             "device", finding->target.board.address, "cycles", (json_int_t)finding->measured.cycles,
                             "period", (json_int_t)hot->period, "samples", (json_int_t)finder->samples,
                             "samples_elsewhere", (json_int_t)finder->elsewhere, "samples_lost", (json_int_t)hot->lost,
                             "samples_nobody", (json_int_t)hot->nobody, "functions", list);
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

static int run_hot(struct cli_context *context) {
    const struct values *values = context->values;
    struct hot hot = {0};
    if (values->period && (values->period < LEAST_PERIOD || values->period > UINT32_MAX))
        return cli_usage(context, "--period is a number of cycles from %d to 4294967295", LEAST_PERIOD);
    return find_main(context, &kind, &values->target, 0, &hot);
}

static const struct cli_option options[] = {
    TARGET_OPTIONS,
    {0, "period", "CYCLES", "a sample each so many cycles (default: a thousand a second of the device's clock)",
     CLI_NUMBER, offsetof(struct values, period), false},
    {'n', "top", "N", "print so many functions (default: all that were seen)", CLI_NUMBER, offsetof(struct values, top),
     false},
    {0},
};

const struct command command_hot = {
    .name = "hot",
    .summary = "find the hottest functions of a running program, and count them exactly",
    .synopsis = "[OPTION...] ELF [--] [ARG...]",
    .description =
        "Runs ELF like gnomon run. The device notes, each --period cycles, which instruction the program is at; the "
        "functions that come up most get tags while the program runs, up to 31 of them, and from then on their "
        "executions "
        "and cycles are counted exactly. The program's code and its cycles are the same as without. No instrumentation "
        "is "
        "needed, and names come from the symbol table.\n\nWhat runs in step with the samples can escape them: gnomon "
        "scan "
        "finds it.\n\n" TARGET_FILES,
    .examples = "gnomon hot ./image.elf\tWhere does it spend its time?\n"
                "gnomon hot --period 1000 -n 5 ./image.elf\tThe five hottest, with more samples.\n",
    .common = CLI_DEVICE | CLI_OUTPUT | CLI_JSON,
    .options = options,
    .values_size = sizeof(struct values),
    .program_arguments = true,
    .min_operands = 1,
    .max_operands = -1,
    .run = run_hot,
};
