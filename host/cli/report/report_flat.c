/* SPDX-License-Identifier: Apache-2.0 */
/* The flat profile, and the line above it that says how exact the figures are. */
#include <stdlib.h>
#include <string.h>

#include "cli/report/report.h"
#include "cli/screen.h"

/* ---- The first line ---- */

static size_t count_exact(const struct report *report) {
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++)
        count += report->rows[i].figures->exact;
    return count;
}

static void put_facts(const struct report *report, FILE *stream) {
    char text[CLI_CLEAN_BYTES], count[CLI_COUNT_BYTES];
    const struct gnomon_analysis *analysis = &report->analysis;
    fprintf(stream, "# %s", cli_clean(text, cli_basename(gnomon_symbols_path(analysis->symbols))));
    if (*analysis->device)
        fprintf(stream, " on %s", cli_clean(text, analysis->device));
    const uint64_t cycles = analysis->sampled ? report->stats->last_cycle : report->sums->cycles;
    fprintf(stream, ", %s %s", cli_count(count, cycles), report_unit(report));
    const bool both = gnomon_analysis_of_both(analysis);
    if (both) { /* the harts ran at the same time: their sum is no time */
        char other[CLI_COUNT_BYTES];
        fprintf(stream, " of both harts added (hart 0: %s, hart 1: %s)",
                cli_count(count, gnomon_profile_hart_cycles(report->profile, 0)),
                cli_count(other, gnomon_profile_hart_cycles(report->profile, 1)));
    }
    const uint64_t run = both ? report->stats->last_cycle : cycles;
    if (analysis->clock_hz && gnomon_analysis_in_cycles(analysis))
        fprintf(stream, " %s %.4g s at %.6g MHz", both ? "in" : "=", (double)run / (double)analysis->clock_hz,
                (double)analysis->clock_hz / 1e6);
    const struct gnomon_exactness_share share = {
        .lost = report_percent(report, report->sums->lost), .functions = report->count, .exact = count_exact(report)};
    char phrase[GNOMON_EXACTNESS_BYTES];
    fprintf(stream, ", %s", gnomon_exactness_phrase(&report->exactness, analysis->sampled ? NULL : &share, phrase));
}

void report_first_line(const struct report *report, FILE *stream) {
    char *text = NULL;
    size_t size;
    FILE *line = open_memstream(&text, &size);
    if (!line) {
        put_facts(report, stream);
        return;
    }
    put_facts(report, line);
    fclose(line);
    fputs(gnomon_exactness_complete(&report->exactness) ? "" : cli_style(report->context, stream, CLI_RED), stream);
    screen_sentence(stream, text, "#   ");
    fputs(gnomon_exactness_complete(&report->exactness) ? "" : cli_style(report->context, stream, CLI_PLAIN), stream);
    free(text);
}

/* ---- The table ---- */

const char *report_measured(unsigned measured) {
    switch (measured) {
    case GNOMON_MEASURED_INSTRUMENT:
        return "instrument-functions";
    case GNOMON_MEASURED_MCOUNT:
        return "mcount";
    case GNOMON_MEASURED_PATCHED:
        return "patchable-function-entry";
    case GNOMON_MEASURED_WATCH:
        return "watch";
    case GNOMON_MEASURED_MEMORY:
        return "memory";
    default:
        return "store";
    }
}

enum column { SHARE, SELF, TOTAL, CALLS, AVERAGE, MIN, MAX, LOST, NAME, WHERE, COLUMNS };

/* On a narrow terminal, the columns of the shortest and the longest call are left out first. */
static const struct screen_column columns[COLUMNS] = {
    [SHARE] = {.title = "  self %"},
    [SELF] = {.title = "self"},
    [TOTAL] = {.title = "total"},
    [CALLS] = {.title = "calls"},
    [AVERAGE] = {.title = "cyc/call", .gives = 1},
    [MIN] = {.title = "min", .gives = 3},
    [MAX] = {.title = "max", .gives = 3},
    [LOST] = {.title = "lost"},
    [NAME] = {.title = "function", .left = true, .least = 12},
    [WHERE] = {.title = "where", .left = true, .least = 12, .gives = 2},
};

static bool without_figure(const struct gnomon_profile_function *f, enum column column) {
    bool entries_only = f->measured && !(f->measured & ~(unsigned)GNOMON_MEASURED_ENTRIES);
    return ((column == MIN || column == MAX) && f->min > f->max) ||
           (column == LOST && !f->lost_cycles && !f->lost_calls) || (column == AVERAGE && !f->calls) ||
           (entries_only && column != CALLS);
}

/* A figure, or "-" where there is none. */
static void put_figure(struct screen_table *table, const struct gnomon_profile_function *f, enum column column) {
    uint64_t value = column == SELF      ? f->self
                     : column == TOTAL   ? f->total
                     : column == CALLS   ? f->calls
                     : column == AVERAGE ? (f->calls ? (f->total + f->calls / 2) / f->calls : 0)
                     : column == MIN     ? f->min
                     : column == MAX     ? f->max
                                         : f->lost_cycles;
    if (without_figure(f, column))
        screen_cell(table, "-");
    else
        screen_count(table, value);
}

void report_where(struct screen_table *table, const struct report_row *row) {
    char where[CLI_WHERE_BYTES], text[CLI_WHERE_BYTES + 256];
    unsigned measured = row->figures->measured;
    int used = snprintf(text, sizeof text, "%s", cli_where(where, &row->name));
    if (row->name.module)
        used +=
            snprintf(text + used, sizeof text - (size_t)used, "%s[module %.64s]", used ? "  " : "", row->name.module);
    if (row->name.overlay)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s[overlay %u]", used ? "  " : "",
                         (unsigned)row->name.overlay - 1);
    for (unsigned bit = GNOMON_MEASURED_INSTRUMENT; bit <= measured; bit <<= 1)
        if (measured & bit & ~(unsigned)GNOMON_MEASURED_MEMORY)
            used += snprintf(text + used, sizeof text - (size_t)used, "%s[%s%s]", used ? "  " : "",
                             report_measured(bit), bit & GNOMON_MEASURED_ENTRIES ? ": entries only" : "");
    screen_cell(table, text);
}

static void put_share(const struct report *report, struct screen_table *table, uint64_t cycles, bool styled) {
    char text[CLI_COUNT_BYTES];
    double percent = report_percent(report, cycles);
    snprintf(text, sizeof text, "%.1f", percent);
    if (styled)
        screen_next_style(table, percent >= 5 ? CLI_RED : percent >= 0.5 ? CLI_GREEN : CLI_PLAIN);
    screen_cell(table, text);
}

static void put_row(const struct report *report, struct screen_table *table, const struct report_row *row) {
    bool losses = report->sums->lost || report->stats->lost.enters;
    put_share(report, table, row->figures->self, true);
    for (enum column column = SELF; column < LOST; column++)
        put_figure(table, row->figures, column);
    if (losses)
        put_figure(table, row->figures, LOST);
    else
        screen_none(table);
    screen_next_mark(table, row->figures->exact ? 0 : '+');
    screen_cell(table, row->name.text);
    report_where(table, row);
}

/* Prints cycles that belong to no row, so that the percentages add up to 100. */
static void put_rest(const struct report *report, struct screen_table *table, const char *what, uint64_t cycles) {
    if (cycles == 0)
        return;
    put_share(report, table, cycles, false);
    screen_count(table, cycles);
    for (enum column column = TOTAL; column < NAME; column++)
        screen_none(table);
    screen_next_over(table);
    screen_cell(table, what);
    screen_none(table);
}

size_t report_select(const struct report *report, uint32_t *rows, uint64_t *hidden, size_t *hidden_count) {
    size_t count = 0;
    *hidden = *hidden_count = 0;
    for (size_t i = 0; i < report->count; i++) {
        uint32_t index = report->order[i];
        if (report_wanted(report, index) && (!report->values->limit || count < report->values->limit)) {
            rows[count++] = index;
        } else {
            *hidden += report->rows[index].figures->self;
            ++*hidden_count;
        }
    }
    return count;
}

void report_flat(const struct report *report, FILE *stream) {
    struct screen_column titled[COLUMNS];
    memcpy(titled, columns, sizeof titled);
    if (!gnomon_analysis_in_cycles(&report->analysis))
        titled[AVERAGE].title = "per call";
    struct screen_table *table = screen_table_new(titled, COLUMNS);
    uint64_t hidden;
    size_t hidden_count;
    report_first_line(report, stream);
    size_t count = report_select(report, report->shown, &hidden, &hidden_count);
    for (size_t i = 0; i < count; i++)
        put_row(report, table, &report->rows[report->shown[i]]);
    char rest[64];
    snprintf(rest, sizeof rest, "[%zu more function%s]", hidden_count, hidden_count == 1 ? "" : "s");
    put_rest(report, table, rest, hidden);
    put_rest(report, table, "[unprofiled: no profiled function was open]", report->sums->unprofiled);
    put_rest(report, table, "[lost: nothing is known of them but their number]", report->sums->lost);
    if (!screen_table_print(table, report->context, stream))
        cli_warn(report->context, "out of memory: the table is missing");
    screen_table_free(table);
}
