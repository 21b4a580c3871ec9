/* SPDX-License-Identifier: Apache-2.0 */
#include "costs.h"

#include <stdlib.h>
#include <string.h>

void gnomon_cost_add(struct gnomon_cost *cost, const uint64_t causes[GNOMON_CAUSES]) {
    for (unsigned i = 0; i < GNOMON_CAUSES; i++) {
        cost->causes[i] += causes[i];
        cost->cycles += causes[i];
    }
}

static int dearest_first(const void *a, const void *b) {
    const struct gnomon_function_cost *left = a, *right = b;
    if (left->cost.cycles != right->cost.cycles)
        return left->cost.cycles > right->cost.cycles ? -1 : 1;
    if (!left->function || !right->function)
        return !left->function - !right->function;
    return left->function->address < right->function->address ? -1 : 1;
}

/* Instructions come by address, so a function's are together; those of none are gathered in the first place. */
struct gnomon_function_cost *gnomon_function_costs(const struct gnomon_instructions *instructions,
                                                   const struct gnomon_symbols *symbols, size_t *count) {
    struct gnomon_function_cost *costs = calloc(instructions->count + 1, sizeof *costs);
    *count = 0;
    if (!costs)
        return NULL;
    size_t used = 1;
    for (size_t i = 0; i < instructions->count; i++) {
        const struct gnomon_instruction *instruction = &instructions->list[i];
        const struct gnomon_function *function = gnomon_symbols_at(symbols, instruction->address);
        size_t at = !function ? 0 : costs[used - 1].function == function ? used - 1 : used++;
        costs[at].function = function;
        gnomon_cost_add(&costs[at].cost, instruction->cycles);
    }
    bool any = costs[0].cost.cycles > 0;
    *count = used - !any;
    if (!any)
        memmove(costs, costs + 1, *count * sizeof *costs);
    qsort(costs, *count, sizeof *costs, dearest_first);
    return costs;
}

static int by_line(const void *a, const void *b) {
    const struct gnomon_line *left = &((const struct gnomon_line_cost *)a)->line,
                             *right = &((const struct gnomon_line_cost *)b)->line;
    if (!left->file || !right->file)
        return !right->file - !left->file;
    int order = strcmp(left->file, right->file);
    return order ? order : (left->line > right->line) - (left->line < right->line);
}

struct gnomon_line_cost *gnomon_line_costs(const struct gnomon_instructions *instructions, size_t first, size_t behind,
                                           const struct gnomon_lines *lines, size_t *count) {
    struct gnomon_line_cost *costs = calloc(behind - first + 1, sizeof *costs);
    *count = 0;
    if (!costs)
        return NULL;
    for (size_t i = first; i < behind; i++) {
        const struct gnomon_instruction *instruction = &instructions->list[i];
        struct gnomon_line_cost *cost = &costs[i - first];
        if (!lines || !gnomon_lines_find(lines, instruction->address, &cost->line))
            cost->line = (struct gnomon_line){0};
        gnomon_cost_add(&cost->cost, instruction->cycles);
    }
    qsort(costs, behind - first, sizeof *costs, by_line);
    for (size_t i = 0; i < behind - first; i++) {
        if (*count > 0 && by_line(&costs[*count - 1], &costs[i]) == 0)
            gnomon_cost_add(&costs[*count - 1].cost, costs[i].cost.causes);
        else
            costs[(*count)++] = costs[i];
    }
    return costs;
}
