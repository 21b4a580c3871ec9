/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the host's side of a UART link with boards that are wrong in every way, in simulated time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/transport/transport_serial.h"

/* A fake board: how it reacts to each good frame of the host. */
struct fake {
    void (*answer)(struct fake *fake, const struct serial_frame *asked);
    uint64_t now;
    uint8_t line[4096];
    size_t size;
    unsigned random, frames, unplug_after; /* unplug_after 0: never */
    struct serial_parser parser;
    bool closed;
};

static unsigned next_random(struct fake *fake) {
    fake->random = fake->random * 1103515245u + 12345u;
    return fake->random >> 16;
}

/* The two directions use the argument's halves in opposite order. */
static void reply(struct fake *fake, uint8_t pid, uint8_t tag, uint8_t endpoint, uint8_t flags, const void *data,
                  size_t size) {
    struct serial_frame frame = {
        .pid = pid, .tag = tag & 0xF, .endpoint = flags & 3, .flags = endpoint, .size = (uint8_t)size};
    if (size)
        memcpy(frame.data, data, size);
    if (fake->size + SERIAL_LINE_BYTES <= sizeof fake->line)
        fake->size += serial_encode(&frame, fake->line + fake->size);
}

static const char *fake_send(void *context, const uint8_t *data, size_t size) {
    struct fake *fake = context;
    for (size_t i = 0; i < size; i++) {
        struct serial_frame frame;
        if (!serial_decode(&fake->parser, data[i], &frame))
            continue;
        uint8_t endpoint = frame.flags;
        frame.flags = frame.endpoint;
        frame.endpoint = endpoint;
        fake->frames++;
        if (frame.pid != SERIAL_ACK)
            fake->answer(fake, &frame);
    }
    return NULL;
}

static const char *fake_receive(void *context, uint8_t *data, size_t size, uint64_t end, size_t *got,
                                bool *interrupted) {
    struct fake *fake = context;
    *interrupted = false;
    if (fake->unplug_after && fake->frames >= fake->unplug_after)
        return "it was unplugged";
    *got = fake->size < size ? fake->size : size;
    memcpy(data, fake->line, *got);
    memmove(fake->line, fake->line + *got, fake->size - *got);
    fake->size -= *got;
    fake->now = *got || end < fake->now ? fake->now + 100 : end;
    return NULL;
}

static uint64_t fake_now(void *context) {
    return ((struct fake *)context)->now;
}

static void fake_close(void *context) {
    ((struct fake *)context)->closed = true;
}

static enum gnomon_status open_fake(struct fake *fake, struct gnomon_transport **transport,
                                    struct gnomon_error *error) {
    const struct serial_io io = {fake, fake_send, fake_receive, fake_now, fake_close};
    *transport = NULL;
    memset(error, 0, sizeof *error);
    return gnomon_serial_over(&io, "serial:fake", transport, error);
}

static void silence(struct fake *fake, const struct serial_frame *asked) {
    (void)fake;
    (void)asked;
}

/* Sends answers of one kind, independent of the request. */
static uint8_t always;
static void stubborn(struct fake *fake, const struct serial_frame *asked) {
    static const uint8_t zeros[GNOMON_USB_PACKET];
    bool data = always == SERIAL_DATA0 || always == SERIAL_DATA1;
    reply(fake, asked->pid == SERIAL_RESET ? SERIAL_RESET : always, asked->tag, asked->endpoint, 0, zeros,
          data ? sizeof zeros : 0);
}

static void random_answers(struct fake *fake, const struct serial_frame *asked) {
    uint8_t data[GNOMON_USB_PACKET];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)next_random(fake);
    if (asked->pid == SERIAL_RESET) {
        reply(fake, SERIAL_RESET, asked->tag, 0, 0, NULL, 0);
        return;
    }
    bool in = asked->pid == SERIAL_IN;
    unsigned what = next_random(fake) % 8;
    uint8_t pid = in ? (what & 1 ? SERIAL_DATA1 : SERIAL_DATA0) : SERIAL_ACK;
    if (what == 7)
        pid = next_random(fake) & 0xF;
    size_t size = pid == SERIAL_DATA0 || pid == SERIAL_DATA1 ? next_random(fake) % 65 : 0;
    /* Sometimes sends the beginning of a device descriptor, to get further. */
    if (what < 4) {
        memcpy(data, "\x12\x01\x10\x02\x00\x00\x00\x40\x09\x12\x01\x00\x00\x01\x01\x02\x03\x01", 18);
        size = size ? 18 : 0;
    }
    reply(fake, pid, asked->tag, what == 6 ? (uint8_t)next_random(fake) & 3 : asked->endpoint, next_random(fake) & 3,
          data, size);
    for (unsigned noise = next_random(fake) % 4; noise && fake->size < sizeof fake->line; noise--)
        fake->line[fake->size++] = (uint8_t)next_random(fake);
}

static void parser_takes_anything(void **state) {
    (void)state;
    struct serial_parser parser = {0};
    struct serial_frame frame;
    struct fake source = {.random = 1};
    unsigned good = 0;
    for (unsigned i = 0; i < 3000000; i++) {
        uint8_t byte = next_random(&source) % 16 == 0 ? 0x7E : (uint8_t)next_random(&source);
        if (serial_decode(&parser, byte, &frame)) {
            assert_true(frame.size <= GNOMON_USB_PACKET);
            good++;
        }
        assert_true(parser.size <= sizeof parser.bytes);
    }
    assert_true(good < 100); /* one in 65536 of some hundred thousand, by chance */
    assert_true(parser.damaged > 100000);
}

static void frames_come_back(void **state) {
    (void)state;
    struct fake source = {.random = 2};
    for (unsigned size = 0; size <= GNOMON_USB_PACKET; size++)
        for (unsigned round = 0; round < 20; round++) {
            struct serial_frame sent = {.pid = SERIAL_DATA1,
                                        .tag = size & 15,
                                        .endpoint = 1,
                                        .flags = 2,
                                        .size = (uint8_t)size},
                                got;
            struct serial_parser parser = {0};
            uint8_t line[SERIAL_LINE_BYTES];
            for (unsigned i = 0; i < size; i++)
                sent.data[i] = round == 0 ? 0x7E : round == 1 ? 0x7D : (uint8_t)next_random(&source);
            size_t length = serial_encode(&sent, line);
            assert_true(length <= sizeof line);
            bool found = false;
            for (size_t i = 0; i < length; i++)
                found |= serial_decode(&parser, line[i], &got);
            assert_true(found && got.pid == sent.pid && got.tag == sent.tag && got.endpoint == 2 && got.flags == 1);
            assert_int_equal(got.size, size);
            assert_memory_equal(got.data, sent.data, size);
            /* With each bit flipped: no frame, or at least not a different one. */
            for (size_t bit = 8; bit < 8 * (length - 1); bit += 7) {
                struct serial_parser other = {0};
                line[bit / 8] ^= (uint8_t)(1u << bit % 8);
                for (size_t i = 0; i < length; i++)
                    assert_false(serial_decode(&other, line[i], &got));
                line[bit / 8] ^= (uint8_t)(1u << bit % 8);
            }
        }
}

static void silent_board(void **state) {
    (void)state;
    struct fake fake = {.answer = silence};
    struct gnomon_transport *transport;
    struct gnomon_error error;
    assert_int_equal(open_fake(&fake, &transport, &error), GNOMON_ERR_NOT_FOUND);
    assert_non_null(strstr(error.what, "no Gnomon answers"));
    assert_true(fake.closed && !transport);
}

static void stubborn_boards(void **state) {
    (void)state;
    for (always = 0; always < 16; always++) {
        struct fake fake = {.answer = stubborn};
        struct gnomon_transport *transport;
        struct gnomon_error error;
        enum gnomon_status status = open_fake(&fake, &transport, &error);
        assert_int_not_equal(status, GNOMON_OK);
        assert_true(error.what[0] && fake.closed);
        assert_true(fake.now < 600000000);
    }
}

static void random_boards(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 3000; seed++) {
        struct fake fake = {.answer = random_answers, .random = seed};
        struct gnomon_transport *transport;
        struct gnomon_error error;
        if (open_fake(&fake, &transport, &error)) {
            assert_true(error.what[0] && fake.closed);
            continue;
        }
        gnomon_transport_close(transport);
    }
}

static void unplugged(void **state) {
    (void)state;
    for (unsigned after = 1; after < 6; after++) {
        struct fake fake = {.answer = random_answers, .random = 7, .unplug_after = after};
        struct gnomon_transport *transport;
        struct gnomon_error error;
        enum gnomon_status status = open_fake(&fake, &transport, &error);
        assert_int_equal(status, GNOMON_ERR_DISCONNECTED);
        assert_non_null(strstr(error.what, "it was unplugged"));
        assert_true(error.remedy[0] && fake.closed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parser_takes_anything), cmocka_unit_test(frames_come_back), cmocka_unit_test(silent_board),
        cmocka_unit_test(stubborn_boards),       cmocka_unit_test(random_boards),    cmocka_unit_test(unplugged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
