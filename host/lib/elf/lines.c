/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/elf/lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "lib/elf/inlined.h"
#include "lib/util/array.h"

/* The addresses from `start` to `end` (inclusive) belong to the unit at this offset. */
struct range {
    uint32_t start, end;
    Dwarf_Off unit;
};

struct gnomon_lines {
    Dwarf *dwarf;
    size_t count, capacity;
    struct range *ranges;                 /* by start */
    struct gnomon_inlined_index *inlined; /* NULL: not read yet */
};

/* Has the range code in memory? Code that the linker dropped keeps its description, at address 0, where there is no
 * memory. */
static bool has_code(Dwarf_Addr start, Dwarf_Addr end) {
    return start != 0 && start < end && end <= UINT64_C(0x100000000);
}

static bool add_range(struct gnomon_lines *lines, Dwarf_Addr start, Dwarf_Addr end, Dwarf_Off unit) {
    if (!has_code(start, end))
        return true;
    if (!gnomon_array_room(&lines->ranges, &lines->capacity, lines->count + 1, sizeof *lines->ranges))
        return false;
    lines->ranges[lines->count++] = (struct range){(uint32_t)start, (uint32_t)(end - 1), unit};
    return true;
}

static bool add_unit(struct gnomon_lines *lines, Dwarf_Die *die) {
    Dwarf_Addr base, start, end;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;)
        if (!add_range(lines, start, end, dwarf_dieoffset(die)))
            return false;
    return true;
}

static int by_start(const void *a, const void *b) {
    const struct range *left = a, *right = b;
    return left->start < right->start ? -1 : left->start > right->start;
}

static bool index_units(struct gnomon_lines *lines) {
    Dwarf_CU *unit = NULL;
    Dwarf_Half version;
    uint8_t type;
    Dwarf_Die die;
    while (dwarf_get_units(lines->dwarf, unit, &unit, &version, &type, &die, NULL) == 0)
        if (type == DW_UT_compile && !add_unit(lines, &die))
            return false;
    if (lines->count > 0)
        qsort(lines->ranges, lines->count, sizeof *lines->ranges, by_start);
    return true;
}

struct gnomon_lines *gnomon_lines_open(Elf *elf) {
    struct gnomon_lines *lines = calloc(1, sizeof *lines);
    if (!lines)
        return NULL;
    lines->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    if (lines->dwarf && index_units(lines))
        return lines;
    gnomon_lines_close(lines);
    return NULL;
}

void gnomon_lines_close(struct gnomon_lines *lines) {
    if (!lines)
        return;
    gnomon_inlined_close(lines->inlined);
    if (lines->dwarf)
        dwarf_end(lines->dwarf);
    free(lines->ranges);
    free(lines);
}

bool gnomon_lines_find(const struct gnomon_lines *lines, uint32_t address, struct gnomon_line *line) {
    size_t after = gnomon_array_from(lines->ranges, lines->count, sizeof *lines->ranges, offsetof(struct range, start),
                                     (uint64_t)address + 1);
    Dwarf_Die unit;
    if (after == 0 || address > lines->ranges[after - 1].end ||
        !dwarf_offdie(lines->dwarf, lines->ranges[after - 1].unit, &unit))
        return false;
    Dwarf_Line *found = dwarf_getsrc_die(&unit, address);
    int number = 0;
    if (!found || dwarf_lineno(found, &number) != 0 || number <= 0)
        return false;
    line->file = dwarf_linesrc(found, NULL, NULL);
    line->line = (unsigned)number;
    return line->file != NULL;
}

size_t gnomon_lines_inlined(struct gnomon_lines *lines, uint32_t address, struct gnomon_inlined *list, size_t most) {
    if (!lines->inlined)
        lines->inlined = gnomon_inlined_open(lines->dwarf);
    return lines->inlined ? gnomon_inlined_find(lines->inlined, address, list, most) : 0;
}

struct visit {
    gnomon_lines_function *function;
    void *context;
};

static int visit_function(Dwarf_Die *die, void *argument) {
    const struct visit *visit = argument;
    struct gnomon_line line = {.file = dwarf_decl_file(die)};
    int number = 0;
    if (!line.file || dwarf_decl_line(die, &number) != 0 || number <= 0)
        return DWARF_CB_OK;
    line.line = (unsigned)number;
    Dwarf_Addr base, start, end;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;)
        if (has_code(start, end))
            visit->function(visit->context, (uint32_t)start, &line);
    return DWARF_CB_OK;
}

void gnomon_lines_functions(const struct gnomon_lines *lines, gnomon_lines_function *function, void *context) {
    struct visit visit = {function, context};
    Dwarf_CU *unit = NULL;
    Dwarf_Half version;
    uint8_t type;
    Dwarf_Die die;
    while (dwarf_get_units(lines->dwarf, unit, &unit, &version, &type, &die, NULL) == 0)
        if (type == DW_UT_compile)
            dwarf_getfuncs(&die, visit_function, &visit, 0);
}
