// SPDX-License-Identifier: Apache-2.0
// Cycles of every instruction of a run, for each stall cause, from the observation bundle alone
// (docs/internals/observation.md, "Causes"). The device counts a code window's instructions (docs/internals/profile.md,
// "Stall causes"); this reference model counts the whole program in one run, and the device's counters must equal it.
#pragma once
#include <array>
#include <cstdint>
#include <jansson.h>
#include <string>
#include <unordered_map>

#include "oracle.h"

namespace gnomon {

// The cycles of one hart's instructions.
class InstructionCosts {
  public:
    // The next cycle() is cycle 0.
    void reset();
    // Nothing is counted after the program's end: the hart has sent EXIT, or end() was called.
    void cycle(const OracleSample &sample);
    // Cycles for which no instruction has yet paid stay without one.
    void end();
    bool ended() const {
        return ended_;
    }
    json_t *json() const;

  private:
    static constexpr unsigned kCauses = 18; // number of causes, except UNKNOWN
    using Costs = std::array<uint64_t, kCauses>;

    bool started_ = false, ended_ = false;
    uint64_t cycles_ = 0, unattributed_ = 0;
    Costs causes_{}, waiting_{}; // all cycles; cycles since the last retirement
    std::unordered_map<uint32_t, Costs> costs_;
};

class Instructions {
  public:
    // Writes the result to this file when the program has ended on each hart, in the format of trace-format.md, "Cycles
    // of instructions".
    explicit Instructions(std::string path) : path_(std::move(path)) {
    }
    // The hart has left reset: forgets all counts; the next cycle() is cycle 0.
    void reset();
    // One clock cycle with the hart out of reset. `other`: hart 1's; null: there is none. EXIT of one hart ends the
    // program on the other a cycle later.
    void cycle(const OracleSample &sample, const OracleSample *other);
    // False: the file could not be written.
    bool good() const {
        return good_;
    }
    const std::string &path() const {
        return path_;
    }

  private:
    bool write(bool two_harts) const;

    std::string path_;
    bool good_ = true;
    bool exited_ = false, written_ = false; // EXIT was sent before this cycle
    std::array<InstructionCosts, 2> harts_;
};

} // namespace gnomon
