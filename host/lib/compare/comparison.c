/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/util/file.h"

/* ---- Which rows belong together ---- */

/* A row of a run. */
struct entry {
    const struct gnomon_figures_row *row;
    enum gnomon_side side;
    size_t run;
    const char *file; /* without folders; "": not known, or the place is in the function's own file */
    long place;       /* of a line */
};

static int compare_texts(const char *a, const char *b) {
    return strcmp(a ? a : "", b ? b : "");
}

static int by_function(const struct entry *a, const struct entry *b) {
    const int order = compare_texts(a->row->module, b->row->module);
    return order ? order : strcmp(a->row->key, b->row->key);
}

static int by_place(const struct entry *a, const struct entry *b) {
    const int order = strcmp(a->file, b->file);
    return order ? order : (a->place > b->place) - (a->place < b->place);
}

static int by_all(const void *a, const void *b) {
    const struct entry *left = a, *right = b;
    int order = by_function(left, right);
    if (!order)
        order = by_place(left, right);
    if (!order)
        order = (int)left->side - (int)right->side;
    return order ? order : (left->run > right->run) - (left->run < right->run);
}

/* Lines of a function count from its declaration, unless the builds are the same or the line is in another file. */
static long place_of(const struct gnomon_comparison *comparison, const struct gnomon_figures_row *row) {
    if (comparison->of != GNOMON_FIGURES_OF_LINES)
        return 0;
    return comparison->same_build || !row->declared ? (long)row->line : -(long)(row->line - row->declared) - 1;
}

static const char *file_of(const struct gnomon_figures_row *row) {
    return row->file && !row->declared ? gnomon_basename(row->file) : "";
}

static struct entry *list_entries(const struct gnomon_comparison *comparison, size_t *count) {
    size_t rows = 0;
    for (enum gnomon_side side = GNOMON_OLD; side < GNOMON_SIDES; side++)
        for (size_t run = 0; run < comparison->runs[side]; run++)
            rows += comparison->figures[side][run].count;
    struct entry *entries = calloc(rows + 1, sizeof *entries);
    *count = 0;
    for (enum gnomon_side side = GNOMON_OLD; entries && side < GNOMON_SIDES; side++)
        for (size_t run = 0; run < comparison->runs[side]; run++)
            for (size_t i = 0; i < comparison->figures[side][run].count; i++) {
                const struct gnomon_figures_row *row = &comparison->figures[side][run].rows[i];
                entries[(*count)++] = (struct entry){
                    .row = row, .side = side, .run = run, .file = file_of(row), .place = place_of(comparison, row)};
            }
    if (entries)
        qsort(entries, *count, sizeof *entries, by_all);
    return entries;
}

/* Has a run, in these entries of one name, functions in different files? */
static bool several_files(const struct entry *entries, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            if (entries[i].side == entries[j].side && entries[i].run == entries[j].run &&
                strcmp(entries[i].file, entries[j].file) != 0)
                return true;
    return false;
}

static void add_values(const struct gnomon_comparison *comparison, struct gnomon_compared_row *row,
                       const struct entry *entry) {
    uint64_t *to = row->values[entry->side] + entry->run * comparison->width;
    const uint64_t *from = entry->row->values;
    const bool functions = comparison->of == GNOMON_FIGURES_OF_FUNCTIONS;
    for (size_t i = 0; i < comparison->width; i++)
        if (!functions || (i != GNOMON_FIGURE_LONGEST && i != GNOMON_FIGURE_LATENCY))
            to[i] += from[i];
        else if (from[i] > to[i])
            to[i] = from[i];
    row->exact = row->exact && entry->row->exact;
    if (!row->rows[entry->side])
        row->rows[entry->side] = entry->row;
}

/* Makes rows of entries of one name. */
static void add_rows(struct gnomon_comparison *comparison, const struct entry *entries, size_t count) {
    const size_t runs = comparison->runs[GNOMON_OLD] + comparison->runs[GNOMON_NEW];
    const bool apart = comparison->of == GNOMON_FIGURES_OF_LINES || several_files(entries, count);
    struct gnomon_compared_row *row = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!row || (apart && by_place(&entries[i - 1], &entries[i]) != 0)) {
            uint64_t *values = comparison->values + comparison->count * runs * comparison->width;
            row = &comparison->rows[comparison->count++];
            *row = (struct gnomon_compared_row){.exact = true};
            row->values[GNOMON_OLD] = values;
            row->values[GNOMON_NEW] = values + comparison->runs[GNOMON_OLD] * comparison->width;
        }
        add_values(comparison, row, &entries[i]);
    }
}

static void set_whole(struct gnomon_comparison *comparison) {
    struct gnomon_compared_row *whole = &comparison->whole;
    whole->exact = true;
    for (enum gnomon_side side = GNOMON_OLD; side < GNOMON_SIDES; side++)
        for (size_t run = 0; run < comparison->runs[side]; run++) {
            const struct gnomon_figures *figures = &comparison->figures[side][run];
            whole->values[side][run * comparison->width] = figures->cycles;
            whole->exact = whole->exact && gnomon_exactness_exact(&figures->exactness);
        }
}

static bool same_build(const struct gnomon_comparison *comparison) {
    const char *first = gnomon_symbols_build_id(comparison->figures[GNOMON_OLD][0].analysis.symbols);
    for (enum gnomon_side side = GNOMON_OLD; side < GNOMON_SIDES; side++)
        for (size_t run = 0; run < comparison->runs[side]; run++)
            if (strcmp(gnomon_symbols_build_id(comparison->figures[side][run].analysis.symbols), first) != 0)
                return false;
    return *first;
}

bool gnomon_compare(struct gnomon_comparison *comparison, const struct gnomon_figures *old, size_t old_runs,
                    const struct gnomon_figures *new, size_t new_runs) {
    *comparison = (struct gnomon_comparison){
        .of = old->of, .width = gnomon_figures_width(old->of), .figures = {old, new}, .runs = {old_runs, new_runs}};
    comparison->same_build = same_build(comparison);
    const size_t runs = old_runs + new_runs;
    size_t count;
    struct entry *entries = list_entries(comparison, &count);
    comparison->rows = calloc(count + 1, sizeof *comparison->rows);
    comparison->values = calloc((count + 1) * runs * comparison->width, sizeof *comparison->values);
    const bool good = entries && comparison->rows && comparison->values;
    for (size_t first = 0, after; good && first < count; first = after) {
        for (after = first + 1; after < count && by_function(&entries[first], &entries[after]) == 0;)
            after++;
        add_rows(comparison, &entries[first], after - first);
    }
    free(entries);
    if (!good)
        return false;
    comparison->whole.values[GNOMON_OLD] = comparison->values + count * runs * comparison->width;
    comparison->whole.values[GNOMON_NEW] = comparison->whole.values[GNOMON_OLD] + old_runs * comparison->width;
    set_whole(comparison);
    return true;
}

void gnomon_comparison_free(struct gnomon_comparison *comparison) {
    free(comparison->rows);
    free(comparison->values);
}

const struct gnomon_figures_row *gnomon_compared(const struct gnomon_compared_row *row) {
    return row->rows[GNOMON_NEW] ? row->rows[GNOMON_NEW] : row->rows[GNOMON_OLD];
}

/* ---- Changes and noise ---- */

/* Student's t that 99.5 % of a distribution lie below, for at least that many degrees of freedom. */
static double student(double freedom) {
    static const struct {
        double freedom, t;
    } table[] = {{60, 2.660}, {30, 2.750}, {20, 2.845}, {15, 2.947}, {12, 3.055}, {10, 3.169}, {9, 3.250},
                 {8, 3.355},  {7, 3.499},  {6, 3.707},  {5, 4.032},  {4, 4.604},  {3, 5.841},  {2, 9.925}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (freedom >= table[i].freedom)
            return table[i].t;
    return 63.657;
}

/* Variance of the mean of the runs; 0 for one run. */
static double variance_of_mean(const uint64_t *values, size_t runs, size_t step, double mean) {
    double squares = 0;
    for (size_t i = 0; i < runs; i++) {
        const double off = (double)values[i * step] - mean;
        squares += off * off;
    }
    return runs > 1 ? squares / (double)(runs - 1) / (double)runs : 0;
}

static double noise_of(const double variances[GNOMON_SIDES], const size_t runs[GNOMON_SIDES]) {
    const size_t old = runs[GNOMON_OLD], new = runs[GNOMON_NEW];
    if (old == 1 && new == 1)
        return -1;
    if (old == 1 || new == 1) { /* the single run varies as the others do */
        const size_t many = old + new - 1;
        const double variance = (variances[GNOMON_OLD] + variances[GNOMON_NEW]) * (double)many;
        return student((double)(many - 1)) * sqrt(variance * (1 + 1 / (double)many));
    }
    const double sum = variances[GNOMON_OLD] + variances[GNOMON_NEW];
    if (sum <= 0)
        return 0;
    const double freedom = sum * sum /
                           (variances[GNOMON_OLD] * variances[GNOMON_OLD] / (double)(old - 1) +
                            variances[GNOMON_NEW] * variances[GNOMON_NEW] / (double)(new - 1));
    return student(freedom) * sqrt(sum);
}

struct gnomon_change gnomon_change_of(const struct gnomon_comparison *comparison, const struct gnomon_compared_row *row,
                                      size_t figure) {
    struct gnomon_change change;
    double variances[GNOMON_SIDES];
    for (enum gnomon_side side = GNOMON_OLD; side < GNOMON_SIDES; side++) {
        const uint64_t *values = row->values[side] + figure;
        double sum = 0;
        for (size_t run = 0; run < comparison->runs[side]; run++)
            sum += (double)values[run * comparison->width];
        change.means[side] = sum / (double)comparison->runs[side];
        variances[side] = variance_of_mean(values, comparison->runs[side], comparison->width, change.means[side]);
    }
    change.change = change.means[GNOMON_NEW] - change.means[GNOMON_OLD];
    change.noise = noise_of(variances, comparison->runs);
    return change;
}

bool gnomon_changed(const struct gnomon_change *change) {
    return fabs(change->change) > fmax(change->noise, 0);
}
