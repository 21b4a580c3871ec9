/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon diff: what became slower or faster between two recordings. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/diff.h"
#include "cli/print_names.h"
#include "cli/screen.h"

#define SORT_KEYS "change, total, calls or name"

static const struct cli_option options[] = {
    {0, "old", "FILE", "another run of OLD's program; with several runs of each, the noise is known", CLI_LIST,
     offsetof(struct diff_values, old)},
    {0, "new", "FILE", "another run of NEW's program", CLI_LIST, offsetof(struct diff_values, new)},
    {0, "old-elf", "FILE", "OLD's program, where it is not where it was when it was recorded", CLI_STRING,
     offsetof(struct diff_values, old_elf)},
    {0, "new-elf", "FILE", "NEW's program", CLI_STRING, offsetof(struct diff_values, new_elf)},
    {0, "causes", NULL, "what the functions' cycles went to, if both were recorded with --cpi", CLI_FLAG,
     offsetof(struct diff_values, causes)},
    {0, "lines", NULL, "the same of each source line", CLI_FLAG, offsetof(struct diff_values, lines)},
    {'f', "function", "NAME", "only functions of this name", CLI_STRING, offsetof(struct diff_values, function)},
    {'s', "sort", "KEY", "order of the rows: " SORT_KEYS " (default: change, of the cycles in the row itself)",
     CLI_STRING, offsetof(struct diff_values, sort)},
    {'n', "limit", "N", "show the first N rows", CLI_NUMBER, offsetof(struct diff_values, limit)},
    {'a', "all", NULL, "also show rows without a change, or with one within the noise", CLI_FLAG,
     offsetof(struct diff_values, all)},
    {0, "hart", "N", "only hart N, 0 or 1 (default: both harts, added; causes and lines: 0)", CLI_STRING,
     offsetof(struct diff_values, hart)},
    {0, "strict", NULL, "exit with status 3 when events were lost or an end is missing", CLI_FLAG,
     offsetof(struct diff_values, strict)},
    {0},
};

/* ---- The order of rows ---- */

enum diff_key { BY_CHANGE, BY_TOTAL, BY_CALLS, BY_NAME, NO_KEY };

static enum diff_key find_key(const char *name) {
    static const char *const names[] = {"change", "total", "calls", "name"};
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return (enum diff_key)i;
    return name ? NO_KEY : BY_CHANGE;
}

struct sorting {
    const struct gnomon_comparison *comparison;
    enum diff_key key;
};

static double size_of(const struct sorting *sorting, const struct gnomon_compared_row *row) {
    static const size_t figures[] = {GNOMON_FIGURE_SELF, GNOMON_FIGURE_TOTAL, GNOMON_FIGURE_CALLS};
    return sorting->key == BY_NAME ? 0 : fabs(gnomon_change_of(sorting->comparison, row, figures[sorting->key]).change);
}

static int by_size(const void *a, const void *b, void *context) {
    const struct gnomon_compared_row *left = *(const struct gnomon_compared_row *const *)a;
    const struct gnomon_compared_row *right = *(const struct gnomon_compared_row *const *)b;
    const double left_size = size_of(context, left), right_size = size_of(context, right);
    if (left_size != right_size)
        return left_size > right_size ? -1 : 1;
    const int names = strcmp(gnomon_compared(left)->name, gnomon_compared(right)->name);
    return names ? names : (left > right) - (left < right); /* rows are in the order of module, file and line */
}

static bool is_wanted(const struct diff *diff, const struct gnomon_compared_row *row) {
    const char *wanted = diff->values->function;
    const struct gnomon_figures_row *shown = gnomon_compared(row);
    return !wanted || !strcmp(wanted, shown->name) || !strcmp(wanted, shown->key);
}

bool diff_changed(const struct diff *diff, const struct gnomon_compared_row *row) {
    for (size_t figure = 0; figure < diff->comparison.width; figure++) {
        const struct gnomon_change change = gnomon_change_of(&diff->comparison, row, figure);
        if (gnomon_changed(&change))
            return true;
    }
    return false;
}

/* Chooses and sorts the rows to show; all others are in `hidden`. */
static enum gnomon_status choose_rows(struct diff *diff, struct gnomon_error *error) {
    const struct gnomon_comparison *comparison = &diff->comparison;
    struct sorting sorting = {comparison, find_key(diff->values->sort)};
    bool any = false;
    if (sorting.key == NO_KEY || (sorting.key != BY_NAME && sorting.key != BY_CHANGE && comparison->of)) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "--sort does not know \"%s\"", diff->values->sort);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "the keys are %s",
                             comparison->of ? "change or name" : SORT_KEYS);
    }
    diff->shown = calloc(comparison->count + 1, sizeof *diff->shown);
    if (!diff->shown)
        return gnomon_fail_memory(error);
    for (size_t i = 0; i < comparison->count; i++) {
        any = any || is_wanted(diff, &comparison->rows[i]);
        if (is_wanted(diff, &comparison->rows[i]) && (diff->values->all || diff_changed(diff, &comparison->rows[i])))
            diff->shown[diff->count++] = &comparison->rows[i];
    }
    if (!any && diff->values->function) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "no function named %s was called in any run", diff->values->function);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "gnomon diff --all lists the functions that were called");
    }
    qsort_r(diff->shown, diff->count, sizeof *diff->shown, by_size, &sorting);
    if (diff->values->limit && diff->count > diff->values->limit)
        diff->count = diff->values->limit;
    return GNOMON_OK;
}

/* ---- The recordings ---- */

/* The operand, then the files of --old or --new. False: out of memory. */
static bool list_files(struct cli_list *files, const char *first, const struct cli_list *more) {
    files->items = calloc(more->count + 1, sizeof *files->items);
    if (!files->items)
        return false;
    files->items[files->count++] = first;
    for (size_t i = 0; i < more->count; i++)
        files->items[files->count++] = more->items[i];
    return true;
}

static enum gnomon_status read_both(struct diff *diff, struct gnomon_error *error) {
    const struct cli_context *context = diff->context;
    const struct diff_values *values = diff->values;
    const enum gnomon_figures_of of = values->lines    ? GNOMON_FIGURES_OF_LINES
                                      : values->causes ? GNOMON_FIGURES_OF_CAUSES
                                                       : GNOMON_FIGURES_OF_FUNCTIONS;
    struct cli_list files[GNOMON_SIDES] = {{0}};
    enum gnomon_status status = GNOMON_OK;
    if (!list_files(&files[GNOMON_OLD], context->argv[0], &values->old) ||
        !list_files(&files[GNOMON_NEW], context->argv[1], &values->new))
        status = gnomon_fail_memory(error);
    if (!status)
        status = compare_read(&diff->runs[GNOMON_OLD], &files[GNOMON_OLD], values->old_elf, values->hart, of,
                              context->raw_names, error);
    if (!status)
        status = compare_read(&diff->runs[GNOMON_NEW], &files[GNOMON_NEW], values->new_elf, values->hart, of,
                              context->raw_names, error);
    for (enum gnomon_side side = GNOMON_OLD; side < GNOMON_SIDES; side++)
        free(files[side].items);
    if (!status && !gnomon_compare(&diff->comparison, diff->runs[GNOMON_OLD].figures, diff->runs[GNOMON_OLD].count,
                                   diff->runs[GNOMON_NEW].figures, diff->runs[GNOMON_NEW].count))
        status = gnomon_fail_memory(error);
    return status ? status : choose_rows(diff, error);
}

static int make_diff(struct diff *diff) {
    struct gnomon_error error;
    if (read_both(diff, &error))
        return cli_error(diff->context, &error);
    int worth = CLI_OK;
    for (enum gnomon_side side = GNOMON_OLD; side < GNOMON_SIDES; side++) {
        const int one = compare_reasons(diff->context, &diff->runs[side], diff->values->strict);
        worth = one == CLI_FAILED || !worth ? one : worth;
        cli_note_stripped(diff->context, diff->runs[side].figures[0].analysis.symbols);
    }
    const int printed = diff->context->json ? diff_json(diff) : diff_text(diff);
    return printed ? printed : worth;
}

static int run_diff(struct cli_context *context) {
    struct diff diff = {.context = context, .values = context->values};
    if (context->argc < 2)
        return cli_missing_operand(context);
    int status = make_diff(&diff);
    gnomon_comparison_free(&diff.comparison);
    for (enum gnomon_side side = GNOMON_OLD; side < GNOMON_SIDES; side++)
        compare_close(&diff.runs[side]);
    free(diff.shown);
    return status;
}

const struct command command_diff = {
    .name = "diff",
    .summary = "show what became slower or faster between two recorded runs",
    .synopsis = "[OPTION...] OLD NEW",
    .description =
        "Reads two recordings of `gnomon record` and prints for each function how its cycles, its calls, and the "
        "cycles of its calls with all that they called have changed. The changes of the functions' own cycles add up "
        "to the change of the run. The recordings can be of two builds of a program: functions are matched by their "
        "names, and where several have the same name, by their files.\n\nWith one run of each, a change is what the "
        "two runs differ in; if both are exact, so is the change. Where runs differ by themselves (interrupts, a host "
        "that answers now and then), record several of each (gnomon record -r 5 -o FILE.gnt makes FILE.1.gnt and so "
        "on, and FILE.gnt means them all), or name the others with --old and --new: then figures "
        "are means, and changes within the noise are left out: those that runs of the same program would show, with "
        "a confidence of 99 % for each row (Welch's t-test).",
    .examples = "gnomon diff before.gnt after.gnt\tWhat changed, the largest change first.\n"
                "gnomon diff --causes before.gnt after.gnt\tWhich causes of stalls changed (record with --cpi all).\n"
                "gnomon diff --lines -f inflate_fast before.gnt after.gnt\tThe changed lines of a function.\n"
                "gnomon diff before.gnt after.gnt\tThe same of before.1.gnt, before.2.gnt ..., by gnomon record -r.\n"
                "gnomon diff --old a2.gnt --old a3.gnt --new b2.gnt --new b3.gnt a1.gnt b1.gnt\tThree runs of each.\n",
    .common = CLI_JSON | CLI_NAMES,
    .options = options,
    .values_size = sizeof(struct diff_values),
    .min_operands = 1,
    .max_operands = 2,
    .run = run_diff,
};
