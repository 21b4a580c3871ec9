// SPDX-License-Identifier: Apache-2.0
#if !SIM_SERIAL
#include "lockstep.h"

#include "../include/gnomon/sim_time.h"

namespace gnomon {

namespace {

constexpr uint8_t direction_in = 0x80;
constexpr size_t stream_depth = 2;
constexpr auto stream_patience = std::chrono::seconds(2);
constexpr uint64_t check_ticks = 1024; // a power of two

} // namespace

void Lockstep::submitted(uint8_t endpoint) {
    if (!(endpoint & direction_in) || endpoint == direction_in) {
        asleep_ = was_quiet_ = false;
        busy_until_ = ran_ticks_ + GNOMON_SIM_LIMIT_ANSWER_MS * board_.ticks_per_ms();
        return;
    }
    Stream &stream = streams_[endpoint & 15];
    stream.starving = false;
    if (board_.usb().pending(endpoint) >= stream_depth)
        stream.open = true;
}

void Lockstep::cancelled(uint8_t endpoint) {
    streams_[endpoint & 15].open = false;
}

// At bit level the bus has its own ticks.
uint64_t Lockstep::ticks_of(uint64_t cycles) const {
    return static_cast<uint64_t>(static_cast<double>(cycles) * 1000 * static_cast<double>(board_.ticks_per_ms()) /
                                 static_cast<double>(board_.clock_hz()));
}

uint64_t Lockstep::cycles() const {
    return static_cast<uint64_t>(static_cast<double>(ran_ticks_) * static_cast<double>(board_.clock_hz()) /
                                 (1000 * static_cast<double>(board_.ticks_per_ms())));
}

void Lockstep::closed() {
    streams_ = {};
    limit_ = 0;
}

void Lockstep::limit(uint64_t cycles) {
    limit_ = ticks_of(cycles);
}

bool Lockstep::at_limit() const {
    return limit_ != 0 && ran_ticks_ >= limit_ && ran_ticks_ >= busy_until_;
}

bool Lockstep::starving() {
    bool any = false;
    for (uint8_t number = 1; number < streams_.size(); ++number) {
        Stream &stream = streams_[number];
        if (!stream.open || board_.usb().pending(number | direction_in) != 0)
            continue;
        if (!stream.starving) {
            stream.starving = true;
            stream.since = Clock::now();
        }
        if (Clock::now() - stream.since >= stream_patience)
            stream.open = false;
        any = any || stream.open;
    }
    return any;
}

bool Lockstep::may_run() {
    return free_ || (!board_.usb().idle() && !asleep_ && !at_limit() && !starving());
}

bool Lockstep::may_answer() {
    return free_ || !board_.halted() || !may_run();
}

int Lockstep::patience_ms() const {
    int patience = -1;
    for (const Stream &stream : streams_) {
        if (!stream.open || !stream.starving)
            continue;
        auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(stream.since + stream_patience - Clock::now());
        int ms = left.count() < 0 ? 0 : static_cast<int>(left.count()) + 1;
        patience = patience < 0 || ms < patience ? ms : patience;
    }
    return patience;
}

uint64_t Lockstep::next_check() const {
    return board_.now() + check_ticks - (board_.now() - board_.started()) % check_ticks;
}

// A device that can do nothing without the host is not simulated further. Otherwise the time at which the host's next
// command arrives would depend on the host's speed. The device is checked only at fixed ticks after the hart's start,
// and must be quiet at two checks in a row, so that the result is the same in every run.
void Lockstep::ran_to(uint64_t now) {
    ran_ticks_ = board_.in_reset() ? 0 : now - board_.started();
    busy_until_ = board_.in_reset() ? 0 : busy_until_;
    if ((now - board_.started()) % check_ticks != 0)
        return;
    bool quiet = board_.quiet() && board_.usb().pending(0x00) == 0 && board_.usb().pending(0x01) == 0;
    asleep_ = quiet && was_quiet_;
    was_quiet_ = quiet;
}

} // namespace gnomon

#endif
