/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/print_names.h"

#include <stdlib.h>
#include <string.h>

#include "lib/elf/demangle.h"
#include "lib/util/file.h"
#include "lib/util/json_text.h"

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

void cli_note_stripped(const struct cli_context *context, const struct gnomon_symbols *symbols) {
    if (symbols && gnomon_symbols_stripped(symbols))
        cli_warn(context, "%s has no symbols: code is shown by address", gnomon_symbols_path(symbols));
}

const char *cli_symbol(char buffer[CLI_CLEAN_BYTES], const char *symbol, bool raw) {
    char *name = raw ? NULL : gnomon_demangle(symbol);
    cli_clean(buffer, name ? name : symbol);
    free(name);
    return buffer;
}

void cli_json_name(json_t *object, const char *key, const struct gnomon_function *function) {
    json_object_set_new(object, key, gnomon_json_text(function ? function->name : NULL));
    if (function && strcmp(function->name, function->symbol) != 0)
        json_object_set_new(object, "symbol", gnomon_json_text(function->symbol));
}

const char *cli_basename(const char *path) {
    return gnomon_basename(path);
}

int cli_reasons(const struct cli_context *context, const struct gnomon_exactness *exactness, bool strict) {
    for (size_t i = 0; i < exactness->count; i++) /* that figures are estimates is no flaw */
        if (exactness->reasons[i].kind != GNOMON_REASON_ESTIMATE)
            cli_warn(context, "%s", exactness->reasons[i].text);
    if (gnomon_exactness_kind(exactness, GNOMON_REASON_DAMAGE))
        return CLI_FAILED;
    return strict && !gnomon_exactness_complete(exactness) ? CLI_INCOMPLETE : CLI_OK;
}
