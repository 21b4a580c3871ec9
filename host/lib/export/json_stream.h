/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of JSON for files that are written without a tree in memory. */
#ifndef GNOMON_LIB_EXPORT_JSON_STREAM_H
#define GNOMON_LIB_EXPORT_JSON_STREAM_H

#include <inttypes.h>
#include <stdio.h>

/* `text` is UTF-8 without control characters. */
static inline void json_put_string(FILE *stream, const char *text) {
    putc_unlocked('"', stream);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putc_unlocked('\\', stream);
        putc_unlocked(*text, stream);
    }
    putc_unlocked('"', stream);
}

static inline void json_put_microseconds(FILE *stream, uint64_t nanoseconds) {
    fprintf(stream, "%" PRIu64 ".%03u", nanoseconds / 1000, (unsigned)(nanoseconds % 1000));
}

#endif
