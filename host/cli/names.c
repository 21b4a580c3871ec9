/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include <string.h>

static void set_function(struct cli_name *name, const struct gnomon_function *function) {
    name->text = function->name;
    name->file = function->file;
    name->line = function->line;
    name->address = function->address;
    name->overlay = function->overlay;
}

static void name_module_function(struct cli_name *name, const struct gnomon_analysis *analysis, uint32_t id) {
    struct gnomon_module_function of = gnomon_modules_function(analysis->modules, id);
    name->module = of.module;
    name->number = of.number;
    if (of.function)
        set_function(name, of.function);
    else
        snprintf(name->own, sizeof name->own, "[function %u of %.64s]", (unsigned)of.number, of.module);
}

void cli_name_of(struct cli_name *name, const struct gnomon_analysis *analysis, uint32_t id) {
    const struct gnomon_symbols *symbols = analysis->symbols;
    const struct gnomon_function *function = NULL;
    *name = (struct cli_name){.text = name->own, .number = CLI_NO_NUMBER};
    if (id >= GNOMON_PROFILE_ADDRESS) {
        function = symbols ? gnomon_symbols_at(symbols, id) : NULL;
        snprintf(name->own, sizeof name->own, "[0x%08x]", (unsigned)id);
    } else if (id >= GNOMON_PROFILE_MODULE) {
        name_module_function(name, analysis, id);
    } else if (id == GNOMON_PROFILE_UNKNOWN) {
        name->text = "[unknown]";
    } else if (id >= GNOMON_PROFILE_TRAP) {
        unsigned cause = id - GNOMON_PROFILE_TRAP;
        snprintf(name->own, sizeof name->own, "[%s %u]", cause & 0x20 ? "interrupt" : "exception", cause & 0x1F);
    } else {
        function = symbols ? gnomon_symbols_function(symbols, id) : NULL;
        name->number = id;
        snprintf(name->own, sizeof name->own, "[function %u]", (unsigned)id);
    }
    if (function)
        set_function(name, function);
}

enum gnomon_status cli_add_modules(struct gnomon_analysis *analysis, const struct cli_list *paths,
                                   struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < paths->count && !status; i++)
        status = gnomon_analysis_add_module(analysis, paths->items[i], error);
    return status;
}

const char *cli_where(char buffer[CLI_WHERE_BYTES], const struct cli_name *name) {
    buffer[0] = '\0';
    if (name->file && name->line)
        snprintf(buffer, CLI_WHERE_BYTES, "%s:%u", cli_basename(name->file), name->line);
    else if (name->file)
        snprintf(buffer, CLI_WHERE_BYTES, "%s", cli_basename(name->file));
    return buffer;
}

const char *cli_clean(char buffer[CLI_CLEAN_BYTES], const char *text) {
    size_t used = 0;
    for (; *text && used + 1 < CLI_CLEAN_BYTES; text++)
        buffer[used++] = (unsigned char)*text < 0x20 || *text == 0x7F ? '?' : *text;
    buffer[used] = '\0';
    return buffer;
}

const char *cli_basename(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int cli_faults(const struct cli_context *context, const struct gnomon_fault *faults, size_t count, bool strict) {
    bool damaged = false;
    for (size_t i = 0; i < count; i++) {
        cli_warn(context, "%s", faults[i].text);
        damaged |= faults[i].kind == GNOMON_FAULT_DAMAGE;
    }
    if (damaged)
        return CLI_FAILED;
    return strict && count > 0 ? CLI_INCOMPLETE : CLI_OK;
}
