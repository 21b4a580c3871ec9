/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/transport/serial_frame.h"

#include <string.h>

enum { MARK = 0x7E, ESCAPE = 0x7D, ESCAPED = 0x20 };

uint16_t serial_crc(const uint8_t *data, size_t size) {
    unsigned crc = 0xFFFF;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xA001u : 0);
    }
    return (uint16_t)~crc;
}

size_t serial_encode(const struct serial_frame *frame, uint8_t *line) {
    uint8_t bytes[SERIAL_FRAME_BYTES];
    bytes[0] = (uint8_t)(frame->pid | (~(unsigned)frame->pid & 0xF) << 4);
    bytes[1] = (uint8_t)(frame->tag << 4 | (frame->flags & 3) << 2 | (frame->endpoint & 3));
    memcpy(bytes + 2, frame->data, frame->size);
    size_t size = 2u + frame->size, used = 0;
    uint16_t crc = serial_crc(bytes, size);
    bytes[size++] = (uint8_t)crc;
    bytes[size++] = (uint8_t)(crc >> 8);
    line[used++] = MARK;
    for (size_t i = 0; i < size; i++) {
        bool special = bytes[i] == MARK || bytes[i] == ESCAPE;
        if (special)
            line[used++] = ESCAPE;
        line[used++] = special ? bytes[i] ^ ESCAPED : bytes[i];
    }
    line[used++] = MARK;
    return used;
}

/* Is it a good frame? `bytes`: what was received between two marks. */
static bool is_good(const uint8_t *bytes, size_t size, struct serial_frame *frame) {
    if (size < SERIAL_OVERHEAD || (bytes[0] >> 4 ^ (bytes[0] & 0xF)) != 0xF)
        return false;
    if (serial_crc(bytes, size - 2) != (uint16_t)(bytes[size - 2] | bytes[size - 1] << 8))
        return false;
    frame->pid = bytes[0] & 0xF;
    frame->tag = bytes[1] >> 4;
    frame->endpoint = bytes[1] >> 2 & 3;
    frame->flags = bytes[1] & 3;
    frame->size = (uint8_t)(size - SERIAL_OVERHEAD);
    memcpy(frame->data, bytes + 2, frame->size);
    return true;
}

bool serial_decode(struct serial_parser *parser, uint8_t byte, struct serial_frame *frame) {
    if (byte == MARK) {
        bool empty = parser->size == 0 && !parser->escaped && !parser->skip;
        bool good = !parser->skip && !parser->escaped && is_good(parser->bytes, parser->size, frame);
        parser->damaged += !good && !empty;
        parser->size = 0;
        parser->escaped = parser->skip = false;
        return good;
    }
    if (byte == ESCAPE && !parser->escaped) {
        parser->escaped = true;
        return false;
    }
    if (parser->size == sizeof parser->bytes)
        parser->skip = true;
    else
        parser->bytes[parser->size++] = parser->escaped ? byte ^ ESCAPED : byte;
    parser->escaped = false;
    return false;
}
