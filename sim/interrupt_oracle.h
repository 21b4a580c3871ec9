// SPDX-License-Identifier: Apache-2.0
// Reference model of interrupts that are switched off: an account from the bit MIE of mstatus, which the hart shows
// before each instruction, without the trace and without decoding instructions. docs/guide/locks.md defines what
// counts. And of the cycles for which interrupts have waited when they are taken (docs/guide/latency.md).
#pragma once
#include <cstdint>
#include <jansson.h>
#include <map>
#include <vector>

namespace gnomon {

struct InterruptSample {
    uint64_t cycle;
    uint32_t pc;
    bool valid, trap_enter, trap_leave;
    bool mie, mpie; // before the instruction, with valid
    uint8_t trap_cause, requests;
};

class InterruptOracle {
  public:
    void reset();
    void cycle(const InterruptSample &sample);
    // A new object: each time that interrupts were off, and whether they are off now.
    json_t *json() const;
    // A new list of [cycle of the trap, code, cycles waited].
    json_t *waits_json() const;

  private:
    struct Hold {
        uint64_t from, cycles;
        uint32_t pc; // of the instruction that switched them off; 0: the return from a trap did
    };

    struct Wait {
        uint64_t cycle;
        unsigned code;
        uint64_t waited;
    };

    void settle(bool mie_after);
    void wait(const InterruptSample &sample);

    std::vector<Hold> holds_;
    std::vector<Wait> waits_;
    std::map<unsigned, uint64_t> asked_; // by code: the cycle from which on the interrupt has waited, if it does
    InterruptSample last_{};             // the last instruction, whose effect on MIE the next one shows
    bool pending_ = false;               // there is such an instruction
    bool trapped_ = false;               // a trap was taken after it
    bool ever_on_ = false;               // MIE was 1 at some time
    uint8_t requests_ = 0;
    bool off_ = false; // a hold is open
    Hold open_{};
    unsigned traps_ = 0, traps_then_ = 0; // open now; after the last instruction
};

} // namespace gnomon
