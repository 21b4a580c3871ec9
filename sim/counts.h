// SPDX-License-Identifier: Apache-2.0
// Reference model of the device's counters and ranges (docs/internals/profile.md, "Counters"). Input: the observation
// bundle and the bus monitor. A file selects the events:
//   {"ranges": [[base, limit], [base, limit], [base, limit]],
//    "counters": [{"event": name, "start": value, "ranges": [0, 2], "thread": number, "mode": "m", "u" or "none",
//                  "tagged": boolean, "gate": number}, ...],
//    "sample": {"event": name, "period": number of events},
//    "latency": {"kind": "loads", "stores" or "accesses", "ranges": [0, 2], "tagged": boolean, "threshold": cycles}}
// All fields but "event" are optional; range 2 holds data addresses.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gnomon {

// What the counts see in one cycle.
struct CountsSample {
    bool retired; // an instruction retired, without a trap
    uint8_t cause;
    uint32_t insn, pc, next_pc;
    bool user;
    uint32_t mem_addr;
    uint8_t mem_rmask, mem_wmask;
    uint32_t mem_wdata, rd_wdata;
    bool trap_enter;
    uint8_t trap_cause;
    bool irq_pending, mispredict;
    uint8_t cache;
    bool bus;
    uint8_t bus_master;
    bool bus_write;
    uint32_t bus_addr;
    bool tagged = false; // set by tags (tags.h): the instruction passes the filter
    uint8_t gates = 0;   // set by tags: the instruction lies in the intervals of these timers
};

// An event, by its name in docs/reference/events.md; not one of a range.
class CountedEvent {
  public:
    CountedEvent() = default;
    explicit CountedEvent(const std::string &name);
    bool known() const {
        return event_ || cause_ >= 0;
    }
    // The cause of the cycles that it counts; -1: it is no stall cause.
    int cause() const {
        return cause_;
    }
    // True if it happens in the cycle.
    bool happens(const CountsSample &sample) const {
        return event_ ? event_(sample) : sample.cause == cause_;
    }

  private:
    bool (*event_)(const CountsSample &sample) = nullptr;
    int cause_ = -1;
};

class Counts {
  public:
    // Reads the file. On failure ok() is false and error() gives the reason.
    explicit Counts(const std::string &path);
    bool ok() const {
        return error_.empty();
    }
    const std::string &error() const {
        return error_;
    }
    // The hart has left reset: the next cycle() is cycle 0.
    void reset();
    // One clock cycle with the hart out of reset.
    void cycle(const CountsSample &sample);
    // Writes the result as JSON: the counts; for each counter the cycle in which it first wrapped, or null; the ranges;
    // the cycle in which an interrupt was first pending; the cycles in which the counters' interrupts were taken; with
    // "latency" the instructions by latency, as [cycles, count], and those that reached the threshold, as [cycle, pc,
    // cycles, address or null], the first 1000 of them; with "sample" the samples, as [pc, thread, reads, writes,
    // address], in order.
    bool write(const std::string &path) const;

  private:
    static constexpr size_t kRanges = 3;
    struct Counter {
        CountedEvent event; // not known: the counter counts by `entry`
        int entry = -1;
        uint64_t start = 0;
        std::array<bool, kRanges> inside{};
        int64_t thread = -1, gate = -1;
        bool tagged = false;
        char mode = 0;
        bool filtered = false;
        uint64_t count = 0, pending = 0;
        int64_t wrapped = -1; // cycle of the first wrap
    };
    // What the sampler takes of the instruction that pays for an event.
    struct Sample {
        uint32_t pc, thread;
        bool reads, writes;
        uint32_t address;
    };
    struct Range {
        uint32_t base = 0, limit = 0;
        bool was = false;
        uint64_t entries = 0, instructions = 0, cycles = 0, reads = 0, writes = 0;
    };

    // An instruction that reached the threshold.
    struct Slow {
        uint64_t cycle;
        uint32_t pc;
        uint64_t latency;
        int64_t address; // -1: it accessed no memory
    };
    // The latency filter: whose latencies count, and how often each latency came.
    struct Latency {
        bool wanted = false, tagged = false;
        bool loads = false, stores = false;
        std::array<bool, kRanges> inside{};
        uint64_t threshold = 0;
        std::map<uint64_t, uint64_t> counts;
        std::vector<Slow> slow;
    };

    bool load(const std::string &path);
    void count_latency(const CountsSample &sample, const std::array<bool, kRanges> &in);
    bool choose(Counter &counter, const std::string &name);
    static bool happens(const Counter &counter, const CountsSample &sample, const std::array<bool, kRanges> &entered);
    void take_samples(const CountsSample &sample, const std::array<bool, kRanges> &entered);
    bool inside(size_t range, const CountsSample &sample) const;
    bool belongs(const Counter &counter, const CountsSample &sample, const std::array<bool, kRanges> &in) const;
    void add(Counter &counter, uint64_t amount);

    std::string error_;
    std::vector<Counter> counters_;
    std::array<Range, kRanges> ranges_;
    Latency latency_;
    Counter sampled_;
    uint64_t sample_period_ = 0, until_sample_ = 0, due_ = 0; // due_: samples that wait for their instruction
    std::vector<Sample> samples_;
    uint64_t now_ = 0, unpaid_ = 0;
    uint32_t thread_ = 0;
    int64_t first_pending_ = -1;
    std::vector<uint64_t> taken_;
};

} // namespace gnomon
