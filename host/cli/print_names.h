/* SPDX-License-Identifier: Apache-2.0 */
/* How names and other texts of a trace are shown on the screen. */
#ifndef GNOMON_CLI_PRINT_NAMES_H
#define GNOMON_CLI_PRINT_NAMES_H

#include <jansson.h>

#include "cli/cli.h"
#include "lib/profile/function_names.h"

/* Adds the files of --module, for names of functions in modules. */
enum gnomon_status cli_add_modules(struct gnomon_analysis *analysis, const struct cli_list *paths,
                                   struct gnomon_error *error);

/* "stb_image.h:1402", or "" if unknown. */
#define CLI_WHERE_BYTES 512
const char *cli_where(char buffer[CLI_WHERE_BYTES], const struct gnomon_name *name);

/* Replaces characters of a file's text that would disturb a terminal. */
#define CLI_CLEAN_BYTES 1024
const char *cli_clean(char buffer[CLI_CLEAN_BYTES], const char *text);

/* A symbol's readable name (with `raw` the linker's name), cleaned like cli_clean. */
const char *cli_symbol(char buffer[CLI_CLEAN_BYTES], const char *symbol, bool raw);

/* Sets `key` to the function's name, or to null if `function` is NULL; sets `symbol` if the linker's name differs. */
void cli_json_name(json_t *object, const char *key, const struct gnomon_function *function);

/* Prints a note, once, that a program has no symbols, so functions are shown by address. `symbols` may be NULL. */
void cli_note_stripped(const struct cli_context *context, const struct gnomon_symbols *symbols);

/* The last part of a path. */
const char *cli_basename(const char *path);

/* Prints all reasons as warnings on stderr. Returns CLI_FAILED for damage, CLI_INCOMPLETE for missing data under
 * --strict, else CLI_OK. */
int cli_reasons(const struct cli_context *context, const struct gnomon_exactness *exactness, bool strict);

#endif
