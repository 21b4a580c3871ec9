/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/profile/code.h"

#include <stdio.h>
#include <string.h>

void gnomon_overlays_text(char *text, size_t size, uint32_t overlays) {
    size_t used = (size_t)snprintf(text, size, "[overlay ");
    for (unsigned i = 0; overlays && used < size; i++, overlays >>= 1) {
        if (!(overlays & 1))
            continue;
        const char *between = overlays == 1 ? "]" : (overlays >> 1 & ((overlays >> 1) - 1)) ? ", " : " or ";
        used += (size_t)snprintf(text + used, size - used, "%u%s", i, between);
    }
}

static void in_overlays(struct gnomon_code *code, const struct gnomon_symbols *symbols, uint32_t overlays,
                        uint32_t address) {
    const struct gnomon_function *function = NULL;
    if ((overlays & (overlays - 1)) == 0)
        function = gnomon_symbols_in_overlay(symbols, (unsigned)__builtin_ctz(overlays), address);
    /* A function that begins where other overlays also reach is not named: its start does not tell the overlay. */
    if (function && gnomon_symbols_overlays(symbols, function->address) == overlays)
        code->function = function;
    if (code->function)
        code->symbols = symbols;
    else
        gnomon_overlays_text(code->text, sizeof code->text, overlays);
}

static void in_module(struct gnomon_code *code, const struct gnomon_module_place *place) {
    if (place->other) {
        snprintf(code->text, sizeof code->text, "[module %.32s or %.32s]", place->module, place->other);
        return;
    }
    code->module = place->module;
    code->symbols = place->symbols;
    code->base = place->base;
    code->elsewhere = place->elsewhere;
    code->function = place->function;
    if (!code->function)
        snprintf(code->text, sizeof code->text, "[no function of %.64s]", place->module);
}

void gnomon_code_at(struct gnomon_code *code, const struct gnomon_symbols *symbols,
                    const struct gnomon_modules *modules, uint32_t address) {
    *code = (struct gnomon_code){.text = GNOMON_NO_FUNCTION};
    uint32_t overlays = symbols ? gnomon_symbols_overlays(symbols, address) : 0;
    if (overlays) {
        in_overlays(code, symbols, overlays, address);
        return;
    }
    code->function = symbols ? gnomon_symbols_at(symbols, address) : NULL;
    if (code->function) {
        code->symbols = symbols;
        return;
    }
    struct gnomon_module_place place = {0};
    if (modules)
        place = gnomon_modules_at(modules, address);
    if (place.module)
        in_module(code, &place);
}

int gnomon_code_compare(const struct gnomon_code *a, const struct gnomon_code *b) {
    if (a->function != b->function)
        return (uintptr_t)a->function < (uintptr_t)b->function ? -1 : 1;
    return a->function ? 0 : strcmp(a->text, b->text);
}

const char *gnomon_code_name(const struct gnomon_code *code, bool raw) {
    if (!code->function)
        return code->text;
    return raw ? code->function->symbol : code->function->name;
}
