// SPDX-License-Identifier: Apache-2.0
// Cases for both levels.
#include <random>

#include "bench_board.h"

namespace gnomon {

namespace {

using S = UsbStatus;

// The sequence of Linux and Windows: a first read at address 0 (by attach), then everything.
void enumeration() {
    Board b;
    b.attach();
    descriptors(b);
    expect_stall(b, setup(0x80, 6, 0x0600, 0, 10)); // device qualifier: no high speed
    expect_data(b, setup(0x80, 8, 0, 0, 1), {0});
    expect_stall(b, setup(0x81, 0, 0, 0, 2)); // no interface before the configuration
    expect_ok(b, setup(0x00, 9, 1, 0, 0));
    expect_data(b, setup(0x80, 8, 0, 0, 1), {1});
    expect_data(b, setup(0x80, 0, 0, 0, 2), {0, 0});
    expect_data(b, setup(0x81, 0, 0, 0, 2), {0, 0});
    expect_data(b, setup(0x81, 10, 0, 0, 1), {0});
    expect_ok(b, setup(0x01, 11, 0, 0, 0));
    descriptors(b);
    expect_ok(b, setup(0x00, 9, 0, 0, 0)); // unconfigured: the endpoints do not exist
    expect_data(b, setup(0x80, 8, 0, 0, 1), {0});
    CHECK(b.bulk_in(0x81, 64).status == S::error);
    b.configure(); // reset, and the same again
    expect_data(b, setup(0x80, 8, 0, 0, 1), {1});
    b.host->attach(); // the reset clears the configuration
    b.run_until([&] { return b.host->attached(); });
    expect_data(b, setup(0x80, 8, 0, 0, 1), {0});
}

// Flips each bit of each request that the device knows: the device must refuse every unknown request.
void unknown_requests() {
    Board b;
    b.configure();
    constexpr unsigned interfaces = (USB_CONFIG == 2 ? 3 : 1) + (USB_DFU == 2);
    const Setup known[] = {setup(0x80, 6, 0x0200, 0, 9), setup(0x80, 8, 0, 0, 1),  setup(0x81, 0, 0, 0, 2),
                           setup(0x82, 0, 0, 0x81, 2),   setup(0x81, 10, 0, 0, 1), setup(0xC0, 1, 0, 7, 9),
                           setup(0xA1, 3, 0, 1, 6),      setup(0xA1, 5, 0, 3, 1),  setup(0xA1, 0x21, 0, 1, 7)};
    auto is_known = [](const Setup &s) {
        unsigned request = s[0] << 8 | s[1];
        unsigned value = s[2] | s[3] << 8, index = s[4] | s[5] << 8;
        switch (request) {
        case 0x8006:
            return ((value == 0x0100 || value == 0x0200 || value == 0x0F00) && index == 0) ||
                   (value >= 0x0300 && value <= 0x0303);
        case 0x8008:
        case 0x8000:
            return value == 0 && index == 0;
        case 0x8100:
        case 0x810A:
            return value == 0 && index < interfaces;
        case 0xA103: // DFU
        case 0xA105:
            return USB_DFU == 2 && value == 0 && index == interfaces - 1;
        case 0xA121: // line coding
            return USB_CONFIG == 2 && value == 0 && index == 1;
        case 0xC001:
            return USB_CONFIG != 0 && value == 0 && index == 7;
        case 0x8200:
            return value == 0 && (index == 0 || index == 0x80 || index == 1 || index == 0x81 || index == 0x82 ||
                                  (USB_CONFIG == 2 && (index == 3 || index == 0x83 || index == 0x84)));
        default:
            return false;
        }
    };
    for (const Setup &s : known) {
        for (unsigned bit = 0; bit < 48; ++bit) {
            Setup mutant = s;
            mutant[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
            Bytes out(mutant[0] & 0x80 ? 0 : mutant[6]);
            CHECK(b.control(mutant, out).status == (is_known(mutant) ? S::completed : S::stall));
        }
    }
    expect_stall(b, setup(0x00, 7, 0x0100, 0, 18), Bytes(18)); // SET_DESCRIPTOR
    expect_stall(b, setup(0x00, 1, 1, 0, 0));                  // remote wakeup cannot be cleared
    expect_stall(b, setup(0x00, 3, 1, 0, 0));                  // remote wakeup cannot be set
    expect_stall(b, setup(0x00, 3, 2, 0, 0));                  // test mode
    expect_stall(b, setup(0x00, 9, 2, 0, 0));                  // no second configuration
    expect_stall(b, setup(0x01, 11, 1, 0, 0));                 // no alternate setting
    expect_stall(b, setup(0x02, 3, 0, USB_CONFIG == 2 ? 0x85 : 0x83, 0));
    expect_stall(b, setup(0x02, 3, 0, 0x02, 0));
    expect_stall(b, setup(0x01, 11, 0, interfaces, 0)); // no such interface
    expect_stall(b, setup(0xC0, 0x20, 0, 0, 4));        // vendor
    expect_stall(b, setup(0x82, 12, 0, 0x81, 2));       // SYNCH_FRAME
    expect_data(b, setup(0x80, 8, 0, 0, 1), {1});       // the next setup ends the stall
}

void halted_endpoints() {
    Board b;
    b.configure();
    for (uint16_t endpoint : {0x01, 0x81, 0x82}) {
        // An odd number of packets first, so that the toggle differs from its initial value.
        b.top->trace_i = 1;
        CHECK(b.bulk_out(Bytes(10, 0x55)).status == S::completed);
        CHECK(b.bulk_in(0x81, 64).data == Bytes(10, 0x55));
        CHECK(b.bulk_in(0x82, 64).actual == 64);
        expect_data(b, setup(0x82, 0, 0, endpoint, 2), {0, 0});
        expect_ok(b, setup(0x02, 3, 0, endpoint, 0));
        expect_data(b, setup(0x82, 0, 0, endpoint, 2), {1, 0});
        for (uint16_t other : {0x01, 0x81, 0x82})
            expect_data(b, setup(0x82, 0, 0, other, 2), {static_cast<uint8_t>(other == endpoint), 0});
        for (int i = 0; i < 2; ++i) {
            Outcome o = endpoint == 0x01 ? b.bulk_out(Bytes(3, 1)) : b.bulk_in(static_cast<uint8_t>(endpoint), 64);
            CHECK(o.status == S::stall);
        }
        expect_ok(b, setup(0x02, 1, 0, endpoint, 0));
        expect_data(b, setup(0x82, 0, 0, endpoint, 2), {0, 0});
        uint64_t duplicates = b.host->stats().duplicates;
        CHECK(b.bulk_out(Bytes(5, 0x66)).status == S::completed);
        CHECK(b.bulk_in(0x81, 64).data == Bytes(5, 0x66));
        CHECK(b.bulk_in(0x82, 64).actual == 64);
        CHECK(b.host->stats().duplicates == duplicates);
    }
    expect_ok(b, setup(0x02, 3, 0, 0x82, 0));
    expect_ok(b, setup(0x00, 9, 1, 0, 0)); // SET_CONFIGURATION ends a halt
    expect_data(b, setup(0x82, 0, 0, 0x82, 2), {0, 0});
    CHECK(b.bulk_in(0x82, 64).actual == 64);
}

// Every length of OUT packet comes back; an empty packet follows full packets.
void zero_length_and_short() {
    Board b;
    b.configure();
    CHECK(b.bulk_out({}).status == S::completed); // an empty packet carries no data
    for (unsigned length = 1; length <= 130; ++length) {
        Bytes data(length);
        for (unsigned i = 0; i < length; ++i)
            data[i] = static_cast<uint8_t>(length + i * 7);
        CHECK(b.bulk_out(data, length % 3 ? 0 : unsigned{usb_zero_packet}).status == S::completed);
        Bytes back;
        while (back.size() < length) {
            Outcome o = b.bulk_in(0x81, 1024);
            CHECK(o.status == S::completed);
            back.insert(back.end(), o.data.begin(), o.data.end());
        }
        CHECK(back == data);
    }
}

void full_and_cancel() {
    Board b;
    b.configure();
    b.top->loop_i = 0;
    unsigned done = 0;
    for (unsigned i = 0; i < 3; ++i) {
        UsbTransfer t;
        t.endpoint = 0x01;
        t.buffer = Bytes(64, static_cast<uint8_t>(i));
        t.length = 64;
        t.done = [&](UsbTransfer &x) { done += x.status == S::completed; };
        b.host->submit(std::move(t));
    }
    uint64_t naks = b.host->stats().naks;
    b.run_us(3000);
    CHECK(done == 2); // both slots are full, the third packet is refused
    CHECK(b.host->pending(0x01) == 1);
    CHECK(b.host->stats().naks > naks + 20);
    b.top->loop_i = 1;
    b.run_until([&] { return done == 3; });
    Bytes expected;
    for (uint8_t i = 0; i < 3; ++i)
        expected.insert(expected.end(), 64, i);
    CHECK(b.bulk_in(0x81, 192).data == expected);
    CHECK(b.bulk_in(0x81, 64).actual == 0); // the empty packet after a full one

    // Nothing to read: NAK until cancelled. A partly filled transfer keeps its data.
    UsbTransfer t;
    t.endpoint = 0x81;
    t.length = 256;
    S status = S::completed;
    uint32_t actual = 0;
    t.done = [&](UsbTransfer &x) {
        status = x.status;
        actual = x.actual;
    };
    uint64_t id = b.host->submit(std::move(t));
    b.run_us(1000);
    CHECK(b.bulk_out(Bytes(64, 9)).status == S::completed);
    b.run_us(200);
    CHECK(b.host->pending(0x81) == 0 || b.host->cancel(id));
    b.run_until([&] { return b.host->idle(); });
    CHECK(!b.host->cancel(id));
    CHECK(actual == 64);
    CHECK(status == S::completed || status == S::cancelled);
}

void bulk_random() {
    Board b;
    b.configure();
    std::mt19937 random(1);
    constexpr size_t total = 65536;
    Bytes sent, received, trace;
    while (sent.size() < total) { // all are queued at once, with random lengths
        UsbTransfer t;
        t.endpoint = 0x01;
        t.buffer.resize(std::min<size_t>(1 + random() % 700, total - sent.size()));
        for (uint8_t &byte : t.buffer)
            byte = static_cast<uint8_t>(random());
        t.length = static_cast<uint32_t>(t.buffer.size());
        sent.insert(sent.end(), t.buffer.begin(), t.buffer.end());
        b.host->submit(std::move(t));
    }
    std::function<void(uint8_t, Bytes *, uint32_t)> read = [&](uint8_t endpoint, Bytes *into, uint32_t length) {
        UsbTransfer t;
        t.endpoint = endpoint;
        t.length = length;
        t.done = [&, endpoint, into](UsbTransfer &x) {
            CHECK(x.status == S::completed);
            into->insert(into->end(), x.buffer.begin(), x.buffer.begin() + x.actual);
            if (into->size() < total)
                read(endpoint, into, 64 * (1 + random() % 10));
        };
        b.host->submit(std::move(t));
    };
    b.top->trace_i = 1;
    read(0x81, &received, 512);
    read(0x82, &trace, 512);
    b.run_until([&] { return received.size() >= total && trace.size() >= total; });
    CHECK(received == sent);
    for (size_t i = 0; i < trace.size(); ++i)
        CHECK(trace[i] == (i & 0xFF));
}

// Random lost acknowledgements and corrupt data; no data are lost or duplicated.
void random_faults() {
    std::mt19937 random(7);
    bool on = false;
    unsigned run = 0;
    BoardOptions options;
    options.host.faults = [&](const UsbTransaction &t) -> unsigned {
        if (!on)
            return 0;
        bool now = random() % 4 == 0;
        if (t.token == UsbToken::in)
            return now ? unsigned{usb_fault_no_ack} : 0;
        run = now && run < 2 ? run + 1 : 0; // the third failure in a row would end the transfer
        return run ? unsigned{usb_fault_crc} : 0;
    };
    Board b(options);
    b.configure();
    on = true;
    Bytes sent(5000), back;
    for (uint8_t &byte : sent)
        byte = static_cast<uint8_t>(random());
    UsbTransfer t;
    t.endpoint = 0x01;
    t.buffer = sent;
    t.length = 5000;
    S status = S::error;
    t.done = [&](UsbTransfer &x) { status = x.status; };
    b.host->submit(std::move(t));
    while (back.size() < sent.size()) {
        Outcome o = b.bulk_in(0x81, 64);
        if (o.status != S::completed && o.status != S::error)
            CHECK(!"status");
        back.insert(back.end(), o.data.begin(), o.data.end());
    }
    CHECK(status == S::completed);
    CHECK(back == sent);
    CHECK(b.host->stats().duplicates > 5);
    CHECK(b.host->stats().timeouts > 5);
}

// A repeated OUT packet is acknowledged and dropped.
void duplicate_out() {
    Board b;
    b.configure();
    uint8_t one[] = {1, 2, 3}, two[] = {4, 5};
    UsbTransaction t;
    t.token = UsbToken::out;
    t.address = 1;
    t.endpoint = 1;
    t.data = one;
    t.length = 3;
    for (int i = 0; i < 3; ++i)
        CHECK(b.transact(t).outcome == UsbOutcome::ack);
    t.toggle = 1;
    t.data = two;
    t.length = 2;
    for (int i = 0; i < 2; ++i)
        CHECK(b.transact(t).outcome == UsbOutcome::ack);
    b.run_us(100);
    Bytes got;
    while (got.size() < 5) {
        Outcome o = b.bulk_in(0x81, 64);
        got.insert(got.end(), o.data.begin(), o.data.end());
    }
    CHECK(got == (Bytes{1, 2, 3, 4, 5}));
    // Another address, another endpoint, a setup for a bulk endpoint: no answer.
    t.address = 2;
    CHECK(b.transact(t).outcome == UsbOutcome::timeout);
    t.address = 1;
    for (uint8_t endpoint : {2, USB_CONFIG == 2 ? 4 : 3, 5, 9, 15}) {
        t.endpoint = endpoint;
        CHECK(b.transact(t).outcome == UsbOutcome::timeout);
    }
    t.endpoint = 1;
    t.token = UsbToken::setup;
    CHECK(b.transact(t).outcome == UsbOutcome::timeout);
    // Setup packets with wrong length or toggle are not accepted.
    t.endpoint = 0;
    Setup s = setup(0x80, 8, 0, 0, 1);
    t.data = s.data();
    t.toggle = 0;
    t.length = 7;
    CHECK(b.transact(t).outcome == UsbOutcome::timeout);
    t.length = 8;
    t.toggle = 1;
    CHECK(b.transact(t).outcome == UsbOutcome::timeout);
    t.toggle = 0;
    CHECK(b.transact(t).outcome == UsbOutcome::ack);
}

void reset_in_transfer() {
    Board b;
    b.configure();
    b.top->trace_i = 1;
    unsigned over = 0, cancelled = 0;
    for (uint8_t endpoint : {0x01, 0x81, 0x82}) {
        UsbTransfer t;
        t.endpoint = endpoint;
        t.buffer.resize(6400);
        t.length = 6400;
        t.done = [&](UsbTransfer &x) {
            ++over;
            cancelled += x.status == S::cancelled;
        };
        b.host->submit(std::move(t));
    }
    b.run_us(1234);
    CHECK(b.host->bus().busy());
    b.configure();
    CHECK(over == 3 && cancelled >= 2); // a short packet may have ended the transfer on 0x81
    // The buffers keep their contents (a host discards them with its resynchronisation mark); then everything works
    // again.
    CHECK(b.bulk_in(0x82, 640).actual == 640);
    bool quiet = false;
    while (!quiet) {
        UsbTransfer t;
        t.endpoint = 0x81;
        t.length = 64;
        bool came = false;
        t.done = [&](UsbTransfer &) { came = true; };
        uint64_t id = b.host->submit(std::move(t));
        b.run_us(2000);
        if (!came) {
            b.host->cancel(id);
            b.run_until([&] { return came; });
            quiet = true;
        }
    }
    CHECK(b.bulk_out(Bytes(20, 7)).status == S::completed);
    CHECK(b.bulk_in(0x81, 64).data == Bytes(20, 7));
}

// Bytes per second on one endpoint over 20 frames, and the maximum of packets in a frame.
void rate(uint8_t endpoint, bool ones, unsigned divisor, uint64_t at_least, uint64_t at_most) {
    BoardOptions options;
    options.clock_hz = 24000000;
    Board b(options);
    b.configure();
    b.top->trace_i = 1;
    b.top->trace_ones_i = ones;
    b.top->loop_i = 1;
    b.host->set_rate_divisor(endpoint, divisor);
    for (int i = 0; i < 60; ++i) {
        UsbTransfer t;
        t.endpoint = endpoint;
        t.buffer.resize(512, ones ? 0xFF : 0);
        t.length = 512;
        b.host->submit(std::move(t));
    }
    uint64_t frame = b.bus->ticks_per_second() / 1000;
    b.run(frame - b.now % frame);
    uint64_t before = b.host->stats().bytes, start = b.now;
    b.run(20 * frame);
    uint64_t bytes = b.host->stats().bytes - before, ticks = b.now - start;
    uint64_t speed = bytes * b.bus->ticks_per_second() / ticks;
    std::printf("  endpoint 0x%02x, %s, divisor %u: %llu bytes/s, at most %u packets a frame\n", endpoint,
                ones ? "all 0xFF" : "counter", divisor, static_cast<unsigned long long>(speed),
                b.host->stats().frame_packets_max);
    CHECK(speed >= at_least && speed <= at_most);
}

void rates() {
    rate(0x82, false, 1, 1200000, 1216000);
    rate(0x82, true, 1, 1080000, 1090000);
    rate(0x82, false, 10, 115000, 125000);
}

} // namespace

void common_cases() {
    struct Case {
        const char *name;
        void (*run)();
    };
    const Case cases[] = {{"enumeration", enumeration},
                          {"unknown requests", unknown_requests},
                          {"halted endpoints", halted_endpoints},
                          {"zero length and short", zero_length_and_short},
                          {"full and cancel", full_and_cancel},
                          {"bulk random", bulk_random},
                          {"random faults", random_faults},
                          {"duplicate out", duplicate_out},
                          {"reset in transfer", reset_in_transfer},
                          {"rates", rates}};
    control_cases();
    for (const Case &c : cases) {
        c.run();
        std::printf("ok  %s\n", c.name);
        std::fflush(stdout);
    }
}

} // namespace gnomon
