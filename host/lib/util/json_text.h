/* SPDX-License-Identifier: Apache-2.0 */
/* Text as a JSON string. JSON strings must be UTF-8; names of files and functions, and arguments, need not be. A byte
 * that belongs to no character is written as \xHH. The backslash of "\x" in the text is written as \x5C, so that the
 * string can be read back. */
#ifndef GNOMON_LIB_JSON_TEXT_H
#define GNOMON_LIB_JSON_TEXT_H

#include <jansson.h>
#include <stddef.h>

/* null where `text` is NULL. NULL: out of memory. */
json_t *gnomon_json_text(const char *text);
/* The bytes that were given to gnomon_json_text; the caller frees them. "" if `json` is no string. NULL: out of memory.
 */
char *gnomon_json_text_read(const json_t *json);

/* Number of bytes of the first character of `text`; 0: it is not valid UTF-8. */
size_t gnomon_utf8_bytes(const char *text);

#endif
