// SPDX-License-Identifier: Apache-2.0
// The far end of a UART link, 8N1, at bit level: acts as the board's USB bridge. Time is counted in cycles of the
// board's clock.
#ifndef GNOMON_SIM_SERIAL_UART_H
#define GNOMON_SIM_SERIAL_UART_H

#include <cstdint>
#include <deque>
#include <random>

namespace gnomon {

// Faults on the line, in both directions: on average one of `every` bytes (0: none) has a bit flipped (start and stop
// bits included), is lost, or gets a random byte in front of it.
struct UartFaults {
    unsigned seed = 1;
    unsigned every = 0;
};

class Uart {
  public:
    // `bit_cycles`: cycles of a bit at this end; the board's own value may differ. `latency`: cycles that a byte waits
    // in the bridge, in each direction.
    Uart(double bit_cycles, uint64_t latency, UartFaults faults)
        : bit_cycles_(bit_cycles), latency_(latency), faults_(faults), random_(faults.seed) {
    }

    void send(uint8_t byte, uint64_t now);
    // Call this before the clock edge of cycle `now`: samples the level that the board drives, and returns the level
    // that the board sees.
    bool tick(uint64_t now, bool from_board);
    // Gets a byte from the board; returns false if there is none.
    bool receive(uint8_t &byte);

    // True if the line and the bridge hold nothing.
    bool idle() const {
        return sending_.empty() && bits_left_ == 0 && !receiving_ && delivering_.empty();
    }
    uint64_t faults() const {
        return fault_count_;
    }
    uint64_t framing_errors() const {
        return framing_errors_;
    }

  private:
    struct Byte {
        uint16_t bits;  // in the order of the line, start bit lowest
        uint64_t ready; // first cycle in which it may be sent or delivered
    };
    bool strikes();
    void keep(uint8_t byte, uint64_t ready);
    void take(uint64_t now);

    double bit_cycles_;
    uint64_t latency_;
    UartFaults faults_;
    std::minstd_rand random_;
    uint64_t fault_count_ = 0;
    uint64_t framing_errors_ = 0;

    std::deque<Byte> sending_;
    unsigned bits_left_ = 0;
    uint16_t bits_ = 0x3FF;
    double bit_end_ = 0;

    bool receiving_ = false;
    bool last_ = true;
    unsigned taken_ = 0; // number of bits
    uint16_t taken_bits_ = 0;
    double sample_ = 0;
    std::deque<Byte> delivering_;
    std::deque<uint8_t> received_;
};

} // namespace gnomon

#endif
