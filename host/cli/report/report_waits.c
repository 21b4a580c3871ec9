/* SPDX-License-Identifier: Apache-2.0 */
/* Prints how long interrupts waited until they were taken (docs/guide/latency.md). */
#include "cli/report/report.h"
#include "cli/screen.h"

enum column { TAKEN, LEAST, MEAN, DEVIATION, MOST, AT, NAME, COLUMNS };

static const struct screen_column columns[COLUMNS] = {
    [TAKEN] = {.title = "waits"},
    [LEAST] = {.title = "min"},
    [MEAN] = {.title = "mean"},
    [DEVIATION] = {.title = "deviation", .gives = 1},
    [MOST] = {.title = "max"},
    [AT] = {.title = "max at cycle"},
    [NAME] = {.title = "cycles from the request to the handler", .left = true},
};

static void put_mean(struct screen_table *table, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.1f", value);
    screen_cell(table, text);
}

static void put_row(struct screen_table *table, const struct report_row *row) {
    const struct gnomon_profile_waits *waits = row->figures->waits;
    const struct gnomon_bucket sum = gnomon_histogram_sum(&waits->histogram);
    char text[CLI_CLEAN_BYTES + 64], count[CLI_COUNT_BYTES];
    screen_count(table, sum.calls);
    screen_count(table, waits->min);
    put_mean(table, gnomon_bucket_mean(&sum));
    put_mean(table, gnomon_bucket_deviation(&sum));
    screen_count(table, waits->max);
    screen_count(table, waits->longest_at);
    screen_next_mark(table, report_waits_exact(row->figures) ? 0 : '+');
    int used = snprintf(text, sizeof text, "%.1000s", row->name.text);
    if (sum.calls < row->figures->calls)
        used += snprintf(text + used, sizeof text - (size_t)used, "  [of %s]", cli_count(count, row->figures->calls));
    if (waits->at_least)
        snprintf(text + used, sizeof text - (size_t)used, "  [max: that or more]");
    screen_cell(table, text);
}

bool report_waits_exact(const struct gnomon_profile_function *figures) {
    const uint64_t known = gnomon_histogram_sum(&figures->waits->histogram).calls;
    return figures->exact && known == figures->calls && !figures->waits->at_least;
}

void report_waits(const struct report *report, FILE *stream) {
    struct screen_table *table = screen_table_new(columns, COLUMNS);
    bool any = false;
    for (size_t i = 0; i < report->count; i++) {
        const struct report_row *row = &report->rows[report->order[i]];
        if (!row->figures->waits || !gnomon_analysis_in_cycles(&report->analysis) ||
            !report_wanted(report, report->order[i]))
            continue;
        if (!any)
            fputc('\n', stream);
        any = true;
        put_row(table, row);
    }
    if (any && !screen_table_print(table, report->context, stream))
        cli_warn(report->context, "out of memory: the table of interrupts is missing");
    screen_table_free(table);
}
