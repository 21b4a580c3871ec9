/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon diff on the screen: a line about the runs, and a table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/diff.h"
#include "cli/print_names.h"
#include "cli/screen.h"

/* ---- The first line ---- */

static const struct gnomon_figures *first_of(const struct diff *diff, enum gnomon_side side) {
    return &diff->runs[side].figures[0];
}

static bool all_complete(const struct diff *diff) {
    for (enum gnomon_side side = GNOMON_OLD; side < GNOMON_SIDES; side++)
        for (size_t run = 0; run < diff->runs[side].count; run++)
            if (!gnomon_exactness_complete(&diff->runs[side].figures[run].exactness))
                return false;
    return true;
}

static void put_programs(const struct diff *diff, FILE *stream) {
    const char *programs[GNOMON_SIDES], *devices[GNOMON_SIDES];
    char old[CLI_CLEAN_BYTES], new[CLI_CLEAN_BYTES];
    for (enum gnomon_side side = GNOMON_OLD; side < GNOMON_SIDES; side++) {
        programs[side] = cli_basename(gnomon_symbols_path(first_of(diff, side)->analysis.symbols));
        devices[side] = first_of(diff, side)->analysis.device;
    }
    fprintf(stream, "# %s", cli_clean(old, programs[GNOMON_OLD]));
    if (strcmp(programs[GNOMON_OLD], programs[GNOMON_NEW]) != 0)
        fprintf(stream, " -> %s", cli_clean(new, programs[GNOMON_NEW]));
    fprintf(stream, diff->comparison.same_build ? " (the same build)" : " (two builds)");
    fprintf(stream, " on %s", cli_clean(old, devices[GNOMON_OLD]));
    if (strcmp(devices[GNOMON_OLD], devices[GNOMON_NEW]) != 0)
        fprintf(stream, " and on %s", cli_clean(new, devices[GNOMON_NEW]));
}

/* "1,234 -> 1,200 cycles, -34 (-2.76 %)" */
static void put_whole(const struct diff *diff, FILE *stream) {
    const struct gnomon_change change = gnomon_change_of(&diff->comparison, &diff->comparison.whole, 0);
    char old[CLI_COUNT_BYTES], new[CLI_COUNT_BYTES], text[COMPARE_TEXT_BYTES], percent[COMPARE_TEXT_BYTES];
    fprintf(stream, ": %s -> %s cycles, %s", cli_count(old, (uint64_t)round(change.means[GNOMON_OLD])),
            cli_count(new, (uint64_t)round(change.means[GNOMON_NEW])), compare_signed(text, change.change));
    if (*compare_percent(percent, &change))
        fprintf(stream, " (%s)", percent);
    if (change.noise >= 0)
        fprintf(stream, ", means of %zu and %zu runs; %s", diff->runs[GNOMON_OLD].count, diff->runs[GNOMON_NEW].count,
                change.noise > 0 ? "the noise is " : "no noise: the runs of each are alike");
    if (change.noise > 0)
        fprintf(stream, "%s cycles", cli_count(old, (uint64_t)ceil(change.noise)));
}

static void put_exactness(const struct diff *diff, FILE *stream) {
    char phrase[GNOMON_EXACTNESS_BYTES];
    if (all_complete(diff)) {
        fputs(", all counted exactly, nothing lost", stream);
        return;
    }
    for (enum gnomon_side side = GNOMON_OLD; side < GNOMON_SIDES; side++)
        fprintf(stream, "; %s: %s", side == GNOMON_OLD ? "old" : "new",
                gnomon_exactness_phrase(&first_of(diff, side)->exactness, NULL, phrase));
}

static void put_first_line(const struct diff *diff, FILE *stream) {
    char *text = NULL;
    size_t size;
    FILE *line = open_memstream(&text, &size);
    if (!line)
        return;
    put_programs(diff, line);
    put_whole(diff, line);
    put_exactness(diff, line);
    fclose(line);
    fputs(all_complete(diff) ? "" : cli_style(diff->context, stream, CLI_RED), stream);
    screen_sentence(stream, text, "#   ");
    fputs(all_complete(diff) ? "" : cli_style(diff->context, stream, CLI_PLAIN), stream);
    free(text);
}

/* ---- The table ---- */

static void put_change(struct screen_table *table, const struct gnomon_change *change) {
    char text[COMPARE_TEXT_BYTES];
    if (!gnomon_changed(change)) {
        screen_cell(table, change->change != 0 ? compare_signed(text, change->change) : "-");
        return;
    }
    screen_next_style(table, change->change > 0 ? CLI_RED : CLI_GREEN);
    screen_cell(table, compare_signed(text, change->change));
}

static void put_mean(struct screen_table *table, double mean) {
    if (mean > 0)
        screen_count(table, (uint64_t)round(mean));
    else
        screen_cell(table, "-");
}

static void put_place(struct screen_table *table, const struct gnomon_figures_row *row) {
    char where[CLI_CLEAN_BYTES], file[CLI_CLEAN_BYTES];
    int used = 0;
    where[0] = '\0';
    if (row->file)
        used = snprintf(where, sizeof where, "%.400s:%u", cli_clean(file, cli_basename(row->file)), row->line);
    if (row->module)
        snprintf(where + used, sizeof where - (size_t)used, "%s[module %.64s]", used ? "  " : "", row->module);
    screen_cell(table, where);
}

static void put_name(struct screen_table *table, const struct gnomon_compared_row *row) {
    char name[CLI_CLEAN_BYTES];
    screen_next_mark(table, row->exact ? 0 : '+');
    screen_cell(table, cli_clean(name, gnomon_compared(row)->name));
    put_place(table, gnomon_compared(row));
}

/* The change of the cycles in the row itself, in percent and from what to what. */
static void put_cycles(const struct diff *diff, struct screen_table *table, const struct gnomon_compared_row *row) {
    char percent[COMPARE_TEXT_BYTES];
    const struct gnomon_change change = gnomon_change_of(&diff->comparison, row, 0);
    put_change(table, &change);
    screen_cell(table, compare_percent(percent, &change));
    put_mean(table, change.means[GNOMON_OLD]);
    put_mean(table, change.means[GNOMON_NEW]);
    if (change.noise > 0)
        screen_count(table, (uint64_t)ceil(change.noise));
    else
        screen_none(table);
}

#define CYCLES_COLUMNS                                                                                                 \
    {.title = "change"}, {.title = "%", .gives = 2}, {.title = "old"}, {.title = "new"}, {                             \
        .title = "noise", .gives = 1                                                                                   \
    }

/* Changes of rows that are not shown, so that the column adds up to the change of the run. */
static void put_rest(const struct diff *diff, struct screen_table *table, size_t columns) {
    double change = gnomon_change_of(&diff->comparison, &diff->comparison.whole, 0).change;
    char text[COMPARE_TEXT_BYTES], name[96];
    const size_t hidden = diff->comparison.count - diff->count;
    for (size_t i = 0; i < diff->count; i++)
        change -= gnomon_change_of(&diff->comparison, diff->shown[i], 0).change;
    if (!hidden)
        return;
    snprintf(name, sizeof name, "[%zu more %s%s]", hidden,
             diff->comparison.of == GNOMON_FIGURES_OF_LINES ? "line" : "function", hidden == 1 ? "" : "s");
    screen_cell(table, round(change) != 0 ? compare_signed(text, change) : "-");
    for (size_t i = 1; i + 2 < columns; i++)
        screen_none(table);
    screen_next_over(table);
    screen_cell(table, name);
    screen_none(table);
}

static struct screen_table *function_table(const struct diff *diff) {
    static const struct screen_column columns[] = {CYCLES_COLUMNS,
                                                   {.title = "total +-", .gives = 3},
                                                   {.title = "calls +-", .gives = 4},
                                                   {.title = "function", .left = true, .least = 12},
                                                   {.title = "where", .left = true, .least = 12, .gives = 5}};
    const size_t count = sizeof columns / sizeof *columns;
    struct screen_table *table = screen_table_new(columns, count);
    for (size_t i = 0; i < diff->count; i++) {
        const struct gnomon_change total = gnomon_change_of(&diff->comparison, diff->shown[i], GNOMON_FIGURE_TOTAL);
        const struct gnomon_change calls = gnomon_change_of(&diff->comparison, diff->shown[i], GNOMON_FIGURE_CALLS);
        put_cycles(diff, table, diff->shown[i]);
        put_change(table, &total);
        put_change(table, &calls);
        put_name(table, diff->shown[i]);
    }
    put_rest(diff, table, count);
    return table;
}

static struct screen_table *cause_table(const struct diff *diff) {
    enum { BEFORE = 5, COLUMNS = BEFORE + GNOMON_CAUSES + 2 };
    static struct screen_column columns[COLUMNS] = {CYCLES_COLUMNS};
    for (unsigned cause = 0; cause < GNOMON_CAUSES; cause++)
        columns[BEFORE + cause] = (struct screen_column){.title = gnomon_cause_name(cause), .gives = 4 + (int)cause};
    columns[COLUMNS - 2] = (struct screen_column){.title = "function", .left = true, .least = 12};
    columns[COLUMNS - 1] = (struct screen_column){.title = "where", .left = true, .least = 12, .gives = 3};
    struct screen_table *table = screen_table_new(columns, COLUMNS);
    for (size_t i = 0; i < diff->count; i++) {
        put_cycles(diff, table, diff->shown[i]);
        for (unsigned cause = 0; cause < GNOMON_CAUSES; cause++) {
            const struct gnomon_change change = gnomon_change_of(&diff->comparison, diff->shown[i], 1 + cause);
            if (change.change != 0)
                put_change(table, &change);
            else
                screen_none(table);
        }
        put_name(table, diff->shown[i]);
    }
    put_rest(diff, table, COLUMNS);
    return table;
}

int diff_text(const struct diff *diff) {
    FILE *stream = cli_pager_begin(diff->context);
    put_first_line(diff, stream);
    struct screen_table *table =
        diff->comparison.of == GNOMON_FIGURES_OF_FUNCTIONS ? function_table(diff) : cause_table(diff);
    if (!diff->count)
        fputs("Nothing has changed.\n", stream);
    else if (!screen_table_print(table, diff->context, stream))
        cli_warn(diff->context, "out of memory: the table is missing");
    screen_table_free(table);
    return cli_pager_end(diff->context, stream);
}
