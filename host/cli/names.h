/* SPDX-License-Identifier: Apache-2.0 */
/* How what a trace says is shown on the screen. */
#ifndef GNOMON_CLI_NAMES_H
#define GNOMON_CLI_NAMES_H

#include <jansson.h>

#include "../lib/names.h"
#include "cli.h"

/* For names of functions in modules: the files of --module. */
enum gnomon_status cli_add_modules(struct gnomon_analysis *analysis, const struct cli_list *paths,
                                   struct gnomon_error *error);

/* "stb_image.h:1402", or "" where it is not known. */
#define CLI_WHERE_BYTES 512
const char *cli_where(char buffer[CLI_WHERE_BYTES], const struct gnomon_name *name);

/* Text from a file, with what would upset a terminal replaced. */
#define CLI_CLEAN_BYTES 1024
const char *cli_clean(char buffer[CLI_CLEAN_BYTES], const char *text);

/* A symbol's readable name (the linker's where `raw` wants it), cleaned like cli_clean. */
const char *cli_symbol(char buffer[CLI_CLEAN_BYTES], const char *symbol, bool raw);

/* Sets `key` to the function's name, null where `function` is NULL; and `symbol` where the linker's name is another. */
void cli_json_name(json_t *object, const char *key, const struct gnomon_function *function);

/* Says once that a program has no symbols, so that functions are shown by address. `symbols` may be NULL. */
void cli_note_stripped(const struct cli_context *context, const struct gnomon_symbols *symbols);

/* The last part of a path. */
const char *cli_basename(const char *path);

/* Warns of all reasons on stderr and says how to exit: CLI_FAILED for damage, CLI_INCOMPLETE for anything that is
 * missing under --strict. */
int cli_reasons(const struct cli_context *context, const struct gnomon_exactness *exactness, bool strict);

#endif
