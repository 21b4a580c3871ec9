/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes and decodes frames of a board's UART link (docs/guide/serial.md). No input or output here. */
#ifndef GNOMON_LIB_SERIAL_FRAME_H
#define GNOMON_LIB_SERIAL_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/transport/transport.h"

/* Bits 3:0 of a frame's first byte. */
enum serial_pid {
    SERIAL_NONE = 0x0,
    SERIAL_OUT = 0x1,
    SERIAL_ACK = 0x2,
    SERIAL_DATA0 = 0x3,
    SERIAL_RESET = 0x5,
    SERIAL_IN = 0x9,
    SERIAL_NAK = 0xA,
    SERIAL_DATA1 = 0xB,
    SERIAL_SETUP = 0xD,
    SERIAL_STALL = 0xE,
};

#define SERIAL_EITHER 3   /* an IN token for endpoint 1 or, if it has nothing, endpoint 2 */
#define SERIAL_OVERHEAD 4 /* bytes of a frame in addition to its data: PID, argument, CRC */
#define SERIAL_FRAME_BYTES (SERIAL_OVERHEAD + GNOMON_USB_PACKET)
#define SERIAL_LINE_BYTES (2 * SERIAL_FRAME_BYTES + 2) /* with all bytes escaped, and both marks */

/* One frame, in either direction. */
struct serial_frame {
    uint8_t pid, tag, endpoint;
    uint8_t flags; /* to the board: toggle, packets received; from the board: SERIAL_SECOND, SERIAL_MORE */
    uint8_t size;
    uint8_t data[GNOMON_USB_PACKET];
};

#define SERIAL_SECOND 1u /* the second packet in answer to the token */
#define SERIAL_MORE 2u   /* another packet follows */

/* The receiver; it starts with all fields 0. */
struct serial_parser {
    uint8_t bytes[SERIAL_FRAME_BYTES];
    size_t size;
    bool escaped, skip; /* skip: ignore bytes until the next mark */
    uint64_t damaged;   /* frames that were dropped because they were damaged */
};

/* Encodes a frame to the board for the line; returns its length, at most SERIAL_LINE_BYTES. */
size_t serial_encode(const struct serial_frame *frame, uint8_t *line);
/* Takes one byte. True: the byte completed a good frame from the board, which is now in *frame. */
bool serial_decode(struct serial_parser *parser, uint8_t byte, struct serial_frame *frame);
uint16_t serial_crc(const uint8_t *data, size_t size);

#endif
