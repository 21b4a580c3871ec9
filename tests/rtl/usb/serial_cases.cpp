// SPDX-License-Identifier: Apache-2.0
// The USB device on a UART link (docs/guide/serial.md): `make test-usb-serial`.
#include <algorithm>
#include <random>

#include "serial_board.h"

namespace gnomon {

namespace {

constexpr size_t packet = GNOMON_USB_PACKET;
constexpr unsigned timeout_ms = 2000;
// If every sixtieth byte is wrong, eleven failed attempts of 50 ms in a row have occurred.
constexpr unsigned noisy_timeout_ms = 20000;
constexpr uint8_t mark = 0x7E;

void must(const SerialBoard &b, gnomon_status status, const char *what) {
    check(status == GNOMON_OK, std::string(what) + ": " + b.error.what);
}

std::vector<uint8_t> encoded(uint8_t pid, uint8_t tag, uint8_t endpoint, uint8_t flags = 0,
                             std::vector<uint8_t> data = {}) {
    serial_frame frame{pid, tag, endpoint, flags, static_cast<uint8_t>(data.size()), {}};
    std::copy(data.begin(), data.end(), frame.data);
    uint8_t line[SERIAL_LINE_BYTES];
    size_t size = serial_encode(&frame, line);
    return {line, line + size};
}

std::vector<serial_frame> decoded(const std::vector<uint8_t> &bytes, uint64_t *damaged = nullptr) {
    serial_parser parser{};
    serial_frame frame{};
    std::vector<serial_frame> frames;
    for (uint8_t byte : bytes)
        if (serial_decode(&parser, byte, &frame))
            frames.push_back(frame);
    if (damaged)
        *damaged = parser.damaged;
    return frames;
}

void expect(const std::vector<serial_frame> &frames, std::vector<unsigned> pids, const char *what) {
    bool same = frames.size() == pids.size();
    for (size_t i = 0; same && i < pids.size(); ++i)
        same = frames[i].pid == pids[i];
    check(same, std::string(what) + ": " + std::to_string(frames.size()) + " answers, first " +
                    (frames.empty() ? "-" : std::to_string(frames[0].pid)));
}

void identity() {
    SerialBoard b;
    b.open();
    const gnomon_usb_identity &is = b.transport->identity;
    check(is.vendor == GNOMON_USB_VENDOR && is.product == GNOMON_USB_PRODUCT, "identity: numbers");
    check(std::string(is.name) == "Gnomon small" && std::string(is.serial) == "TEST0042", "identity: strings");
    gnomon_setup wrong = {0xC0, 0x33, 0, 0, 8};
    uint8_t data[8];
    size_t got = 0;
    check(b.transport->ops->control(b.transport, &wrong, data, &got, timeout_ms, &b.error) == GNOMON_ERR_STALL,
          "unknown request");
}

// The device does not answer before the greeting; then it executes each frame once, and only in order.
void order() {
    SerialBoard b;
    auto ask = [&](std::vector<uint8_t> line) {
        b.send(line);
        return decoded(b.answer());
    };
    expect(ask(encoded(SERIAL_IN, 1, 1)), {}, "before the greeting");
    expect(ask(encoded(SERIAL_RESET, 7, 0)), {SERIAL_RESET}, "greeting");
    expect(ask(encoded(SERIAL_IN, 8, 1)), {SERIAL_NONE}, "not configured");
    expect(ask(encoded(SERIAL_SETUP, 9, 0, 0, {0, 9, 1, 0, 0, 0, 0, 0})), {SERIAL_ACK}, "setup");
    expect(ask(encoded(SERIAL_IN, 10, 0)), {SERIAL_DATA1}, "status");
    expect(ask(encoded(SERIAL_ACK, 11, 0, 1)), {}, "acknowledgement");
    expect(ask(encoded(SERIAL_IN, 12, 1)), {SERIAL_NAK}, "nothing there");
    expect(ask(encoded(SERIAL_IN, 12, 1)), {SERIAL_NAK}, "repeated");
    expect(ask(encoded(SERIAL_IN, 14, 1)), {}, "one missing");
    expect(ask(encoded(SERIAL_IN, 11, 1)), {}, "an old one");
    expect(ask(encoded(SERIAL_OUT, 13, 1, 0, {1, 2, 3})), {SERIAL_ACK}, "data");
    expect(ask(encoded(SERIAL_OUT, 13, 1, 0, {1, 2, 3})), {SERIAL_ACK}, "the same data");
    auto back = ask(encoded(SERIAL_IN, 14, 1));
    expect(back, {SERIAL_DATA0}, "data back");
    check(back[0].size == 3 && back[0].data[2] == 3, "data back: once");
    expect(ask(encoded(SERIAL_IN, 15, 1)), {SERIAL_DATA0}, "not acknowledged");
    expect(ask(encoded(SERIAL_ACK, 0, 1, 1)), {}, "acknowledged");
    expect(ask(encoded(SERIAL_ACK, 0, 1, 1)), {}, "acknowledged twice");
    expect(ask(encoded(SERIAL_IN, 1, SERIAL_EITHER)), {SERIAL_NAK}, "nothing more");
    // Two frames at once: the second one comes during the answer to the first one, and is not executed.
    std::vector<uint8_t> two = encoded(SERIAL_IN, 2, 1), next = encoded(SERIAL_IN, 3, 1);
    two.insert(two.end(), next.begin(), next.end());
    auto answers = ask(two);
    expect(answers, {SERIAL_NAK}, "overrun");
    check(answers[0].tag == 2, "overrun: the first");
    expect(ask(encoded(SERIAL_IN, 3, 1)), {SERIAL_NAK}, "after it");
}

// A token gets two packets of the trace, repeatedly until they are acknowledged.
void pairs() {
    SerialBoard b;
    b.open();
    b.top.trace_i = 1;
    b.run(400);
    auto ask = [&](std::vector<uint8_t> line) {
        b.send(line);
        return decoded(b.answer());
    };
    expect(ask(encoded(SERIAL_RESET, 0, 0)), {SERIAL_RESET}, "greeting");
    expect(ask(encoded(SERIAL_SETUP, 1, 0, 0, {0, 9, 1, 0, 0, 0, 0, 0})), {SERIAL_ACK}, "setup");
    ask(encoded(SERIAL_IN, 2, 0));
    for (int i = 0; i < 2; ++i) {
        auto got = ask(encoded(SERIAL_IN, static_cast<uint8_t>(3 + i), 2));
        check(got.size() == 2 && got[0].data[0] == 0 && got[1].data[0] == packet, "two packets");
        check(got[0].flags == SERIAL_MORE && got[1].flags == SERIAL_SECOND && got[0].endpoint == 2, "their flags");
    }
    expect(ask(encoded(SERIAL_ACK, 5, 2, 1)), {}, "one of them came");
    auto got = ask(encoded(SERIAL_IN, 6, SERIAL_EITHER));
    check(got.size() == 2 && got[0].data[0] == packet && got[1].data[0] == 2 * packet, "from the second on");
    expect(ask(encoded(SERIAL_ACK, 7, 2, 3)), {}, "more than there were");
    got = ask(encoded(SERIAL_IN, 8, 2));
    check(got.size() == 2 && got[0].data[0] == (3 * packet & 0xFF), "not more than there were");
    // A token of the other endpoint in between removes no packet.
    expect(ask(encoded(SERIAL_IN, 9, 1)), {SERIAL_NAK}, "the other endpoint");
    expect(ask(encoded(SERIAL_ACK, 10, 2, 2)), {}, "both");
    got = ask(encoded(SERIAL_IN, 11, 2));
    check(got.size() == 2 && got[0].data[0] == (5 * packet & 0xFF), "the next two");
}

// Bytes that are not a frame get no answer; the next frame gets one.
void garbage() {
    SerialBoard b;
    std::minstd_rand random(5);
    auto ask = [&](std::vector<uint8_t> line) {
        b.send(line);
        return decoded(b.answer());
    };
    for (unsigned round = 0; round < 100; ++round) {
        std::vector<uint8_t> noise(random() % 100);
        for (uint8_t &byte : noise)
            byte = random() % 8 == 0 ? mark : static_cast<uint8_t>(random() >> 8);
        b.send(noise);
        for (const serial_frame &frame : decoded(b.answer(200)))
            check(frame.pid != SERIAL_RESET, "garbage is answered");
        uint8_t tag = round & 15;
        expect(ask(encoded(SERIAL_RESET, tag, 0)), {SERIAL_RESET}, "after garbage");
        std::vector<uint8_t> line = encoded(SERIAL_IN, (tag + 1) & 15, 0);
        std::vector<uint8_t> broken = line;
        broken[1 + random() % (line.size() - 2)] ^= static_cast<uint8_t>(1u << random() % 8);
        std::vector<uint8_t> before(broken);
        auto got = ask(broken);
        check(got.empty() || before == line, "a broken frame is answered");
    }
    // A break, and a spike on the idle line.
    b.forced_low = true;
    b.run(100 * DIVIDER * 10);
    b.forced_low = false;
    b.run(DIVIDER * 20);
    expect(ask(encoded(SERIAL_RESET, 3, 0)), {SERIAL_RESET}, "after a break");
    b.forced_low = true;
    b.run(1);
    b.forced_low = false;
    b.run(DIVIDER * 2);
    expect(ask(encoded(SERIAL_RESET, 4, 0)), {SERIAL_RESET}, "after a spike");
}

struct Sent {
    uint64_t bytes = 0;
    uint8_t next = 0;
    bool any = false;
};

// The trace is a counter: a lost or duplicated byte shows.
void on_counter(void *context, const uint8_t *data, size_t size) {
    Sent &sent = *static_cast<Sent *>(context);
    for (size_t i = 0; i < size; ++i) {
        check(!sent.any || data[i] == sent.next, "trace: a byte is lost, doubled or wrong");
        sent.any = true;
        sent.next = static_cast<uint8_t>(data[i] + 1);
    }
    sent.bytes += size;
}

struct Loop {
    std::vector<uint8_t> got;
};

void on_reply(void *context, const uint8_t *data, size_t size) {
    Loop &loop = *static_cast<Loop *>(context);
    loop.got.insert(loop.got.end(), data, data + size);
}

// Random bytes around the loop during the trace.
void traffic(SerialBoard &b, size_t bytes, uint64_t &traced) {
    std::minstd_rand random(9);
    Sent sent;
    Loop loop;
    std::vector<uint8_t> all;
    const gnomon_stream streams[] = {{GNOMON_EP_REPLY, 8, packet, on_reply, &loop},
                                     {GNOMON_EP_TRACE, 8, 512, on_counter, &sent}};
    must(b, gnomon_transport_start(b.transport, streams, 2, &b.error), "streams");
    b.top.trace_i = 1;
    while (all.size() < bytes) {
        std::vector<uint8_t> part(1 + random() % 300);
        for (uint8_t &byte : part)
            byte = static_cast<uint8_t>(random() >> 8);
        must(b,
             gnomon_transport_out(b.transport, GNOMON_EP_COMMAND, part.data(), part.size(), noisy_timeout_ms, &b.error),
             "out");
        all.insert(all.end(), part.begin(), part.end());
        for (unsigned i = 0; loop.got.size() + 2 * packet < all.size() || i < 4; ++i) {
            must(b, gnomon_transport_process(b.transport, 10, &b.error), "process");
            check(i < 100000, "bytes do not come back");
        }
    }
    b.top.trace_i = 0;
    for (unsigned i = 0; loop.got.size() < all.size() && i < 10000; ++i)
        must(b, gnomon_transport_process(b.transport, 10, &b.error), "process");
    check(loop.got == all, "loop: bytes are lost, doubled or wrong");
    gnomon_transport_stop(b.transport, &b.error);
    traced = sent.bytes;
}

void errors(unsigned seeds, uint64_t at_least) {
    constexpr size_t size = 3000;
    uint64_t faults = 0, bytes = 0;
    for (unsigned seed = 1; seed <= seeds; ++seed)
        for (unsigned every : {60u, 150u, 400u}) {
            SerialBoard b(1, 0, {seed * 1000 + every, every});
            b.open();
            uint64_t traced = 0;
            traffic(b, size, traced);
            faults += b.uart.faults();
            bytes += traced + 2 * size;
        }
    check(faults >= at_least, "too few errors");
    std::printf("errors: %llu, in the transfer of %llu bytes, none lost or doubled\n",
                static_cast<unsigned long long>(faults), static_cast<unsigned long long>(bytes));
}

// A deviation of the host's rate by up to `most` per cent damages no frame.
void rates() {
    const double most = DIVIDER < 6 ? 2.4 : 3;
    for (double off : {-most, -most / 2, most / 2, most}) {
        SerialBoard b(1 + off / 100);
        b.open();
        uint64_t traced = 0;
        traffic(b, 2000, traced);
        check(gnomon_serial_repeats(b.transport) == 0 && b.uart.framing_errors() == 0,
              "rate off by " + std::to_string(off) + " %: frames were damaged");
    }
    std::printf("rates: off by +-%.1f %%, no frame damaged\n", most);
}

double speed_of(SerialBoard &b, uint8_t endpoint, uint64_t ms) {
    Sent sent;
    const gnomon_stream stream = {endpoint, 8, 512, on_counter, &sent};
    b.top.trace_i = 1;
    must(b, gnomon_transport_start(b.transport, &stream, 1, &b.error), "stream");
    uint64_t begin = b.now;
    while (b.now < begin + ms * clock_hz / 1000)
        must(b, gnomon_transport_process(b.transport, 10, &b.error), "process");
    return static_cast<double>(sent.bytes) * clock_hz / static_cast<double>(b.now - begin);
}

void speed() {
    for (unsigned latency_us : {0u, 125u, 1000u}) {
        SerialBoard b(1, latency_us);
        b.open();
        double trace = speed_of(b, GNOMON_EP_TRACE, 50);
        check(latency_us != 0 || trace > 0.74 * clock_hz / DIVIDER / 10,
              "slower than three quarters of the line's bytes");
        check(latency_us != 1000 || trace > 128 / 0.0055, "slower than two packets in a round trip");
        b.top.trace_i = 0;
        std::vector<uint8_t> block(4096, 0x55);
        b.top.loop_i = 1;
        uint64_t begin = b.now;
        Loop loop;
        const gnomon_stream stream = {GNOMON_EP_REPLY, 8, packet, on_reply, &loop};
        must(b, gnomon_transport_start(b.transport, &stream, 1, &b.error), "stream");
        gnomon_transport_out(b.transport, GNOMON_EP_COMMAND, block.data(), packet, timeout_ms, &b.error);
        double out = packet * static_cast<double>(clock_hz) / static_cast<double>(b.now - begin);
        std::printf("%u baud, latency %u us each way: trace %.0f bytes/s, commands %.0f bytes/s; the line carries %llu "
                    "bytes/s\n",
                    static_cast<unsigned>(clock_hz / DIVIDER), latency_us, trace, out,
                    static_cast<unsigned long long>(clock_hz / DIVIDER / 10));
    }
}

// A host that stops at any point, and the next host.
void restarts() {
    SerialBoard b;
    std::minstd_rand random(3);
    for (unsigned round = 0; round < 20; ++round) {
        b.open();
        uint8_t bytes[packet] = {1, 2, 3};
        must(b, gnomon_transport_out(b.transport, GNOMON_EP_COMMAND, bytes, 3, timeout_ms, &b.error), "out");
        size_t got = 0;
        do
            check(gnomon_transport_in(b.transport, GNOMON_EP_REPLY, bytes, packet, &got, timeout_ms, &b.error) ==
                      GNOMON_OK,
                  "in");
        while (got == 0);
        gnomon_transport_close(b.transport);
        b.transport = nullptr;
        std::vector<uint8_t> cut = encoded(SERIAL_OUT, random() & 15, 1, 0, std::vector<uint8_t>(packet, 7));
        cut.resize(random() % cut.size());
        b.send(cut);
        b.run(random() % 3000);
        for (uint8_t byte; b.uart.receive(byte);) {
        }
    }
}

} // namespace

} // namespace gnomon

int main(int argc, char **argv) {
    setenv("GNOMON_TIMEOUT_SCALE", "1", 1);
    if (argc > 1 && std::string(argv[1]) == "deep") {
        gnomon::errors(40, 10000);
        return 0;
    }
    gnomon::identity();
    gnomon::order();
    gnomon::pairs();
    gnomon::garbage();
    gnomon::restarts();
    gnomon::rates();
    gnomon::errors(1, 300);
    gnomon::speed();
    std::printf("divider %d: good\n", DIVIDER);
    return 0;
}
