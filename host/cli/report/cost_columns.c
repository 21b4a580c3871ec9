/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/cost_columns.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print_names.h"
#include "cli/screen.h"
#include "lib/util/json_text.h"

/* ---- Columns ---- */

static const enum cli_style styles[GNOMON_CAUSES] = {
    CLI_PLAIN, CLI_BLUE, CLI_YELLOW, CLI_YELLOW, CLI_RED,  CLI_GREEN, CLI_RED, CLI_MAGENTA, CLI_DIM,
    CLI_DIM,   CLI_DIM,  CLI_GREEN,  CLI_DIM,    CLI_BLUE, CLI_RED,   CLI_DIM, CLI_RED,     CLI_RED,
};

#define USUAL_WIDTH 11 /* width of a column if the output is no terminal */
#define SHARE_WIDTH 7
#define LEAST_TEXT 30 /* minimum number of characters for a row's text on a terminal */
#define OTHERS "others"

static int width_of(const char *title, uint64_t most) {
    char digits[CLI_COUNT_BYTES];
    const int title_width = (int)strlen(title), width = (int)strlen(cli_count(digits, most));
    return width > title_width ? width : title_width;
}

static int used(const struct costs_columns *columns) {
    int sum = columns->cycles_width + SHARE_WIDTH + (columns->others_width ? 1 + columns->others_width : 0);
    for (unsigned i = 0; i < columns->count; i++)
        sum += 1 + columns->widths[i];
    return sum;
}

/* Removes the column with the fewest cycles. */
static void drop_least(struct costs_columns *columns, const struct gnomon_cost *sum) {
    unsigned least = 0;
    for (unsigned i = 1; i < columns->count; i++)
        if (sum->causes[columns->causes[i]] <= sum->causes[columns->causes[least]])
            least = i;
    columns->count--;
    for (unsigned i = least; i < columns->count; i++) {
        columns->causes[i] = columns->causes[i + 1];
        columns->widths[i] = columns->widths[i + 1];
    }
}

static uint64_t others_of(const struct costs_columns *columns, const struct gnomon_cost *cost) {
    uint64_t rest = cost->cycles;
    for (unsigned i = 0; i < columns->count; i++)
        rest -= cost->causes[columns->causes[i]];
    return rest;
}

static void fit_terminal(struct costs_columns *columns, const struct gnomon_cost *sum, int width) {
    columns->cycles_width = width_of("cycles", columns->whole);
    for (unsigned i = 0; i < columns->count; i++)
        columns->widths[i] = width_of(gnomon_cause_name(columns->causes[i]), sum->causes[columns->causes[i]]);
    while (columns->count > 1 && used(columns) + 3 + LEAST_TEXT > width) {
        drop_least(columns, sum);
        columns->others_width = width_of(OTHERS, others_of(columns, sum));
    }
    columns->rest = width - used(columns) - 3;
    if (columns->rest < 1)
        columns->rest = 1;
}

void costs_columns(struct costs_columns *columns, const struct cli_context *context, FILE *stream, uint64_t whole,
                   const struct gnomon_cost *sum) {
    const int width = screen_width(stream);
    *columns =
        (struct costs_columns){.context = context, .stream = stream, .whole = whole, .cycles_width = USUAL_WIDTH + 1};
    for (unsigned i = 0; i < GNOMON_CAUSES; i++) {
        if (!sum->causes[i])
            continue;
        columns->widths[columns->count] = USUAL_WIDTH;
        columns->causes[columns->count++] = i;
    }
    if (columns->count == 1 && columns->causes[0] == GNOMON_CAUSE_UNKNOWN) /* it would repeat the cycles */
        columns->count = 0;
    if (width)
        fit_terminal(columns, sum, width);
}

void costs_heading(const struct costs_columns *columns, const char *last) {
    const char *plain = cli_style(columns->context, columns->stream, CLI_PLAIN);
    fprintf(columns->stream, "%*s %6s", columns->cycles_width, "cycles", "%");
    for (unsigned i = 0; i < columns->count; i++)
        fprintf(columns->stream, " %s%*s%s", cli_style(columns->context, columns->stream, styles[columns->causes[i]]),
                columns->widths[i], gnomon_cause_name(columns->causes[i]), plain);
    if (columns->others_width)
        fprintf(columns->stream, " %*s", columns->others_width, OTHERS);
    fputs(" | ", columns->stream);
    costs_text(columns, last);
}

static void put_cycles(const struct costs_columns *columns, int width, uint64_t cycles, enum cli_style style) {
    char digits[CLI_COUNT_BYTES];
    if (cycles)
        fprintf(columns->stream, " %s%*s%s", cli_style(columns->context, columns->stream, style), width,
                cli_count(digits, cycles), cli_style(columns->context, columns->stream, CLI_PLAIN));
    else
        fprintf(columns->stream, " %*s", width, "-");
}

void costs_row(const struct costs_columns *columns, const struct gnomon_cost *cost) {
    char digits[CLI_COUNT_BYTES];
    double share = columns->whole ? 100.0 * (double)cost->cycles / (double)columns->whole : 0.0;
    fprintf(columns->stream, "%*s %6.2f", columns->cycles_width, cli_count(digits, cost->cycles), share);
    for (unsigned i = 0; i < columns->count; i++)
        put_cycles(columns, columns->widths[i], cost->causes[columns->causes[i]], styles[columns->causes[i]]);
    if (columns->others_width)
        put_cycles(columns, columns->others_width, others_of(columns, cost), CLI_PLAIN);
    fputs(" | ", columns->stream);
}

void costs_no_row(const struct costs_columns *columns) {
    fprintf(columns->stream, "%*s | ", used(columns), "");
}

void costs_name(const struct costs_columns *columns, const char *name) {
    char text[SCREEN_TEXT_BYTES];
    fprintf(columns->stream, "%s\n", screen_shorten(text, name, columns->rest));
}

void costs_text(const struct costs_columns *columns, const char *text) {
    fprintf(columns->stream, "%.*s\n", columns->rest ? columns->rest : INT_MAX, text);
}

json_t *costs_json(json_t *object, const struct gnomon_cost *cost) {
    json_t *causes = json_object();
    for (unsigned i = 0; i < GNOMON_CAUSES; i++)
        if (cost->causes[i])
            json_object_set_new(causes, gnomon_cause_key(i), json_integer((json_int_t)cost->causes[i]));
    json_object_set_new(object, "cycles", json_integer((json_int_t)cost->cycles));
    json_object_set_new(object, "causes", causes);
    return object;
}

/* ---- Functions ---- */

static void put_first_line(const struct gnomon_analysis *analysis, const struct gnomon_instructions *instructions,
                           FILE *stream) {
    char program[CLI_CLEAN_BYTES], device[CLI_CLEAN_BYTES], count[CLI_COUNT_BYTES], phrase[GNOMON_EXACTNESS_BYTES];
    char code_window[64] = "", runs[40] = "", text[GNOMON_EXACTNESS_BYTES + 700];
    struct gnomon_exactness exactness;
    gnomon_costs_exactness(analysis, instructions, &exactness);
    if (instructions->code_window)
        snprintf(code_window, sizeof code_window, ", by instruction from 0x%x to 0x%x", (unsigned)instructions->start,
                 (unsigned)instructions->end);
    if (instructions->runs > 1)
        snprintf(runs, sizeof runs, ", in %u runs alike", instructions->runs);
    snprintf(text, sizeof text, "# %.200s on %.200s, %s cycles, each with its cause%s%s, %s",
             cli_clean(program, cli_basename(gnomon_symbols_path(analysis->symbols))),
             cli_clean(device, analysis->device), cli_count(count, instructions->cycles), code_window, runs,
             gnomon_exactness_phrase(&exactness, NULL, phrase));
    screen_sentence(stream, text, "# ");
}

static void put_code(const struct costs_columns *columns, const struct gnomon_code *code) {
    const struct gnomon_function *function = code->function;
    char text[3 * CLI_CLEAN_BYTES], name[CLI_CLEAN_BYTES], file[CLI_CLEAN_BYTES], where[CLI_CLEAN_BYTES + 16] = "";
    char module[CLI_CLEAN_BYTES + 16] = "";
    if (function && function->file)
        snprintf(where, sizeof where, "  %s:%u", cli_clean(file, cli_basename(function->file)), function->line);
    if (function && code->module)
        snprintf(module, sizeof module, "  [%s]", cli_clean(file, code->module));
    if (function && function->overlay)
        snprintf(module, sizeof module, "  [overlay %u]", (unsigned)function->overlay - 1);
    snprintf(text, sizeof text, "%.1000s%.1000s%.1000s",
             cli_clean(name, gnomon_code_name(code, columns->context->raw_names)), where, module);
    costs_name(columns, text);
}

enum gnomon_status costs_functions(const struct cli_context *context, const struct gnomon_analysis *analysis,
                                   const struct gnomon_instructions *instructions, uint64_t limit, FILE *stream,
                                   struct gnomon_error *error) {
    size_t count;
    struct gnomon_function_cost *costs =
        gnomon_function_costs(instructions, analysis->symbols, analysis->modules, &count);
    if (!costs)
        return gnomon_fail_memory(error);
    struct gnomon_cost whole = {0}, hidden = {0};
    struct gnomon_costs_rest rest = gnomon_costs_rest(instructions);
    struct costs_columns columns;
    gnomon_cost_add(&whole, instructions->causes);
    costs_columns(&columns, context, stream, whole.cycles, &whole);
    put_first_line(analysis, instructions, stream);
    costs_heading(&columns, "function, without the functions that it called");
    for (size_t i = 0; i < count; i++) {
        if (limit && i >= limit) {
            gnomon_cost_add(&hidden, costs[i].cost.causes);
            continue;
        }
        costs_row(&columns, &costs[i].cost);
        put_code(&columns, &costs[i].code);
    }
    const struct {
        const struct gnomon_cost *cost;
        const char *name;
    } others[] = {{&hidden, "[other functions]"},
                  {&rest.not_counted, "[not counted by instruction]"},
                  {&rest.unattributed, "[unattributed: reset, debug mode]"},
                  {&whole, "all"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (!others[i].cost->cycles)
            continue;
        costs_row(&columns, others[i].cost);
        costs_text(&columns, others[i].name);
    }
    free(costs);
    return GNOMON_OK;
}

static json_t *function_json(const struct gnomon_function_cost *cost) {
    const struct gnomon_code *code = &cost->code;
    const struct gnomon_function *function = code->function;
    json_t *object = json_object();
    cli_json_name(object, "name", function);
    if (function)
        json_object_set_new(object, "address", json_integer(code->base + function->address));
    else
        json_object_set_new(object, "code", gnomon_json_text(code->text));
    if (function && code->module)
        json_object_set_new(object, "module", gnomon_json_text(code->module));
    if (function && function->overlay)
        json_object_set_new(object, "overlay", json_integer(function->overlay - 1));
    return costs_json(object, &cost->cost);
}

enum gnomon_status costs_print_json(const struct gnomon_analysis *analysis,
                                    const struct gnomon_instructions *instructions, struct gnomon_error *error) {
    size_t count;
    struct gnomon_function_cost *costs =
        gnomon_function_costs(instructions, analysis->symbols, analysis->modules, &count);
    if (!costs)
        return gnomon_fail_memory(error);
    struct gnomon_cost whole = {0};
    struct gnomon_exactness exactness;
    struct gnomon_costs_rest rest = gnomon_costs_rest(instructions);
    gnomon_cost_add(&whole, instructions->causes);
    json_t *object = costs_json(json_object(), &whole);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, function_json(&costs[i]));
    free(costs);
    gnomon_costs_exactness(analysis, instructions, &exactness);
    json_object_update_new(object, gnomon_exactness_json(&exactness));
    json_object_set_new(object, "runs", json_integer(instructions->runs));
    json_object_set_new(object, "functions", list);
    json_object_set_new(object, "not_counted", costs_json(json_object(), &rest.not_counted));
    json_object_set_new(object, "unattributed", costs_json(json_object(), &rest.unattributed));
    bool good = json_dumpf(object, stdout, JSON_INDENT(1)) == 0 || ferror(stdout);
    json_decref(object);
    putchar('\n');
    return good ? GNOMON_OK : gnomon_fail_memory(error);
}
