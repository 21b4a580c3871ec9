/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/export/protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "lib/util/array.h"

enum wire_type { WIRE_VARINT = 0, WIRE_BYTES = 2 };

void protobuf_free(struct protobuf *message) {
    free(message->bytes);
    *message = (struct protobuf){0};
}

void protobuf_clear(struct protobuf *message) {
    message->count = 0;
}

static void append(struct protobuf *message, const void *bytes, size_t count) {
    if (!gnomon_array_room(&message->bytes, &message->room, message->count + count, 1)) {
        message->failed = true;
        return;
    }
    if (count)
        memcpy(message->bytes + message->count, bytes, count);
    message->count += count;
}

void protobuf_item(struct protobuf *list, uint64_t value) {
    uint8_t bytes[10];
    size_t count = 0;
    do {
        bytes[count++] = (uint8_t)((value & 0x7F) | (value > 0x7F ? 0x80 : 0));
        value >>= 7;
    } while (value);
    append(list, bytes, count);
}

void protobuf_number(struct protobuf *message, unsigned field, uint64_t value) {
    protobuf_item(message, field << 3 | WIRE_VARINT);
    protobuf_item(message, value);
}

void protobuf_bytes(struct protobuf *message, unsigned field, const void *bytes, size_t count) {
    protobuf_item(message, field << 3 | WIRE_BYTES);
    protobuf_item(message, count);
    append(message, bytes, count);
}

void protobuf_string(struct protobuf *message, unsigned field, const char *text) {
    protobuf_bytes(message, field, text, strlen(text));
}

void protobuf_message(struct protobuf *message, unsigned field, struct protobuf *part) {
    message->failed |= part->failed;
    protobuf_bytes(message, field, part->bytes, part->count);
    protobuf_clear(part);
}
