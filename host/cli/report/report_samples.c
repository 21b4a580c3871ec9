/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a sampled run: each figure with its standard error. */
#include <string.h>

#include "cli/report/report.h"
#include "cli/screen.h"
#include "lib/profile/profile_samples.h"
#include "lib/util/json_text.h"

/* ---- Estimates ---- */

static const struct gnomon_samples *samples_of(const struct report *report) {
    return &report->analysis.samples;
}

/* A share of all samples, in percent, and its standard error. */
struct estimate {
    double percent, error;
    uint64_t cycles, cycles_error; /* or the event that was sampled */
};

static struct estimate estimate_of(const struct report *report, uint64_t part, uint64_t cycles) {
    const uint64_t all = gnomon_samples_all(samples_of(report));
    const double error = gnomon_samples_error(part, all), each = all ? 1.0 / (double)all : 0;
    const double time = (double)gnomon_samples_time(samples_of(report), report->stats->last_cycle);
    return (struct estimate){.percent = 100 * (double)part * each,
                             .error = 100 * error * each,
                             .cycles = cycles,
                             .cycles_error = (uint64_t)(error * each * time + 0.5)};
}

/* ---- Text ---- */

enum column { SELF, TOTAL, SAMPLES, EVENTS, ERROR, NAME, WHERE, COLUMNS };

static void set_columns(const struct report *report, struct screen_column columns[COLUMNS]) {
    columns[SELF] = (struct screen_column){.title = "self %"};
    columns[TOTAL] = (struct screen_column){.title = "total %"};
    columns[SAMPLES] = (struct screen_column){.title = "samples", .gives = 2};
    columns[EVENTS] = (struct screen_column){.title = samples_of(report)->event};
    columns[ERROR] = (struct screen_column){.title = "+-", .gives = 3};
    columns[NAME] = (struct screen_column){.title = "function", .left = true, .least = 12};
    columns[WHERE] = (struct screen_column){.title = "where", .left = true, .least = 12, .gives = 1};
}

static void put_percent(struct screen_table *table, const struct estimate *estimate) {
    char text[48];
    snprintf(text, sizeof text, "%.1f +- %.1f", estimate->percent, estimate->error);
    screen_cell(table, text);
}

/* The cells before the name. `total`: samples, and 0 if the row has no total. */
static void put_figures(const struct report *report, struct screen_table *table, uint64_t self, uint64_t cycles,
                        uint64_t total) {
    const struct estimate own = estimate_of(report, self, cycles), all = estimate_of(report, total, 0);
    put_percent(table, &own);
    if (samples_of(report)->stacks && total)
        put_percent(table, &all);
    else
        screen_none(table);
    screen_count(table, self);
    screen_count(table, own.cycles);
    screen_count(table, own.cycles_error);
}

/* Samples that are in no row above. */
static void put_rest(const struct report *report, struct screen_table *table, const char *what, uint64_t count,
                     uint64_t cycles) {
    if (!count)
        return;
    put_figures(report, table, count, cycles, 0);
    screen_next_over(table);
    screen_cell(table, what);
    screen_none(table);
}

/* The cycles that a number of samples stands for. */
static uint64_t cycles_of(const struct report *report, uint64_t count) {
    const uint64_t all = gnomon_samples_all(samples_of(report));
    const double time = (double)gnomon_samples_time(samples_of(report), report->stats->last_cycle);
    return all ? (uint64_t)(time * (double)count / (double)all) : 0;
}

static void put_rests(const struct report *report, struct screen_table *table, uint64_t hidden, size_t hidden_count) {
    const struct gnomon_samples *samples = samples_of(report);
    char text[64];
    snprintf(text, sizeof text, "[%zu more function%s]", hidden_count, hidden_count == 1 ? "" : "s");
    put_rest(report, table, text, hidden, cycles_of(report, hidden));
    put_rest(report, table, "[not asked for: other threads or code]", samples->excluded,
             cycles_of(report, samples->excluded));
    put_rest(report, table, "[lost samples]", samples->lost, cycles_of(report, samples->lost));
    put_rest(report, table, samples->functions ? "[no function]" : "[no instruction: reset, debug mode]",
             samples->unattributed, cycles_of(report, samples->unattributed));
}

/* What the monitor in the program did, and what --thread and --range of record left out. */
static void put_notes(const struct report *report, FILE *stream) {
    const struct gnomon_samples *samples = samples_of(report);
    char text[GNOMON_SAMPLED_FILTER_BYTES + 160], one[CLI_COUNT_BYTES], other[CLI_COUNT_BYTES];
    char clean[CLI_CLEAN_BYTES];
    if (*samples->thread) {
        snprintf(text, sizeof text, "# Only the thread %.100s was asked for.", cli_clean(clean, samples->thread));
        screen_sentence(stream, text, "#   ");
    }
    if (*samples->range) {
        snprintf(text, sizeof text, "# Only the code of %.100s was asked for.", cli_clean(clean, samples->range));
        screen_sentence(stream, text, "#   ");
    }
    if (samples->functions)
        screen_sentence(stream,
                        "# Stacks of the device's function records: no code in the program, and no cycles. Functions "
                        "without hooks that are not watched count as their callers.",
                        "#   ");
    if (!samples->stacks || samples->functions)
        return;
    const uint64_t all = gnomon_samples_all(samples);
    snprintf(text, sizeof text,
             "# The program's monitor took %s cycles, %s for each sample; they are in no figure. %s stacks left its "
             "table before the end.",
             cli_count(one, samples->cost), cli_count(other, all ? samples->cost / all : 0),
             cli_count((char[CLI_COUNT_BYTES]){0}, samples->evictions));
    screen_sentence(stream, text, "#   ");
}

void report_samples(const struct report *report, FILE *stream) {
    struct screen_column columns[COLUMNS];
    uint64_t cycles, hidden;
    size_t hidden_count;
    set_columns(report, columns);
    struct screen_table *table = screen_table_new(columns, COLUMNS);
    report_first_line(report, stream);
    put_notes(report, stream);
    const size_t count = report_select(report, report->shown, &cycles, &hidden_count);
    hidden = gnomon_samples_kept(samples_of(report));
    for (size_t i = 0; i < count; i++) {
        const struct report_row *row = &report->rows[report->shown[i]];
        put_figures(report, table, row->figures->samples, row->figures->self, row->figures->samples_total);
        screen_cell(table, row->name.text);
        report_where(table, row);
        hidden -= row->figures->samples;
    }
    put_rests(report, table, hidden, hidden_count);
    const bool any = gnomon_samples_all(samples_of(report)) > 0;
    if (!any)
        screen_sentence(stream, "# There was no sample: record with a smaller -c, or a higher -F.", "#   ");
    if (any && !screen_table_print(table, report->context, stream))
        cli_warn(report->context, "out of memory: the table is missing");
    screen_table_free(table);
}

/* Samples of a thread. */
static uint64_t thread_samples(const struct gnomon_samples *samples, uint32_t thread) {
    uint64_t count = 0;
    for (size_t i = 0; i < samples->count; i++)
        count += samples->list[i].thread == thread ? samples->list[i].count : 0;
    return count;
}

static const char *thread_name(const struct report *report, uint32_t thread, char text[GNOMON_LOCK_NAME_BYTES]) {
    if (thread == GNOMON_SAMPLED_OTHER)
        snprintf(text, GNOMON_LOCK_NAME_BYTES, "[threads from %u on]", GNOMON_SAMPLED_OTHER);
    else
        gnomon_thread_name(&report->names, thread, text);
    return text;
}

void report_sampled_threads(const struct report *report, FILE *stream) {
    const struct gnomon_samples *samples = samples_of(report);
    struct screen_column columns[COLUMNS];
    set_columns(report, columns);
    columns[NAME].title = "thread";
    struct screen_table *table = screen_table_new(columns, COLUMNS);
    report_first_line(report, stream);
    for (uint32_t thread = 0; thread <= GNOMON_SAMPLED_OTHER; thread++) {
        char name[GNOMON_LOCK_NAME_BYTES], clean[CLI_CLEAN_BYTES];
        const uint64_t count = thread_samples(samples, thread);
        if (!count)
            continue;
        put_figures(report, table, count, cycles_of(report, count), 0);
        screen_cell(table, cli_clean(clean, thread_name(report, thread, name)));
        screen_none(table);
    }
    put_rests(report, table, 0, 0);
    if (!screen_table_print(table, report->context, stream))
        cli_warn(report->context, "out of memory: the table is missing");
    screen_table_free(table);
}

/* ---- JSON ---- */

json_t *report_sampling_json(const struct report *report) {
    const struct gnomon_samples *samples = samples_of(report);
    json_t *threads = json_array();
    for (uint32_t thread = 0; thread <= GNOMON_SAMPLED_OTHER; thread++) {
        char name[GNOMON_LOCK_NAME_BYTES];
        const uint64_t count = thread_samples(samples, thread);
        if (count)
            json_array_append_new(threads, json_pack("{s:I, s:o, s:I}", "thread", (json_int_t)thread, "name",
                                                     gnomon_json_text(thread_name(report, thread, name)), "samples",
                                                     (json_int_t)count));
    }
    return json_pack("{s:s, s:I, s:b, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "event", samples->event,
                     "period", (json_int_t)samples->period, "stacks", (int)samples->stacks, "functions",
                     (int)samples->functions, "samples", (json_int_t)gnomon_samples_all(samples), "excluded",
                     (json_int_t)samples->excluded, "lost", (json_int_t)samples->lost, "unattributed",
                     (json_int_t)samples->unattributed, "cut", (json_int_t)samples->cut, "evictions",
                     (json_int_t)samples->evictions, "monitor_cycles", (json_int_t)samples->cost, "thread",
                     gnomon_json_text(*samples->thread ? samples->thread : NULL), "range",
                     gnomon_json_text(*samples->range ? samples->range : NULL), "threads", threads);
}

void report_sampled_json(const struct report *report, const struct gnomon_profile_function *figures, json_t *function) {
    if (!report->analysis.with_samples)
        return;
    const struct estimate self = estimate_of(report, figures->samples, figures->self);
    const struct estimate total = estimate_of(report, figures->samples_total, figures->total);
    json_t *estimates =
        json_pack("{s:I, s:f, s:f, s:I, s:I, s:f, s:f, s:I}", "samples", (json_int_t)figures->samples, "self_percent",
                  self.percent, "self_error_percent", self.error, "self_error_cycles", (json_int_t)self.cycles_error,
                  "total_samples", (json_int_t)figures->samples_total, "total_percent", total.percent,
                  "total_error_percent", total.error, "total_error_cycles", (json_int_t)total.cycles_error);
    json_object_update(function, estimates);
    json_decref(estimates);
}
