/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/elf/inlined.h"

#include <dwarf.h>
#include <stdlib.h>

#include "lib/util/array.h"

#define MOST_NESTED 256 /* entries of DWARF within each other; damaged files can have more */
#define NO_RANGE UINT32_MAX

/* Addresses from `start` to `end` (inclusive). */
struct range {
    uint32_t start, end;
    uint32_t depth;    /* inlined functions around it */
    uint32_t function; /* index */
    uint32_t around;   /* index of the smallest range that holds it; NO_RANGE: none does */
};

struct gnomon_inlined_index {
    size_t count, room;
    struct range *ranges; /* by start; of those that start together, the outer ones first */
    size_t function_count, function_room;
    struct gnomon_inlined *functions; /* each place where one was inlined */
};

/* ---- Reading ---- */

struct reading {
    struct gnomon_inlined_index *index;
    Dwarf_Files *files; /* of the unit; NULL: none */
    size_t file_count;
};

static const char *name_of(Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    const char *linkage = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
    return linkage ? linkage : dwarf_diename(die);
}

static unsigned number_of(Dwarf_Die *die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    return dwarf_formudata(dwarf_attr(die, name, &attribute), &value) == 0 ? (unsigned)value : 0;
}

static struct gnomon_inlined describe(const struct reading *reading, Dwarf_Die *die) {
    struct gnomon_inlined function = {.name = name_of(die), .declared.file = dwarf_decl_file(die)};
    const unsigned file = number_of(die, DW_AT_call_file);
    int line = 0;
    if (dwarf_decl_line(die, &line) == 0 && line > 0)
        function.declared.line = (unsigned)line;
    if (file < reading->file_count)
        function.call.file = dwarf_filesrc(reading->files, file, NULL, NULL);
    function.call.line = number_of(die, DW_AT_call_line);
    return function;
}

static bool add(const struct reading *reading, Dwarf_Die *die, uint32_t depth) {
    struct gnomon_inlined_index *index = reading->index;
    const struct gnomon_inlined function = describe(reading, die);
    Dwarf_Addr base, start, end;
    const size_t before = index->count;
    for (ptrdiff_t at = 0; function.name && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;) {
        if (start == 0 || start >= end || end > UINT64_C(0x100000000)) /* the linker dropped it */
            continue;
        if (!gnomon_array_room(&index->ranges, &index->room, index->count + 1, sizeof *index->ranges))
            return false;
        index->ranges[index->count++] = (struct range){.start = (uint32_t)start,
                                                       .end = (uint32_t)(end - 1),
                                                       .depth = depth,
                                                       .function = (uint32_t)index->function_count};
    }
    if (index->count == before)
        return true;
    if (!gnomon_array_room(&index->functions, &index->function_room, index->function_count + 1,
                           sizeof *index->functions))
        return false;
    index->functions[index->function_count++] = function;
    return true;
}

static bool holds_code(int tag) {
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
           tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_module;
}

static bool read_children(const struct reading *reading, Dwarf_Die *parent, uint32_t depth, unsigned nested) {
    Dwarf_Die die;
    if (nested == MOST_NESTED || dwarf_child(parent, &die) != 0)
        return true;
    Dwarf_Off before;
    do {
        const int tag = dwarf_tag(&die);
        const bool inlined = tag == DW_TAG_inlined_subroutine;
        if (inlined && !add(reading, &die, depth))
            return false;
        if (holds_code(tag) && !read_children(reading, &die, depth + inlined, nested + 1))
            return false;
        before = dwarf_dieoffset(&die);
        /* A damaged file can lead back. */
    } while (dwarf_siblingof(&die, &die) == 0 && dwarf_dieoffset(&die) > before);
    return true;
}

static bool read_units(struct gnomon_inlined_index *index, Dwarf *dwarf) {
    struct reading reading = {.index = index};
    Dwarf_CU *unit = NULL;
    Dwarf_Half version;
    uint8_t type;
    Dwarf_Die die;
    while (dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, NULL) == 0) {
        if (type != DW_UT_compile)
            continue;
        if (dwarf_getsrcfiles(&die, &reading.files, &reading.file_count) != 0)
            reading.file_count = 0;
        if (!read_children(&reading, &die, 0, 0))
            return false;
    }
    return true;
}

/* ---- The order ---- */

static int by_start(const void *a, const void *b) {
    const struct range *left = a, *right = b;
    if (left->start != right->start)
        return left->start < right->start ? -1 : 1;
    if (left->end != right->end)
        return left->end > right->end ? -1 : 1;
    return left->depth < right->depth ? -1 : left->depth > right->depth;
}

static void nest(struct gnomon_inlined_index *index) {
    uint32_t around = NO_RANGE;
    for (uint32_t i = 0; i < index->count; i++) {
        while (around != NO_RANGE && index->ranges[around].end < index->ranges[i].start)
            around = index->ranges[around].around;
        index->ranges[i].around = around;
        around = i;
    }
}

struct gnomon_inlined_index *gnomon_inlined_open(Dwarf *dwarf) {
    struct gnomon_inlined_index *index = calloc(1, sizeof *index);
    if (!index)
        return NULL;
    if (!read_units(index, dwarf)) {
        gnomon_inlined_close(index);
        return NULL;
    }
    if (index->count > 0)
        qsort(index->ranges, index->count, sizeof *index->ranges, by_start);
    nest(index);
    return index;
}

void gnomon_inlined_close(struct gnomon_inlined_index *index) {
    if (!index)
        return;
    free(index->ranges);
    free(index->functions);
    free(index);
}

size_t gnomon_inlined_find(const struct gnomon_inlined_index *index, uint32_t address, struct gnomon_inlined *list,
                           size_t most) {
    const size_t after = gnomon_array_from(index->ranges, index->count, sizeof *index->ranges,
                                           offsetof(struct range, start), (uint64_t)address + 1);
    size_t count = 0;
    uint32_t at = after ? (uint32_t)after - 1 : NO_RANGE;
    for (; at != NO_RANGE && count < most; at = index->ranges[at].around)
        if (index->ranges[at].end >= address)
            list[count++] = index->functions[index->ranges[at].function];
    return count;
}
