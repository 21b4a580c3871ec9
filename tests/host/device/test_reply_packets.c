/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of reply packets: the result does not depend on how the bytes are cut into packets, and invalid data
 * are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/device/reply_packets.h"

struct seen {
    char console[256];
    size_t console_size;
    unsigned events, number;
    uint32_t word;
    size_t words;
};

static void on_console(void *context, const uint8_t *data, size_t size) {
    struct seen *seen = context;
    assert_true(seen->console_size + size < sizeof seen->console);
    memcpy(seen->console + seen->console_size, data, size);
    seen->console_size += size;
}

static void on_event(void *context, unsigned number, const uint32_t *words, size_t count) {
    struct seen *seen = context;
    seen->events++;
    seen->number = number;
    seen->words = count;
    seen->word = words[0];
}

static void begin(struct gnomon_reply_reader *reader, struct seen *seen) {
    memset(seen, 0, sizeof *seen);
    gnomon_reply_reader_init(reader);
    reader->context = seen;
    reader->console = on_console;
    reader->event = on_event;
}

#define WORD(word)                                                                                                     \
    (uint8_t)(word), (uint8_t)((uint32_t)(word) >> 8), (uint8_t)((uint32_t)(word) >> 16),                              \
        (uint8_t)((uint32_t)(word) >> 24)
#define REPLY(tag, count) WORD(0x81u | (tag) << 8 | (count) << 16)
#define CONSOLE(count) WORD(0xC0u | (count) << 16)
#define EVENT(number, count) WORD(0xE0u | (number) << 8 | (count) << 16)

/* Console text of every length modulo four, an event, a reply of an earlier session, and the expected reply. */
static const uint8_t mixture[] = {
    CONSOLE(1),
    'a',
    0,
    0,
    0,
    CONSOLE(4),
    'b',
    'c',
    'd',
    'e',
    CONSOLE(0),
    CONSOLE(6),
    'f',
    'g',
    'h',
    'i',
    'j',
    'k',
    0,
    0,
    REPLY(6, 2),
    WORD(1),
    WORD(2),
    WORD(0),
    EVENT(1, 1),
    WORD(42),
    REPLY(7, 2),
    WORD(0x11223344),
    WORD(0x55667788),
    WORD(0),
    CONSOLE(3),
    'l',
    'm',
    'n',
    0,
};

/* A reply whose request was abandoned in its middle: the reader discards its rest and takes the next reply. */
static void abandoned(void **state) {
    (void)state;
    static const uint8_t late[] = {REPLY(7, 2), WORD(1), WORD(2), WORD(0)};
    static const uint8_t next[] = {REPLY(8, 0), WORD(0)};
    for (size_t cut = 0; cut < sizeof late; cut++) {
        struct gnomon_reply_reader reader;
        struct seen seen;
        uint32_t words[2] = {0};
        begin(&reader, &seen);
        gnomon_reply_reader_expect(&reader, 7, words, 2);
        assert_int_equal(gnomon_reply_reader_push(&reader, late, cut, NULL), GNOMON_OK);
        gnomon_reply_reader_expect(&reader, 8, NULL, 0);
        assert_int_equal(gnomon_reply_reader_push(&reader, late + cut, sizeof late - cut, NULL), GNOMON_OK);
        assert_false(reader.done);
        assert_int_equal(gnomon_reply_reader_push(&reader, next, sizeof next, NULL), GNOMON_OK);
        assert_true(reader.done);
    }
}

static void cut_anywhere(void **state) {
    (void)state;
    for (size_t first = 0; first <= sizeof mixture; first++)
        for (size_t step = 1; step <= 9; step++) {
            struct gnomon_reply_reader reader;
            struct seen seen;
            uint32_t words[2] = {0};
            begin(&reader, &seen);
            gnomon_reply_reader_expect(&reader, 7, words, 2);
            assert_int_equal(gnomon_reply_reader_push(&reader, mixture, first, NULL), GNOMON_OK);
            for (size_t at = first; at < sizeof mixture; at += step) {
                size_t size = sizeof mixture - at < step ? sizeof mixture - at : step;
                assert_int_equal(gnomon_reply_reader_push(&reader, mixture + at, size, NULL), GNOMON_OK);
            }
            assert_true(reader.done);
            assert_int_equal(words[0], 0x11223344);
            assert_int_equal(words[1], 0x55667788);
            assert_int_equal(reader.status, 0);
            assert_int_equal(reader.stale_replies, 1);
            assert_int_equal(seen.console_size, 14);
            assert_memory_equal(seen.console, "abcdefghijklmn", 14);
            assert_int_equal(seen.events, 1);
            assert_int_equal(seen.number, GNOMON_REPLY_EVENT_EXIT);
            assert_int_equal(seen.word, 42);
            assert_int_equal(reader.state, GNOMON_REPLY_HEAD);
        }
}

/* The number of bytes that the reader still expects is never more than the number that come; otherwise a host would
 * wait for ever. */
static void never_waits_too_long(void **state) {
    (void)state;
    const size_t end = sizeof mixture - 8; /* of the reply */
    for (size_t at = 0; at < end; at++) {
        struct gnomon_reply_reader reader;
        struct seen seen;
        uint32_t words[2];
        begin(&reader, &seen);
        gnomon_reply_reader_expect(&reader, 7, words, 2);
        gnomon_reply_reader_push(&reader, mixture, at, NULL);
        assert_true(gnomon_reply_reader_missing(&reader) > 0);
        assert_true(gnomon_reply_reader_missing(&reader) <= end - at);
    }
}

static void finds_its_reply_in_left_overs(void **state) {
    (void)state;
    static const uint8_t reply[] = {REPLY(9, 1), WORD(0x4D4F4E47), WORD(0)};
    for (unsigned seed = 0; seed < 500; seed++) {
        struct gnomon_reply_reader reader;
        struct seen seen;
        uint8_t garbage[100];
        srand(seed);
        size_t size = (size_t)rand() % sizeof garbage;
        for (size_t i = 0; i < size; i++)
            garbage[i] = (uint8_t)rand();
        begin(&reader, &seen);
        gnomon_reply_reader_search(&reader, 9, 0x4D4F4E47);
        gnomon_reply_reader_push(&reader, garbage, size, NULL);
        assert_false(reader.done);
        gnomon_reply_reader_push(&reader, reply, sizeof reply, NULL);
        assert_true(reader.done);
        assert_int_equal(seen.console_size + seen.events, 0);
        assert_int_equal(gnomon_reply_reader_push(&reader, mixture, 8, NULL),
                         GNOMON_OK); /* synchronised from here on */
        assert_int_equal(seen.console_size, 1);
    }
}

static void refused(const uint8_t *bytes, size_t size, const char *what) {
    struct gnomon_reply_reader reader;
    struct gnomon_error error = {0};
    struct seen seen;
    uint32_t words[2];
    begin(&reader, &seen);
    gnomon_reply_reader_expect(&reader, 7, words, 2);
    assert_int_equal(gnomon_reply_reader_push(&reader, bytes, size, &error), GNOMON_ERR_PROTOCOL);
    assert_non_null(strstr(error.what, what));
    assert_true(error.remedy[0]);
    assert_int_equal(gnomon_reply_reader_push(&reader, mixture, sizeof mixture, &error), GNOMON_ERR_PROTOCOL);
}

static void refuses_nonsense(void **state) {
    (void)state;
    static const uint8_t kind[] = {WORD(0x12345678)}, length[] = {REPLY(7, 3)}, event[] = {EVENT(1, 0)};
    refused(kind, sizeof kind, "unknown kind");
    refused(length, sizeof length, "another length");
    refused(event, sizeof event, "without words");
}

/* A later version may send longer events; only the first words are kept. */
static void takes_long_events(void **state) {
    (void)state;
    struct gnomon_reply_reader reader;
    struct seen seen;
    static const uint8_t head[] = {EVENT(77, 1000)}, word[] = {WORD(5)};
    begin(&reader, &seen);
    gnomon_reply_reader_push(&reader, head, sizeof head, NULL);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(gnomon_reply_reader_push(&reader, word, sizeof word, NULL), GNOMON_OK);
    assert_int_equal(seen.events, 1);
    assert_int_equal(seen.number, 77);
    assert_int_equal(seen.words, 4);
}

static void survives_random_bytes(void **state) {
    (void)state;
    for (unsigned seed = 0; seed < 20000; seed++) {
        struct gnomon_reply_reader reader;
        struct seen seen;
        uint8_t bytes[200];
        uint32_t words[2];
        srand(seed);
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = rand() % 4 ? (uint8_t)(rand() % 4) : (uint8_t)(0x80 | rand() % 128);
        bytes[0] = rand() % 2 ? 0x81 : 0xC0;
        bytes[1] = 7;
        begin(&reader, &seen);
        gnomon_reply_reader_expect(&reader, 7, words, 2);
        gnomon_reply_reader_push(&reader, bytes, sizeof bytes, NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(abandoned),
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(never_waits_too_long),
        cmocka_unit_test(finds_its_reply_in_left_overs),
        cmocka_unit_test(refuses_nonsense),
        cmocka_unit_test(takes_long_events),
        cmocka_unit_test(survives_random_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
