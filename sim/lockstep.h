// SPDX-License-Identifier: Apache-2.0
// When simulated time may run (docs/reference/usb-protocol.md, "Simulated time"). The only place that looks at the wall
// clock.
#ifndef GNOMON_SIM_LOCKSTEP_H
#define GNOMON_SIM_LOCKSTEP_H

#include <array>
#include <chrono>
#include <cstdint>

#include "simulated_board.h"

namespace gnomon {

class Lockstep {
  public:
    Lockstep(Board &board, bool free_running) : board_(board), free_(free_running) {
    }

    // The USB host got a transfer; the endpoint has its direction bit.
    void submitted(uint8_t endpoint);
    // The host cancelled a transfer of this endpoint.
    void cancelled(uint8_t endpoint);
    // The host closed its connection.
    void closed();
    // Time stands still after this many cycles of the hart, except for a while after a transfer to the device; 0: no
    // limit.
    void limit(uint64_t cycles);
    // Cycles of the hart since it left reset, as of the last ran_to().
    uint64_t cycles() const;

    bool may_run();
    // May the host get answers now? Answers of a halted hart's device are kept until time stands still. Otherwise the
    // time of the host's next command would depend on the host's speed.
    bool may_answer();
    // While time stands still for a stream: milliseconds until that ends. -1: it lasts until the host sends something.
    int patience_ms() const;

    // The tick at which ran_to() must be called next.
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
    std::array<Stream, 16> streams_{}; // index: number of the IN endpoint
    bool was_quiet_ = false;
    bool asleep_ = false;
    uint64_t ran_ticks_ = 0;  // ticks since the hart left reset
    uint64_t limit_ = 0;      // in ticks; 0: no limit
    uint64_t busy_until_ = 0; // until this tick the device may be answering a command
};

} // namespace gnomon

#endif
