/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon api list: a row for each function and cost. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/api/api.h"
#include "cli/print_names.h"
#include "cli/screen.h"
#include "lib/fleet/api_json.h"
#include "lib/util/json_text.h"

struct line {
    const struct gnomon_api_row *row;
    struct gnomon_bucket sum;
    char name[CLI_CLEAN_BYTES];
};

struct list {
    struct cli_context *context;
    const struct api_values *values;
    struct api_opened opened;
    size_t count;
    struct line *lines;
};

/* ---- Which rows, in which order ---- */

static bool wanted(const struct api_values *values, const struct gnomon_api_row *row, const char *name) {
    return api_wants_cost(values, row->cost) && api_wants(values, row->function, name);
}

static int by_name(const void *left, const void *right) {
    const struct line *a = left, *b = right;
    const int order = strcmp(a->name, b->name);
    return order ? order : api_by_cost(a->row, b->row);
}

static int falling(double a, double b, const struct line *left, const struct line *right) {
    return a < b ? 1 : a > b ? -1 : by_name(left, right);
}

static int by_sum(const void *left, const void *right) {
    const struct line *a = left, *b = right;
    const int order = api_by_cost(a->row, b->row);
    return order ? order : falling((double)a->sum.cycles, (double)b->sum.cycles, a, b);
}

static int by_mean(const void *left, const void *right) {
    const struct line *a = left, *b = right;
    const int order = api_by_cost(a->row, b->row);
    return order ? order : falling(gnomon_bucket_mean(&a->sum), gnomon_bucket_mean(&b->sum), a, b);
}

static int by_calls(const void *left, const void *right) {
    const struct line *a = left, *b = right;
    const int order = api_by_cost(a->row, b->row);
    return order ? order : falling((double)a->sum.calls, (double)b->sum.calls, a, b);
}

static int by_most(const void *left, const void *right) {
    const struct line *a = left, *b = right;
    const int order = api_by_cost(a->row, b->row);
    return order ? order : falling((double)a->row->most, (double)b->row->most, a, b);
}

static const struct order {
    const char *name;
    int (*compare)(const void *, const void *);
} orders[] = {{"sum", by_sum}, {"mean", by_mean}, {"calls", by_calls}, {"most", by_most}, {"name", by_name}};

/* NULL: there is no such order. */
static const struct order *order_named(const char *name) {
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (!name || !strcmp(orders[i].name, name))
            return &orders[i];
    return NULL;
}

/* False: out of memory. */
static bool make_lines(struct list *list, const struct order *order) {
    size_t count;
    struct gnomon_api_row **rows = gnomon_api_profile_rows(list->opened.view, &count);
    list->lines = rows ? malloc((count + 1) * sizeof *list->lines) : NULL;
    for (size_t i = 0; list->lines && i < count; i++) {
        struct line *line = &list->lines[list->count];
        *line = (struct line){.row = rows[i], .sum = gnomon_api_row_sum(rows[i])};
        cli_symbol(line->name, rows[i]->function, list->context->raw_names);
        list->count += wanted(list->values, rows[i], line->name);
    }
    free(rows);
    if (list->lines)
        qsort(list->lines, list->count, sizeof *list->lines, order->compare);
    if (list->values->limit && list->values->limit < list->count)
        list->count = list->values->limit;
    return list->lines;
}

/* ---- Text ---- */

enum column { COST, CALLS, MEAN, DEVIATION, LEAST, MOST, SUM, NAME, WHERE, BUILD, COLUMNS };

static const struct screen_column columns[COLUMNS] = {
    [COST] = {.title = "cost", .left = true},
    [CALLS] = {.title = "calls"},
    [MEAN] = {.title = "mean"},
    [DEVIATION] = {.title = "deviation", .gives = 2},
    [LEAST] = {.title = "least", .gives = 3},
    [MOST] = {.title = "most", .gives = 1},
    [SUM] = {.title = "sum"},
    [NAME] = {.title = "function", .left = true, .least = 12},
    [WHERE] = {.title = "where", .left = true, .least = 12, .gives = 4},
    [BUILD] = {.title = "build", .left = true, .gives = 5},
};

static void put_bound(struct screen_table *table, uint64_t value) {
    char digits[CLI_COUNT_BYTES], text[CLI_COUNT_BYTES + 4];
    snprintf(text, sizeof text, "%s%s", value == UINT64_MAX ? ">=" : "", cli_count(digits, value));
    screen_cell(table, text);
}

static void put_number(struct screen_table *table, bool known, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    screen_cell(table, known ? text : "-");
}

static void put_where(struct screen_table *table, const struct gnomon_api_row *row) {
    char where[CLI_WHERE_BYTES], module[CLI_CLEAN_BYTES], text[CLI_WHERE_BYTES + CLI_CLEAN_BYTES];
    const struct gnomon_name name = {.file = *row->file ? row->file : NULL, .line = row->line};
    const bool own = !strcmp(row->module, row->source->program);
    snprintf(text, sizeof text, "%s%s%s", cli_where(where, &name), own || !*where ? "" : " ",
             own ? "" : cli_clean(module, row->module));
    screen_cell(table, text);
}

static void put_line(struct screen_table *table, const struct line *line, bool builds) {
    const struct gnomon_api_row *row = line->row;
    const bool sums = line->sum.calls && !(row->doubt & GNOMON_API_COUNTS);
    const bool limits = row->least <= row->most;
    char build[9] = "", cost[CLI_CLEAN_BYTES];
    snprintf(build, sizeof build, "%s", row->source->build);
    screen_cell(table, cli_clean(cost, row->cost));
    put_bound(table, line->sum.calls);
    put_number(table, sums, gnomon_bucket_mean(&line->sum));
    put_number(table, sums, gnomon_bucket_deviation(&line->sum));
    if (limits) {
        screen_count(table, row->least);
        screen_count(table, row->most);
    } else {
        screen_none(table);
        screen_none(table);
    }
    if (sums)
        put_bound(table, line->sum.cycles);
    else
        screen_cell(table, "-");
    if (row->doubt || gnomon_api_row_saturated(row))
        screen_next_mark(table, '+');
    screen_cell(table, line->name);
    put_where(table, row);
    if (builds)
        screen_cell(table, build);
    else
        screen_none(table);
}

static bool print_table(const struct list *list, FILE *stream) {
    struct screen_table *table = screen_table_new(columns, COLUMNS);
    bool builds = false;
    for (size_t i = 1; i < list->count; i++)
        builds |= list->lines[i].row->source->build != list->lines[0].row->source->build;
    for (size_t i = 0; i < list->count; i++)
        put_line(table, &list->lines[i], builds);
    const bool good = table && screen_table_print(table, list->context, stream);
    screen_table_free(table);
    return good;
}

static void put_buckets(const struct line *line, FILE *stream) {
    char from[CLI_COUNT_BYTES], to[CLI_COUNT_BYTES], calls[CLI_COUNT_BYTES], cost[CLI_CLEAN_BYTES];
    fprintf(stream, "\n%s, %s\n", line->name, cli_clean(cost, line->row->cost));
    for (unsigned i = 0; i < GNOMON_BUCKETS; i++) {
        const struct gnomon_bucket *bucket = gnomon_api_row_bucket(line->row, i);
        if (!bucket)
            continue;
        const bool last = i == GNOMON_BUCKETS - 1;
        fprintf(stream, "%13s - %-13s %11s  %6.2f", cli_count(from, gnomon_bucket_from(i)),
                last ? "" : cli_count(to, gnomon_bucket_from(i + 1) - 1), cli_count(calls, bucket->calls),
                100.0 * (double)bucket->calls / (double)line->sum.calls);
        if (!(line->row->doubt & GNOMON_API_COUNTS))
            fprintf(stream, " %10.6g %10.6g", gnomon_bucket_mean(bucket), gnomon_bucket_deviation(bucket));
        fputc('\n', stream);
    }
}

static int print_text(const struct list *list) {
    FILE *stream = cli_pager_begin(list->context);
    char *text = NULL;
    if (asprintf(&text, "# %s", list->opened.facts) > 0)
        screen_sentence(stream, text, "#   ");
    free(text);
    if (list->count && !print_table(list, stream))
        cli_warn(list->context, "out of memory: the table is not shown");
    for (size_t i = 0; list->values->histogram && i < list->count; i++)
        put_buckets(&list->lines[i], stream);
    return cli_pager_end(list->context, stream);
}

/* ---- JSON ---- */

/* Of the rows: the runs that pass the filter. */
static json_t *sources_of(const struct list *list) {
    size_t count;
    struct gnomon_api_source **sources = gnomon_api_profile_sources(list->opened.profile, &count);
    json_t *json = sources ? json_array() : NULL;
    for (size_t i = 0; sources && i < count; i++)
        if (gnomon_api_passes(&list->opened.filter, sources[i]))
            json_array_append_new(json, gnomon_api_source_json(sources[i]));
    free(sources);
    return json;
}

static int print_json(const struct list *list) {
    json_t *rows = json_array();
    for (size_t i = 0; i < list->count; i++)
        json_array_append_new(rows, gnomon_api_row_json(list->lines[i].row, list->context->raw_names));
    return cli_print_json(list->context, json_pack("{s:o, s:o, s:o}", "about", gnomon_json_text(list->opened.facts),
                                                   "sources", sources_of(list), "rows", rows));
}

/* ---- The action ---- */

/* Runs in which none of the watched functions ran leave no row: that is a result, not a wrong option. */
static bool has_rows(const struct gnomon_api_profile *profile) {
    size_t count = 0;
    free(gnomon_api_profile_rows(profile, &count));
    return count;
}

static int show(struct list *list, const struct order *order) {
    struct gnomon_error error;
    if (!make_lines(list, order)) {
        gnomon_fail_memory(&error);
        return cli_error(list->context, &error);
    }
    if (!list->count && has_rows(list->opened.profile)) {
        api_nothing_passes(&list->opened, &error);
        return cli_error(list->context, &error);
    }
    return list->context->json ? print_json(list) : print_text(list);
}

int api_list(struct cli_context *context, const char *path) {
    struct list list = {.context = context, .values = context->values};
    struct gnomon_error error;
    if (list.values->by)
        return api_list_by(context, path);
    const struct order *order = order_named(list.values->sort);
    if (!order)
        return cli_usage(context, "--sort is sum, mean, calls, most or name, not \"%s\"", list.values->sort);
    const int result = api_open(&list.opened, context, path, &error) ? cli_error(context, &error) : show(&list, order);
    free(list.lines);
    api_close(&list.opened);
    return result;
}
