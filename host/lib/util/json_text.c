/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/util/json_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ESCAPE "\\x"
enum { ESCAPE_BYTES = 4 };

size_t gnomon_utf8_bytes(const char *text) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* for each number of bytes */
    const uint8_t first = (uint8_t)*text;
    const size_t bytes = first < 0x80   ? 1
                         : first < 0xC0 ? 0
                         : first < 0xE0 ? 2
                         : first < 0xF0 ? 3
                         : first < 0xF8 ? 4
                                        : 0;
    if (bytes < 2)
        return bytes;
    uint32_t code = first & (0x7Fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if (((uint8_t)text[i] & 0xC0) != 0x80) /* also true at the end of the text */
            return 0;
        code = code << 6 | ((uint8_t)text[i] & 0x3F);
    }
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    return code < least[bytes] || code > 0x10FFFF || surrogate ? 0 : bytes;
}

static size_t put_escape(char *at, char byte) {
    static const char digits[] = "0123456789ABCDEF";
    at[0] = ESCAPE[0];
    at[1] = ESCAPE[1];
    at[2] = digits[(uint8_t)byte >> 4];
    at[3] = digits[(uint8_t)byte & 15];
    return ESCAPE_BYTES;
}

json_t *gnomon_json_text(const char *text) {
    if (!text)
        return json_null();
    char *escaped = malloc(strlen(text) * ESCAPE_BYTES + 1), *at = escaped;
    if (!escaped)
        return NULL;
    while (*text) {
        const size_t bytes = strncmp(text, ESCAPE, 2) ? gnomon_utf8_bytes(text) : 0;
        if (bytes)
            memcpy(at, text, bytes);
        at += bytes ? bytes : put_escape(at, *text);
        text += bytes ? bytes : 1;
    }
    *at = '\0';
    json_t *json = json_string(escaped);
    free(escaped);
    return json;
}

static bool digit(char text, unsigned *value) {
    const bool letter = text >= 'A' && text <= 'F';
    *value = (unsigned)(letter ? text - 'A' + 10 : text - '0');
    return letter || (text >= '0' && text <= '9');
}

char *gnomon_json_text_read(const json_t *json) {
    const char *text = json_string_value(json);
    char *bytes = strdup(text ? text : ""), *to = bytes;
    for (const char *from = bytes; from && *from; to++) {
        unsigned high, low;
        if (strncmp(from, ESCAPE, 2) == 0 && digit(from[2], &high) && digit(from[3], &low)) {
            *to = (char)(high << 4 | low);
            from += ESCAPE_BYTES;
        } else {
            *to = *from++;
        }
    }
    if (bytes)
        *to = '\0';
    return bytes;
}

char *gnomon_json_dump(json_t *json, size_t flags) {
    char *text = json ? json_dumps(json, flags) : NULL;
    json_decref(json);
    return text;
}

enum gnomon_status gnomon_json_write(json_t *json, size_t flags, const char *path, gnomon_json_write_file *write,
                                     struct gnomon_error *error) {
    char *text = gnomon_json_dump(json, flags);
    const enum gnomon_status status = text && path ? write(path, text, strlen(text), error) : gnomon_fail_memory(error);
    free(text);
    return status;
}
