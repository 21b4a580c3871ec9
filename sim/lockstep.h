// SPDX-License-Identifier: Apache-2.0
// When simulated time may run (docs/usb-protocol.md, "Simulated time"). The only place that looks at the wall clock.
#ifndef GNOMON_SIM_LOCKSTEP_H
#define GNOMON_SIM_LOCKSTEP_H

#include <array>
#include <chrono>
#include <cstdint>

#include "board.h"

namespace gnomon {

class Lockstep {
  public:
    Lockstep(Board &board, bool free_running) : board_(board), free_(free_running) {
    }

    // A transfer was handed to the USB host; the endpoint carries its direction bit.
    void submitted(uint8_t endpoint);
    // The host cancelled a transfer of this endpoint.
    void cancelled(uint8_t endpoint);
    // The host closed its connection.
    void closed();
    // After so many cycles of the hart time stands still, except for a while after a transfer to the device; 0: never.
    void limit(uint64_t cycles);
    // Of the hart since it left its reset, as of the last ran_to().
    uint64_t cycles() const;

    bool may_run();
    // May the host be answered now? What a halted hart's device has to say is kept until time stands still: else how
    // fast the host is would show in the time at which its next command comes.
    bool may_answer();
    // While time stands still for a stream: milliseconds until that ends. -1: until the host says something.
    int patience_ms() const;

    // The next tick at which ran_to() wants to be called.
    uint64_t next_check() const;
    void ran_to(uint64_t now);

  private:
    using Clock = std::chrono::steady_clock;
    struct Stream {
        bool open = false;
        bool starving = false;
        Clock::time_point since{};
    };
    bool starving();
    bool at_limit() const;
    uint64_t ticks_of(uint64_t cycles) const;

    Board &board_;
    bool free_;
    std::array<Stream, 16> streams_{}; // by number of the IN endpoint
    bool was_quiet_ = false;
    bool asleep_ = false;
    uint64_t ran_ticks_ = 0;  // since the hart left its reset
    uint64_t limit_ = 0;      // ticks; 0: none
    uint64_t busy_until_ = 0; // the device may be answering a command
};

} // namespace gnomon

#endif
