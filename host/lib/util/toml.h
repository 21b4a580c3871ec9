/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the files that users write, in the part of TOML 1.0 (toml.io) that such files need: comments, [tables] and
 * [[arrays of tables]], keys (bare, quoted, dotted), strings on one line (with escapes, or literal), whole numbers,
 * true and false, and arrays of these, also over several lines. Everything else is an error with its line: no value is
 * taken for another one. */
#ifndef GNOMON_LIB_TOML_H
#define GNOMON_LIB_TOML_H

#include <jansson.h>

#include "lib/util/error.h"

/* *root: an object with the tables as objects; the caller's. `name` is for messages. */
enum gnomon_status gnomon_toml_read(json_t **root, const char *text, const char *name, struct gnomon_error *error);

#endif
