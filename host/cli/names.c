/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include <string.h>

void cli_name_of(struct cli_name *name, const struct gnomon_symbols *symbols, uint32_t id) {
    *name = (struct cli_name){.text = name->own};
    const struct gnomon_function *function = !symbols                      ? NULL
                                             : id < GNOMON_PROFILE_ADDRESS ? gnomon_symbols_function(symbols, id)
                                                                           : gnomon_symbols_at(symbols, id);
    if (id >= GNOMON_PROFILE_ADDRESS && !function) {
        snprintf(name->own, sizeof name->own, "[0x%08x]", (unsigned)id);
    } else if (id == GNOMON_PROFILE_UNKNOWN) {
        name->text = "[unknown]";
    } else if (id >= GNOMON_PROFILE_TRAP && id < GNOMON_PROFILE_ADDRESS) {
        unsigned cause = id - GNOMON_PROFILE_TRAP;
        snprintf(name->own, sizeof name->own, "[%s %u]", cause & 0x20 ? "interrupt" : "exception", cause & 0x1F);
    } else if (!function) {
        snprintf(name->own, sizeof name->own, "[function %u]", (unsigned)id);
    } else {
        name->text = function->name;
        name->file = function->file;
        name->line = function->line;
        name->address = function->address;
    }
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
