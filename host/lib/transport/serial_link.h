/* SPDX-License-Identifier: Apache-2.0 */
/* The host's side of a board on a UART link (docs/guide/serial.md). It does the work of a USB host controller, one
 * transaction at a time. A lost or damaged frame is repeated until it is answered; the board does nothing twice. */
#ifndef GNOMON_LIB_SERIAL_LINK_H
#define GNOMON_LIB_SERIAL_LINK_H

#include "lib/transport/serial_frame.h"

#define SERIAL_ANSWERS 2 /* frames in answer to one token, at most */

/* Carries the bytes: a serial port of this machine, or a simulation, which has its own time. send and receive fail only
 * if the port or simulation is gone, and return the reason; NULL: success. */
struct serial_io {
    void *context;
    const char *(*send)(void *context, const uint8_t *data, size_t size);
    /* Receives bytes. Waits until some arrive, until now() is `end`, or until a signal comes. */
    const char *(*receive)(void *context, uint8_t *data, size_t size, uint64_t end, size_t *got, bool *interrupted);
    uint64_t (*now)(void *context); /* us */
    void (*close)(void *context);
};

struct serial_link {
    struct serial_io io;
    const char *address; /* for errors */
    unsigned scale;      /* factor for time-outs */
    uint8_t tag;         /* tag of the last frame sent */
    bool interrupted;    /* a signal came while waiting; the owner clears it */
    uint64_t round_trip; /* us, smoothed */
    uint64_t repeats;    /* frames sent again */
    struct serial_parser parser;
    uint8_t pending[SERIAL_LINE_BYTES]; /* acknowledgement to send before the next frame */
    size_t pending_size;
    uint8_t received[4096];
    size_t received_size, taken;
};

struct serial_answer {
    unsigned count;
    struct serial_frame frames[SERIAL_ANSWERS];
};

/* Puts the board into the state after a USB bus reset. GNOMON_ERR_NOT_FOUND: no answer within `timeout` ms. */
enum gnomon_status serial_link_reset(struct serial_link *link, unsigned timeout, struct gnomon_error *error);
/* Sends a token, with data for OUT or SETUP, and returns the board's answer. Fails with GNOMON_ERR_DISCONNECTED. */
enum gnomon_status serial_link_exchange(struct serial_link *link, struct serial_frame *frame,
                                        struct serial_answer *answer, struct gnomon_error *error);
/* Notes that `count` packets of the last answer were received; the next frame tells the board. */
void serial_link_acknowledge(struct serial_link *link, uint8_t endpoint, unsigned count);
/* Tells the board now, without waiting for an answer. */
void serial_link_flush(struct serial_link *link);

#endif
