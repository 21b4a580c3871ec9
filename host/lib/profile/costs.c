/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/profile/costs.h"

#include <stdlib.h>
#include <string.h>

void gnomon_cost_add(struct gnomon_cost *cost, const uint64_t causes[GNOMON_CAUSES]) {
    for (unsigned i = 0; i < GNOMON_CAUSES; i++) {
        cost->causes[i] += causes[i];
        cost->cycles += causes[i];
    }
}

static uint32_t address_of(const struct gnomon_function_cost *cost) {
    return cost->code.function ? cost->code.function->address : 0;
}

static int most_cycles_first(const void *a, const void *b) {
    const struct gnomon_function_cost *left = a, *right = b;
    if (left->cost.cycles != right->cost.cycles)
        return left->cost.cycles > right->cost.cycles ? -1 : 1;
    if (address_of(left) != address_of(right))
        return address_of(left) < address_of(right) ? -1 : 1;
    return gnomon_code_compare(&left->code, &right->code);
}

static int by_code(const void *a, const void *b) {
    return gnomon_code_compare(&((const struct gnomon_function_cost *)a)->code,
                               &((const struct gnomon_function_cost *)b)->code);
}

/* Makes room for one more entry; NULL: out of memory, and everything is freed. */
static struct gnomon_function_cost *grow(struct gnomon_function_cost *costs, size_t count) {
    if (count & (count - 1)) /* the room is a power of two */
        return costs;
    struct gnomon_function_cost *more = realloc(costs, (count ? 2 * count : 1) * sizeof *more);
    if (!more)
        free(costs);
    return more;
}

/* Instructions are sorted by address, so those of one function are mostly together. */
struct gnomon_function_cost *gnomon_function_costs(const struct gnomon_instructions *instructions,
                                                   const struct gnomon_symbols *symbols,
                                                   const struct gnomon_modules *modules, size_t *count) {
    struct gnomon_function_cost *costs = grow(NULL, 0);
    size_t used = 0;
    for (size_t i = 0; i < instructions->count && costs; i++) {
        struct gnomon_function_cost one = {.cost = {0}};
        gnomon_code_at(&one.code, symbols, modules, instructions->list[i].address);
        if (used == 0 || gnomon_code_compare(&costs[used - 1].code, &one.code) != 0) {
            costs = grow(costs, used);
            if (!costs)
                break;
            costs[used++] = one;
        }
        gnomon_cost_add(&costs[used - 1].cost, instructions->list[i].cycles);
    }
    *count = 0;
    if (!costs)
        return NULL;
    qsort(costs, used, sizeof *costs, by_code);
    for (size_t i = 0; i < used; i++) {
        if (*count > 0 && by_code(&costs[*count - 1], &costs[i]) == 0)
            gnomon_cost_add(&costs[*count - 1].cost, costs[i].cost.causes);
        else
            costs[(*count)++] = costs[i];
    }
    qsort(costs, *count, sizeof *costs, most_cycles_first);
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

struct gnomon_line_cost *gnomon_line_costs(const struct gnomon_instructions *instructions, size_t first, size_t after,
                                           const struct gnomon_lines *lines, uint32_t base, size_t *count) {
    struct gnomon_line_cost *costs = calloc(after - first + 1, sizeof *costs);
    *count = 0;
    if (!costs)
        return NULL;
    for (size_t i = first; i < after; i++) {
        const struct gnomon_instruction *instruction = &instructions->list[i];
        struct gnomon_line_cost *cost = &costs[i - first];
        if (!lines || !gnomon_lines_find(lines, instruction->address - base, &cost->line))
            cost->line = (struct gnomon_line){0};
        gnomon_cost_add(&cost->cost, instruction->cycles);
    }
    qsort(costs, after - first, sizeof *costs, by_line);
    for (size_t i = 0; i < after - first; i++) {
        if (*count > 0 && by_line(&costs[*count - 1], &costs[i]) == 0)
            gnomon_cost_add(&costs[*count - 1].cost, costs[i].cost.causes);
        else
            costs[(*count)++] = costs[i];
    }
    return costs;
}
