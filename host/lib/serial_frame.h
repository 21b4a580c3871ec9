/* SPDX-License-Identifier: Apache-2.0 */
/* Frames on the asynchronous line of a board (docs/serial.md). No input or output here: bytes in, packets out. */
#ifndef GNOMON_LIB_SERIAL_FRAME_H
#define GNOMON_LIB_SERIAL_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "transport.h"

/* What bits 3:0 of a frame's first byte say. */
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

#define SERIAL_EITHER 3   /* an IN token for endpoint 1 or, if there is nothing, 2 */
#define SERIAL_OVERHEAD 4 /* bytes of a frame beside its data: PID, argument, CRC */
#define SERIAL_FRAME_BYTES (SERIAL_OVERHEAD + GNOMON_USB_PACKET)
#define SERIAL_LINE_BYTES (2 * SERIAL_FRAME_BYTES + 2) /* with everything escaped and both marks */

/* One frame, in either direction. */
struct serial_frame {
    uint8_t pid, tag, endpoint;
    uint8_t flags; /* to the board: toggle, packets received; from it: see below */
    uint8_t size;
    uint8_t data[GNOMON_USB_PACKET];
};

#define SERIAL_SECOND 1u /* the second packet that the token got */
#define SERIAL_MORE 2u   /* another follows */

/* Receiver; all zeros is a good beginning. */
struct serial_parser {
    uint8_t bytes[SERIAL_FRAME_BYTES];
    size_t size;
    bool escaped, skip; /* skip: until the next mark */
    uint64_t damaged;   /* frames that were not good */
};

/* A frame to the board as it goes over the line; returns its length, SERIAL_LINE_BYTES at most. */
size_t serial_encode(const struct serial_frame *frame, uint8_t *line);
/* True when the byte has ended a good frame from the board, which is in *frame then. */
bool serial_decode(struct serial_parser *parser, uint8_t byte, struct serial_frame *frame);
uint16_t serial_crc(const uint8_t *data, size_t size);

#endif
