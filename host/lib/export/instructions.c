/* SPDX-License-Identifier: Apache-2.0 */
/* The functions and source lines of the instructions of an export. */
#include <stdlib.h>
#include <string.h>

#include "lib/export/export_internal.h"

static const struct gnomon_profile_function no_figures = {.min = UINT64_MAX, .exact = true};

/* ---- Functions ---- */

static void set_code(struct gnomon_name *name, const struct gnomon_code *code, bool raw) {
    const struct gnomon_function *function = code->function;
    *name = (struct gnomon_name){.text = name->own, .number = GNOMON_NO_NUMBER, .module = code->module};
    memcpy(name->own, code->text, sizeof name->own);
    if (!function)
        return;
    name->text = gnomon_code_name(code, raw);
    name->symbol = function->symbol;
    name->file = function->file;
    name->line = function->line;
    name->address = function->address;
    name->overlay = function->overlay;
}

static bool same_text(const char *a, const char *b) {
    return a && b ? !strcmp(a, b) : a == b;
}

/* Traps and unknown functions have no linker's name. */
static bool is_code(const struct gnomon_name *name, const struct gnomon_code *code) {
    if (!code->function)
        return !name->symbol && same_text(name->module, code->module) && !strcmp(name->text, code->text);
    return name->symbol && name->address == code->function->address && name->overlay == code->function->overlay &&
           same_text(name->module, code->module);
}

/* Instructions of a function are mostly together, so the search begins with the function of the one before. */
static uint32_t find_owner(struct gnomon_export *export, const struct gnomon_code *code, uint32_t before) {
    if (before < export->count && is_code(&export->functions[before].name, code))
        return before;
    for (uint32_t i = 0; i < export->count; i++)
        if (is_code(&export->functions[i].name, code))
            return i;
    struct gnomon_export_function *function = &export->functions[export->count];
    function->figures = &no_figures;
    set_code(&function->name, code, export->analysis.raw_names);
    return (uint32_t) export->count++;
}

bool export_find_owners(struct gnomon_export *export) {
    const struct gnomon_instructions *instructions = &export->instructions;
    uint32_t before = UINT32_MAX;
    export->owners = calloc(instructions->count + 1, sizeof *export->owners);
    if (!export->owners)
        return false;
    for (size_t i = 0; i < instructions->count; i++) {
        struct gnomon_code code;
        gnomon_code_at(&code, export->analysis.symbols, export->analysis.modules, instructions->list[i].address);
        before = export->owners[i] = find_owner(export, &code, before);
    }
    return true;
}

/* ---- Lines ---- */

bool gnomon_export_source(struct gnomon_export *export, uint32_t address, struct gnomon_line *line) {
    struct gnomon_code code;
    gnomon_code_at(&code, export->analysis.symbols, export->analysis.modules, address);
    return gnomon_source_line(&export->lines, &code, address, line);
}

size_t gnomon_export_inlined(struct gnomon_export *export, uint32_t address, struct gnomon_inlined *list, size_t most) {
    struct gnomon_code code;
    gnomon_code_at(&code, export->analysis.symbols, export->analysis.modules, address);
    return gnomon_source_inlined(&export->lines, &code, address, list, most);
}
