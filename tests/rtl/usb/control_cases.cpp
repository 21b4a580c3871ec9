// SPDX-License-Identifier: Apache-2.0
// The control endpoint packet by packet, the way into the boot loader, and the console for terminal programs.
#include <random>

#include "bench_board.h"

namespace gnomon {

namespace {

constexpr bool has_acm = USB_CONFIG == 2, has_dfu = USB_DFU == 2;
constexpr uint16_t dfu_interface = has_acm ? 3 : 1;

// A control transfer that the test performs itself. The host controller must be idle.
struct Raw {
    explicit Raw(Board &board) : b(board) {
    }

    void setup(const Setup &s) {
        UsbTransaction t;
        t.token = UsbToken::setup;
        t.address = 1;
        t.data = s.data();
        t.length = 8;
        CHECK(b.transact(t).outcome == UsbOutcome::ack);
    }
    UsbResult in(unsigned faults = 0) {
        UsbTransaction t;
        t.token = UsbToken::in;
        t.address = 1;
        t.faults = faults;
        return b.transact(t);
    }
    UsbOutcome out(const Bytes &data, uint8_t toggle = 1, unsigned faults = 0) {
        UsbTransaction t;
        t.token = UsbToken::out;
        t.address = 1;
        t.toggle = toggle;
        t.data = data.data();
        t.length = static_cast<unsigned>(data.size());
        t.faults = faults;
        return b.transact(t).outcome;
    }

    Board &b;
};

// The longest descriptor.
const Setup get_longest = setup(0xC0, 1, 0, 7, 0xFFFF);
const Setup get_configuration = setup(0x80, 8, 0, 0, 1);

// Data in several packets: toggles, repetition until acknowledged, the end, the status stage.
void packets() {
    Board b;
    b.configure();
    Bytes whole = b.control(get_longest).data;
    CHECK(whole.size() > 128 && whole.size() % 64);
    Raw raw(b);
    raw.setup(get_longest);
    Bytes got;
    for (unsigned packet = 0; got.size() < whole.size(); ++packet) {
        for (unsigned fault : {unsigned{usb_fault_no_ack}, unsigned{usb_fault_no_ack}, 0u}) {
            UsbResult r = raw.in(fault);
            CHECK(r.outcome == UsbOutcome::ack);
            CHECK(r.toggle == !(packet & 1));
            CHECK(r.length == std::min<size_t>(64, whole.size() - got.size()));
            if (!fault)
                got.insert(got.end(), r.data.begin(), r.data.begin() + r.length);
        }
    }
    CHECK(got == whole);
    for (int i = 0; i < 3; ++i)
        CHECK(raw.in().outcome == UsbOutcome::nak); // no more data
    for (int i = 0; i < 3; ++i)
        CHECK(raw.out({}) == UsbOutcome::ack); // the acknowledgement may be lost
    // The device sends whole packets up to the requested length, and then no more.
    raw.setup(setup(0xC0, 1, 0, 7, 128));
    CHECK(raw.in().length == 64);
    CHECK(raw.in().length == 64);
    UsbResult r = raw.in();
    CHECK(r.outcome == UsbOutcome::nak || (r.outcome == UsbOutcome::ack && r.length == 0));
    CHECK(raw.out({}) == UsbOutcome::ack);
}

// A new setup packet at any point of a transfer discards the transfer.
void aborted() {
    Board b;
    b.configure();
    Bytes whole = b.control(get_longest).data;
    Raw raw(b);
    for (unsigned before = 0; before <= whole.size() / 64 + 2; ++before) {
        for (unsigned fault : {0u, unsigned{usb_fault_no_ack}}) {
            raw.setup(get_longest);
            for (unsigned i = 0; i < before; ++i)
                raw.in(i + 1 == before ? fault : 0);
            raw.setup(get_longest);
            UsbResult r = raw.in();
            CHECK(r.outcome == UsbOutcome::ack && r.toggle == 1);
            CHECK(r.length == std::min<size_t>(64, whole.size()));
            CHECK(Bytes(r.data.begin(), r.data.begin() + r.length) == Bytes(whole.begin(), whole.begin() + r.length));
            raw.setup(setup(0x02, 3, 0, 0x81, 0)); // without its status stage
            raw.setup(get_configuration);
            r = raw.in();
            CHECK(r.length == 1 && r.data[0] == 1 && r.toggle == 1);
            CHECK(raw.out({}) == UsbOutcome::ack); // an early status stage also ends the transfer
            raw.setup(get_longest);
            CHECK(raw.out({}) == UsbOutcome::ack);
            CHECK(raw.in().outcome == UsbOutcome::nak);
        }
    }
    // A broken setup packet discards the current transfer and gets no answer.
    raw.setup(get_longest);
    UsbTransaction t;
    t.token = UsbToken::setup;
    t.address = 1;
    t.data = get_configuration.data();
    t.length = 8;
    t.faults = usb_fault_crc;
    CHECK(b.transact(t).outcome == UsbOutcome::timeout);
    CHECK(raw.in().outcome == UsbOutcome::nak);
    t.faults = 0;
    CHECK(b.transact(t).outcome == UsbOutcome::ack);
    CHECK(raw.in().length == 1);
}

// Data in a request without data, or in the wrong direction.
void over_long() {
    Board b;
    b.configure();
    Raw raw(b);
    for (unsigned length : {1u, 7u, 63u, 64u}) {
        for (unsigned reads = 0; reads < 2; ++reads) {
            raw.setup(get_configuration);
            for (unsigned i = 0; i < reads; ++i)
                CHECK(raw.in().length == 1);
            CHECK(raw.out(Bytes(length, 1)) == UsbOutcome::stall); // no status stage
            CHECK(raw.in().outcome == UsbOutcome::stall);
            CHECK(raw.out({}) == UsbOutcome::stall);
        }
        raw.setup(setup(0x00, 9, 1, 0, 0));
        CHECK(raw.out(Bytes(length, 1)) == UsbOutcome::stall); // the request has no data stage
        raw.setup(setup(0x00, 9, 1, 0, static_cast<uint16_t>(length)));
        CHECK(raw.out(Bytes(length, 1)) == UsbOutcome::stall); // the request may not announce a data stage, either
        CHECK(raw.in().outcome == UsbOutcome::stall);
    }
    raw.setup(setup(0x80, 6, 0x0100, 0, 0)); // length 0: the device sends the status stage
    for (unsigned fault : {unsigned{usb_fault_no_ack}, 0u}) {
        UsbResult r = raw.in(fault);
        CHECK(r.outcome == UsbOutcome::ack && r.length == 0 && r.toggle == 1);
    }
    CHECK(raw.in().outcome == UsbOutcome::nak);
    expect_data(b, get_configuration, {1});
}

// The boot loader request: it takes effect after the status stage; then the device is off the bus, and boot_o stays
// high.
void loader() {
    const Setup boot = setup(0x40, 2, 0, 0, 0), detach = setup(0x21, 0, 1000, dfu_interface, 0);
    for (const Setup &request : {boot, detach}) {
        Board b;
        b.configure();
        if (request == detach && has_dfu) {
            expect_data(b, setup(0xA1, 3, 0, dfu_interface, 6), {0, 0, 0, 0, 0, 0}); // no error, application runs
            expect_data(b, setup(0xA1, 5, 0, dfu_interface, 1), {0});
        }
        if (request == detach ? !has_dfu : USB_DFU == 0) {
            expect_stall(b, request);
            b.run_us(100);
            CHECK(!b.top->boot_o);
            continue;
        }
        for (unsigned bit = 8; bit < 64; ++bit) { // no request with another bit flipped
            Setup mutant = request;
            mutant[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
            if (request == detach && (bit / 8 == 2 || bit / 8 == 3))
                continue; // any time limit
            if (mutant[0] == 0x40 || mutant[1] == 0)
                expect_stall(b, mutant, Bytes(mutant[6] | mutant[7] << 8));
        }
        Raw raw(b);
        raw.setup(request);
        CHECK(!b.top->boot_o);
        CHECK(raw.in(usb_fault_no_ack).length == 0);
        CHECK(!b.top->boot_o);
        CHECK(raw.in().length == 0);
        b.run_us(1);
        CHECK(b.top->boot_o);
#if USB_LINE
        CHECK(!b.top->usb_pullup_o);
#else
        CHECK(!(b.top->txn_o & 1u << 14));
#endif
        b.run_us(1000);
        CHECK(b.top->boot_o);
    }
}

void line_coding() {
    Board b;
    b.configure();
    const Setup get = setup(0xA1, 0x21, 0, 1, 7), set = setup(0x21, 0x20, 0, 1, 7);
    const Bytes one{0x80, 0x25, 0, 0, 0, 0, 8}, two{0x00, 0xC2, 0x01, 0, 2, 1, 7};
    expect_data(b, get, {0x00, 0xC2, 0x01, 0, 0, 0, 8}); // 115,200 8N1
    expect_ok(b, set, one);
    expect_data(b, get, one);
    // Other lengths, an unfinished transfer, a broken packet and an unexpected packet do not change the line coding.
    for (uint16_t length : {1, 6, 8, 64})
        expect_stall(b, setup(0x21, 0x20, 0, 1, length), Bytes(length, 0x55));
    Raw raw(b);
    for (size_t length : {size_t{0}, size_t{6}, size_t{8}, size_t{64}}) {
        raw.setup(set);
        CHECK(raw.out(Bytes(length, 0x55)) == UsbOutcome::stall);
    }
    raw.setup(set);
    CHECK(raw.out(two, 1, usb_fault_crc) == UsbOutcome::timeout);
    raw.setup(get_configuration);
    CHECK(raw.out(two) == UsbOutcome::stall);
    raw.setup(set);
    CHECK(raw.out(two, 0) == UsbOutcome::ack); // wrong toggle: counts as a repetition
    expect_data(b, get, one);
    // A repeated packet, because its acknowledgement was lost.
    raw.setup(set);
    for (int i = 0; i < 3; ++i)
        CHECK(raw.out(two) == UsbOutcome::ack);
    CHECK(raw.in().length == 0);
    expect_data(b, get, two);
    b.configure(); // a reset restores the default
    expect_data(b, get, {0x00, 0xC2, 0x01, 0, 0, 0, 8});
}

// Typed bytes pass and come back, beside the vendor interface; nothing is sent while the port is closed.
void terminal() {
    Board b;
    b.configure();
    auto lines = [&](uint16_t value) { expect_ok(b, setup(0x21, 0x22, value, 1, 0)); };
    expect_stall(b, setup(0x21, 0x22, 4, 1, 0));
    expect_stall(b, setup(0x21, 0x22, 1, 2, 0));
    expect_stall(b, setup(0x21, 0x23, 100, 1, 0)); // no breaks
    CHECK(!b.top->open_o);
    lines(2); // RTS without DTR does not open the port
    b.run_us(2);
    CHECK(!b.top->open_o);
    CHECK(b.transfer(0x03, {'h', 'i'}, 2).status == UsbStatus::completed);
    UsbTransfer waiting;
    waiting.endpoint = 0x83;
    waiting.length = 64;
    Bytes came;
    waiting.done = [&](UsbTransfer &t) { came.assign(t.buffer.begin(), t.buffer.begin() + t.actual); };
    b.host->submit(std::move(waiting));
    b.run_us(2000);
    CHECK(b.host->pending(0x83) == 1);
    lines(3);
    b.run_until([&] { return b.host->pending(0x83) == 0; });
    CHECK(b.top->open_o);
    while (came.size() < 2) {
        Outcome o = b.bulk_in(0x83, 64);
        came.insert(came.end(), o.data.begin(), o.data.end());
    }
    CHECK(came == (Bytes{'h', 'i'}));

    std::mt19937 random(5);
    b.top->trace_i = 1;
    Bytes sent(5000), back, commands(3000, 0x5A), replies;
    for (uint8_t &byte : sent)
        byte = static_cast<uint8_t>(random());
    for (uint8_t endpoint : {0x03, 0x01}) {
        UsbTransfer t;
        t.endpoint = endpoint;
        t.buffer = endpoint == 0x03 ? sent : commands;
        t.length = static_cast<uint32_t>(t.buffer.size());
        b.host->submit(std::move(t));
    }
    uint8_t counter = 0;
    while (back.size() < sent.size() || replies.size() < commands.size()) {
        if (back.size() < sent.size()) {
            Outcome o = b.bulk_in(0x83, 64);
            back.insert(back.end(), o.data.begin(), o.data.end());
        }
        if (replies.size() < commands.size()) {
            Outcome o = b.bulk_in(0x81, 64);
            replies.insert(replies.end(), o.data.begin(), o.data.end());
        }
        for (uint8_t byte : b.bulk_in(0x82, 64).data)
            CHECK(byte == counter++);
    }
    CHECK(back == sent);
    CHECK(replies == commands);
    b.host->attach(); // a reset closes the port
    b.run_until([&] { return b.host->attached(); });
    CHECK(!b.top->open_o);
}

// Lost bytes are reported once, and only while the port is open.
void overrun() {
    const Bytes told{0xA1, 0x20, 0, 0, 1, 0, 2, 0, 0x43, 0};
    Board b;
    b.configure();
    auto lose = [&] { // one edge of clk_i
        b.top->overrun_i = 1;
        b.run_us(1);
        b.top->overrun_i = 0;
        b.run_us(10);
    };
    auto read = [&] {
        UsbTransaction t;
        t.token = UsbToken::in;
        t.address = 1;
        t.endpoint = 4;
        return b.transact(t);
    };
    lose();
    CHECK(read().outcome == UsbOutcome::nak);
    expect_ok(b, setup(0x21, 0x22, 1, 1, 0));
    CHECK(read().outcome == UsbOutcome::nak);
    for (unsigned i = 0; i < 3; ++i) {
        b.top->overrun_i = 1; // an odd or an even number of pulses: both report a loss
        b.run(7);
        b.top->overrun_i = 0;
        b.run_us(10);
        UsbResult r = read();
        if (r.outcome == UsbOutcome::nak)
            continue;
        CHECK(r.toggle == (i & 1));
        CHECK(Bytes(r.data.begin(), r.data.begin() + r.length) == told);
        CHECK(read().outcome == UsbOutcome::nak);
    }
    CHECK(b.host->stats().errors == 0);
}

// Each interface restarts only its own endpoints' toggles; each endpoint has its own halt.
void own_toggles() {
    Board b;
    b.configure();
    expect_ok(b, setup(0x21, 0x22, 1, 1, 0));
    b.top->trace_i = 1;
    auto all = [&] {
        uint64_t duplicates = b.host->stats().duplicates;
        CHECK(b.bulk_out(Bytes(10, 0x55)).status == UsbStatus::completed);
        CHECK(b.bulk_in(0x81, 64).data == Bytes(10, 0x55));
        CHECK(b.bulk_in(0x82, 64).actual == 64);
        CHECK(b.transfer(0x03, {7}, 1).status == UsbStatus::completed);
        CHECK(b.bulk_in(0x83, 64).data == Bytes{7});
        CHECK(b.host->stats().duplicates == duplicates);
    };
    all();
    for (uint16_t interface : {0, 1, 2}) {
        expect_ok(b, setup(0x01, 11, 0, interface, 0));
        all();
    }
    const uint8_t endpoints[] = {0x01, 0x81, 0x82, 0x03, 0x83, 0x84};
    for (uint8_t endpoint : endpoints) {
        expect_ok(b, setup(0x02, 3, 0, endpoint, 0));
        for (uint8_t other : endpoints)
            expect_data(b, setup(0x82, 0, 0, other, 2), {static_cast<uint8_t>(other == endpoint), 0});
        CHECK(b.transfer(endpoint, Bytes(1), 1).status == UsbStatus::stall);
        expect_ok(b, setup(0x02, 1, 0, endpoint, 0));
        all();
    }
}

} // namespace

void control_cases() {
    const struct {
        const char *name;
        void (*run)();
        bool there;
    } cases[] = {{"packets of a control transfer", packets, true},
                 {"aborted control transfers", aborted, true},
                 {"control transfers too long", over_long, true},
                 {"into the loader", loader, true},
                 {"line coding", line_coding, has_acm},
                 {"terminal", terminal, has_acm},
                 {"overrun", overrun, has_acm},
                 {"own toggles", own_toggles, has_acm}};
    for (const auto &c : cases) {
        if (!c.there)
            continue;
        c.run();
        std::printf("ok  %s\n", c.name);
        std::fflush(stdout);
    }
}

} // namespace gnomon
