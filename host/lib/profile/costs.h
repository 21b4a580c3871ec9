/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles of instructions, summed by function or by source line. The cycles by cause add up to the cycles of the
 * function or line. */
#ifndef GNOMON_LIB_COSTS_H
#define GNOMON_LIB_COSTS_H

#include "lib/elf/lines.h"
#include "lib/elf/symbols.h"
#include "lib/model/instructions.h"
#include "lib/profile/code.h"

struct gnomon_cost {
    uint64_t cycles, causes[GNOMON_CAUSES];
};
void gnomon_cost_add(struct gnomon_cost *cost, const uint64_t causes[GNOMON_CAUSES]);

/* The cycles of a function itself, without the functions that it called; or of code whose function is not known. */
struct gnomon_function_cost {
    struct gnomon_code code;
    struct gnomon_cost cost;
};
/* Functions with cycles, the most expensive first. `modules` may be NULL. The caller frees the result. NULL: out of
 * memory. */
struct gnomon_function_cost *gnomon_function_costs(const struct gnomon_instructions *instructions,
                                                   const struct gnomon_symbols *symbols,
                                                   const struct gnomon_modules *modules, size_t *count);

struct gnomon_line_cost {
    struct gnomon_line line; /* file NULL: instructions without a known line */
    struct gnomon_cost cost;
};
/* Lines of the instructions with indices from `first` to before `after`, by file and line. `lines` may be NULL. `base`
 * is the address where the code was loaded: 0 for a program. The caller frees the result. */
struct gnomon_line_cost *gnomon_line_costs(const struct gnomon_instructions *instructions, size_t first, size_t after,
                                           const struct gnomon_lines *lines, uint32_t base, size_t *count);

#endif
