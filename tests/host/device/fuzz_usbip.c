/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzzes the USB/IP client and the reader of reply packets. The script holds a good server's answers of one session;
 * then bytes are changed, duplicated or dropped, or the end is cut off. The client must always return. Run under
 * sanitizers. usage: fuzz_usbip ROUNDS SEED */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "lib/device/reply_packets.h"
#include "lib/transport/usbip.h"
#include "lib/transport/usbip_wire.h"

#define STREAM_TRANSFERS 8
#define STREAM_ANSWERS 40
#define MOST_BYTES 16384

#define MOST_PARTS 64

/* Part n is sent when the client has sent n + 1 requests, or when it waits and no data are left. */
struct script {
    uint8_t bytes[MOST_BYTES];
    size_t size, parts, ends[MOST_PARTS];
    uint32_t seqnum;
};

static uint64_t state;

/* SplitMix64, which gives the same numbers on every machine. */
static uint32_t any(uint32_t below) {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ z >> 31) % below);
}

/* ---- Answers of a good server ---- */

static void put(struct script *script, const void *data, size_t size) {
    if (script->size + size > MOST_BYTES)
        abort();
    if (size)
        memcpy(script->bytes + script->size, data, size);
    script->size += size;
}

static void end_part(struct script *script) {
    script->ends[script->parts++] = script->size;
}

static void put_answer(struct script *script, uint32_t seqnum, const void *data, uint32_t size, uint32_t actual) {
    uint8_t header[USBIP_HEADER_BYTES] = {0};
    put_be32(header + USBIP_COMMAND, USBIP_RET_SUBMIT);
    put_be32(header + USBIP_SEQNUM, seqnum);
    put_be32(header + USBIP_ACTUAL, actual);
    put(script, header, sizeof header);
    put(script, data, size);
    end_part(script);
}

static void put_in(struct script *script, const void *data, uint32_t size) {
    put_answer(script, ++script->seqnum, data, size, size);
}

static void put_import(struct script *script) {
    uint8_t reply[USBIP_OP_BYTES + USBIP_DEVICE_BYTES] = {0};
    put_be16(reply, USBIP_VERSION);
    put_be16(reply + 2, USBIP_OP_REP_IMPORT);
    put_be32(reply + USBIP_OP_BYTES + USBIP_DEVICE_BUSNUM, 1);
    put_be32(reply + USBIP_OP_BYTES + USBIP_DEVICE_DEVNUM, 2);
    put(script, reply, sizeof reply);
    end_part(script);
}

static void put_session(struct script *script) {
    static const uint8_t device[18] = {18, 1, 0x10, 2, 0, 0, 0, 64, 0x09, 0x12, 1, 0, 0, 1, 1, 2, 3, 1};
    static const uint8_t config[39] = {9, 2, 39, 0, 1, 1, 0, 0x80, 50, 9,  4, 0, 0, 3, 0xFF, 0x47, 1,  0, 7, 5,
                                       1, 2, 64, 0, 0, 7, 5, 0x81, 2,  64, 0, 0, 7, 5, 0x82, 2,    64, 0, 0};
    static const uint8_t string[10] = {10, 3, 'F', 0, 'u', 0, 'z', 0, 'z', 0};
    static const uint8_t reply[12] = {0x81, 7, 1, 0, 0x47, 0x4E, 0x4F, 0x4D, 0, 0, 0, 0};
    memset(script, 0, sizeof *script);
    put_import(script);
    put_in(script, device, sizeof device);
    put_in(script, config, sizeof config);
    put_in(script, NULL, 0); /* SET_CONFIGURATION */
    for (int i = 0; i < 3; i++)
        put_in(script, string, sizeof string);
    put_answer(script, ++script->seqnum, NULL, 0, 24); /* bulk out */
    put_in(script, reply, sizeof reply);
    uint8_t packet[GNOMON_USB_PACKET];
    for (int i = 0; i < STREAM_ANSWERS; i++) {
        memset(packet, i, sizeof packet);
        put_in(script, packet, i % 3 ? sizeof packet : 4);
    }
}

static void damage(struct script *script) {
    for (uint32_t n = 1 + any(4); n && script->size >= 4; n--) {
        uint32_t at = any((uint32_t)script->size), length = 1 + any(64), rest = (uint32_t)script->size - at;
        length = length < rest ? length : rest;
        switch (any(5)) {
        case 0:
            script->bytes[at] ^= (uint8_t)(1u << any(8));
            break;
        case 1:
            put_be32(script->bytes + (at <= script->size - 4 ? at & ~3u : 0), any(2) ? UINT32_MAX : any(200));
            break;
        case 2: /* dropped */
            memmove(script->bytes + at, script->bytes + at + length, rest - length);
            script->size -= length;
            break;
        case 3: /* duplicated */
            if (script->size + length <= MOST_BYTES) {
                memmove(script->bytes + at + length, script->bytes + at, rest);
                script->size += length;
            }
            break;
        default:
            script->size = any(4) ? script->size : at + 1;
        }
    }
}

/* ---- The client's socket: no server, no waiting ---- */

static const struct script *served;
static size_t taken, asked;

ssize_t __wrap_send(int fd, const void *data, size_t size, int flags);
ssize_t __wrap_recv(int fd, void *data, size_t size, int flags);
int __wrap_poll(struct pollfd *polled, nfds_t count, int timeout);

/* Sends a message with data, or several headers in one. */
ssize_t __wrap_send(int fd, const void *data, size_t size, int flags) {
    (void)fd, (void)data, (void)flags;
    asked += size % USBIP_HEADER_BYTES ? 1 : size / USBIP_HEADER_BYTES;
    return (ssize_t)size;
}

static size_t available(void) {
    size_t part = asked < served->parts ? asked : served->parts;
    size_t end = part ? served->ends[part - 1] : 0;
    return end < served->size ? end : served->size;
}

ssize_t __wrap_recv(int fd, void *data, size_t size, int flags) {
    (void)fd, (void)flags;
    while (available() <= taken && asked < served->parts)
        asked++;
    size_t there = available() > taken ? available() - taken : 0;
    size = size < there ? size : there;
    memcpy(data, served->bytes + taken, size);
    taken += size;
    return (ssize_t)size; /* 0: the server hangs up */
}

int __wrap_poll(struct pollfd *polled, nfds_t count, int timeout) {
    (void)timeout;
    for (nfds_t i = 0; i < count; i++)
        polled[i].revents = POLLIN;
    return (int)count;
}

/* ---- A client's session ---- */

static size_t streamed;

static void on_data(void *context, const uint8_t *data, size_t size) {
    struct gnomon_reply_reader *reader = context;
    struct gnomon_error error;
    streamed += size;
    if (reader)
        gnomon_reply_reader_push(reader, data, size, &error);
}

/* `reader` is in use until the transport is closed. */
static enum gnomon_status talk(struct usbip *usbip, struct gnomon_reply_reader *reader, struct gnomon_error *error) {
    uint8_t command[24] = {0}, reply[GNOMON_USB_PACKET];
    size_t got;
    gnomon_reply_reader_init(reader);
    enum gnomon_status status = usbip_import(usbip, "1-1", error);
    if (!status)
        status = gnomon_transport_out(&usbip->base, GNOMON_EP_COMMAND, command, sizeof command, 1, error);
    if (!status)
        status = gnomon_transport_in(&usbip->base, GNOMON_EP_REPLY, reply, sizeof reply, &got, 1, error);
    const struct gnomon_stream streams[] = {
        {GNOMON_EP_REPLY, STREAM_TRANSFERS / 2, GNOMON_USB_PACKET, on_data, reader},
        {GNOMON_EP_TRACE, STREAM_TRANSFERS / 2, GNOMON_USB_PACKET, on_data, NULL},
    };
    if (!status)
        status = gnomon_transport_start(&usbip->base, streams, 2, error);
    while (!status) /* the connection's end is the latest end */
        status = gnomon_transport_process(&usbip->base, 1, error);
    return status;
}

/* Returns the number of bytes that arrived in streams. */
static size_t session(const struct script *script) {
    struct usbip *usbip = calloc(1, sizeof *usbip);
    if (!usbip)
        abort();
    served = script;
    taken = asked = 0;
    usbip->socket = -1;
    gnomon_transport_init(&usbip->base, &usbip_ops, "fuzz", 1);
    struct gnomon_error error = {0};
    struct gnomon_reply_reader reader;
    streamed = 0;
    if (talk(usbip, &reader, &error) == GNOMON_OK || !error.what[0])
        abort(); /* a connection that ended is an error, and every error has words */
    gnomon_transport_close(&usbip->base);
    return streamed;
}

/* Pushes random bytes, some of which begin like a reply packet, in pieces of any size. */
static void push_packets(void) {
    static const uint8_t kinds[] = {0x81, 0xC0, 0xE0};
    struct gnomon_reply_reader reader;
    struct gnomon_error error;
    uint32_t words[16];
    uint8_t data[256];
    gnomon_reply_reader_init(&reader);
    if (any(2))
        gnomon_reply_reader_search(&reader, 7, 0x4D4F4E47);
    else
        gnomon_reply_reader_expect(&reader, 7, words, any(17));
    for (int round = 0; round < 8; round++) {
        size_t size = any(sizeof data);
        for (size_t i = 0; i < size; i++)
            data[i] = (uint8_t)any(any(2) ? 256 : 8);
        for (size_t i = 0; i + 4 <= size; i += 4 * (1 + any(4)))
            if (any(2))
                data[i] = kinds[any(3)], data[i + 1] = 7, data[i + 3] = 0;
        if (gnomon_reply_reader_push(&reader, data, size, &error))
            return;
        if (gnomon_reply_reader_missing(&reader) > (16 + 65536 + 2) * 4)
            abort();
    }
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    unsigned rounds = (unsigned)atoi(argv[1]), deep = 0;
    state = strtoull(argv[2], NULL, 10);
    struct script good, script;
    put_session(&good);
    size_t all = session(&good);
    if (all < STREAM_ANSWERS * 40) {
        fprintf(stderr, "fuzz_usbip: the good session ended after %zu bytes of its streams\n", all);
        return 1;
    }
    for (unsigned i = 0; i < rounds; i++) {
        script = good;
        damage(&script);
        deep += session(&script) > 0;
        push_packets();
    }
    printf("%u damaged sessions, %u of them came to their streams; %u streams of reply packets\n", rounds, deep,
           rounds);
    return deep > rounds / 10 ? 0 : 1;
}
