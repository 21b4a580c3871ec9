/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/export/protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "lib/util/array.h"

void protobuf_free(struct protobuf *message) {
    free(message->bytes);
    *message = (struct protobuf){0};
}

void protobuf_clear(struct protobuf *message) {
    message->count = 0;
}

bool protobuf_grow(struct protobuf *message, size_t count) {
    message->failed |= !gnomon_array_room(&message->bytes, &message->room, message->count + count, 1);
    return !message->failed;
}

void protobuf_number(struct protobuf *message, unsigned field, uint64_t value) {
    protobuf_item(message, PROTOBUF_TAG(field, PROTOBUF_NUMBER));
    protobuf_item(message, value);
}

void protobuf_bytes(struct protobuf *message, unsigned field, const void *bytes, size_t count) {
    protobuf_item(message, PROTOBUF_TAG(field, PROTOBUF_BYTES));
    protobuf_item(message, count);
    if (!protobuf_room(message, count))
        return;
    if (count)
        memcpy(message->bytes + message->count, bytes, count);
    message->count += count;
}

void protobuf_string(struct protobuf *message, unsigned field, const char *text) {
    protobuf_bytes(message, field, text, strlen(text));
}

void protobuf_message(struct protobuf *message, unsigned field, struct protobuf *part) {
    message->failed |= part->failed;
    protobuf_bytes(message, field, part->bytes, part->count);
    protobuf_clear(part);
}
