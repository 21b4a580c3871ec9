/* SPDX-License-Identifier: Apache-2.0 */
/* Text as a JSON string. JSON strings must be UTF-8; names of files and functions, and arguments, need not be. A byte
 * that belongs to no character is written as \xHH. The backslash of "\x" in the text is written as \x5C, so that the
 * string can be read back. And JSON as text, in memory and in files. */
#ifndef GNOMON_LIB_JSON_TEXT_H
#define GNOMON_LIB_JSON_TEXT_H

#include <jansson.h>
#include <stddef.h>

#include "lib/util/error.h"

/* null where `text` is NULL. NULL: out of memory. */
json_t *gnomon_json_text(const char *text);
/* The bytes that were given to gnomon_json_text; the caller frees them. "" if `json` is no string. NULL: out of memory.
 */
char *gnomon_json_text_read(const json_t *json);

/* The text that json_dumps makes of `json` with `flags`; the caller frees it. Takes the reference. NULL: out of memory,
 * as where `json` is NULL. */
char *gnomon_json_dump(json_t *json, size_t flags);
/* The same as a file that `write` writes: gnomon_write_file, or a function like it. `path` NULL is out of memory, too.
 */
typedef enum gnomon_status gnomon_json_write_file(const char *path, const void *data, size_t size,
                                                  struct gnomon_error *error);
enum gnomon_status gnomon_json_write(json_t *json, size_t flags, const char *path, gnomon_json_write_file *write,
                                     struct gnomon_error *error);

/* Number of bytes of the first character of `text`; 0: it is not valid UTF-8. */
size_t gnomon_utf8_bytes(const char *text);

#endif
