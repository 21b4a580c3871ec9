/* SPDX-License-Identifier: Apache-2.0 */
/* The host's side of a board on an asynchronous line (docs/serial.md): what a USB host controller is, one transaction
 * at a time. A frame that is lost or damaged is repeated until it is answered, and nothing is done twice. */
#ifndef GNOMON_LIB_SERIAL_LINK_H
#define GNOMON_LIB_SERIAL_LINK_H

#include "serial_frame.h"

#define SERIAL_ANSWERS 2 /* frames that one token can get */

/* What carries the bytes: a port of this machine, or a simulation, whose time is its own. Both fail only when it is
 * gone, and return why; NULL is good. */
struct serial_io {
    void *context;
    const char *(*send)(void *context, const uint8_t *data, size_t size);
    /* Waits for bytes until now() is `end` or a signal comes. */
    const char *(*receive)(void *context, uint8_t *data, size_t size, uint64_t end, size_t *got, bool *interrupted);
    uint64_t (*now)(void *context); /* us */
    void (*close)(void *context);
};

struct serial_link {
    struct serial_io io;
    const char *address; /* for errors */
    unsigned scale;      /* of time-outs */
    uint8_t tag;         /* of the last frame sent */
    bool interrupted;    /* a signal came while waiting; the owner clears it */
    uint64_t round_trip; /* us, smoothed */
    uint64_t repeats;    /* frames sent again */
    struct serial_parser parser;
    uint8_t pending[SERIAL_LINE_BYTES]; /* acknowledgement that goes before the next frame */
    size_t pending_size;
    uint8_t received[4096];
    size_t received_size, taken;
};

struct serial_answer {
    unsigned count;
    struct serial_frame frames[SERIAL_ANSWERS];
};

/* Puts the board into USB's state after a bus reset. Fails with GNOMON_ERR_NOT_FOUND if nobody answers within `timeout`
 * ms. */
enum gnomon_status serial_link_reset(struct serial_link *link, unsigned timeout, struct gnomon_error *error);
/* Sends a token, with its data if it is OUT or SETUP, and returns what the board answers. Fails with
 * GNOMON_ERR_DISCONNECTED. */
enum gnomon_status serial_link_exchange(struct serial_link *link, struct serial_frame *frame,
                                        struct serial_answer *answer, struct gnomon_error *error);
/* So many packets of the last answer have come; the board is told with the next frame. */
void serial_link_acknowledge(struct serial_link *link, uint8_t endpoint, unsigned count);
/* Or now, as far as that can be done without an answer. */
void serial_link_flush(struct serial_link *link);

#endif
