/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/util/text_buffer.h"

#include <stdarg.h>

void gnomon_text_flush(struct gnomon_text_buffer *text) {
    fwrite(text->bytes, 1, text->used, text->stream);
    text->used = 0;
}

void gnomon_text_add(struct gnomon_text_buffer *text, const char *bytes, size_t count) {
    if (count > sizeof text->bytes) {
        gnomon_text_flush(text);
        fwrite(bytes, 1, count, text->stream);
        return;
    }
    char *to = gnomon_text_room(text, count);
    memcpy(to, bytes, count);
    gnomon_text_end(text, to + count);
}

void gnomon_text_format(struct gnomon_text_buffer *text, const char *format, ...) {
    const size_t left = sizeof text->bytes - text->used;
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(text->bytes + text->used, left, format, list);
    va_end(list);
    if (length >= 0 && (size_t)length < left) {
        text->used += (size_t)length;
        return;
    }
    gnomon_text_flush(text);
    va_start(list, format);
    vfprintf(text->stream, format, list);
    va_end(list);
}
