/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/device/reply_packets.h"

#include <string.h>

#include "lib/util/bytes.h"

enum { KIND_REPLY = 0x81, KIND_CONSOLE = 0xC0, KIND_EVENT = 0xE0 };

#define EVENT_WORDS (sizeof((struct gnomon_reply_reader *)0)->event_words / sizeof(uint32_t))

void gnomon_reply_reader_init(struct gnomon_reply_reader *reader) {
    memset(reader, 0, sizeof *reader);
    reader->state = GNOMON_REPLY_HEAD;
}

void gnomon_reply_reader_search(struct gnomon_reply_reader *reader, uint8_t tag, uint32_t value) {
    reader->state = GNOMON_REPLY_SEARCH;
    reader->filled = 0;
    reader->expecting = true;
    reader->done = false;
    reader->tag = tag;
    reader->expect_value = value;
    memset(reader->window, 0, sizeof reader->window);
}

/* Gives up the expected reply. The rest of it may still come and is skipped. */
static void abandon(struct gnomon_reply_reader *reader) {
    if (reader->state == GNOMON_REPLY_WORDS)
        reader->left++; /* plus the status */
    else if (reader->state == GNOMON_REPLY_STATUS)
        reader->left = 1;
    else
        return;
    reader->state = GNOMON_REPLY_SKIP;
}

void gnomon_reply_reader_expect(struct gnomon_reply_reader *reader, uint8_t tag, uint32_t *words, size_t count) {
    abandon(reader);
    reader->expecting = true;
    reader->done = false;
    reader->tag = tag;
    reader->words = words;
    reader->word_count = count;
    reader->stored = 0;
}

size_t gnomon_reply_reader_missing(const struct gnomon_reply_reader *reader) {
    if (!reader->expecting || reader->done)
        return 0;
    switch (reader->state) {
    case GNOMON_REPLY_SEARCH:
        return sizeof reader->window;
    case GNOMON_REPLY_WORDS:
        return (reader->left + 1) * 4 - reader->filled;
    case GNOMON_REPLY_STATUS:
        return 4 - reader->filled;
    default: /* in another unit: its rest comes first, then at least the whole reply */
        return (reader->word_count + 2) * 4 - (reader->state == GNOMON_REPLY_HEAD ? reader->filled : 0);
    }
}

static enum gnomon_status broken(struct gnomon_reply_reader *reader, const char *what, uint32_t word) {
    reader->state = GNOMON_REPLY_BROKEN;
    gnomon_fail(&reader->error, GNOMON_ERR_PROTOCOL, "the device sent %s (0x%08x)", what, (unsigned)word);
    return gnomon_remedy(&reader->error, GNOMON_ERR_PROTOCOL,
                         "reset the device; the gnomon command and the bitstream should be of one release");
}

static enum gnomon_status reply_head(struct gnomon_reply_reader *reader, uint32_t word) {
    size_t count = word >> 16;
    if (!reader->expecting || reader->done || (word >> 8 & 0xFF) != reader->tag) {
        reader->stale_replies++;
        reader->state = GNOMON_REPLY_SKIP;
        reader->left = count + 1;
        return GNOMON_OK;
    }
    if (count != reader->word_count)
        return broken(reader, "a reply of another length than was asked for", word);
    reader->left = count;
    reader->state = count ? GNOMON_REPLY_WORDS : GNOMON_REPLY_STATUS;
    return GNOMON_OK;
}

static enum gnomon_status unit_head(struct gnomon_reply_reader *reader, uint32_t word) {
    size_t count = word >> 16;
    switch (word & 0xFF) {
    case KIND_REPLY:
        return reply_head(reader, word);
    case KIND_CONSOLE:
        reader->left = count;
        reader->padding = (4 - count % 4) % 4;
        reader->state = count ? GNOMON_REPLY_CONSOLE : GNOMON_REPLY_HEAD;
        return GNOMON_OK;
    case KIND_EVENT:
        reader->number = word >> 8 & 0xFF;
        reader->left = reader->event_count = count;
        reader->event_stored = 0;
        reader->state = GNOMON_REPLY_EVENT;
        if (count)
            return GNOMON_OK;
        return broken(reader, "an event without words", word);
    default:
        return broken(reader, "a unit of unknown kind", word);
    }
}

static void take_event_word(struct gnomon_reply_reader *reader, uint32_t word) {
    if (reader->event_stored < EVENT_WORDS) /* later versions may send more words */
        reader->event_words[reader->event_stored++] = word;
    if (--reader->left)
        return;
    reader->state = GNOMON_REPLY_HEAD;
    if (reader->event)
        reader->event(reader->context, reader->number, reader->event_words, reader->event_stored);
}

static enum gnomon_status take_word(struct gnomon_reply_reader *reader, uint32_t word) {
    switch (reader->state) {
    case GNOMON_REPLY_HEAD:
        return unit_head(reader, word);
    case GNOMON_REPLY_WORDS:
        reader->words[reader->stored++] = word;
        if (--reader->left == 0)
            reader->state = GNOMON_REPLY_STATUS;
        return GNOMON_OK;
    case GNOMON_REPLY_STATUS:
        reader->status = word;
        reader->done = true;
        reader->state = GNOMON_REPLY_HEAD;
        return GNOMON_OK;
    case GNOMON_REPLY_SKIP:
        if (--reader->left == 0)
            reader->state = GNOMON_REPLY_HEAD;
        return GNOMON_OK;
    case GNOMON_REPLY_EVENT:
        take_event_word(reader, word);
        return GNOMON_OK;
    default:
        return GNOMON_OK;
    }
}

/* Takes one byte during the search: compares the last twelve bytes with the reply. */
static void search_byte(struct gnomon_reply_reader *reader, uint8_t byte) {
    memmove(reader->window, reader->window + 1, sizeof reader->window - 1);
    reader->window[sizeof reader->window - 1] = byte;
    if ((uint32_t)gnomon_little(reader->window, 4) != (KIND_REPLY | (uint32_t)reader->tag << 8 | 1u << 16) ||
        (uint32_t)gnomon_little(reader->window + 4, 4) != reader->expect_value ||
        (uint32_t)gnomon_little(reader->window + 8, 4) != 0)
        return;
    reader->done = true;
    reader->status = 0;
    reader->state = GNOMON_REPLY_HEAD;
}

/* Takes the console bytes of `data`; returns how many were used. */
static size_t take_console(struct gnomon_reply_reader *reader, const uint8_t *data, size_t size) {
    size_t text = reader->left < size ? reader->left : size;
    if (text && reader->console)
        reader->console(reader->context, data, text);
    reader->left -= text;
    size_t padding = reader->left ? 0 : reader->padding < size - text ? reader->padding : size - text;
    reader->padding -= padding;
    if (!reader->left && !reader->padding)
        reader->state = GNOMON_REPLY_HEAD;
    return text + padding;
}

enum gnomon_status gnomon_reply_reader_push(struct gnomon_reply_reader *reader, const uint8_t *data, size_t size,
                                            struct gnomon_error *error) {
    enum gnomon_status status = reader->state == GNOMON_REPLY_BROKEN ? GNOMON_ERR_PROTOCOL : GNOMON_OK;
    while (size && !status) {
        size_t used = 1;
        if (reader->state == GNOMON_REPLY_SEARCH) {
            search_byte(reader, *data);
        } else if (reader->state == GNOMON_REPLY_CONSOLE) {
            used = take_console(reader, data, size);
        } else {
            reader->word[reader->filled++] = *data;
            if (reader->filled == 4) {
                reader->filled = 0;
                status = take_word(reader, (uint32_t)gnomon_little(reader->word, 4));
            }
        }
        data += used;
        size -= used;
    }
    if (status && error)
        *error = reader->error;
    return status;
}
