/* SPDX-License-Identifier: Apache-2.0 */
/* What is written to a stream, collected, for writers of many short texts: a call of stdio for each would take most of
 * their time. */
#ifndef GNOMON_LIB_TEXT_BUFFER_H
#define GNOMON_LIB_TEXT_BUFFER_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lib/util/decimal.h"

#define GNOMON_TEXT_BYTES 65536

/* Starts empty, with a stream. */
struct gnomon_text_buffer {
    FILE *stream;
    size_t used;
    char bytes[GNOMON_TEXT_BYTES];
};

/* Writes what is there to the stream, whose errors tell of failures. Before anyone else writes to it, and at the end.
 */
void gnomon_text_flush(struct gnomon_text_buffer *text);

/* Room for `most` bytes (at most GNOMON_TEXT_BYTES): the place where they are to be written. */
static inline char *gnomon_text_room(struct gnomon_text_buffer *text, size_t most) {
    if (most > sizeof text->bytes - text->used)
        gnomon_text_flush(text);
    return text->bytes + text->used;
}
/* How much room there is from `at` on. */
static inline size_t gnomon_text_left(const struct gnomon_text_buffer *text, const char *at) {
    return (size_t)(text->bytes + sizeof text->bytes - at);
}
/* The place after what was written there. */
static inline void gnomon_text_end(struct gnomon_text_buffer *text, const char *end) {
    text->used = (size_t)(end - text->bytes);
}

/* Any number of bytes. */
void gnomon_text_add(struct gnomon_text_buffer *text, const char *bytes, size_t count);
static inline void gnomon_text_put(struct gnomon_text_buffer *text, const char *string) {
    gnomon_text_add(text, string, strlen(string));
}
/* Like printf. */
void gnomon_text_format(struct gnomon_text_buffer *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void gnomon_text_number(struct gnomon_text_buffer *text, uint64_t value) {
    gnomon_text_end(text, gnomon_decimal_put(gnomon_text_room(text, GNOMON_DECIMAL_MOST), value));
}

#endif
