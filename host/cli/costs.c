/* SPDX-License-Identifier: Apache-2.0 */
#include "costs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"

/* ---- Columns ---- */

static const enum cli_style styles[GNOMON_CAUSES] = {
    CLI_PLAIN, CLI_BLUE, CLI_YELLOW, CLI_YELLOW, CLI_RED,  CLI_GREEN, CLI_RED, CLI_MAGENTA, CLI_DIM,
    CLI_DIM,   CLI_DIM,  CLI_GREEN,  CLI_DIM,    CLI_BLUE, CLI_RED,   CLI_DIM, CLI_RED,     CLI_RED,
};

void costs_columns(struct costs_columns *columns, const struct cli_context *context, FILE *stream, uint64_t whole,
                   const struct gnomon_cost *sum) {
    *columns = (struct costs_columns){.context = context, .stream = stream, .whole = whole};
    for (unsigned i = 0; i < GNOMON_CAUSES; i++)
        if (sum->causes[i])
            columns->causes[columns->count++] = i;
}

void costs_heading(const struct costs_columns *columns, const char *last) {
    const char *plain = cli_style(columns->context, columns->stream, CLI_PLAIN);
    fprintf(columns->stream, "%12s %6s", "cycles", "%");
    for (unsigned i = 0; i < columns->count; i++)
        fprintf(columns->stream, " %s%11s%s", cli_style(columns->context, columns->stream, styles[columns->causes[i]]),
                gnomon_cause_name(columns->causes[i]), plain);
    fprintf(columns->stream, " | %s\n", last);
}

void costs_row(const struct costs_columns *columns, const struct gnomon_cost *cost) {
    const char *plain = cli_style(columns->context, columns->stream, CLI_PLAIN);
    double share = columns->whole ? 100.0 * (double)cost->cycles / (double)columns->whole : 0.0;
    fprintf(columns->stream, "%12" PRIu64 " %6.2f", cost->cycles, share);
    for (unsigned i = 0; i < columns->count; i++) {
        uint64_t cycles = cost->causes[columns->causes[i]];
        const char *style = cli_style(columns->context, columns->stream, styles[columns->causes[i]]);
        if (cycles)
            fprintf(columns->stream, " %s%11" PRIu64 "%s", style, cycles, plain);
        else
            fprintf(columns->stream, " %11s", "-");
    }
    fputs(" | ", columns->stream);
}

void costs_no_row(const struct costs_columns *columns) {
    fprintf(columns->stream, "%*s | ", (int)(19 + 12 * columns->count), "");
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

/* ---- The file's section ---- */

enum gnomon_status costs_open(const struct gnomon_analysis *analysis, struct gnomon_instructions *instructions,
                              struct gnomon_error *error) {
    *instructions = (struct gnomon_instructions){0};
    const json_t *json = analysis->file ? gnomon_gnt_instructions(analysis->file) : NULL;
    if (!json && analysis->file && gnomon_gnt_flaws(analysis->file) & GNOMON_GNT_BAD_INSTRUCTIONS) {
        gnomon_fail(error, GNOMON_ERR_FORMAT, "the cycles of instructions in %s are damaged", analysis->path);
        return gnomon_remedy(error, GNOMON_ERR_FORMAT, "copy the file again, or record again");
    }
    if (!json) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s does not say what instructions cost", analysis->path);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "record with --cpi all, or --cpi FUNCTION");
    }
    enum gnomon_status status = gnomon_instructions_parse(json, instructions, error);
    const struct gnomon_trace_stats *stats = gnomon_analysis_stats(analysis);
    if (status || !stats->ended || stats->last_cycle == instructions->cycles)
        return status;
    gnomon_fail(error, GNOMON_ERR_FORMAT, "%s has the causes of %" PRIu64 " cycles, and a trace of %" PRIu64,
                analysis->path, instructions->cycles, stats->last_cycle);
    return gnomon_remedy(error, GNOMON_ERR_FORMAT, "record again");
}

/* ---- Functions ---- */

/* What no instruction that was counted pays for: what is left of the run's causes. `outside` has what the device could
 * charge to nobody, too. */
struct rest {
    struct gnomon_cost nobody, outside;
};

static struct rest rest_of(const struct gnomon_instructions *instructions) {
    struct rest rest = {{0}, {0}};
    uint64_t left[GNOMON_CAUSES];
    memcpy(left, instructions->causes, sizeof left);
    for (size_t i = 0; i < instructions->count; i++)
        for (unsigned cause = 0; cause < GNOMON_CAUSES; cause++)
            left[cause] -= instructions->list[i].cycles[cause];
    uint64_t nobody[GNOMON_CAUSES] = {0};
    nobody[GNOMON_CAUSE_DEBUG] = left[GNOMON_CAUSE_DEBUG];
    nobody[GNOMON_CAUSE_RESET] = left[GNOMON_CAUSE_RESET];
    left[GNOMON_CAUSE_DEBUG] = left[GNOMON_CAUSE_RESET] = 0;
    gnomon_cost_add(&rest.nobody, nobody);
    gnomon_cost_add(&rest.outside, left);
    return rest;
}

void costs_exactness(const struct gnomon_analysis *analysis, const struct gnomon_instructions *instructions,
                     struct gnomon_exactness *exactness) {
    char brief[96], count[GNOMON_DIGITS_BYTES];
    gnomon_analysis_address_exactness(analysis, exactness);
    if (instructions->saturated)
        gnomon_exactness_add(exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "saturated", 0,
                             "AT LEAST: a counter of the device was too small",
                             "figures of some instructions are larger than the device's counters can hold");
    if (!instructions->unattributed)
        return;
    snprintf(brief, sizeof brief, "%s cycles came too fast to be charged: lower bounds",
             gnomon_digits(count, instructions->unattributed));
    gnomon_exactness_add(exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "cycles-unattributed",
                         instructions->unattributed, brief,
                         "%s cycles came too fast for the device to charge them to their instructions: they are in "
                         "[not counted by instruction]",
                         count);
}

static void put_first_line(const struct gnomon_analysis *analysis, const struct gnomon_instructions *instructions,
                           FILE *stream) {
    char text[CLI_CLEAN_BYTES], count[CLI_COUNT_BYTES], phrase[GNOMON_EXACTNESS_BYTES];
    struct gnomon_exactness exactness;
    fprintf(stream, "# %s", cli_clean(text, cli_basename(gnomon_symbols_path(analysis->symbols))));
    fprintf(stream, " on %s, %s cycles, each with its cause", cli_clean(text, analysis->device),
            cli_count(count, instructions->cycles));
    if (instructions->region)
        fprintf(stream, ", by instruction from 0x%x to 0x%x", (unsigned)instructions->start,
                (unsigned)instructions->end);
    if (instructions->runs > 1)
        fprintf(stream, ", in %u runs alike", instructions->runs);
    costs_exactness(analysis, instructions, &exactness);
    fprintf(stream, ", %s\n", gnomon_exactness_phrase(&exactness, NULL, phrase));
}

static void put_code(const struct costs_columns *columns, const struct gnomon_code *code) {
    const struct gnomon_function *function = code->function;
    char text[CLI_CLEAN_BYTES];
    fputs(cli_clean(text, gnomon_code_name(code, columns->context->raw_names)), columns->stream);
    if (function && function->file)
        fprintf(columns->stream, "  %s:%u", cli_clean(text, cli_basename(function->file)), function->line);
    if (function && code->module)
        fprintf(columns->stream, "  [%s]", cli_clean(text, code->module));
    if (function && function->overlay)
        fprintf(columns->stream, "  [overlay %u]", (unsigned)function->overlay - 1);
    fputc('\n', columns->stream);
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
    struct rest rest = rest_of(instructions);
    struct costs_columns columns;
    gnomon_cost_add(&whole, instructions->causes);
    costs_columns(&columns, context, stream, whole.cycles, &whole);
    put_first_line(analysis, instructions, stream);
    costs_heading(&columns, "function, without those that it called");
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
                  {&rest.outside, "[not counted by instruction]"},
                  {&rest.nobody, "[nobody: reset, debug mode]"},
                  {&whole, "all"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (!others[i].cost->cycles)
            continue;
        costs_row(&columns, others[i].cost);
        fprintf(stream, "%s\n", others[i].name);
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
        json_object_set_new(object, "code", json_string(code->text));
    if (function && code->module)
        json_object_set_new(object, "module", json_string(code->module));
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
    struct rest rest = rest_of(instructions);
    gnomon_cost_add(&whole, instructions->causes);
    json_t *object = costs_json(json_object(), &whole);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, function_json(&costs[i]));
    free(costs);
    costs_exactness(analysis, instructions, &exactness);
    json_object_update_new(object, gnomon_exactness_json(&exactness));
    json_object_set_new(object, "runs", json_integer(instructions->runs));
    json_object_set_new(object, "functions", list);
    json_object_set_new(object, "not_counted", costs_json(json_object(), &rest.outside));
    json_object_set_new(object, "nobody", costs_json(json_object(), &rest.nobody));
    bool good = json_dumpf(object, stdout, JSON_INDENT(1)) == 0 || ferror(stdout);
    json_decref(object);
    putchar('\n');
    return good ? GNOMON_OK : gnomon_fail_memory(error);
}
