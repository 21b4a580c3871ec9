/* SPDX-License-Identifier: Apache-2.0 */
/* The units that a device sends on endpoint 0x81 (docs/usb-protocol.md, "Packets to the host"): a pump without I/O.
 * Bytes go in as they come; replies, console bytes and events come out. */
#ifndef GNOMON_LIB_DEVICE_UNITS_H
#define GNOMON_LIB_DEVICE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

#define GNOMON_UNIT_EVENT_EXIT 1
#define GNOMON_UNIT_EVENT_DEBUG 2

enum gnomon_reply_status { GNOMON_REPLY_GOOD, GNOMON_REPLY_BUS_ERROR, GNOMON_REPLY_UNKNOWN, GNOMON_REPLY_RUNNING };

enum gnomon_units_state {
    GNOMON_UNITS_SEARCH,  /* after opening: looking for one reply in whatever was left from before */
    GNOMON_UNITS_HEAD,    /* at the first word of a unit */
    GNOMON_UNITS_WORDS,   /* in the words of the reply waited for */
    GNOMON_UNITS_STATUS,  /* at its status */
    GNOMON_UNITS_SKIP,    /* in a reply that nobody waits for any more */
    GNOMON_UNITS_CONSOLE, /* in console bytes */
    GNOMON_UNITS_EVENT,   /* in the words of an event */
    GNOMON_UNITS_BROKEN,  /* after something that cannot be; `error` says what */
};

struct gnomon_units {
    void (*console)(void *context, const uint8_t *data, size_t size);
    void (*event)(void *context, unsigned number, const uint32_t *words, size_t count);
    void *context;

    enum gnomon_units_state state;
    uint8_t word[4]; /* the word that is coming in */
    unsigned filled;
    size_t left;    /* words or bytes of the unit still to come */
    size_t padding; /* bytes of a console unit */
    unsigned number;
    uint32_t event_words[4];
    size_t event_count, event_stored;

    /* The reply waited for; also the pattern that SEARCH looks for, with `expect_value`. */
    bool expecting, done;
    uint8_t tag;
    uint32_t *words;
    size_t word_count, stored;
    uint32_t status;
    uint8_t window[12];
    uint32_t expect_value;

    uint64_t stale_replies; /* dropped: their tag was of an earlier session */
    struct gnomon_error error;
};

void gnomon_units_init(struct gnomon_units *units);
/* Looks for the reply to a READ of one word with this tag and value, at any byte, and drops everything before it. */
void gnomon_units_search(struct gnomon_units *units, uint8_t tag, uint32_t value);
/* Waits for the reply with this tag: `count` words go to `words`, then `done` and `status` are set. */
void gnomon_units_expect(struct gnomon_units *units, uint8_t tag, uint32_t *words, size_t count);
/* Bytes that must still come before the reply is complete, if nothing else comes in between. */
size_t gnomon_units_missing(const struct gnomon_units *units);
enum gnomon_status gnomon_units_push(struct gnomon_units *units, const uint8_t *data, size_t size,
                                     struct gnomon_error *error);

#endif
