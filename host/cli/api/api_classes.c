/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon api classes: which functions cost the same for any input, which grow with it and how, which have a start. */
#include <stdlib.h>
#include <string.h>

#include "cli/api/api.h"
#include "cli/api/api_class_text.h"
#include "cli/print_names.h"
#include "cli/screen.h"
#include "lib/util/json_text.h"

struct classes {
    struct cli_context *context;
    struct api_opened opened;
    size_t count;
    struct gnomon_api_class *classes;
    bool several; /* scenarios */
};

/* ---- Which, in which order ---- */

/* What grows fastest is first; what is not told is last. */
static int rank(const struct gnomon_api_class *class) {
    return api_class_told(class) ? (int)class->measures[class->best].law + 1 : class->steady ? 1 : 0;
}

static int compare_classes(const void *left, const void *right) {
    const struct gnomon_api_class *a = left, *b = right;
    int order = rank(b) - rank(a);
    if (!order && !(order = b->start.found - a->start.found) && !(order = strcmp(a->row->function, b->row->function)) &&
        !(order = strcmp(a->row->file, b->row->file)) && !(order = api_by_cost(a->row, b->row)))
        order = strcmp(a->scenario ? a->scenario : "", b->scenario ? b->scenario : "");
    return order;
}

static void keep_wanted(struct classes *classes) {
    const struct api_values *values = classes->context->values;
    char name[CLI_CLEAN_BYTES];
    size_t kept = 0;
    for (size_t i = 0; i < classes->count; i++) {
        const struct gnomon_api_row *row = classes->classes[i].row;
        if (api_wants_cost(values, row->cost) &&
            api_wants(values, row->function, cli_symbol(name, row->function, classes->context->raw_names)))
            classes->classes[kept++] = classes->classes[i];
    }
    classes->count = kept;
    for (size_t i = 1; i < kept; i++)
        classes->several |= classes->classes[i].scenario != classes->classes[0].scenario;
    if (kept)
        qsort(classes->classes, kept, sizeof *classes->classes, compare_classes);
    if (values->limit && values->limit < kept)
        classes->count = values->limit;
}

/* ---- Text ---- */

enum column { CLASS, FORMULA, COST, OF, ERROR, SIZES, CALLS, NAME, SCENARIO, COLUMNS };

static const struct screen_column columns[COLUMNS] = {
    [CLASS] = {.title = "class", .left = true},
    [FORMULA] = {.title = "cost at size n", .left = true},
    [COST] = {.title = "unit", .left = true, .gives = 3},
    [OF] = {.title = "of", .left = true},
    [ERROR] = {.title = "error"},
    [SIZES] = {.title = "sizes", .gives = 2},
    [CALLS] = {.title = "calls", .gives = 4},
    [NAME] = {.title = "function", .left = true, .least = 12},
    [SCENARIO] = {.title = "scenario", .left = true, .least = 8, .gives = 1},
};

/* A cell of what `put` puts. */
static void put_text(struct screen_table *table, void (*put)(FILE *, const struct gnomon_api_class *),
                     const struct gnomon_api_class *class) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (stream) {
        put(stream, class);
        fclose(stream);
    }
    screen_cell(table, text ? text : "");
    free(text);
}

static void put_error(struct screen_table *table, const struct gnomon_api_class *class) {
    char text[32];
    const double error = api_class_told(class) ? class->measures[class->best].fit.error : class->spread;
    snprintf(text, sizeof text, "%.1f %%", 100 * error);
    screen_cell(table, api_class_told(class) || class->steady ? text : "");
}

static void put_line(struct screen_table *table, const struct classes *classes, const struct gnomon_api_class *class) {
    static const char *const of[GNOMON_API_MEASURES] = {"call", "longest", "all"};
    char text[CLI_CLEAN_BYTES];
    put_text(table, api_put_class, class);
    put_text(table, api_put_formula, class);
    screen_cell(table, cli_clean(text, class->row->cost));
    screen_cell(table, !api_class_told(class) && !class->steady ? ""
                       : gnomon_api_of_runs(class->row->cost)   ? "run"
                                                                : of[class->best]);
    put_error(table, class);
    screen_count(table, class->measures[class->best].sizes);
    screen_count(table, class->calls);
    if (class->doubtful)
        screen_next_mark(table, '+');
    screen_cell(table, cli_symbol(text, class->row->function, classes->context->raw_names));
    if (classes->several)
        screen_cell(table, class->scenario ? cli_clean(text, class->scenario) : "(several)");
    else
        screen_none(table);
}

static int print_text(const struct classes *classes) {
    FILE *stream = cli_pager_begin(classes->context);
    struct screen_table *table = screen_table_new(columns, COLUMNS);
    char *text = NULL;
    if (asprintf(&text, "# %s", classes->opened.facts) > 0)
        screen_sentence(stream, text, "#   ");
    free(text);
    for (size_t i = 0; i < classes->count; i++)
        put_line(table, classes, &classes->classes[i]);
    if (!table || !screen_table_print(table, classes->context, stream))
        cli_warn(classes->context, "out of memory: the table is not shown");
    screen_table_free(table);
    return cli_pager_end(classes->context, stream);
}

/* ---- JSON ---- */

static json_t *possible_of(unsigned possible) {
    json_t *list = json_array();
    for (enum gnomon_growth law = 0; law < GNOMON_GROWTHS; law++)
        if (possible >> law & 1)
            json_array_append_new(list, json_string(gnomon_growth_name(law)));
    return list;
}

static json_t *measure_of(const struct gnomon_growth_verdict *verdict) {
    static const char *const reasons[] = {[GNOMON_GROWTH_TOLD] = "told",
                                          [GNOMON_GROWTH_FEW] = "few sizes",
                                          [GNOMON_GROWTH_AMBIGUOUS] = "ambiguous",
                                          [GNOMON_GROWTH_NO_LAW] = "no law"};
    json_t *json = json_pack("{s:s, s:I, s:o}", "verdict", reasons[verdict->reason], "sizes",
                             (json_int_t)verdict->sizes, "possible", possible_of(verdict->possible));
    if (verdict->reason == GNOMON_GROWTH_FEW)
        return json;
    json_t *fit =
        json_pack("{s:s, s:f, s:f, s:f, s:f}", "law", gnomon_growth_name(verdict->law), "base", verdict->fit.base,
                  "factor", verdict->fit.factor, "error", verdict->fit.error, "r2", verdict->fit.r2);
    json_object_update(json, fit);
    json_decref(fit);
    return json;
}

/* As decimal text, as in gnomon api list --json. */
static json_t *count_of(uint64_t value) {
    return json_sprintf("%llu", (unsigned long long)value);
}

static json_t *start_of(const struct gnomon_api_start *start) {
    return start->found ? json_pack("{s:o, s:f, s:o, s:f}", "calls", count_of(start->calls.calls), "mean",
                                    gnomon_bucket_mean(&start->calls), "others", count_of(start->others.calls),
                                    "others_mean", gnomon_bucket_mean(&start->others))
                        : json_null();
}

static json_t *json_of(const struct classes *classes, const struct gnomon_api_class *class) {
    static const char *const measures[GNOMON_API_MEASURES] = {"call", "longest_call", "all_calls"};
    const struct gnomon_api_row *row = class->row;
    char name[CLI_CLEAN_BYTES], *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (stream) {
        api_put_class(stream, class);
        fclose(stream);
    }
    json_t *json = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:f}", "function",
        gnomon_json_text(cli_symbol(name, row->function, classes->context->raw_names)), "symbol",
        gnomon_json_text(row->function), "file", *row->file ? gnomon_json_text(row->file) : json_null(), "cost",
        gnomon_json_text(row->cost), "program", gnomon_json_text(row->source->program), "build",
        gnomon_json_text(row->source->build), "device", gnomon_json_text(row->source->device), "scenario",
        class->scenario ? gnomon_json_text(class->scenario) : json_null(), "calls", count_of(class->calls), "class",
        gnomon_json_text(text), "exact", !class->doubtful, "start", start_of(&class->start), "spread", class->spread);
    json_object_set_new(json, "of", api_class_told(class) ? json_string(measures[class->best]) : json_null());
    for (enum gnomon_api_measure i = 0; i < GNOMON_API_MEASURES; i++)
        json_object_set_new(json, measures[i],
                            class->known && (i != GNOMON_API_ALL || class->same_runs) ? measure_of(&class->measures[i])
                                                                                      : json_null());
    free(text);
    return json;
}

static int print_json(const struct classes *classes) {
    json_t *list = json_array();
    for (size_t i = 0; i < classes->count; i++)
        json_array_append_new(list, json_of(classes, &classes->classes[i]));
    return cli_print_json(classes->context,
                          json_pack("{s:o, s:o}", "about", gnomon_json_text(classes->opened.facts), "classes", list));
}

/* ---- The action ---- */

static enum gnomon_status find(struct classes *classes, const char *path, struct gnomon_error *error) {
    const enum gnomon_status status = api_open(&classes->opened, classes->context, path, error);
    if (status)
        return status;
    classes->classes = gnomon_api_classes(classes->opened.profile, &classes->opened.filter, &classes->count);
    if (!classes->classes)
        return gnomon_fail_memory(error);
    keep_wanted(classes);
    if (classes->count)
        return GNOMON_OK;
    return api_nothing_passes(&classes->opened, error);
}

int api_classes(struct cli_context *context, const char *path) {
    struct classes classes = {.context = context};
    struct gnomon_error error;
    const int result = find(&classes, path, &error) ? cli_error(context, &error)
                       : context->json              ? print_json(&classes)
                                                    : print_text(&classes);
    free(classes.classes);
    api_close(&classes.opened);
    return result;
}
