/* SPDX-License-Identifier: Apache-2.0 */
/* A decoder without I/O for the units that a device sends on endpoint 0x81 (docs/reference/usb-protocol.md, "Packets to
 * the host"). It takes bytes as they arrive, and gives replies, console bytes and events. */
#ifndef GNOMON_LIB_DEVICE_REPLY_PACKETS_H
#define GNOMON_LIB_DEVICE_REPLY_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/util/error.h"

#define GNOMON_REPLY_EVENT_EXIT 1
#define GNOMON_REPLY_EVENT_DEBUG 2

enum gnomon_reply_status { GNOMON_REPLY_GOOD, GNOMON_REPLY_BUS_ERROR, GNOMON_REPLY_UNKNOWN, GNOMON_REPLY_RUNNING };

enum gnomon_reply_reader_state {
    GNOMON_REPLY_SEARCH,  /* after opening: searching for one reply in the bytes of an earlier session */
    GNOMON_REPLY_HEAD,    /* at the first word of a unit */
    GNOMON_REPLY_WORDS,   /* in the words of the expected reply */
    GNOMON_REPLY_STATUS,  /* at the status of the expected reply */
    GNOMON_REPLY_SKIP,    /* in a reply that is no longer expected */
    GNOMON_REPLY_CONSOLE, /* in console bytes */
    GNOMON_REPLY_EVENT,   /* in the words of an event */
    GNOMON_REPLY_BROKEN,  /* after an invalid unit; `error` says what is wrong */
};

struct gnomon_reply_reader {
    void (*console)(void *context, const uint8_t *data, size_t size);
    void (*event)(void *context, unsigned number, const uint32_t *words, size_t count);
    void *context;

    enum gnomon_reply_reader_state state;
    uint8_t word[4]; /* the word that is being received */
    unsigned filled;
    size_t left;    /* remaining words or bytes of the unit */
    size_t padding; /* padding bytes of a console unit */
    unsigned number;
    uint32_t event_words[4];
    size_t event_count, event_stored;

    /* The expected reply. SEARCH also uses it, with `expect_value`, as its pattern. */
    bool expecting, done;
    uint8_t tag;
    uint32_t *words;
    size_t word_count, stored;
    uint32_t status;
    uint8_t window[12];
    uint32_t expect_value;

    uint64_t stale_replies; /* dropped replies: their tag was of an earlier session */
    struct gnomon_error error;
};

void gnomon_reply_reader_init(struct gnomon_reply_reader *reader);
/* Searches at every byte for the reply to a READ of one word with this tag and value. Everything before it is dropped.
 */
void gnomon_reply_reader_search(struct gnomon_reply_reader *reader, uint8_t tag, uint32_t value);
/* Expects the reply with this tag: its `count` words go to `words`, then `done` and `status` are set. */
void gnomon_reply_reader_expect(struct gnomon_reply_reader *reader, uint8_t tag, uint32_t *words, size_t count);
/* Number of bytes until the reply is complete, if no other unit comes in between. */
size_t gnomon_reply_reader_missing(const struct gnomon_reply_reader *reader);
enum gnomon_status gnomon_reply_reader_push(struct gnomon_reply_reader *reader, const uint8_t *data, size_t size,
                                            struct gnomon_error *error);

#endif
