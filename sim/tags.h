// SPDX-License-Identifier: Apache-2.0
// Independent reference model of tags (docs/internals/tags.md), from the observation bundle and the bus monitor: plain
// tables of addresses, no shadow memory, no delay. A file sets the tags:
//   {"tags": [{"address": number, "length": bytes, "value": 1 to 31, "data": boolean}, ...],
//    "modes": [{"value": 1 to 31, "execute", "read", "write", "tagged", "own", "interrupt": booleans,
//               "trace", "timer": "start", "stop" or "toggle", "which": 0 to 3}, ...],
//    "steps": [[cycles, ...], ...] by timer, "hints": boolean}
// All fields but "address" and "value" are optional (default "length": 2).
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "counts.h"

namespace gnomon {

class Tags {
  public:
    static constexpr unsigned kTimers = 4, kSteps = 4;

    // Reads the file. On failure ok() is false and error() gives the reason.
    explicit Tags(const std::string &path);
    bool ok() const {
        return error_.empty();
    }
    const std::string &error() const {
        return error_;
    }
    // The hart has left reset: restores the tags of the file and clears all counts; the next cycle() is cycle 0.
    void reset();
    // One clock cycle with the hart out of reset. Sets the fields `tagged` and `gates` of the sample.
    void cycle(CountsSample &sample);
    // Writes the result as JSON: "values" by tag; "own" as [address, data, count]; "timers"; "interrupts" as [cycle,
    // pc, value, data]; "taken" (cycles in which the profiler's interrupt was taken); "trace" as [cycle, open]. The
    // last three have only the first 1000 entries.
    bool write(const std::string &path) const;

  private:
    enum class Act { None, Start, Stop, Toggle };
    struct Mode {
        bool execute = false, read = false, write = false, tagged = false, own = false, interrupt = false;
        Act trace = Act::None, timer = Act::None;
        unsigned which = 0;
    };
    struct Value {
        uint64_t executions = 0, cycles = 0, reads = 0, writes = 0;
    };
    struct Timer {
        bool running = false;
        uint64_t began = 0, intervals = 0, cycles = 0, last = 0, shortest = UINT64_MAX, longest = 0;
        std::array<uint64_t, kSteps> over{};
        std::array<int64_t, kSteps> first_over{{-1, -1, -1, -1}}; // cycle in which each threshold was first reached
    };
    struct Hint {
        uint32_t address;
        unsigned value;
        unsigned many; // instructions that it still tags
    };
    struct Interrupt {
        uint64_t cycle;
        uint32_t pc;
        unsigned value;
        bool data;
    };
    using Map = std::unordered_map<uint32_t, unsigned>; // from the address of a parcel or word to its tag

    bool load(const std::string &path);
    unsigned tag_of(const CountsSample &sample);
    void use(unsigned value, CountsSample &sample, bool data);
    void act(Act what, unsigned timer);
    void open_trace(Act what);
    void pass_steps();
    void take_hint(const CountsSample &sample);
    void overwrite(uint32_t address);

    std::string error_;
    std::array<Mode, 32> modes_{};
    std::array<std::array<uint64_t, kSteps>, kTimers> steps_{};
    bool hints_ = false;
    Map first_code_, first_data_; // tags as in the file
    Map code_, data_;
    std::array<Value, 32> values_{};
    std::map<std::pair<bool, uint32_t>, uint64_t> own_;
    std::array<Timer, kTimers> timers_{};
    std::optional<Hint> waiting_;
    bool trace_open_ = false;
    uint64_t cleared_ = 0, hinted_ = 0, hints_lost_ = 0;
    uint32_t cleared_address_ = 0;
    uint64_t now_ = 0, unpaid_ = 0;
    std::vector<Interrupt> interrupts_;
    std::vector<uint64_t> taken_;
    std::vector<std::pair<uint64_t, bool>> trace_;
};

} // namespace gnomon
