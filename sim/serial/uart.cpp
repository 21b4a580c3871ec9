// SPDX-License-Identifier: Apache-2.0
#include "uart.h"

namespace gnomon {

namespace {

constexpr unsigned line_bits = 10; // start bit, eight data bits, stop bit
constexpr uint16_t stop_bit = 0x200;

uint16_t framed(uint8_t byte) {
    return static_cast<uint16_t>(stop_bit | byte << 1);
}

} // namespace

bool Uart::strikes() {
    bool now = faults_.every != 0 && random_() % faults_.every == 0;
    fault_count_ += now;
    return now;
}

void Uart::send(uint8_t byte, uint64_t now) {
    uint16_t bits = framed(byte);
    if (strikes()) {
        unsigned kind = random_() % 3;
        if (kind == 0)
            bits ^= static_cast<uint16_t>(1u << random_() % line_bits);
        else if (kind == 1)
            return;
        else
            sending_.push_back({framed(static_cast<uint8_t>(random_() >> 8)), now + latency_});
    }
    sending_.push_back({bits, now + latency_});
}

// Keeps a byte that came from the board.
void Uart::keep(uint8_t byte, uint64_t ready) {
    if (strikes()) {
        unsigned kind = random_() % 3;
        if (kind == 0)
            byte ^= static_cast<uint8_t>(1u << random_() % 8);
        else if (kind == 1)
            return;
        else
            delivering_.push_back({static_cast<uint16_t>(random_() >> 8 & 0xFF), ready});
    }
    delivering_.push_back({byte, ready});
}

// Takes the bit; the line is now in its middle.
void Uart::take(uint64_t now) {
    taken_bits_ |= static_cast<uint16_t>(last_ << taken_);
    sample_ += bit_cycles_;
    if (taken_ == 0 && last_)
        receiving_ = false;
    if (++taken_ < line_bits)
        return;
    receiving_ = false;
    if (taken_bits_ & stop_bit)
        keep(static_cast<uint8_t>(taken_bits_ >> 1), now + latency_);
    else
        ++framing_errors_;
}

bool Uart::tick(uint64_t now, bool from_board) {
    if (!receiving_ && last_ && !from_board) {
        receiving_ = true;
        taken_ = 0;
        taken_bits_ = 0;
        sample_ = static_cast<double>(now) + bit_cycles_ / 2;
    }
    last_ = from_board;
    if (receiving_ && static_cast<double>(now) >= sample_)
        take(now);
    while (!delivering_.empty() && delivering_.front().ready <= now) {
        received_.push_back(static_cast<uint8_t>(delivering_.front().bits));
        delivering_.pop_front();
    }

    if (bits_left_ != 0 && static_cast<double>(now) >= bit_end_) {
        bits_ = static_cast<uint16_t>(bits_ >> 1 | stop_bit);
        --bits_left_;
        bit_end_ += bit_cycles_;
    }
    if (bits_left_ == 0 && !sending_.empty() && sending_.front().ready <= now) {
        bits_ = sending_.front().bits;
        sending_.pop_front();
        bits_left_ = line_bits;
        // No gap if the last byte has only just ended.
        double begin = bit_end_ - bit_cycles_;
        double since = static_cast<double>(now) - begin;
        bit_end_ = (since >= 0 && since < 1 ? begin : static_cast<double>(now)) + bit_cycles_;
    }
    return bits_ & 1;
}

bool Uart::receive(uint8_t &byte) {
    if (received_.empty())
        return false;
    byte = received_.front();
    received_.pop_front();
    return true;
}

} // namespace gnomon
