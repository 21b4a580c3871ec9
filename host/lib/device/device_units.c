/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/device/device_units.h"

#include <string.h>

#include "lib/util/bytes.h"

enum { KIND_REPLY = 0x81, KIND_CONSOLE = 0xC0, KIND_EVENT = 0xE0 };

#define EVENT_WORDS (sizeof((struct gnomon_units *)0)->event_words / sizeof(uint32_t))

void gnomon_units_init(struct gnomon_units *units) {
    memset(units, 0, sizeof *units);
    units->state = GNOMON_UNITS_HEAD;
}

void gnomon_units_search(struct gnomon_units *units, uint8_t tag, uint32_t value) {
    units->state = GNOMON_UNITS_SEARCH;
    units->filled = 0;
    units->expecting = true;
    units->done = false;
    units->tag = tag;
    units->expect_value = value;
    memset(units->window, 0, sizeof units->window);
}

/* Gives up the expected reply. The rest of it may still come and is skipped. */
static void abandon(struct gnomon_units *units) {
    if (units->state == GNOMON_UNITS_WORDS)
        units->left++; /* plus the status */
    else if (units->state == GNOMON_UNITS_STATUS)
        units->left = 1;
    else
        return;
    units->state = GNOMON_UNITS_SKIP;
}

void gnomon_units_expect(struct gnomon_units *units, uint8_t tag, uint32_t *words, size_t count) {
    abandon(units);
    units->expecting = true;
    units->done = false;
    units->tag = tag;
    units->words = words;
    units->word_count = count;
    units->stored = 0;
}

size_t gnomon_units_missing(const struct gnomon_units *units) {
    if (!units->expecting || units->done)
        return 0;
    switch (units->state) {
    case GNOMON_UNITS_SEARCH:
        return sizeof units->window;
    case GNOMON_UNITS_WORDS:
        return (units->left + 1) * 4 - units->filled;
    case GNOMON_UNITS_STATUS:
        return 4 - units->filled;
    default: /* in another unit: its rest comes first, then at least the whole reply */
        return (units->word_count + 2) * 4 - (units->state == GNOMON_UNITS_HEAD ? units->filled : 0);
    }
}

static enum gnomon_status broken(struct gnomon_units *units, const char *what, uint32_t word) {
    units->state = GNOMON_UNITS_BROKEN;
    gnomon_fail(&units->error, GNOMON_ERR_PROTOCOL, "the device sent %s (0x%08x)", what, (unsigned)word);
    return gnomon_remedy(&units->error, GNOMON_ERR_PROTOCOL,
                         "reset the device; the gnomon command and the bitstream should be of one release");
}

static enum gnomon_status reply_head(struct gnomon_units *units, uint32_t word) {
    size_t count = word >> 16;
    if (!units->expecting || units->done || (word >> 8 & 0xFF) != units->tag) {
        units->stale_replies++;
        units->state = GNOMON_UNITS_SKIP;
        units->left = count + 1;
        return GNOMON_OK;
    }
    if (count != units->word_count)
        return broken(units, "a reply of another length than was asked for", word);
    units->left = count;
    units->state = count ? GNOMON_UNITS_WORDS : GNOMON_UNITS_STATUS;
    return GNOMON_OK;
}

static enum gnomon_status unit_head(struct gnomon_units *units, uint32_t word) {
    size_t count = word >> 16;
    switch (word & 0xFF) {
    case KIND_REPLY:
        return reply_head(units, word);
    case KIND_CONSOLE:
        units->left = count;
        units->padding = (4 - count % 4) % 4;
        units->state = count ? GNOMON_UNITS_CONSOLE : GNOMON_UNITS_HEAD;
        return GNOMON_OK;
    case KIND_EVENT:
        units->number = word >> 8 & 0xFF;
        units->left = units->event_count = count;
        units->event_stored = 0;
        units->state = GNOMON_UNITS_EVENT;
        if (count)
            return GNOMON_OK;
        return broken(units, "an event without words", word);
    default:
        return broken(units, "a unit of unknown kind", word);
    }
}

static void take_event_word(struct gnomon_units *units, uint32_t word) {
    if (units->event_stored < EVENT_WORDS) /* later versions may send more words */
        units->event_words[units->event_stored++] = word;
    if (--units->left)
        return;
    units->state = GNOMON_UNITS_HEAD;
    if (units->event)
        units->event(units->context, units->number, units->event_words, units->event_stored);
}

static enum gnomon_status take_word(struct gnomon_units *units, uint32_t word) {
    switch (units->state) {
    case GNOMON_UNITS_HEAD:
        return unit_head(units, word);
    case GNOMON_UNITS_WORDS:
        units->words[units->stored++] = word;
        if (--units->left == 0)
            units->state = GNOMON_UNITS_STATUS;
        return GNOMON_OK;
    case GNOMON_UNITS_STATUS:
        units->status = word;
        units->done = true;
        units->state = GNOMON_UNITS_HEAD;
        return GNOMON_OK;
    case GNOMON_UNITS_SKIP:
        if (--units->left == 0)
            units->state = GNOMON_UNITS_HEAD;
        return GNOMON_OK;
    case GNOMON_UNITS_EVENT:
        take_event_word(units, word);
        return GNOMON_OK;
    default:
        return GNOMON_OK;
    }
}

/* Takes one byte during the search: compares the last twelve bytes with the reply. */
static void search_byte(struct gnomon_units *units, uint8_t byte) {
    memmove(units->window, units->window + 1, sizeof units->window - 1);
    units->window[sizeof units->window - 1] = byte;
    if ((uint32_t)gnomon_little(units->window, 4) != (KIND_REPLY | (uint32_t)units->tag << 8 | 1u << 16) ||
        (uint32_t)gnomon_little(units->window + 4, 4) != units->expect_value ||
        (uint32_t)gnomon_little(units->window + 8, 4) != 0)
        return;
    units->done = true;
    units->status = 0;
    units->state = GNOMON_UNITS_HEAD;
}

/* Takes the console bytes of `data`; returns how many were used. */
static size_t take_console(struct gnomon_units *units, const uint8_t *data, size_t size) {
    size_t text = units->left < size ? units->left : size;
    if (text && units->console)
        units->console(units->context, data, text);
    units->left -= text;
    size_t padding = units->left ? 0 : units->padding < size - text ? units->padding : size - text;
    units->padding -= padding;
    if (!units->left && !units->padding)
        units->state = GNOMON_UNITS_HEAD;
    return text + padding;
}

enum gnomon_status gnomon_units_push(struct gnomon_units *units, const uint8_t *data, size_t size,
                                     struct gnomon_error *error) {
    enum gnomon_status status = units->state == GNOMON_UNITS_BROKEN ? GNOMON_ERR_PROTOCOL : GNOMON_OK;
    while (size && !status) {
        size_t used = 1;
        if (units->state == GNOMON_UNITS_SEARCH) {
            search_byte(units, *data);
        } else if (units->state == GNOMON_UNITS_CONSOLE) {
            used = take_console(units, data, size);
        } else {
            units->word[units->filled++] = *data;
            if (units->filled == 4) {
                units->filled = 0;
                status = take_word(units, (uint32_t)gnomon_little(units->word, 4));
            }
        }
        data += used;
        size -= used;
    }
    if (status && error)
        *error = units->error;
    return status;
}
