// SPDX-License-Identifier: Apache-2.0
// Cases that only the bit level can show: faults on the wire.
#include <random>

#include "bench_board.h"

namespace gnomon {

namespace {

LineBus &line(Board &b) {
    return static_cast<LineBus &>(*b.bus);
}

// A broken OUT packet of each kind gets no answer and leaves no data; its repetition is accepted.
void broken_out() {
    const unsigned faults[] = {usb_fault_crc, usb_fault_stuff,     usb_fault_truncate,
                               usb_fault_pid, usb_fault_token_crc, usb_fault_extra_bits};
    Board b;
    b.configure();
    uint8_t toggle = 0;
    Bytes expected;
    for (unsigned length : {1u, 3u, 17u, 63u, 64u}) {
        for (unsigned fault : faults) {
            Bytes good(length, static_cast<uint8_t>(fault + length)),
                bad(length, fault == usb_fault_stuff ? 0x3F : 0xEE);
            UsbTransaction t;
            t.token = UsbToken::out;
            t.address = 1;
            t.endpoint = 1;
            t.toggle = toggle;
            t.data = bad.data();
            t.length = length;
            t.faults = fault;
            for (int i = 0; i < 3; ++i)
                CHECK(b.transact(t).outcome == UsbOutcome::timeout);
            t.data = good.data();
            t.faults = 0;
            CHECK(b.transact(t).outcome == UsbOutcome::ack);
            toggle ^= 1;
            Outcome o = b.bulk_in(0x81, 64);
            CHECK(o.data == good);
            if (length == 64)
                CHECK(b.bulk_in(0x81, 64).actual == 0);
        }
    }
}

// Missing or broken acknowledgement: the device repeats the packet with the same toggle until it is acknowledged.
void missing_ack() {
    Board b;
    b.configure();
    b.top->trace_i = 1;
    b.run_us(50);
    UsbTransaction t;
    t.token = UsbToken::in;
    t.address = 1;
    t.endpoint = 2;
    for (unsigned packet = 0; packet < 6; ++packet) {
        for (unsigned fault : {unsigned{usb_fault_no_ack}, unsigned{usb_fault_corrupt_ack}, 0u}) {
            t.faults = fault;
            UsbResult r = b.transact(t);
            CHECK(r.outcome == UsbOutcome::ack);
            CHECK(r.length == 64);
            CHECK(r.toggle == (packet & 1));
            for (unsigned i = 0; i < 64; ++i)
                CHECK(r.data[i] == static_cast<uint8_t>(64 * packet + i));
        }
        b.run_us(50);
    }
    // A token with a wrong CRC5 gets no answer and removes no packet.
    t.faults = usb_fault_token_crc;
    CHECK(b.transact(t).outcome == UsbOutcome::timeout);
    t.faults = 0;
    CHECK(b.transact(t).toggle == 0);
}

// The device ignores data after a broken token or a token for another device.
void stray_data() {
    Board b;
    b.configure();
    uint8_t mine[] = {1, 2}, other[] = {3, 4};
    UsbTransaction t;
    t.token = UsbToken::out;
    t.address = 1;
    t.endpoint = 1;
    t.data = other;
    t.length = 2;
    t.faults = usb_fault_stuff; // a token for this device, then a broken packet
    CHECK(b.transact(t).outcome == UsbOutcome::timeout);
    t.faults = usb_fault_token_crc; // a broken token for another device, and its data
    t.address = 5;
    CHECK(b.transact(t).outcome == UsbOutcome::timeout);
    t.address = 1;
    t.faults = 0;
    t.data = mine;
    CHECK(b.transact(t).outcome == UsbOutcome::ack);
    CHECK(b.bulk_in(0x81, 64).data == (Bytes{1, 2}));
}

// After a token whose data were lost, the device waits as long as a host may take, and no longer: it ignores data that
// follow a later, lost token.
void bus_timeout() {
    Board b;
    b.configure();
    uint8_t mine[] = {5, 6}, stray[] = {7, 8};
    UsbTransaction t;
    t.token = UsbToken::out;
    t.address = 1;
    t.endpoint = 1;
    t.data = stray;
    t.length = 2;
    t.faults = usb_fault_lost_data;
    CHECK(b.transact(t).outcome == UsbOutcome::timeout);
    t.faults = usb_fault_lost_token;
    CHECK(b.transact(t).outcome == UsbOutcome::timeout);
    t.data = mine;
    for (uint32_t seed = 0; seed < 64; ++seed) { // some packets come after 15 bit times
        b.bus->set_seed(seed * 7919);
        t.faults = usb_fault_late;
        CHECK(b.transact(t).outcome == UsbOutcome::ack);
        CHECK(b.bulk_in(0x81, 64).data == (Bytes{5, 6}));
        t.toggle ^= 1;
    }
}

// 32 KiB in each direction with faults of all kinds in a quarter of the transactions.
void storm(uint64_t clock_hz, int host_ppm) {
    constexpr size_t total = 32768;
    const unsigned out_faults[] = {usb_fault_crc,       usb_fault_stuff, usb_fault_truncate, usb_fault_pid,
                                   usb_fault_token_crc, usb_fault_noise, usb_fault_hubs,     usb_fault_extra_bits};
    const unsigned in_faults[] = {usb_fault_no_ack, usb_fault_corrupt_ack, usb_fault_token_crc, usb_fault_noise,
                                  usb_fault_hubs};
    std::mt19937 random(static_cast<unsigned>(clock_hz / 1000) + static_cast<unsigned>(host_ppm));
    bool on = false;
    unsigned out_run = 0, in_run = 0;
    BoardOptions options;
    options.clock_hz = clock_hz;
    options.host_ppm = host_ppm;
    options.host.faults = [&](const UsbTransaction &t) -> unsigned {
        bool in = t.token == UsbToken::in;
        unsigned &run = in ? in_run : out_run;
        bool now = on && random() % 4 == 0 && run < 2; // the third failure in a row would end the transfer
        run = now ? run + 1 : 0;
        if (!now)
            return on && random() % 2 ? unsigned{usb_fault_jitter} : 0;
        return in ? in_faults[random() % 5] : out_faults[random() % 8];
    };
    Board b(options);
    b.configure();
    b.top->trace_i = 1;
    on = true;
    Bytes sent(total), received, trace;
    for (size_t i = 0; i < total; ++i) // runs of 0xFF, and random bytes
        sent[i] = (i >> 8) % 3 == 0 ? 0xFF : static_cast<uint8_t>(random());
    UsbTransfer t;
    t.endpoint = 0x01;
    t.buffer = sent;
    t.length = total;
    b.host->submit(std::move(t));
    std::function<void(uint8_t, Bytes *)> read = [&](uint8_t endpoint, Bytes *into) {
        UsbTransfer in;
        in.endpoint = endpoint;
        in.length = 512;
        in.done = [&, endpoint, into](UsbTransfer &x) {
            CHECK(x.status == UsbStatus::completed);
            into->insert(into->end(), x.buffer.begin(), x.buffer.begin() + x.actual);
            if (into->size() < total)
                read(endpoint, into);
        };
        b.host->submit(std::move(in));
    };
    read(0x81, &received);
    read(0x82, &trace);
    b.run_until([&] { return received.size() >= total && trace.size() >= total; });
    CHECK(received == sent);
    for (size_t i = 0; i < trace.size(); ++i)
        CHECK(trace[i] == (i & 0xFF));
    const UsbHostStats &s = b.host->stats();
    CHECK(s.errors == 0);
    CHECK(s.duplicates > 30);
    CHECK(s.timeouts > 50);
    std::printf(
        "  clk %llu kHz, host %+d ppm: %llu transactions, %llu repeated by us, %llu by the device; answers after "
        "%.2f to %.2f bit times\n",
        static_cast<unsigned long long>(clock_hz / 1000), host_ppm, static_cast<unsigned long long>(s.transactions),
        static_cast<unsigned long long>(s.timeouts), static_cast<unsigned long long>(s.duplicates),
        line(b).shortest_answer() / 4.0, line(b).longest_answer() / 4.0);
}

void storms() {
    storm(12000000, 0);
    storm(12000000, 2500);
    storm(24000000, -2500);
    storm(60000000, 2500);
}

// Legal lines lose no packet: jitter, skew, hubs, clocks at their limits.
void legal_line() {
    for (int ppm : {-2500, -1, 1, 2500}) {
        unsigned turn = 0;
        BoardOptions options;
        options.host_ppm = ppm;
        options.host.faults = [&](const UsbTransaction &) {
            return usb_fault_jitter | (++turn % 3 ? 0u : unsigned{usb_fault_hubs});
        };
        Board b(options);
        b.configure();
        Bytes data(4000);
        for (size_t i = 0; i < data.size(); ++i)
            data[i] = i % 300 < 100 ? 0xFF : static_cast<uint8_t>(i * i / 7);
        Bytes back;
        UsbTransfer t;
        t.endpoint = 0x01;
        t.buffer = data;
        t.length = 4000;
        b.host->submit(std::move(t));
        while (back.size() < data.size()) {
            Outcome o = b.bulk_in(0x81, 64);
            back.insert(back.end(), o.data.begin(), o.data.end());
        }
        CHECK(back == data);
        const UsbHostStats &s = b.host->stats();
        CHECK(s.timeouts == 0 && s.errors == 0 && s.duplicates == 0);
    }
}

// The host stops for 10 ms (suspend) and continues; an SE0 shorter than a reset is ignored.
void suspend_and_short_se0() {
    Board b;
    b.configure();
    for (int i = 0; i < 480000; ++i)
        b.clock();
    CHECK(b.bulk_out(Bytes(9, 9)).status == UsbStatus::completed);
    CHECK(b.bulk_in(0x81, 64).data == Bytes(9, 9));
    auto se0 = [&](unsigned ticks) {
        while (b.bus->busy())
            b.step();
        b.top->usb_dp_i = b.top->usb_dn_i = 0;
        for (unsigned i = 0; i < ticks; ++i)
            b.clock();
        b.top->usb_dp_i = 1;
        for (unsigned i = 0; i < 60; ++i)
            b.clock();
    };
    se0(100); // 2.1 us
    CHECK(b.control(setup(0x80, 8, 0, 0, 1)).data == Bytes{1});
    se0(150); // 3.1 us: a reset, which clears address and configuration
    CHECK(b.control(setup(0x80, 8, 0, 0, 1)).status == UsbStatus::error);
    b.configure();
    CHECK(b.control(setup(0x80, 8, 0, 0, 1)).data == Bytes{1});
}

// Suspend and resume in exact time: 3 ms without a frame, K for 20 ms, two low-speed bit times of SE0. The device never
// drives the line meanwhile, and its state is unchanged afterwards.
void suspend_and_resume() {
    constexpr bool knows = USB_CONFIG == 2;
    constexpr unsigned us = 48;
    Board b;
    b.configure();
    CHECK(b.control(setup(0x02, 3, 0, 0x82, 0)).status == UsbStatus::completed); // a halt, to check that it persists
    for (unsigned turn = 0; turn < 4; ++turn) {
        auto hold = [&](bool dp, bool dn, unsigned ticks, bool suspended) {
            b.top->usb_dp_i = dp;
            b.top->usb_dn_i = dn;
            for (unsigned i = 0; i < ticks; ++i) {
                b.clock();
                CHECK(!b.top->usb_oe_o);
                CHECK(b.top->usb_pullup_o);
                CHECK(!suspended || b.top->suspended_o == knows);
            }
        };
        while (b.bus->busy())
            b.step();
        hold(true, false, 2990 * us, false);
        CHECK(!b.top->suspended_o);
        hold(true, false, 20 * us, false);
        hold(true, false, turn * 1000 * us, true);
        hold(false, true, 8, false);
        if (turn % 2 == 1)
            hold(false, true, 20000 * us, false); // a resume; on even turns noise wakes the device
        CHECK(!b.top->suspended_o);
        if (turn % 2 == 1)
            hold(false, false, 64, false);
        hold(true, false, 64, false);
        CHECK(!b.top->suspended_o);
        b.run_us(3000); // frames, also without transfers
        CHECK(!b.top->suspended_o);
        expect_data(b, setup(0x80, 8, 0, 0, 1), {1});
        expect_data(b, setup(0x82, 0, 0, 0x82, 2), {1, 0});
        CHECK(b.bulk_out(Bytes(9, 9)).status == UsbStatus::completed);
        CHECK(b.bulk_in(0x81, 64).data == Bytes(9, 9));
    }
    // Suspend, followed by a reset.
    for (unsigned i = 0; i < 4000 * us; ++i)
        b.clock();
    b.configure();
    expect_data(b, setup(0x82, 0, 0, 0x82, 2), {0, 0});
}

// A slot that becomes free during a packet must not take the rest of that packet.
void freed_in_mid_packet() {
    for (unsigned when = 0; when < 2600; when += 130) {
        BoardOptions options;
        options.clock_hz = 60000000;
        Board b(options);
        b.configure();
        b.top->loop_i = 0;
        Bytes sent, back;
        UsbTransaction t;
        t.token = UsbToken::out;
        t.address = 1;
        t.endpoint = 1;
        t.length = 64;
        auto next = [&](unsigned number) {
            Bytes packet(64);
            for (unsigned i = 0; i < 64; ++i)
                packet[i] = static_cast<uint8_t>(number * 64 + i);
            sent.insert(sent.end(), packet.begin(), packet.end());
            t.toggle = number & 1;
            return packet;
        };
        for (unsigned number = 0; number < 2; ++number) {
            Bytes packet = next(number);
            t.data = packet.data();
            CHECK(b.transact(t).outcome == UsbOutcome::ack);
        }
        Bytes packet = next(2);
        t.data = packet.data();
        b.bus->start(t, b.now);
        for (unsigned i = 0; b.bus->busy(); ++i) {
            b.bus->tick(b.now);
            b.top->loop_i = i >= when;
            b.clock();
        }
        b.top->loop_i = 1;
        UsbOutcome outcome = b.bus->result().outcome;
        while (outcome == UsbOutcome::nak)
            outcome = b.transact(t).outcome;
        CHECK(outcome == UsbOutcome::ack);
        while (back.size() < sent.size()) {
            Outcome o = b.bulk_in(0x81, 64);
            back.insert(back.end(), o.data.begin(), o.data.end());
        }
        CHECK(back == sent);
    }
}

// Noise that resembles the beginning of a packet, followed by idle, costs no later packet.
void false_start() {
    Board b;
    b.configure();
    for (uint32_t noise = 0; noise < 64; ++noise) {
        while (b.bus->busy())
            b.step();
        uint32_t bits = 0x2A | 3u << 7 | noise << 9; // sync pattern, then any bits; 1 is J
        for (unsigned i = 0; i < 15; ++i, bits >>= 1) {
            b.top->usb_dp_i = bits & 1;
            b.top->usb_dn_i = !(bits & 1);
            for (unsigned tick = 0; tick < 4; ++tick)
                b.clock();
        }
        b.top->usb_dp_i = 1;
        b.top->usb_dn_i = 0;
        for (unsigned i = 0; i < 64; ++i)
            b.clock();
        Setup s = setup(0x80, 8, 0, 0, 1);
        UsbTransaction t;
        t.token = UsbToken::setup;
        t.address = 1;
        t.data = s.data();
        t.length = 8;
        CHECK(b.transact(t).outcome == UsbOutcome::ack);
    }
}

// A reset that begins at any time within a packet, also one of the device.
void reset_anywhere() {
    Board b;
    b.configure();
    b.top->trace_i = 1;
    for (unsigned when = 0; when < 2600; when += 61) {
        UsbTransaction t;
        t.token = UsbToken::in;
        t.address = 1;
        t.endpoint = 2;
        while (b.bus->busy())
            b.step();
        b.bus->start(t, b.now);
        for (unsigned i = 0; i < when && b.bus->busy(); ++i) {
            b.bus->tick(b.now);
            b.clock();
        }
        b.bus->reset(b.now, 4800);
        while (b.bus->busy()) {
            if (b.now >= b.bus->next_event())
                b.bus->tick(b.now);
            b.clock();
        }
        b.configure();
        CHECK(b.control(setup(0x80, 8, 0, 0, 1)).data == Bytes{1});
    }
}

// The bus reader must reject the faults of the bus writer.
void reader_refuses() {
    auto read = [](const std::vector<LineState> &states) -> const char * {
        LineReader reader;
        reader.begin();
        for (LineState s : states)
            if (reader.push(s))
                return reader.error() ? reader.error() : "";
        return "no end";
    };
    Bytes data(64, 0xFF);
    UsbTransaction t;
    t.data = data.data();
    t.length = 64;
    for (unsigned fault : {0u, unsigned{usb_fault_crc}, unsigned{usb_fault_stuff}, unsigned{usb_fault_truncate},
                           unsigned{usb_fault_pid}}) {
        LineWriter writer;
        t.faults = fault;
        writer.data(t);
        std::string error = read(writer.states);
        CHECK(error.empty() == (fault == 0));
        if (fault)
            continue;
        for (size_t i = 0; i < writer.states.size(); ++i) { // every single wrong bit is rejected
            std::vector<LineState> states = writer.states;
            states[i] = states[i] == LineState::k ? LineState::j : LineState::k;
            CHECK(*read(states));
        }
    }
}

} // namespace

} // namespace gnomon

int main(int argc, char **) {
    using namespace gnomon;
    if (argc > 1) {
        speed();
        return 0;
    }
    struct {
        const char *name;
        void (*run)();
    } const cases[] = {{"reader refuses", reader_refuses},
                       {"broken out", broken_out},
                       {"missing ack", missing_ack},
                       {"stray data", stray_data},
                       {"bus time-out", bus_timeout},
                       {"legal line", legal_line},
                       {"storms", storms},
                       {"suspend and short SE0", suspend_and_short_se0},
                       {"suspend and resume", suspend_and_resume},
                       {"reset anywhere", reset_anywhere},
                       {"freed in mid packet", freed_in_mid_packet},
                       {"false start", false_start}};
    for (const auto &c : cases) {
        c.run();
        std::printf("ok  %s\n", c.name);
        std::fflush(stdout);
    }
    common_cases();
    return 0;
}
