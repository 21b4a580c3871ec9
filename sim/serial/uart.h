// SPDX-License-Identifier: Apache-2.0
// The far end of an asynchronous line, 8N1, at bit level: what a USB bridge is to the board. Time is cycles of the
// board's clock.
#ifndef GNOMON_SIM_SERIAL_UART_H
#define GNOMON_SIM_SERIAL_UART_H

#include <cstdint>
#include <deque>
#include <random>

namespace gnomon {

// What goes wrong on the line, in both directions: of `every` bytes about one (0: none) has a bit flipped (start and
// stop bit, too), is lost, or gets a random byte in front of it.
struct UartFaults {
    unsigned seed = 1;
    unsigned every = 0;
};

class Uart {
  public:
    // Cycles that a bit lasts here; the board's own may differ. `latency`: cycles that a byte waits in the bridge, each
    // way.
    Uart(double bit_cycles, uint64_t latency, UartFaults faults)
        : bit_cycles_(bit_cycles), latency_(latency), faults_(faults), random_(faults.seed) {
    }

    void send(uint8_t byte, uint64_t now);
    // Before the clock edge of cycle `now`: looks at what the board drives, returns what it is to see.
    bool tick(uint64_t now, bool from_board);
    // A byte from the board; false if there is none.
    bool receive(uint8_t &byte);

    // Nothing is on the line or in the bridge.
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
        uint16_t bits;  // as on the line, start bit lowest
        uint64_t ready; // may be sent or delivered from this cycle on
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
    unsigned taken_ = 0; // bits
    uint16_t taken_bits_ = 0;
    double sample_ = 0;
    std::deque<Byte> delivering_;
    std::deque<uint8_t> received_;
};

} // namespace gnomon

#endif
