/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon api doc: the costs of functions for their documentation, and for editors. */
#include <stdlib.h>
#include <string.h>

#include "cli/api/api.h"
#include "cli/api/api_class_text.h"
#include "cli/print_names.h"
#include "cli/screen.h"
#include "lib/fleet/api_facts.h"
#include "lib/util/json_text.h"

#define VERSION 1 /* of the JSON */

/* The rows of one function of one build: one for each cost. */
struct function {
    const struct gnomon_api_row *const *rows;
    size_t count;
    char name[CLI_CLEAN_BYTES];
};

struct doc {
    struct cli_context *context;
    struct api_opened opened;
    size_t count;
    struct function *functions;
    size_t class_count;
    struct gnomon_api_class *classes;
};

/* ---- The functions ---- */

static int by_function(const void *left, const void *right) {
    const struct gnomon_api_row *a = *(struct gnomon_api_row *const *)left, *b = *(struct gnomon_api_row *const *)right;
    int order = strcmp(a->function, b->function);
    if (!order && !(order = strcmp(a->file, b->file)) && !(order = strcmp(a->source->build, b->source->build)))
        order = api_by_cost(a, b);
    return order;
}

static bool same_function(const struct gnomon_api_row *a, const struct gnomon_api_row *b) {
    return !strcmp(a->function, b->function) && !strcmp(a->file, b->file) &&
           !strcmp(a->source->build, b->source->build);
}

/* False: out of memory. `rows` stay where they are. */
static bool find_functions(struct doc *doc, struct gnomon_api_row **rows, size_t count) {
    const struct api_values *values = doc->context->values;
    doc->functions = malloc((count + 1) * sizeof *doc->functions);
    for (size_t first = 0, last; doc->functions && first < count; first = last) {
        struct function *function = &doc->functions[doc->count];
        for (last = first + 1; last < count && same_function(rows[first], rows[last]);)
            last++;
        function->rows = (const struct gnomon_api_row *const *)&rows[first];
        function->count = last - first;
        cli_symbol(function->name, rows[first]->function, doc->context->raw_names);
        doc->count += api_wants(values, rows[first]->function, function->name);
    }
    return doc->functions;
}

/* ---- Sentences ---- */

/* What the cost is one of. */
static const char *item_of(const char *cost) {
    if (!strcmp(cost, GNOMON_API_BYTES) || !strcmp(cost, GNOMON_API_OWN_BYTES))
        return "block";
    return gnomon_api_of_runs(cost) ? "run" : "call";
}

/* " cycles", also of a stall cause; "": the cost's name is the unit. */
static const char *unit_of(const char *cost) {
    const char *what = gnomon_api_of_runs(cost) ? cost + strlen(GNOMON_API_OWN) : cost;
    if (!strncmp(what, GNOMON_API_CYCLES, strlen(GNOMON_API_CYCLES)))
        return " cycles";
    return strstr(cost, GNOMON_API_BYTES) ? " bytes" : "";
}

static void put_range(FILE *stream, const struct gnomon_api_row *row) {
    char least[CLI_COUNT_BYTES], most[CLI_COUNT_BYTES];
    unsigned first = 0, last = GNOMON_BUCKETS - 1;
    if (row->least <= row->most) {
        fprintf(stream, "%s to %s", cli_count(least, row->least), cli_count(most, row->most));
        return;
    }
    while (!(row->used >> first & 1))
        first++;
    while (!(row->used >> last & 1))
        last--;
    fprintf(stream, "%s to below %s", cli_count(least, gnomon_bucket_from(first)),
            cli_count(most, gnomon_bucket_from(last) * 2 + (last == 0) * 2));
}

/* "851,930 cycles" of one call, "5.2 cycles (3 to 8) in 5 calls, deviation 1.7". */
static void put_calls(FILE *stream, const struct gnomon_api_row *row) {
    const struct gnomon_bucket sum = gnomon_api_row_sum(row);
    char calls[CLI_COUNT_BYTES];
    if (!sum.calls) {
        fputs("not known", stream);
        return;
    }
    if (row->doubt & GNOMON_API_COUNTS)
        fputs("mean not known", stream);
    else
        fprintf(stream, "%.6g%s", gnomon_bucket_mean(&sum), unit_of(row->cost));
    if (sum.calls > 1) {
        fputs(" (", stream);
        put_range(stream, row);
        fprintf(stream, "; deviation %.3g)", gnomon_bucket_deviation(&sum));
    }
    fprintf(stream, " in %s %s%s", cli_count(calls, sum.calls), item_of(row->cost), sum.calls == 1 ? "" : "s");
    if (row->doubt || gnomon_api_row_saturated(row))
        fprintf(stream, ", %s", gnomon_api_doubt_text(row->doubt, gnomon_api_row_saturated(row)));
}

static bool same_row(const struct gnomon_api_row *a, const struct gnomon_api_row *b) {
    return !strcmp(a->function, b->function) && !strcmp(a->file, b->file) && !strcmp(a->cost, b->cost) &&
           !strcmp(a->module, b->module) && !strcmp(a->source->program, b->source->program) &&
           !strcmp(a->source->build, b->source->build);
}

/* "; grows with n: 12.1 n cycles, error 2 %, for n = 16 to 2,048"; of each series of scenarios that tells something. */
static void put_classes(FILE *stream, const struct doc *doc, const struct gnomon_api_row *row) {
    char before[CLI_CLEAN_BYTES + 32], scenario[CLI_CLEAN_BYTES];
    size_t series = 0;
    for (size_t i = 0; i < doc->class_count; i++)
        series += same_row(doc->classes[i].row, row);
    for (size_t i = 0; i < doc->class_count; i++) {
        const struct gnomon_api_class *class = &doc->classes[i];
        if (!same_row(class->row, row))
            continue;
        if (series > 1 && class->scenario)
            snprintf(before, sizeof before, "; %s: ", cli_clean(scenario, class->scenario));
        api_put_class_clause(stream, class, unit_of(row->cost), series > 1 && class->scenario ? before : "; ");
    }
}

static void put_cost(FILE *stream, const struct doc *doc, const struct gnomon_api_row *row) {
    put_calls(stream, row);
    put_classes(stream, doc, row);
}

static void put_place(FILE *stream, const struct gnomon_api_row *row) {
    char where[CLI_WHERE_BYTES];
    const struct gnomon_name name = {.file = *row->file ? row->file : NULL, .line = row->line};
    fputs(cli_where(where, &name), stream);
}

/* ---- Markdown ---- */

/* Characters that have a meaning in Markdown get a backslash. */
static void put_markdown_text(FILE *stream, const char *text) {
    for (const char *at = text; *at; at++) {
        if (strchr("\\`*_{}[]<>()#+-.!|~&", *at))
            fputc('\\', stream);
        fputc(*at, stream);
    }
}

static void put_markdown(FILE *stream, const struct doc *doc) {
    fprintf(stream, "# Costs\n\nMeasured with Gnomon: ");
    put_markdown_text(stream, doc->opened.facts);
    fputs(".\n\n| function | cost | of a call | where |\n|---|---|---|---|\n", stream);
    for (size_t i = 0; i < doc->count; i++)
        for (size_t j = 0; j < doc->functions[i].count; j++) {
            const struct gnomon_api_row *row = doc->functions[i].rows[j];
            char cost[CLI_CLEAN_BYTES];
            fputs("| ", stream);
            if (!j)
                put_markdown_text(stream, doc->functions[i].name);
            fputs(" | ", stream);
            put_markdown_text(stream, cli_clean(cost, row->cost));
            fputs(" | ", stream);
            put_cost(stream, doc, row);
            fputs(" | ", stream);
            if (!j)
                put_place(stream, row);
            fputs(" |\n", stream);
        }
}

/* ---- Doxygen ---- */

/* A comment for each function, which Doxygen joins with the one in the source. A comment must not end within a name. */
static void put_doxygen(FILE *stream, const struct doc *doc) {
    fputs("/* Made by gnomon api doc: add this file to Doxygen's INPUT. */\n", stream);
    for (size_t i = 0; i < doc->count; i++) {
        const struct function *function = &doc->functions[i];
        if (strstr(function->name, "*/"))
            continue;
        fprintf(stream, "\n/** \\fn %s\n * \\par Cost\n", function->name);
        for (size_t j = 0; j < function->count; j++) {
            char cost[CLI_CLEAN_BYTES];
            fprintf(stream, " * - %s: ", cli_clean(cost, function->rows[j]->cost));
            put_cost(stream, doc, function->rows[j]);
            fputc('\n', stream);
        }
        fputs(" */\n", stream);
    }
}

/* ---- Editors ---- */

/* The text that has been put to the stream, which is closed. NULL: out of memory. */
static json_t *end_text(FILE *stream, char **text) {
    json_t *json = fclose(stream) ? NULL : gnomon_json_text(*text);
    free(*text);
    return json;
}

static json_t *hover_of(const struct doc *doc, const struct function *function) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    for (size_t j = 0; j < function->count; j++) {
        char cost[CLI_CLEAN_BYTES];
        fputs(j ? "\n\n**" : "**", stream);
        put_markdown_text(stream, cli_clean(cost, function->rows[j]->cost));
        fputs("** ", stream);
        put_cost(stream, doc, function->rows[j]);
    }
    return end_text(stream, &text);
}

/* A few words: the mean of the first cost, and its class if there is one. */
static json_t *short_of(const struct doc *doc, const struct function *function) {
    const struct gnomon_api_row *row = function->rows[0];
    const struct gnomon_bucket sum = gnomon_api_row_sum(row);
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    if (!sum.calls || row->doubt & GNOMON_API_COUNTS)
        fputs("mean not known", stream);
    else
        fprintf(stream, "%.6g%s", gnomon_bucket_mean(&sum), unit_of(row->cost));
    for (size_t i = 0; i < doc->class_count; i++)
        if (same_row(doc->classes[i].row, row) && api_class_told(&doc->classes[i])) {
            fputs(", ", stream);
            api_put_class(stream, &doc->classes[i]);
        }
    return end_text(stream, &text);
}

static json_t *editor_of(const struct doc *doc, const struct function *function) {
    const struct gnomon_api_row *row = function->rows[0];
    return json_pack("{s:o, s:o, s:o, s:i, s:o, s:o, s:o}", "name", gnomon_json_text(function->name), "symbol",
                     gnomon_json_text(row->function), "file", *row->file ? gnomon_json_text(row->file) : json_null(),
                     "line", (int)row->line, "build", gnomon_json_text(row->source->build), "short",
                     short_of(doc, function), "hover", hover_of(doc, function));
}

static int print_editors(const struct doc *doc) {
    json_t *list = json_array();
    for (size_t i = 0; i < doc->count; i++)
        json_array_append_new(list, editor_of(doc, &doc->functions[i]));
    return cli_print_json(doc->context, json_pack("{s:i, s:o, s:o}", "version", VERSION, "about",
                                                  gnomon_json_text(doc->opened.facts), "functions", list));
}

/* ---- The action ---- */

static size_t keep_wanted(const struct api_values *values, struct gnomon_api_row **rows, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (api_wants_cost(values, rows[i]->cost))
            rows[kept++] = rows[i];
    return kept;
}

static int print(const struct doc *doc, const char *form) {
    if (!strcmp(form, "json"))
        return print_editors(doc);
    FILE *stream = cli_pager_begin(doc->context);
    if (!strcmp(form, "doxygen"))
        put_doxygen(stream, doc);
    else
        put_markdown(stream, doc);
    return cli_pager_end(doc->context, stream);
}

int api_doc(struct cli_context *context, const char *path) {
    const struct api_values *values = context->values;
    const char *form = context->json ? "json" : values->form ? values->form : "markdown";
    struct doc doc = {.context = context};
    struct gnomon_error error;
    struct gnomon_api_row **rows = NULL;
    size_t count = 0;
    if (strcmp(form, "markdown") != 0 && strcmp(form, "doxygen") != 0 && strcmp(form, "json") != 0)
        return cli_usage(context, "--form is markdown, doxygen or json, not \"%s\"", form);
    enum gnomon_status status = api_open(&doc.opened, context, path, &error);
    if (!status && (rows = gnomon_api_profile_rows(doc.opened.view, &count))) {
        count = keep_wanted(context->values, rows, count);
        qsort(rows, count, sizeof *rows, by_function);
    }
    if (!status)
        doc.classes = gnomon_api_classes(doc.opened.profile, &doc.opened.filter, &doc.class_count);
    if (!status && (!rows || !doc.classes || !find_functions(&doc, rows, count)))
        status = gnomon_fail_memory(&error);
    if (!status && !doc.count)
        status = gnomon_fail(&error, GNOMON_ERR_NOT_FOUND, "no function of %s passes these options", path);
    const int result = status ? cli_error(context, &error) : print(&doc, form);
    free(rows);
    free(doc.functions);
    free(doc.classes);
    api_close(&doc.opened);
    return result;
}
