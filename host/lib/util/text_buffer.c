/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/util/text_buffer.h"

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
