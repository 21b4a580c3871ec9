// SPDX-License-Identifier: Apache-2.0
#include "line_packet.h"

namespace gnomon {

// ---- writer

void LineWriter::idle(unsigned bits) {
    states.insert(states.end(), bits, LineState::j);
}

void LineWriter::noise(uint32_t seed, unsigned bits) {
    for (unsigned i = 0; i < bits; ++i) {
        seed = seed * 1664525u + 1013904223u;
        states.push_back(static_cast<LineState>((seed >> 24) % 3));
    }
}

void LineWriter::begin(uint8_t pid, bool short_sync) {
    level_ = LineState::j;
    ones_ = 0;
    byte(short_sync ? 0x80 >> 2 : 0x80, short_sync ? 6 : 8);
    byte(pid);
}

void LineWriter::bit(bool value) {
    if (!value)
        level_ = level_ == LineState::j ? LineState::k : LineState::j;
    states.push_back(level_);
    ones_ = value ? ones_ + 1 : 0;
    if (ones_ < 6)
        return;
    if (!break_stuffing_)
        return bit(false);
    break_stuffing_ = false; // a one in place of the stuffed zero
    ones_ = 0;
    states.push_back(level_);
}

void LineWriter::byte(unsigned value, unsigned bits) {
    for (unsigned i = 0; i < bits; ++i)
        bit((value >> i) & 1);
}

void LineWriter::end(bool dribble) {
    if (dribble)
        states.push_back(level_);
    states.insert(states.end(), 2, LineState::se0);
    states.push_back(LineState::j);
}

void LineWriter::token(const UsbTransaction &t) {
    unsigned pid = static_cast<unsigned>(t.token) << 2 | 1;
    unsigned bits = t.token == UsbToken::sof ? t.frame & 0x7FFu : (t.endpoint & 0xFu) << 7 | (t.address & 0x7Fu);
    unsigned crc = usb_crc5(static_cast<uint16_t>(bits)) ^ ((t.faults & usb_fault_token_crc) ? 0x04u : 0u);
    begin(static_cast<uint8_t>((~pid & 0xF) << 4 | pid), t.faults & usb_fault_hubs);
    byte(bits, 11);
    byte(crc, 5);
    end(t.faults & usb_fault_hubs);
}

void LineWriter::data(const UsbTransaction &t) {
    unsigned pid = t.toggle ? 0x4B : 0xC3;
    begin(static_cast<uint8_t>(pid ^ ((t.faults & usb_fault_pid) ? 0x10 : 0)), t.faults & usb_fault_hubs);
    break_stuffing_ = t.faults & usb_fault_stuff;
    for (unsigned i = 0; i < t.length; ++i) {
        if (break_stuffing_ && i == t.length - 1) // no bit was stuffed
            states.insert(states.end(), 7, level_);
        if ((t.faults & usb_fault_truncate) && i == t.length - 1) {
            byte(t.data[i], 4);
            break_stuffing_ = false;
            end(false);
            return;
        }
        byte(t.data[i]);
    }
    break_stuffing_ = false;
    if (t.faults & usb_fault_long)
        return data_too_long(t);
    byte(usb_crc16(t.data, t.length) ^ ((t.faults & usb_fault_crc) ? 0x0100u : 0u), 16);
    if (t.faults & usb_fault_extra_bits)
        byte(2, 3);
    end(t.faults & usb_fault_hubs);
}

// Writes the packet with more bytes than a packet may have.
void LineWriter::data_too_long(const UsbTransaction &t) {
    std::vector<uint8_t> bytes(t.data, t.data + t.length);
    while (bytes.size() <= usb_max_packet) {
        bytes.push_back(static_cast<uint8_t>(bytes.size()));
        byte(bytes.back());
    }
    byte(usb_crc16(bytes.data(), static_cast<unsigned>(bytes.size())), 16);
    end(false);
}

void LineWriter::handshake(uint8_t pid, bool corrupt) {
    unsigned byte = (~pid & 0xFu) << 4 | pid;
    begin(static_cast<uint8_t>(byte ^ (corrupt ? 0x40u : 0u)), false);
    end(false);
}

void LineWriter::flip(size_t from, unsigned where) {
    LineState &state = states[from + where % (states.size() - from)];
    state = line_turned(state);
}

void LineWriter::cut(size_t from, unsigned where) {
    constexpr size_t end_bits = 3;
    states.resize(from + 1 + (where >> 1) % (states.size() - from - 1 - end_bits));
    if (where & 1)
        end(false);
    else
        idle(usb_patience_bits);
}

// ---- reader

void LineReader::begin() {
    bytes_.clear();
    last_ = LineState::j;
    sync_ = ones_ = bit_ = byte_ = se0_ = 0;
    error_ = nullptr;
}

bool LineReader::fail(const char *error) {
    error_ = error;
    return true;
}

bool LineReader::push(LineState state) {
    if (se0_ > 0) {
        if (state == LineState::se0)
            return ++se0_ > 2 ? fail("end of packet longer than two bits") : false;
        if (se0_ != 2)
            return fail("end of packet shorter than two bits");
        return state == LineState::j ? check() : fail("end of packet not followed by J");
    }
    if (state == LineState::se1)
        return fail("both lines high");
    if (state == LineState::se0) {
        se0_ = 1;
        return bit_ == 0 ? false : fail("packet is not whole bytes");
    }
    bool value = state == last_;
    last_ = state;
    if (sync_ < 8) {
        if (value != (sync_ == 7))
            return fail("bad sync pattern");
        ++sync_;
        ones_ = value;
        return false;
    }
    return push_bit(value);
}

bool LineReader::push_bit(bool value) {
    if (ones_ == 6) {
        ones_ = 0;
        return value ? fail("bit stuffing") : false;
    }
    ones_ = value ? ones_ + 1 : 0;
    byte_ |= static_cast<unsigned>(value) << bit_;
    if (++bit_ < 8)
        return false;
    bytes_.push_back(static_cast<uint8_t>(byte_));
    bit_ = byte_ = 0;
    return bytes_.size() > usb_max_packet + 3 ? fail("packet too long") : false;
}

bool LineReader::check() {
    if (ones_ == 6)
        return fail("stuffed bit missing before the end of packet");
    if (bytes_.empty())
        return fail("empty packet");
    if ((bytes_[0] >> 4) != (~bytes_[0] & 0xF))
        return fail("PID check bits");
    if (!is_data())
        return bytes_.size() == 1 ? true : fail("handshake with data");
    if (bytes_.size() < 3)
        return fail("data packet without CRC");
    unsigned length = payload_length();
    unsigned crc = payload()[length] | payload()[length + 1] << 8;
    return crc == usb_crc16(payload(), length) ? true : fail("CRC16");
}

} // namespace gnomon
