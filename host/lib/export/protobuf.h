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

/* Fields of 0, and strings with no bytes, may be left out; these functions write them. */
void protobuf_number(struct protobuf *message, unsigned field, uint64_t value);
void protobuf_bytes(struct protobuf *message, unsigned field, const void *bytes, size_t count);
void protobuf_string(struct protobuf *message, unsigned field, const char *text);
/* Adds `part`, and clears it. */
void protobuf_message(struct protobuf *message, unsigned field, struct protobuf *part);
/* A number of a packed list; the list is added with protobuf_message. */
void protobuf_item(struct protobuf *list, uint64_t value);

#endif
