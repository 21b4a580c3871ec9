/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of `gnomon api plan` and `gnomon api run`. */
#include <stdlib.h>
#include <string.h>

#include "cli/api/api_run.h"
#include "cli/print_names.h"
#include "cli/screen.h"
#include "lib/util/json_text.h"

/* ---- The plan ---- */

enum plan_column { RUN, PLAN_CALLS, PLAN_NAME, PLAN_COLUMNS };
static const struct screen_column plan_columns[PLAN_COLUMNS] = {
    [RUN] = {.title = "run"},
    [PLAN_CALLS] = {.title = "calls"},
    [PLAN_NAME] = {.title = "function", .left = true, .least = 12},
};

static void put_plan_line(FILE *stream, const struct api_measurement *measurement,
                          const struct api_measured *measured) {
    char program[CLI_CLEAN_BYTES], name[CLI_CLEAN_BYTES], cycles[CLI_COUNT_BYTES];
    char text[2 * CLI_CLEAN_BYTES + 600], left_out[120] = "";
    if (measured->twins)
        snprintf(left_out, sizeof left_out, "; %zu left out, because two of that name share a stack", measured->twins);
    snprintf(text, sizeof text, "# %s, scenario %s: %s cycles; %zu function%s in %zu run%s, at least %zu needed%s%s",
             cli_clean(program, cli_basename(measurement->project.program)), cli_clean(name, measured->scenario->name),
             cli_count(cycles, measured->cycles), measured->count, measured->count == 1 ? "" : "s", measured->plan.runs,
             measured->plan.runs == 1 ? "" : "s", measured->bound,
             measured->from_pairs ? "; from pairs of callers and callees: perhaps more runs than needed" : "",
             left_out);
    screen_sentence(stream, text, "#   ");
}

static bool put_plan(FILE *stream, const struct api_measurement *measurement, const struct api_measured *measured) {
    struct screen_table *table = screen_table_new(plan_columns, PLAN_COLUMNS);
    char name[CLI_CLEAN_BYTES];
    put_plan_line(stream, measurement, measured);
    for (size_t run = 0; run < measured->plan.runs; run++)
        for (size_t i = 0; i < measured->count; i++) {
            if (measured->plan.run_of[i] != run)
                continue;
            screen_count(table, run + 1);
            screen_count(table, measured->calls[i]);
            screen_cell(table, cli_symbol(name, measured->symbols[i], measurement->context->raw_names));
        }
    const bool good = table && screen_table_print(table, measurement->context, stream);
    screen_table_free(table);
    return good;
}

static json_t *plan_json(const struct api_measured *measured) {
    json_t *functions = json_array();
    for (size_t i = 0; i < measured->count; i++)
        json_array_append_new(
            functions, json_pack("{s:o, s:o, s:I, s:I}", "function", gnomon_json_text(measured->names[i]), "symbol",
                                 gnomon_json_text(measured->symbols[i]), "calls", (json_int_t)measured->calls[i], "run",
                                 (json_int_t)measured->plan.run_of[i] + 1));
    return json_pack("{s:o, s:I, s:I, s:I, s:b, s:I, s:o}", "scenario", gnomon_json_text(measured->scenario->name),
                     "cycles", (json_int_t)measured->cycles, "runs", (json_int_t)measured->plan.runs, "least_runs",
                     (json_int_t)measured->bound, "from_pairs", measured->from_pairs, "left_out",
                     (json_int_t)measured->twins, "functions", functions);
}

int api_print_plan(struct api_measurement *measurement) {
    if (measurement->context->json) {
        json_t *list = json_array();
        for (size_t i = 0; i < measurement->count; i++)
            json_array_append_new(list, plan_json(&measurement->measured[i]));
        return cli_print_json(measurement->context, json_pack("{s:o}", "scenarios", list));
    }
    FILE *stream = cli_pager_begin(measurement->context);
    for (size_t i = 0; i < measurement->count; i++) {
        if (i)
            fputc('\n', stream);
        if (!put_plan(stream, measurement, &measurement->measured[i]))
            cli_warn(measurement->context, "out of memory: a table is not shown");
    }
    return cli_pager_end(measurement->context, stream);
}

/* ---- The runs ---- */

/* A function of a scenario, alone and with all at once. NULL: it was not called then. */
struct pair {
    const struct gnomon_api_row *alone, *at_once;
};

static int compare_scenarios(const struct gnomon_api_source *a, const struct gnomon_api_source *b) {
    const int order = strcmp(a->scenario, b->scenario);
    return order ? order : (a->size > b->size) - (a->size < b->size);
}

/* Of one scenario, size and cost? */
static int compare_tables(const struct gnomon_api_row *a, const struct gnomon_api_row *b) {
    const int order = compare_scenarios(a->source, b->source);
    return order ? order : api_by_cost(a, b);
}

static int compare_names(const void *a, const void *b) {
    const struct gnomon_api_row *left = *(struct gnomon_api_row *const *)a, *right = *(struct gnomon_api_row *const *)b;
    const int order = compare_tables(left, right);
    return order ? order : strcmp(left->function, right->function);
}

static bool is_one_of(const struct cli_list *costs, const char *cost) {
    bool is = false;
    for (size_t i = 0; i < costs->count && !is; i++)
        is = !strcmp(costs->items[i], cost);
    return is;
}

/* The rows of the measured costs, by scenario, size, cost and function. NULL: out of memory. */
static struct gnomon_api_row **call_rows(const struct gnomon_api_profile *profile, const struct cli_list *costs,
                                         size_t *count) {
    size_t all, kept = 0;
    struct gnomon_api_row **rows = gnomon_api_profile_rows(profile, &all);
    for (size_t i = 0; rows && i < all; i++)
        if (is_one_of(costs, rows[i]->cost))
            rows[kept++] = rows[i];
    if (rows)
        qsort(rows, kept, sizeof *rows, compare_names);
    *count = kept;
    return rows;
}

static bool same_buckets(const struct pair *pair) {
    const struct gnomon_api_row *a = pair->alone, *b = pair->at_once;
    bool same = a && b && a->used == b->used && a->least == b->least && a->most == b->most && a->lost == b->lost;
    for (int i = 0; same && i < __builtin_popcount(a->used); i++)
        same = a->buckets[i].calls == b->buckets[i].calls && a->buckets[i].cycles == b->buckets[i].cycles &&
               a->buckets[i].squares == b->buckets[i].squares;
    return same;
}

static struct gnomon_bucket sum_of(const struct gnomon_api_row *row) {
    return row ? gnomon_api_row_sum(row) : (struct gnomon_bucket){0};
}

enum run_column { CALLS, MEAN, ALONE, AT_ONCE, DIFFERENCE, NAME, RUN_COLUMNS };
static const struct screen_column run_columns[RUN_COLUMNS] = {
    [CALLS] = {.title = "calls"},           [MEAN] = {.title = "mean", .gives = 1},
    [ALONE] = {.title = "alone"},           [AT_ONCE] = {.title = "all at once"},
    [DIFFERENCE] = {.title = "difference"}, [NAME] = {.title = "function", .left = true, .least = 12},
};

static void put_pair(struct screen_table *table, const struct api_measurement *measurement, const struct pair *pair) {
    const struct gnomon_bucket alone = sum_of(pair->alone), at_once = sum_of(pair->at_once);
    char name[CLI_CLEAN_BYTES], mean[32], difference[CLI_COUNT_BYTES + 2], digits[CLI_COUNT_BYTES];
    const bool more = at_once.cycles >= alone.cycles;
    snprintf(mean, sizeof mean, "%.6g", gnomon_bucket_mean(&alone));
    snprintf(difference, sizeof difference, "%s%s",
             at_once.cycles == alone.cycles ? ""
             : more                         ? "+"
                                            : "-",
             cli_count(digits, more ? at_once.cycles - alone.cycles : alone.cycles - at_once.cycles));
    screen_count(table, alone.calls);
    screen_cell(table, mean);
    screen_count(table, alone.cycles);
    screen_count(table, at_once.cycles);
    if (!same_buckets(pair))
        screen_next_style(table, CLI_RED);
    screen_cell(table, difference);
    screen_cell(table, cli_symbol(name, (pair->alone ? pair->alone : pair->at_once)->function,
                                  measurement->context->raw_names));
}

struct results {
    struct api_measurement *measurement;
    size_t count, equal;
    struct pair *pairs;
};

static int compare_rows(const struct gnomon_api_row *a, const struct gnomon_api_row *b) {
    return !a ? 1 : !b ? -1 : compare_names(&a, &b);
}

/* False: out of memory. */
static bool pair_rows(struct results *results, const struct gnomon_api_profile *alone,
                      const struct gnomon_api_profile *at_once) {
    size_t count, other, i = 0, j = 0;
    const struct cli_list *costs = &results->measurement->project.costs;
    struct gnomon_api_row **left = call_rows(alone, costs, &count), **right = call_rows(at_once, costs, &other);
    results->pairs = left && right ? calloc(count + other + 1, sizeof *results->pairs) : NULL;
    while (results->pairs && (i < count || j < other)) {
        const int order = compare_rows(i < count ? left[i] : NULL, j < other ? right[j] : NULL);
        struct pair *pair = &results->pairs[results->count++];
        pair->alone = order <= 0 ? left[i++] : NULL;
        pair->at_once = order >= 0 ? right[j++] : NULL;
        results->equal += same_buckets(pair);
    }
    free(left);
    free(right);
    return results->pairs;
}

static size_t count_runs(const struct api_measurement *measurement) {
    size_t runs = 0;
    for (size_t i = 0; i < measurement->count; i++)
        runs += measurement->measured[i].plan.runs;
    return runs * measurement->project.costs.count;
}

static const struct gnomon_api_row *row_of(const struct pair *pair) {
    return pair->alone ? pair->alone : pair->at_once;
}

static const struct gnomon_api_source *source_of(const struct pair *pair) {
    return row_of(pair)->source;
}

/* A table of one scenario, size and cost. */
static bool put_table(const struct results *results, size_t first, size_t last, FILE *stream) {
    const struct gnomon_api_source *source = source_of(&results->pairs[first]);
    struct screen_column columns[RUN_COLUMNS];
    char text[CLI_CLEAN_BYTES], size[CLI_COUNT_BYTES], title[CLI_CLEAN_BYTES + 8];
    memcpy(columns, run_columns, sizeof columns);
    snprintf(title, sizeof title, "%s alone", cli_clean(text, row_of(&results->pairs[first])->cost));
    columns[ALONE].title = title;
    struct screen_table *table = screen_table_new(columns, RUN_COLUMNS);
    fprintf(stream, "\nscenario %s", cli_clean(text, source->scenario));
    fprintf(stream, source->size ? ", size %s" : "", cli_count(size, source->size));
    fprintf(stream, ", in %s\n", cli_clean(text, row_of(&results->pairs[first])->cost));
    for (size_t i = first; i < last; i++)
        put_pair(table, results->measurement, &results->pairs[i]);
    const bool good = table && screen_table_print(table, results->measurement->context, stream);
    screen_table_free(table);
    return good;
}

static int print_text(const struct results *results) {
    struct api_measurement *measurement = results->measurement;
    FILE *stream = cli_pager_begin(measurement->context);
    const struct cli_list *costs = &measurement->project.costs;
    const size_t runs = count_runs(measurement);
    const char *what = costs->count > 1 ? "functions and costs" : results->count == 1 ? "function" : "functions";
    char text[400], cost[CLI_CLEAN_BYTES];
    bool good = true;
    if (results->equal == results->count)
        snprintf(text, sizeof text,
                 "# %zu %s in %zu run%s that share no stack, and all in one run: the same calls and %.60s, difference "
                 "0 in each bucket",
                 results->count, what, runs, runs == 1 ? "" : "s",
                 costs->count > 1 ? "costs" : cli_clean(cost, costs->items[0]));
    else
        snprintf(text, sizeof text, "# %zu %s in %zu run%s that share no stack, and all in one run: %zu of them DIFFER",
                 results->count, what, runs, runs == 1 ? "" : "s", results->count - results->equal);
    screen_sentence(stream, text, "#   ");
    for (size_t first = 0, last; first < results->count && good; first = last) {
        for (last = first + 1; last < results->count &&
                               compare_tables(row_of(&results->pairs[last]), row_of(&results->pairs[first])) == 0;)
            last++;
        good = put_table(results, first, last, stream);
    }
    if (!good)
        cli_warn(measurement->context, "out of memory: a table is not shown");
    return cli_pager_end(measurement->context, stream);
}

static int print_json(const struct results *results) {
    json_t *list = json_array();
    for (size_t i = 0; i < results->count; i++) {
        const struct pair *pair = &results->pairs[i];
        const struct gnomon_bucket alone = sum_of(pair->alone), at_once = sum_of(pair->at_once);
        json_array_append_new(
            list, json_pack("{s:o, s:I, s:o, s:o, s:I, s:I, s:I, s:I, s:b}", "scenario",
                            gnomon_json_text(source_of(pair)->scenario), "size", (json_int_t)source_of(pair)->size,
                            "symbol", gnomon_json_text(row_of(pair)->function), "cost",
                            gnomon_json_text(row_of(pair)->cost), "calls", (json_int_t)alone.calls, "sum",
                            (json_int_t)alone.cycles, "calls_at_once", (json_int_t)at_once.calls, "sum_at_once",
                            (json_int_t)at_once.cycles, "equal", same_buckets(pair)));
    }
    return cli_print_json(results->measurement->context,
                          json_pack("{s:I, s:b, s:o}", "runs", (json_int_t)count_runs(results->measurement), "equal",
                                    results->equal == results->count, "functions", list));
}

int api_print_runs(struct api_measurement *measurement, const struct gnomon_api_profile *alone,
                   const struct gnomon_api_profile *at_once, bool *equal) {
    struct results results = {.measurement = measurement};
    struct gnomon_error error;
    int result;
    if (!pair_rows(&results, alone, at_once)) {
        gnomon_fail_memory(&error);
        result = cli_error(measurement->context, &error);
    } else {
        *equal = results.equal == results.count;
        result = measurement->context->json ? print_json(&results) : print_text(&results);
    }
    free(results.pairs);
    return result;
}
