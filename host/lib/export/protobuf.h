/* SPDX-License-Identifier: Apache-2.0 */
/* Writes messages in the wire format of protocol buffers. A message within a message is written to a buffer of its own
 * first. */
#ifndef GNOMON_LIB_EXPORT_PROTOBUF_H
#define GNOMON_LIB_EXPORT_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts as zeros. */
struct protobuf {
    uint8_t *bytes;
    size_t count, room;
    bool failed; /* out of memory */
};

void protobuf_free(struct protobuf *message);
/* Makes it empty, for the next message. */
void protobuf_clear(struct protobuf *message);

/* Room for `count` bytes more. False, and `failed` is set: out of memory. */
bool protobuf_grow(struct protobuf *message, size_t count);
static inline bool protobuf_room(struct protobuf *message, size_t count) {
    return count <= message->room - message->count || protobuf_grow(message, count);
}

/* A number as it is written; `to` has room for PROTOBUF_MOST bytes. Returns the place after it. */
#define PROTOBUF_MOST 10
static inline uint8_t *protobuf_write(uint8_t *to, uint64_t value) {
    for (; value > 0x7F; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to = (uint8_t)value;
    return to + 1;
}
/* The number before a field; the two types that are in use. */
enum protobuf_type { PROTOBUF_NUMBER = 0, PROTOBUF_BYTES = 2 };
#define PROTOBUF_TAG(field, type) ((field) << 3 | (type))

/* Fields of 0, and strings with no bytes, may be left out; these functions write them. */
void protobuf_number(struct protobuf *message, unsigned field, uint64_t value);
void protobuf_bytes(struct protobuf *message, unsigned field, const void *bytes, size_t count);
void protobuf_string(struct protobuf *message, unsigned field, const char *text);
/* Adds `part`, and clears it. */
void protobuf_message(struct protobuf *message, unsigned field, struct protobuf *part);
/* A number of a packed list; the list is added with protobuf_message. */
static inline void protobuf_item(struct protobuf *list, uint64_t value) {
    if (protobuf_room(list, PROTOBUF_MOST))
        list->count = (size_t)(protobuf_write(list->bytes + list->count, value) - list->bytes);
}

#endif
