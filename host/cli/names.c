/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include <string.h>

enum gnomon_status cli_add_modules(struct gnomon_analysis *analysis, const struct cli_list *paths,
                                   struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < paths->count && !status; i++)
        status = gnomon_analysis_add_module(analysis, paths->items[i], error);
    return status;
}

const char *cli_where(char buffer[CLI_WHERE_BYTES], const struct gnomon_name *name) {
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
