// SPDX-License-Identifier: Apache-2.0
#include "functional_bus.h"

#include <algorithm>

namespace gnomon {

namespace {

// Bits of txn_i.
constexpr uint32_t in_token = 1u << 0;
constexpr uint32_t in_data = 1u << 1;
constexpr uint32_t in_end = 1u << 2;
constexpr uint32_t in_ack = 1u << 3;
constexpr uint32_t in_next = 1u << 4;
constexpr uint32_t in_reset = 1u << 5;
constexpr uint32_t in_good = 1u << 6;
constexpr uint32_t in_toggle = 1u << 7;
constexpr unsigned in_byte_shift = 8;
constexpr unsigned in_kind_shift = 16;
constexpr unsigned in_endpoint_shift = 18;
constexpr unsigned in_address_shift = 22;
// Bits of txn_o.
constexpr unsigned out_more = 1u << 8;
constexpr unsigned out_start = 1u << 9;
constexpr unsigned out_pid_shift = 10;

constexpr unsigned pid_ack = 0x2;
constexpr unsigned pid_nak = 0xA;
constexpr unsigned pid_stall = 0xE;
constexpr unsigned pid_data0 = 0x3;
constexpr unsigned pid_data1 = 0xB;

constexpr unsigned answer_ticks = 8; // the device starts its answer within this time
// Toggle for computing the length of a packet: a fixed one, so that packets of an earlier run do not change any time.
constexpr unsigned either_toggle = 0;

// Faults of the line, grouped by their effect on what arrives.
constexpr unsigned no_token = usb_fault_lost_token | usb_fault_token_crc | usb_fault_flip_token;
constexpr unsigned no_data = usb_fault_lost_data | usb_fault_pid;
constexpr unsigned bad_data =
    usb_fault_crc | usb_fault_stuff | usb_fault_truncate | usb_fault_extra_bits | usb_fault_flip_data | usb_fault_cut;
constexpr unsigned no_ack = usb_fault_no_ack | usb_fault_corrupt_ack | usb_fault_flip_ack;
constexpr unsigned no_answer = usb_fault_lost_answer | usb_fault_flip_answer;

} // namespace

FunctionalBus::FunctionalBus(const FunctionalSignals &signals, uint64_t clock_hz)
    : UsbBus(clock_hz), signals_(signals) {
    *signals_.txn_i = 0;
}

void FunctionalBus::wait(State next, uint64_t until) {
    state_ = next;
    next_event_ = until;
}

void FunctionalBus::step(State next, uint64_t now) {
    wait(next, now + 1);
}

void FunctionalBus::start(const UsbTransaction &transaction, uint64_t now) {
    keep(transaction);
    started_ = now;
    busy_ = true;
    position_ = 0;
    patience_ = answer_ticks;
    spoil();
    result_.outcome = UsbOutcome::timeout;
    result_.length = 0;
    taken_ = false;
    uint64_t before = usb_token_bits;
    switch (transaction.token) {
    case UsbToken::sof:
        wait(State::finish, now + bits(usb_token_bits + usb_turnaround_bits));
        return;
    case UsbToken::in:
        break;
    default:
        before += usb_turnaround_bits + usb_data_bits(data_.data(), transaction_.length, either_toggle);
    }
    wait(has(no_token) ? State::finish : State::token, now + bits(before + (has(no_token) ? usb_patience_bits : 0)));
}

// Applies the faults to the host's data packet.
void FunctionalBus::spoil() {
    sent_ = transaction_.length;
    good_ = !has(bad_data);
    ack_again_ = has(usb_fault_ack_twice);
    if (has(usb_fault_truncate | usb_fault_cut) && sent_ != 0)
        sent_ = random() % sent_;
    if (has(usb_fault_long))
        sent_ = usb_max_packet + 1;
}

void FunctionalBus::hold(UsbHold what, uint64_t now, uint64_t ticks) {
    busy_ = true;
    *signals_.txn_i = what == UsbHold::reset ? in_reset : 0;
    wait(State::hold, now + ticks);
}

void FunctionalBus::tick(uint64_t now) {
    *signals_.txn_i = 0;
    const UsbTransaction &t = transaction_;
    switch (state_) {
    case State::token:
        *signals_.txn_i = in_token | static_cast<uint32_t>(t.token) << in_kind_shift |
                          static_cast<uint32_t>(t.endpoint) << in_endpoint_shift |
                          static_cast<uint32_t>(t.address) << in_address_shift;
        if (t.token == UsbToken::in)
            step(State::answer, now);
        else if (has(no_data))
            wait(State::finish, now + bits(usb_patience_bits));
        else
            step(State::data, now);
        break;
    case State::data: {
        uint8_t byte =
            position_ < std::min(sent_, t.length) ? t.data[position_] : 0; // the CRC's bytes are not looked at
        *signals_.txn_i = in_data | static_cast<uint32_t>(byte) << in_byte_shift;
        step(++position_ == sent_ + 2 ? State::end : State::data, now);
        break;
    }
    case State::end:
        *signals_.txn_i = in_end | (good_ ? in_good : 0) | (t.toggle ? in_toggle : 0);
        step(State::answer, now);
        break;
    case State::answer:
        answered(now);
        break;
    case State::settle:
        step(State::receive, now);
        break;
    case State::receive:
        received(now);
        break;
    case State::ack:
        *signals_.txn_i = has(no_ack | no_answer) ? 0 : in_ack;
        step(ack_again_ ? State::ack : State::finish, now);
        ack_again_ = false;
        break;
    case State::hold:
    case State::finish:
    case State::idle:
        busy_ = false;
        wait(State::idle, usb_never);
        break;
    }
}

// Waits for the first cycle of the device's answer.
void FunctionalBus::answered(uint64_t now) {
    unsigned out = *signals_.txn_o;
    if (!(out & out_start)) {
        if (--patience_ > 0)
            return step(State::answer, now);
        return wait(State::finish, now + bits(usb_patience_bits));
    }
    switch ((out >> out_pid_shift) & 0xF) {
    case pid_ack:
        result_.outcome = UsbOutcome::ack;
        break;
    case pid_nak:
        result_.outcome = UsbOutcome::nak;
        break;
    case pid_stall:
        result_.outcome = UsbOutcome::stall;
        break;
    case pid_data0:
    case pid_data1:
        result_.outcome = UsbOutcome::ack;
        result_.toggle = ((out >> out_pid_shift) & 0xF) == pid_data1;
        return step(State::receive, now); // one cycle after the start, the device shows whether there is a first byte
    default:
        result_.outcome = UsbOutcome::error;
        result_.error = "unknown packet";
    }
    if (has(no_answer))
        result_.outcome = UsbOutcome::timeout;
    wait(State::finish, now + bits(usb_turnaround_bits + usb_handshake_bits + usb_turnaround_bits));
}

// A byte is valid two cycles after the device announced it, when it announces the next one.
void FunctionalBus::received(uint64_t now) {
    unsigned out = *signals_.txn_o;
    if (taken_)
        result_.data[result_.length++] = static_cast<uint8_t>(out);
    taken_ = (out & out_more) && result_.length < usb_max_packet;
    if (taken_) {
        *signals_.txn_i = in_next;
        return step(State::settle, now);
    }
    if (out & out_more) {
        result_.outcome = UsbOutcome::error;
        result_.error = "packet too long";
        return step(State::finish, now);
    }
    if (has(no_answer))
        result_.outcome = UsbOutcome::timeout;
    uint64_t end = started_ + bits(usb_token_bits + usb_turnaround_bits +
                                   usb_data_bits(result_.data.data(), result_.length, either_toggle) +
                                   usb_turnaround_bits + usb_handshake_bits + usb_turnaround_bits);
    wait(State::ack, end > now ? end - 1 : now + 1);
}

} // namespace gnomon
