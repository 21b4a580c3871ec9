/* SPDX-License-Identifier: Apache-2.0 */
/* The source files of symbols that were linked with -flto, from DWARF. The link makes all symbols local, and the symbol
 * table names no file for them. */
#include <dwarf.h>
#include <string.h>

#include "lib/tag/tag_program.h"
#include "lib/util/file.h"

/* The symbols at `address` belong to the function or variable `die`. */
static void note(const struct gnomon_tag_program *program, Dwarf_Die *die, Dwarf_Addr address) {
    const char *file = dwarf_hasattr_integrate(die, DW_AT_external) ? NULL : dwarf_decl_file(die);
    for (size_t i = 0; i < program->symbol_count; i++) {
        struct gnomon_tag_symbol *symbol = &program->symbols[i];
        if (symbol->address == address && symbol->file && !*symbol->file)
            symbol->file = file ? gnomon_basename(file) : NULL;
    }
}

static void look_at(const struct gnomon_tag_program *program, Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    Dwarf_Op *expression;
    Dwarf_Addr base, start, end;
    size_t length;
    if (dwarf_tag(die) == DW_TAG_subprogram) /* a function may have several ranges of code: f and f.cold */
        for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;)
            note(program, die, start);
    else if (dwarf_tag(die) == DW_TAG_variable &&
             dwarf_getlocation(dwarf_attr(die, DW_AT_location, &attribute), &expression, &length) == 0 && length == 1 &&
             expression[0].atom == DW_OP_addr)
        note(program, die, expression[0].number);
}

static void look_inside(const struct gnomon_tag_program *program, Dwarf_Die *die) {
    Dwarf_Die child;
    if (dwarf_child(die, &child) != 0)
        return;
    do {
        look_at(program, &child);
        look_inside(program, &child);
    } while (dwarf_siblingof(&child, &child) == 0);
}

void gnomon_tag_find_files(const struct gnomon_tag_program *program) {
    bool any = false;
    for (size_t i = 0; i < program->symbol_count && !any; i++)
        any = program->symbols[i].file && !*program->symbols[i].file;
    Dwarf_CU *unit = NULL;
    Dwarf_Half version;
    uint8_t kind;
    Dwarf_Die die;
    while (any && program->dwarf && dwarf_get_units(program->dwarf, unit, &unit, &version, &kind, &die, NULL) == 0)
        look_inside(program, &die);
}
