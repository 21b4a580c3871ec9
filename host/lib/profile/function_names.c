/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/profile/function_names.h"

#include <stdio.h>
#include <string.h>

#include "lib/profile/code.h"

static void set_function(struct gnomon_name *name, const struct gnomon_analysis *analysis,
                         const struct gnomon_function *function) {
    name->text = analysis->raw_names ? function->symbol : function->name;
    name->symbol = function->symbol;
    name->file = function->file;
    name->line = function->line;
    name->address = function->address;
    name->overlay = function->overlay;
}

static void name_module_function(struct gnomon_name *name, const struct gnomon_analysis *analysis, uint32_t id) {
    struct gnomon_module_function of = gnomon_modules_function(analysis->modules, id);
    name->module = of.module;
    name->build = *of.build_id ? of.build_id : NULL;
    name->number = of.number;
    if (of.function)
        set_function(name, analysis, of.function);
    else
        snprintf(name->own, sizeof name->own, "[function %u of %.64s]", (unsigned)of.number, of.module);
}

void gnomon_name_of(struct gnomon_name *name, const struct gnomon_analysis *analysis, uint32_t id) {
    const struct gnomon_symbols *symbols = analysis->symbols;
    const struct gnomon_function *function = NULL;
    *name = (struct gnomon_name){.text = name->own, .number = GNOMON_NO_NUMBER};
    if (id >= GNOMON_PROFILE_ADDRESS) {
        struct gnomon_code code;
        gnomon_code_at(&code, symbols, analysis->modules, id);
        function = code.function;
        name->module = code.module;
        if (function || !strcmp(code.text, GNOMON_NO_FUNCTION))
            snprintf(name->own, sizeof name->own, "[0x%08x]", (unsigned)id);
        else
            memcpy(name->own, code.text, sizeof name->own);
    } else if (id >= GNOMON_PROFILE_MODULE) {
        name_module_function(name, analysis, id);
    } else if (id == GNOMON_PROFILE_UNKNOWN) {
        name->text = "[unknown]";
    } else if (id == GNOMON_PROFILE_OTHERS) {
        name->text = "[other threads]";
    } else if (id >= GNOMON_PROFILE_TRAP) {
        unsigned cause = id - GNOMON_PROFILE_TRAP;
        snprintf(name->own, sizeof name->own, "[%s %u]", cause & 0x20 ? "interrupt" : "exception", cause & 0x1F);
    } else {
        function = symbols ? gnomon_symbols_function(symbols, id) : NULL;
        name->number = id;
        snprintf(name->own, sizeof name->own, "[function %u]", (unsigned)id);
    }
    if (function)
        set_function(name, analysis, function);
}
