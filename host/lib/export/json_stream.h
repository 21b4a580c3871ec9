/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of JSON for files that are written without a tree in memory. */
#ifndef GNOMON_LIB_EXPORT_JSON_STREAM_H
#define GNOMON_LIB_EXPORT_JSON_STREAM_H

#include "lib/util/text_buffer.h"

/* What a string takes at most. */
static inline size_t json_string_room(const char *string) {
    return 2 * strlen(string) + 2;
}

static inline char *json_write_character(char *to, char character) {
    *to = '\\';
    to += character == '"' || character == '\\';
    *to = character;
    return to + 1;
}

/* `string` is UTF-8 without control characters. Returns the place after it. */
static inline char *json_write_string(char *to, const char *string) {
    for (*to++ = '"'; *string; string++)
        to = json_write_character(to, *string);
    *to = '"';
    return to + 1;
}

static inline void json_put_string(FILE *stream, const char *string) {
    char escaped[2];
    putc_unlocked('"', stream);
    for (; *string; string++)
        if (json_write_character(escaped, *string) == escaped + 2)
            fwrite(escaped, 1, 2, stream);
        else
            putc_unlocked(*string, stream);
    putc_unlocked('"', stream);
}

static inline void json_add_string(struct gnomon_text_buffer *text, const char *string) {
    gnomon_text_put(text, "\"");
    for (; *string; string++)
        gnomon_text_end(text, json_write_character(gnomon_text_room(text, 2), *string));
    gnomon_text_put(text, "\"");
}

#endif
