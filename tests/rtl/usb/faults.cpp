// SPDX-License-Identifier: Apache-2.0
// Streams of numbered words in both directions, with faults of every kind: `make test-usb-faults`.
// usage: Vusb_bench SEED FAULTS
#include <cinttypes>
#include <random>

#include "bench_board.h"
#include "fault_injector.h"

namespace gnomon {

namespace {

constexpr uint32_t packet_words = usb_max_packet / 4;
constexpr unsigned in_flight = 2;      // transfers queued on each endpoint
constexpr unsigned max_transfer = 170; // words
constexpr uint64_t round_faults = 1000;

// Prints the place of the failure, so that it can be repeated.
#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            broken(#condition);                                                                                        \
    } while (0)

// Checks a received stream of words 0, 1, 2 ... When the cable was pulled, a packet may be lost or duplicated, and both
// are counted; otherwise the next word is the next number.
struct Sequence {
    uint32_t next = 0; // the expected word
    uint32_t high = 0; // above all received words
    uint64_t lost = 0, doubled = 0, unique = 0;
    unsigned allowed = 0; // jumps that pulls of the cable allow

    bool take(uint32_t word) {
        if (word != next) {
            if (allowed == 0 || word > next + packet_words || word + packet_words < next)
                return false;
            --allowed;
        }
        if (word < high)
            ++doubled;
        else {
            lost += word - high;
            high = word + 1;
            ++unique;
        }
        next = word + 1;
        return true;
    }
};

uint32_t word_at(const Bytes &bytes, size_t at) {
    return bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | static_cast<uint32_t>(bytes[at + 3]) << 24;
}

// The last transactions, for the report of a failure.
struct Past {
    uint64_t tick;
    UsbToken token;
    unsigned endpoint, toggle, length, faults;
};
constexpr size_t history_length = 12;

struct Totals {
    uint64_t faults = 0, resets = 0, pulls = 0, suspends = 0, transactions = 0, bytes = 0, lost = 0, doubled = 0,
             controls = 0, again = 0;
    std::array<uint64_t, usb_fault_kinds> kinds{};
};

class Round {
  public:
    Round(uint32_t seed, bool pulls);
    void run(uint64_t faults);
    void add_to(Totals &totals) const;

  private:
    template <class Condition> void wait_for(Condition condition, const char *what);
    [[noreturn]] void broken(const char *what) const;
    void configure();
    Outcome patient(Setup setup);
    void feed();
    void read(uint8_t endpoint, Sequence &sequence);
    void ask();
    void disturb();
    void drain();

    uint32_t seed_;
    bool pulls_allowed_;
    std::mt19937 random_;
    UsbFaultInjector injector_;
    std::unique_ptr<Board> board_;
    Bytes device_descriptor_;
    uint32_t to_send_ = 0; // next word
    Sequence back_, trace_;
    uint64_t disturb_at_ = 0, ask_at_ = 0;
    bool feeding_ = true;
    bool broken_off_ = false; // the test itself ends transfers
    std::deque<Past> history_;
    Totals totals_;
};

Round::Round(uint32_t seed, bool pulls)
    : seed_(seed), pulls_allowed_(pulls), random_(seed), injector_(static_cast<uint32_t>(random_()), 0) {
    static const uint64_t clocks[] = {12000000, 16000000, 24000000, 48000000, 60000000};
    BoardOptions options;
    options.clock_hz = clocks[random_() % std::size(clocks)];
    options.host_ppm = static_cast<int>(random_() % 5001) - 2500;
    options.host.reset_us = 10 + random_() % 90;
    options.host.recovery_us = 50;
    options.host.faults = [this](const UsbTransaction &t) {
        unsigned faults = injector_(t);
        history_.push_back({board_->now, t.token, t.endpoint, t.toggle, t.length, faults});
        if (history_.size() > history_length)
            history_.pop_front();
        return faults;
    };
    board_ = std::make_unique<Board>(options);
    board_->bus->set_seed(static_cast<uint32_t>(random_()));
    board_->top->trace_words_i = 1;
}

void Round::broken(const char *what) const {
    const Board &b = *board_;
    std::printf("seed %" PRIu32 ", tick %" PRIu64 ": failed: %s\n", seed_, b.now, what);
    std::printf("  clk_i %" PRIu64 " Hz, host %+d ppm, %s; %" PRIu64 " faults, %" PRIu64 " resets, %" PRIu64
                " pulls, %" PRIu64 " suspends so far\n",
                b.options.clock_hz, b.options.host_ppm, pulls_allowed_ ? "with pulls" : "without pulls",
                injector_.injected(), totals_.resets, totals_.pulls, totals_.suspends);
    std::printf("  sent %" PRIu32 " words; back: due %" PRIu32 ", lost %" PRIu64 ", doubled %" PRIu64
                "; trace: due %" PRIu32 ", lost %" PRIu64 ", doubled %" PRIu64 "; last error: %s\n",
                to_send_, back_.next, back_.lost, back_.doubled, trace_.next, trace_.lost, trace_.doubled,
                b.host->stats().last_error);
    std::printf("  the device has taken %" PRIu32 " bytes of trace; last transactions:\n", b.top->trace_bytes_o);
    for (const Past &p : history_) {
        static const char *const tokens[] = {"OUT", "SOF", "IN", "SETUP"};
        std::printf("    tick %" PRIu64 " %s %u, DATA%u, %u bytes:", p.tick, tokens[static_cast<unsigned>(p.token)],
                    p.endpoint, p.toggle, p.length);
        for (unsigned kind = 0; kind < usb_fault_kinds; ++kind)
            if (p.faults >> kind & 1)
                std::printf(" [%s]", usb_fault_name(kind));
        std::printf("\n");
    }
    std::exit(1);
}

template <class Condition> void Round::wait_for(Condition condition, const char *what) {
    Board &b = *board_;
    for (uint64_t limit = b.now + b.bus->ticks_per_second() / 2; !condition(); b.step())
        if (b.now >= limit)
            broken(what);
}

// A control transfer with retries, as hosts do it.
Outcome Round::patient(Setup s) {
    Outcome outcome;
    for (unsigned attempt = 0; attempt < 5; ++attempt) {
        outcome = board_->control(s);
        if (outcome.status == UsbStatus::completed)
            break;
        ++totals_.again;
    }
    return outcome;
}

// Attaches and configures, with as many attempts as needed: the acknowledgement of SET_ADDRESS may be lost.
void Round::configure() {
    Board &b = *board_;
    for (unsigned attempt = 0;; ++attempt) {
        EXPECT(attempt < 20);
        totals_.again += attempt != 0;
        if (attempt != 0)
            b.host->attach();
        wait_for([&] { return b.host->attached() || b.host->failed(); }, "attached");
        if (b.host->failed() || patient(setup(0x00, 9, 1, 0, 0)).status != UsbStatus::completed)
            continue;
        Outcome o = patient(setup(0x80, 8, 0, 0, 1));
        if (o.status == UsbStatus::completed && o.data == Bytes{1})
            break;
    }
    broken_off_ = false;
    for (unsigned i = 0; i < in_flight; ++i) {
        feed();
        read(0x81, back_);
        read(0x82, trace_);
    }
}

// Sends the next words to 0x01. Words that a broken transfer did not get acknowledged are sent again.
void Round::feed() {
    if (!feeding_)
        return;
    UsbTransfer t;
    t.endpoint = 0x01;
    uint32_t first = to_send_, words = 1 + random_() % max_transfer;
    to_send_ += words;
    t.buffer.resize(4 * words);
    for (uint32_t i = 0; i < 4 * words; ++i)
        t.buffer[i] = static_cast<uint8_t>((first + i / 4) >> (8 * (i % 4)));
    t.length = 4 * words;
    t.flags = random_() % 4 ? 0 : unsigned{usb_zero_packet};
    t.done = [this, first](UsbTransfer &x) {
        if (x.status == UsbStatus::completed)
            return feed();
        EXPECT(broken_off_);
        to_send_ = std::min(to_send_, first + x.actual / 4);
    };
    board_->host->submit(std::move(t));
}

void Round::read(uint8_t endpoint, Sequence &sequence) {
    UsbTransfer t;
    t.endpoint = endpoint;
    t.length = usb_max_packet * (1 + static_cast<uint32_t>(random_() % 8));
    t.done = [this, endpoint, &sequence](UsbTransfer &x) {
        EXPECT(x.status == UsbStatus::completed || (x.status == UsbStatus::cancelled && broken_off_));
        EXPECT(x.actual % 4 == 0);
        for (size_t i = 0; i < x.actual; i += 4)
            if (uint32_t word = word_at(x.buffer, i); !sequence.take(word))
                broken(("endpoint " + std::to_string(endpoint) + ": word " + std::to_string(word)).c_str());
        totals_.bytes += x.actual;
        if (!broken_off_)
            read(endpoint, sequence);
    };
    board_->host->submit(std::move(t));
}

// Control transfers beside the streams: after any fault the device must answer correctly.
void Round::ask() {
    Board &b = *board_;
    if (b.now < ask_at_ || b.host->pending(0x00) != 0)
        return;
    ask_at_ = b.now + random_() % (b.bus->ticks_per_second() / 1000);
    UsbTransfer t;
    bool descriptor = random_() % 2;
    t.setup = descriptor ? setup(0x80, 6, 0x0100, 0, 18) : setup(0x80, 8, 0, 0, 1);
    t.done = [this, descriptor](UsbTransfer &x) {
        if (broken_off_)
            return;
        EXPECT(x.status == UsbStatus::completed);
        x.buffer.resize(x.actual);
        EXPECT(x.buffer == (descriptor ? device_descriptor_ : Bytes{1}));
        ++totals_.controls;
    };
    board_->host->submit(std::move(t));
}

// Disturbs the wire at any time: reset, cable out and in, suspend.
void Round::disturb() {
    Board &b = *board_;
    if (b.now < disturb_at_)
        return;
    disturb_at_ =
        b.now + b.bus->ticks_per_second() / 1000 * (1 + random_() % (pulls_allowed_ ? 4 : 30)) + random_() % 48000;
    unsigned what = random_() % (pulls_allowed_ ? 3 : 1);
    if (what == 0) {
        ++totals_.suspends;
        b.host->suspend(10 + random_() % 4000, 20 + random_() % 100);
        return;
    }
    broken_off_ = true;
    back_.allowed += 2; // a packet to the device may be duplicated, a packet from it lost or duplicated
    trace_.allowed += 1;
    if (what == 1) {
        ++totals_.resets;
        b.host->replug(b.now, 0);
    } else {
        ++totals_.pulls;
        b.host->replug(b.now, 1 + random_() % 3000);
    }
    configure();
}

// Checks that all sent words come back, and whole packets of the trace.
void Round::drain() {
    Board &b = *board_;
    feeding_ = false;
    b.top->trace_i = 0;
    wait_for([&] { return b.host->pending(0x01) == 0 && back_.next == to_send_; }, "all has come back");
    b.run_us(10000); // for the trace, and for unexpected data
    broken_off_ = true;
    b.host->attach(); // collects the data of open transfers
    wait_for([&] { return b.host->attached(); }, "attached at the end");
    uint32_t trace_words = b.top->trace_bytes_o / usb_max_packet * packet_words;
    EXPECT(back_.next == to_send_ && back_.unique + back_.lost == to_send_);
    EXPECT(trace_.next == trace_words && trace_.unique + trace_.lost == trace_words);
    EXPECT(totals_.resets + totals_.pulls != 0 || back_.lost + back_.doubled + trace_.lost + trace_.doubled == 0);
    EXPECT(b.host->stats().errors == 0); // the device has not violated the line's rules
}

void Round::run(uint64_t faults) {
    Board &b = *board_;
    b.attach();
    device_descriptor_ = b.control(setup(0x80, 6, 0x0100, 0, 18)).data;
    EXPECT(device_descriptor_.size() == 18);
    injector_.set_rate(100 + random_() % 600);
    b.top->trace_i = 1;
    disturb_at_ = b.now;
    configure();
    uint64_t answered = 0, seen = 0;
    while (injector_.injected() < faults) {
        uint64_t limit = b.now + b.bus->ticks_per_second() / 2;
        uint64_t from = injector_.injected();
        while (injector_.injected() < std::min(from + 50, faults)) {
            EXPECT(b.now < limit); // the host still works
            disturb();
            ask();
            b.step();
        }
        // After fifty faults all streams have made progress.
        if (seen++ % 20 == 19) {
            EXPECT(totals_.controls > answered);
            answered = totals_.controls;
        }
    }
    injector_.set_rate(0);
    drain();
    totals_.transactions = b.host->stats().transactions;
    // After this reset the device can be enumerated, from any state.
    EXPECT(b.control(setup(0x80, 6, 0x0100, 0, 18)).data == device_descriptor_);
}

void Round::add_to(Totals &totals) const {
    totals.faults += injector_.injected();
    totals.resets += totals_.resets;
    totals.pulls += totals_.pulls;
    totals.suspends += totals_.suspends;
    totals.transactions += totals_.transactions;
    totals.bytes += totals_.bytes;
    totals.lost += 4 * (back_.lost + trace_.lost);
    totals.doubled += 4 * (back_.doubled + trace_.doubled);
    totals.controls += totals_.controls;
    totals.again += totals_.again;
    for (unsigned kind = 0; kind < usb_fault_kinds; ++kind)
        totals.kinds[kind] += injector_.counts()[kind];
}

void print(const char *what, const Totals &t) {
    std::printf("%s: %" PRIu64 " faults in %" PRIu64 " transactions, %" PRIu64 " suspends, %" PRIu64 " resets, %" PRIu64
                " times unplugged\n",
                what, t.faults, t.transactions, t.suspends, t.resets, t.pulls);
    std::printf("  %" PRIu64 " bytes came, %" PRIu64 " lost, %" PRIu64 " doubled; %" PRIu64
                " control transfers beside them, %" PRIu64 " attempts of the set-up repeated\n",
                t.bytes, t.lost, t.doubled, t.controls, t.again);
}

void storm(uint32_t seed, uint64_t faults) {
    Totals still, pulled;
    // A round's seed repeats that round alone, and determines whether the cable stays in.
    for (uint64_t done = 0; done < faults; ++seed) {
        bool pulls = seed % 2;
        Round r(seed, pulls);
        r.run(std::min(round_faults, faults - done));
        r.add_to(pulls ? pulled : still);
        done = still.faults + pulled.faults;
    }
    print("cable in", still);
    print("reset and unplugged", pulled);
    for (unsigned kind = 0; kind < usb_fault_kinds; ++kind)
        if (still.kinds[kind] + pulled.kinds[kind] != 0)
            std::printf("  %-16s %8" PRIu64 "\n", usb_fault_name(kind), still.kinds[kind] + pulled.kinds[kind]);
    CHECK(still.lost == 0 && still.doubled == 0);
}

} // namespace

} // namespace gnomon

int main(int argc, char **argv) {
    if (argc != 3) {
        std::printf("usage: %s SEED FAULTS\n", argv[0]);
        return 2;
    }
    auto seed = static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 0));
    std::printf("SEED=%" PRIu32 "\n", seed);
    gnomon::storm(seed, std::strtoull(argv[2], nullptr, 0));
    return 0;
}
