/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles of instructions by cause: of functions, and of source lines with their text. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/ui/ui_internal.h"
#include "lib/util/file.h"
#include "lib/util/json_text.h"

struct line_cost {
    struct gnomon_line line; /* file NULL: not known */
    uint32_t function;
    struct gnomon_cost cost;
};

/* ---- Functions ---- */

static void put_cost(const struct gnomon_cost *cost, FILE *stream) {
    for (unsigned cause = 0; cause < GNOMON_CAUSES; cause++)
        fprintf(stream, "%s%" PRIu64, cause ? "," : "", cost->causes[cause]);
}

static void put_named_cost(const char *name, const struct gnomon_cost *cost, FILE *stream) {
    fprintf(stream, ",\"%s\":[", name);
    put_cost(cost, stream);
    fputc(']', stream);
}

/* The causes of each function with cycles, by index of functions. */
static bool put_function_costs(const struct gnomon_export *export, FILE *stream) {
    struct gnomon_cost *costs = calloc(export->count + 1, sizeof *costs);
    const char *comma = "";
    if (!costs)
        return false;
    for (size_t i = 0; i < export->instructions.count; i++)
        gnomon_cost_add(&costs[export->owners[i]], export->instructions.list[i].cycles);
    fputs(",\"functions\":{", stream);
    for (size_t i = 0; i < export->count; i++) {
        if (!costs[i].cycles)
            continue;
        fprintf(stream, "%s\"%zu\":[", comma, i);
        put_cost(&costs[i], stream);
        fputc(']', stream);
        comma = ",";
    }
    fputc('}', stream);
    free(costs);
    return true;
}

bool ui_put_costs(struct gnomon_ui *ui, FILE *stream) {
    const struct gnomon_export *export = &ui->export;
    struct gnomon_exactness exactness;
    struct gnomon_cost whole = {0};
    if (!export->with_instructions)
        return true;
    gnomon_costs_exactness(&export->analysis, &export->instructions, &exactness);
    const struct gnomon_costs_rest rest = gnomon_costs_rest(&export->instructions);
    char *text = gnomon_json_dump(ui_exactness(&exactness), JSON_COMPACT);
    gnomon_cost_add(&whole, export->instructions.causes);
    ui_begin(stream, "costs");
    fprintf(stream, "{\"exactness\":%s,\"causes\":[", text ? text : "null");
    for (unsigned cause = 0; cause < GNOMON_CAUSES; cause++)
        fprintf(stream, "%s\"%s\"", cause ? "," : "", gnomon_cause_name(cause));
    fputc(']', stream);
    put_named_cost("whole", &whole, stream);
    put_named_cost("not_counted", &rest.not_counted, stream);
    put_named_cost("unattributed", &rest.unattributed, stream);
    const bool good = put_function_costs(export, stream) && text;
    fputc('}', stream);
    ui_end(stream);
    free(text);
    return good;
}

/* ---- Lines ---- */

static int by_line(const void *a, const void *b) {
    const struct line_cost *left = a, *right = b;
    if (!left->line.file || !right->line.file)
        return !right->line.file - !left->line.file;
    const int order = strcmp(left->line.file, right->line.file);
    if (order)
        return order;
    if (left->line.line != right->line.line)
        return left->line.line < right->line.line ? -1 : 1;
    return (left->function > right->function) - (left->function < right->function);
}

/* Sorted; *count: lines and functions that are different. The caller frees it. NULL: out of memory. */
static struct line_cost *line_costs(struct gnomon_export *export, size_t *count) {
    const struct gnomon_instructions *instructions = &export->instructions;
    struct line_cost *costs = calloc(instructions->count + 1, sizeof *costs);
    *count = 0;
    if (!costs)
        return NULL;
    for (size_t i = 0; i < instructions->count; i++) {
        if (!gnomon_export_source(export, instructions->list[i].address, &costs[i].line))
            costs[i].line = (struct gnomon_line){0};
        costs[i].function = export->owners[i];
        gnomon_cost_add(&costs[i].cost, instructions->list[i].cycles);
    }
    qsort(costs, instructions->count, sizeof *costs, by_line);
    for (size_t i = 0; i < instructions->count; i++) {
        if (*count && !by_line(&costs[*count - 1], &costs[i]))
            gnomon_cost_add(&costs[*count - 1].cost, costs[i].cost.causes);
        else
            costs[(*count)++] = costs[i];
    }
    return costs;
}

/* The lines of the file, as an array; null if they cannot be read. */
static void put_file(const char *path, FILE *stream) {
    uint8_t *data = NULL;
    size_t size = 0;
    if (gnomon_read_file(path, &data, &size, NULL)) {
        fputs("null", stream);
        return;
    }
    ui_put_lines(stream, data, size, 1, UINT_MAX);
    free(data);
}

/* [line, function, causes ...] of each line. */
static void put_source(const struct gnomon_ui *ui, const struct line_cost *costs, size_t count, FILE *stream) {
    fputs("{\"path\":", stream);
    ui_put_text(stream, costs->line.file);
    fputs(",\"lines\":[", stream);
    for (size_t i = 0; i < count; i++) {
        fprintf(stream, "%s%u,%" PRIu32 ",", i ? "," : "", costs[i].line.line, costs[i].function);
        put_cost(&costs[i].cost, stream);
    }
    fputs("],\"text\":", stream);
    if (ui->with_source && costs->line.file)
        put_file(costs->line.file, stream);
    else
        fputs("null", stream);
    fputc('}', stream);
}

enum gnomon_status gnomon_ui_write_sources(struct gnomon_ui *ui, FILE *stream, struct gnomon_error *error) {
    size_t count = 0;
    if (!ui->export.with_instructions)
        return GNOMON_OK;
    struct line_cost *costs = line_costs(&ui->export, &count);
    if (!costs)
        return gnomon_fail_memory(error);
    ui_begin(stream, "sources");
    fputc('[', stream);
    for (size_t first = 0, after; first < count; first = after) {
        const char *file = costs[first].line.file;
        for (after = first + 1; after < count; after++)
            if (!file != !costs[after].line.file || (file && strcmp(file, costs[after].line.file) != 0))
                break;
        fputs(first ? "," : "", stream);
        put_source(ui, &costs[first], after - first, stream);
    }
    fputc(']', stream);
    ui_end(stream);
    free(costs);
    return GNOMON_OK;
}
