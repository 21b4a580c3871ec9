// SPDX-License-Identifier: Apache-2.0
#include "line_bus.h"

#include <algorithm>

namespace gnomon {

namespace {

constexpr uint64_t line_rate = 48000000;
constexpr uint64_t ppm_one = 1000000;
constexpr uint64_t bit_phase = 4 * ppm_one;
constexpr unsigned bit_ticks = 4;
// A device answers 2 to 6.5 bit times after the end of the host's packet (USB 2.0, 7.1.18).
constexpr unsigned answer_min_ticks = 2 * bit_ticks;
constexpr unsigned answer_max_ticks = 13 * bit_ticks / 2;
constexpr unsigned host_patience_ticks = usb_patience_bits * bit_ticks;
constexpr uint64_t jitter_max = 880000; // 18.3 ns in millionths of a tick; a receiver must tolerate 18.5 ns
constexpr unsigned host_gap_bits = 3;   // between packets of the host, and from an answer to its acknowledgement
constexpr unsigned late_bits = 12;      // additional bits if it is late: less than a device waits
constexpr unsigned short_answer_bits = 19, long_answer_bits = 600; // in this part of the answer a bit may be flipped
constexpr unsigned resume_end_ticks = 64, resume_idle_ticks = 32;  // two bit times of low speed, and one
constexpr unsigned release_ticks = 3; // a device may drive J this long after the last sampled bit of its packet

} // namespace

LineBus::LineBus(const LineSignals &signals, int host_ppm)
    : UsbBus(line_rate), signals_(signals),
      host_rate_(static_cast<uint64_t>(static_cast<int64_t>(ppm_one) + host_ppm)) {
    drive(LineState::se0);
}

LineState LineBus::device() const {
    static constexpr LineState states[] = {LineState::se0, LineState::k, LineState::j, LineState::se1};
    return states[(*signals_.dp_o & 1) << 1 | (*signals_.dn_o & 1)];
}

void LineBus::drive(LineState state) {
    *signals_.dp_i = state == LineState::j || state == LineState::se1;
    *signals_.dn_i = state == LineState::k || state == LineState::se1;
}

// Jitter and skew: each line changes up to `jitter_max` late. A change after the sampling of this tick is seen in the
// next tick. phase_ is the time since the change was due.
void LineBus::drive_late(LineState state) {
    uint8_t dp = *signals_.dp_i, dn = *signals_.dn_i;
    drive(state);
    if (random() % jitter_max > phase_)
        *signals_.dp_i = dp;
    if (random() % jitter_max > phase_)
        *signals_.dn_i = dn;
    late_ = state;
    is_late_ = true;
}

void LineBus::start(const UsbTransaction &transaction, uint64_t now) {
    keep(transaction);
    busy_ = true;
    result_.outcome = UsbOutcome::timeout;
    result_.length = 0;
    next_event_ = now;
    flip_at_ = random() % (random() % 2 ? short_answer_bits : long_answer_bits);
    flipped_ = false;
    write_request();
    if (transaction_.token == UsbToken::sof)
        writer_.idle(host_gap_bits);
    send(transaction_.token == UsbToken::sof ? Next::finish : Next::answer);
    if (*signals_.oe_o)
        fail("the device drives an idle bus");
}

// Writes the host's packets that come before the device's answer.
void LineBus::write_request() {
    writer_.states.clear();
    if (has(usb_fault_noise)) {
        writer_.noise(random(), 24);
        writer_.idle(12);
    }
    size_t from = writer_.states.size();
    if (has(usb_fault_lost_token))
        writer_.idle(usb_token_bits);
    else
        writer_.token(transaction_);
    if (has(usb_fault_flip_token))
        writer_.flip(from, random());
    if ((transaction_.token != UsbToken::out && transaction_.token != UsbToken::setup) || has(usb_fault_lost_data))
        return;
    writer_.idle(host_gap_bits + (has(usb_fault_late) ? random() % late_bits : 0));
    from = writer_.states.size();
    writer_.data(transaction_);
    if (has(usb_fault_flip_data))
        writer_.flip(from, random());
    if (has(usb_fault_cut))
        writer_.cut(from, random());
}

void LineBus::hold(UsbHold what, uint64_t now, uint64_t ticks) {
    busy_ = true;
    is_late_ = false;
    state_ = State::holding;
    hold_ = what;
    next_event_ = now + ticks;
    drive(what == UsbHold::reset ? LineState::se0 : what == UsbHold::idle ? LineState::j : LineState::k);
}

void LineBus::held() {
    if (hold_ != UsbHold::resume || state_ == State::ended)
        return finish();
    bool first = state_ == State::holding;
    state_ = first ? State::ending : State::ended;
    drive(first ? LineState::se0 : LineState::j);
    next_event_ += (first ? resume_end_ticks : resume_idle_ticks) - 1;
}

void LineBus::send(Next next) {
    state_ = State::sending;
    next_ = next;
    position_ = 0;
    phase_ = bit_phase - (has(usb_fault_jitter) ? random() % ppm_one : 0);
}

void LineBus::tick(uint64_t now) {
    next_event_ = now + 1;
    ++since_end_;
    phase_ += host_rate_;
    if (is_late_) {
        drive(late_);
        is_late_ = false;
    }
    if (state_ == State::sending) {
        if (*signals_.oe_o)
            return fail("the device drives while the host does");
        if (phase_ < bit_phase)
            return;
        phase_ -= std::min(phase_, bit_phase);
        if (position_ == writer_.states.size())
            return sent();
        LineState state = writer_.states[position_++];
        if (state == LineState::se0)
            since_end_ = 0;
        else if (position_ > 1 && writer_.states[position_ - 2] == LineState::se0)
            since_end_ = 0; // the packet ends with the change from SE0 to J
        if (has(usb_fault_jitter))
            drive_late(state);
        else
            drive(state);
        return;
    }
    if (state_ == State::holding || state_ == State::ending || state_ == State::ended)
        return held();
    LineState idle = *signals_.pullup_o ? LineState::j : LineState::se0;
    LineState line = *signals_.oe_o ? device() : idle;
    drive(line);
    if (state_ == State::waiting)
        wait_for_answer(line);
    else if (state_ == State::receiving)
        receive(line);
    else if (state_ == State::draining)
        drain();
    else if (!*signals_.oe_o)
        received();
    else if (line != LineState::j || ++released_ > release_ticks)
        fail("the device does not let go of the bus");
}

void LineBus::sent() {
    if (next_ == Next::finish)
        return finish();
    state_ = State::waiting;
    last_line_ = LineState::j;
}

void LineBus::wait_for_answer(LineState line) {
    if (line == LineState::k && has(usb_fault_lost_answer)) {
        state_ = State::draining;
        quiet_ = 0;
        return;
    }
    if (line == LineState::k) {
        shortest_answer_ = std::min(shortest_answer_, since_end_);
        longest_answer_ = std::max(longest_answer_, since_end_);
        if (since_end_ < answer_min_ticks || since_end_ > answer_max_ticks)
            return fail(since_end_ < answer_min_ticks ? "the device answers too early" : "the device answers too late");
        reader_.begin();
        answer_bits_ = 0;
        state_ = State::receiving;
        receive(line);
        return;
    }
    if (line == LineState::se0)
        return fail("answer begins with SE0");
    if (since_end_ >= host_patience_ticks)
        finish();
}

void LineBus::receive(LineState line) {
    if (line != last_line_) {
        last_line_ = line;
        phase_ = 0;
        return;
    }
    if (phase_ >= bit_phase)
        phase_ -= bit_phase;
    uint64_t middle = bit_phase / 2;
    if (phase_ < middle || phase_ >= middle + host_rate_)
        return;
    bool flip = has(usb_fault_flip_answer) && answer_bits_++ == flip_at_;
    flipped_ = flipped_ || flip;
    if (!reader_.push(flip ? line_turned(line) : line))
        return;
    if (reader_.error() && flipped_) { // the flipped bit caused the error
        state_ = State::draining;
        quiet_ = 0;
        return;
    }
    if (reader_.error())
        return fail(reader_.error());
    state_ = State::releasing;
    released_ = 0;
    since_end_ = 0;
}

void LineBus::received() {
    result_.outcome = UsbOutcome::error;
    switch (reader_.pid()) {
    case usb_pid_ack:
        if (transaction_.token == UsbToken::in)
            return fail("ACK to an IN");
        result_.outcome = UsbOutcome::ack;
        break;
    case usb_pid_nak:
    case usb_pid_stall:
        if (transaction_.token == UsbToken::setup)
            return fail("a setup packet was refused");
        result_.outcome = reader_.pid() == usb_pid_nak ? UsbOutcome::nak : UsbOutcome::stall;
        break;
    case usb_pid_data0:
    case usb_pid_data1:
        if (transaction_.token != UsbToken::in)
            return fail("data to an OUT");
        result_.outcome = UsbOutcome::ack;
        result_.toggle = reader_.pid() == usb_pid_data1;
        result_.length = reader_.payload_length();
        std::copy_n(reader_.payload(), result_.length, result_.data.begin());
        break;
    default:
        return fail("unexpected PID");
    }
    writer_.states.clear();
    writer_.idle(host_gap_bits);
    if (reader_.is_data() && !has(usb_fault_no_ack)) {
        if (has(usb_fault_late))
            writer_.idle(random() % late_bits);
        size_t from = writer_.states.size();
        writer_.handshake(usb_pid_ack, has(usb_fault_corrupt_ack));
        if (has(usb_fault_flip_ack))
            writer_.flip(from, random());
        writer_.idle(host_gap_bits);
        if (has(usb_fault_ack_twice)) {
            writer_.handshake(usb_pid_ack, false);
            writer_.idle(host_gap_bits);
        }
    }
    send(Next::finish);
}

void LineBus::finish() {
    busy_ = false;
    state_ = State::idle;
    next_event_ = usb_never;
    drive(*signals_.pullup_o ? LineState::j : LineState::se0);
}

void LineBus::fail(const char *error) {
    result_.outcome = UsbOutcome::error;
    result_.error = error;
    state_ = State::draining;
    quiet_ = 0;
}

// After a broken packet: waits until the device is silent.
void LineBus::drain() {
    quiet_ = *signals_.oe_o ? 0 : quiet_ + 1;
    if (quiet_ == host_patience_ticks)
        finish();
}

} // namespace gnomon
