/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles of instructions, summed up: of functions, of source lines. The parts of each add up to the cycles of its
 * instructions. */
#ifndef GNOMON_LIB_COSTS_H
#define GNOMON_LIB_COSTS_H

#include "instructions.h"
#include "lines.h"
#include "symbols.h"

struct gnomon_cost {
    uint64_t cycles, causes[GNOMON_CAUSES];
};
void gnomon_cost_add(struct gnomon_cost *cost, const uint64_t causes[GNOMON_CAUSES]);

/* A function with what it itself cost, without those that it called: code from its beginning to the next one's. */
struct gnomon_function_cost {
    const struct gnomon_function *function; /* NULL: code in no function that is always there (modules, overlays) */
    struct gnomon_cost cost;
};
/* Those with cycles, the dearest first. NULL with *count 0: there is none, or memory is out. To be freed. */
struct gnomon_function_cost *gnomon_function_costs(const struct gnomon_instructions *instructions,
                                                   const struct gnomon_symbols *symbols, size_t *count);

struct gnomon_line_cost {
    struct gnomon_line line; /* file NULL: instructions of no line that is known */
    struct gnomon_cost cost;
};
/* Lines of the instructions with these indices, from `first` on, by file and line. `lines` may be NULL. To be freed. */
struct gnomon_line_cost *gnomon_line_costs(const struct gnomon_instructions *instructions, size_t first, size_t behind,
                                           const struct gnomon_lines *lines, size_t *count);

#endif
