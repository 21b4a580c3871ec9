// SPDX-License-Identifier: Apache-2.0
// Packets as sequences of line states, one per bit time, as a serial interface engine sends and receives them.
#ifndef GNOMON_SIM_USB_LINE_PACKET_H
#define GNOMON_SIM_USB_LINE_PACKET_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "usb_bus.h"

namespace gnomon {

enum class LineState : uint8_t { se0, j, k, se1 };

// Returns the state of a bit time with its two lines exchanged; if both were low, one is driven.
inline LineState line_turned(LineState state) {
    return state == LineState::j ? LineState::k : LineState::j;
}

constexpr uint8_t usb_pid_ack = 0x2;
constexpr uint8_t usb_pid_nak = 0xA;
constexpr uint8_t usb_pid_stall = 0xE;
constexpr uint8_t usb_pid_data0 = 0x3;
constexpr uint8_t usb_pid_data1 = 0xB;

// Writes packets, with faults if requested.
class LineWriter {
  public:
    void idle(unsigned bits);
    void noise(uint32_t seed, unsigned bits);
    void token(const UsbTransaction &transaction);
    void data(const UsbTransaction &transaction);
    void handshake(uint8_t pid, bool corrupt);
    // Flips one of the bit times from `from` on; `where` is any number, and selects it.
    void flip(size_t from, unsigned where);
    // Breaks off at a place after `from`, which `where` selects; then the line is idle for longer than any receiver
    // waits.
    void cut(size_t from, unsigned where);

    std::vector<LineState> states;

  private:
    void begin(uint8_t pid, bool short_sync);
    void bit(bool value);
    void byte(unsigned value, unsigned bits = 8);
    void end(bool dribble);
    void data_too_long(const UsbTransaction &transaction);

    LineState level_ = LineState::j;
    unsigned ones_ = 0;
    bool break_stuffing_ = false;
};

// Takes one line state per bit time, from the first K on, and checks all rules.
class LineReader {
  public:
    void begin();
    // Returns true when the packet has ended; error() is null if the packet was good.
    bool push(LineState state);

    const char *error() const {
        return error_;
    }
    uint8_t pid() const {
        return static_cast<uint8_t>(bytes_[0] & 0x0F);
    }
    bool is_data() const {
        return pid() == usb_pid_data0 || pid() == usb_pid_data1;
    }
    const uint8_t *payload() const {
        return bytes_.data() + 1;
    }
    unsigned payload_length() const {
        return static_cast<unsigned>(bytes_.size()) - 3;
    }

  private:
    bool fail(const char *error);
    bool push_bit(bool value);
    bool check();

    std::vector<uint8_t> bytes_;
    LineState last_ = LineState::j;
    unsigned sync_ = 0;
    unsigned ones_ = 0;
    unsigned bit_ = 0;
    unsigned byte_ = 0;
    unsigned se0_ = 0;
    const char *error_ = nullptr;
};

} // namespace gnomon

#endif
