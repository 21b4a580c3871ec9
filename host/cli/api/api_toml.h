/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of `gnomon api`'s files share. Texts are borrowed from the file. */
#ifndef GNOMON_CLI_API_TOML_H
#define GNOMON_CLI_API_TOML_H

#include <jansson.h>

#include "cli/cli.h"

enum gnomon_status api_toml_read(json_t **file, const char *path, struct gnomon_error *error);
/* Only these keys may be there; the last is NULL. */
enum gnomon_status api_toml_keys(json_t *table, const char *const *keys, struct gnomon_error *error);
/* Appends a list of texts, or one text. The caller frees the items. */
enum gnomon_status api_toml_list(struct cli_list *list, json_t *table, const char *key, struct gnomon_error *error);
/* *text stays if there is no such key. */
enum gnomon_status api_toml_text(const char **text, json_t *table, const char *key, struct gnomon_error *error);
enum gnomon_status api_toml_wrong(const char *key, const char *what, struct gnomon_error *error);
/* The folder that a path is in; the caller frees it. NULL: out of memory. */
char *api_toml_folder(const char *path);

#endif
