// SPDX-License-Identifier: Apache-2.0
#include "functional_bus.h"

namespace gnomon {

namespace {

// txn_i
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
// txn_o
constexpr unsigned out_more = 1u << 8;
constexpr unsigned out_start = 1u << 9;
constexpr unsigned out_pid_shift = 10;

constexpr unsigned pid_ack = 0x2;
constexpr unsigned pid_nak = 0xA;
constexpr unsigned pid_stall = 0xE;
constexpr unsigned pid_data0 = 0x3;
constexpr unsigned pid_data1 = 0xB;

constexpr unsigned answer_ticks = 8; // the device starts its answer within these

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
    result_.outcome = UsbOutcome::timeout;
    result_.length = 0;
    uint64_t before = usb_token_bits;
    switch (transaction.token) {
    case UsbToken::sof:
        wait(State::finish, now + bits(usb_token_bits + usb_turnaround_bits));
        return;
    case UsbToken::in:
        break;
    default:
        before += usb_turnaround_bits + usb_data_bits(data_.data(), transaction_.length, transaction.toggle);
    }
    wait(State::token, now + bits(before));
}

void FunctionalBus::reset(uint64_t now, uint64_t ticks) {
    busy_ = true;
    *signals_.txn_i = in_reset;
    wait(State::reset, now + ticks);
}

void FunctionalBus::tick(uint64_t now) {
    *signals_.txn_i = 0;
    const UsbTransaction &t = transaction_;
    switch (state_) {
    case State::token:
        *signals_.txn_i = in_token | static_cast<uint32_t>(t.token) << in_kind_shift |
                          static_cast<uint32_t>(t.endpoint) << in_endpoint_shift |
                          static_cast<uint32_t>(t.address) << in_address_shift;
        step(t.token == UsbToken::in ? State::answer : State::data, now);
        break;
    case State::data: {
        uint8_t byte = position_ < t.length ? t.data[position_] : 0; // the CRC's bytes are not looked at
        *signals_.txn_i = in_data | static_cast<uint32_t>(byte) << in_byte_shift;
        step(++position_ == t.length + 2 ? State::end : State::data, now);
        break;
    }
    case State::end:
        *signals_.txn_i = in_end | ((t.faults & usb_fault_crc) ? 0 : in_good) | (t.toggle ? in_toggle : 0);
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
        *signals_.txn_i = (t.faults & usb_fault_no_ack) ? 0 : in_ack;
        step(State::finish, now);
        break;
    case State::reset:
    case State::finish:
    case State::idle:
        busy_ = false;
        wait(State::idle, usb_never);
        break;
    }
}

// Looks for the first cycle of the device's answer.
void FunctionalBus::answered(uint64_t now) {
    unsigned out = *signals_.txn_o;
    if (!(out & out_start)) {
        if (--patience_ > 0)
            return step(State::answer, now);
        return wait(State::finish, now + bits(18)); // what a host waits for an answer
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
        return step(State::receive, now); // the first byte is there one cycle after the start
    default:
        result_.outcome = UsbOutcome::error;
        result_.error = "unknown packet";
    }
    wait(State::finish, now + bits(usb_turnaround_bits + usb_handshake_bits + usb_turnaround_bits));
}

void FunctionalBus::received(uint64_t now) {
    unsigned out = *signals_.txn_o;
    if ((out & out_more) && result_.length < usb_max_packet) {
        result_.data[result_.length++] = static_cast<uint8_t>(out);
        *signals_.txn_i = in_next;
        return step(State::settle, now);
    }
    if (out & out_more) {
        result_.outcome = UsbOutcome::error;
        result_.error = "packet too long";
        return step(State::finish, now);
    }
    uint64_t end = started_ + bits(usb_token_bits + usb_turnaround_bits +
                                   usb_data_bits(result_.data.data(), result_.length, result_.toggle) +
                                   usb_turnaround_bits + usb_handshake_bits + usb_turnaround_bits);
    wait(State::ack, end > now ? end - 1 : now + 1);
}

} // namespace gnomon
