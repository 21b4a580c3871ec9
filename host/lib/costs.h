/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles of instructions, summed up: of functions, of source lines. The parts of each add up to the cycles of its
 * instructions. */
#ifndef GNOMON_LIB_COSTS_H
#define GNOMON_LIB_COSTS_H

#include "code.h"
#include "instructions.h"
#include "lines.h"
#include "symbols.h"

struct gnomon_cost {
    uint64_t cycles, causes[GNOMON_CAUSES];
};
void gnomon_cost_add(struct gnomon_cost *cost, const uint64_t causes[GNOMON_CAUSES]);

/* A function with what it itself cost, without those that it called; or code of which no function can be named. */
struct gnomon_function_cost {
    struct gnomon_code code;
    struct gnomon_cost cost;
};
/* Those with cycles, the most expensive first. `modules` may be NULL. NULL: memory is out. To be freed. */
struct gnomon_function_cost *gnomon_function_costs(const struct gnomon_instructions *instructions,
                                                   const struct gnomon_symbols *symbols,
                                                   const struct gnomon_modules *modules, size_t *count);

struct gnomon_line_cost {
    struct gnomon_line line; /* file NULL: instructions of no line that is known */
    struct gnomon_cost cost;
};
/* Lines of the instructions with these indices, from `first` on, by file and line. `lines` may be NULL; `base` is
 * where the code was loaded that they are of: 0 for a program. To be freed. */
struct gnomon_line_cost *gnomon_line_costs(const struct gnomon_instructions *instructions, size_t first, size_t behind,
                                           const struct gnomon_lines *lines, uint32_t base, size_t *count);

#endif
