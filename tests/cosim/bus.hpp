// SPDX-License-Identifier: Apache-2.0
// The memory system around the core: both ports with random stalls, a fetch side that may keep stale lines until a
// flush, the interrupt lines, and the counters on hpm_*.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

namespace cosim {

using Random = std::mt19937_64;

inline unsigned below(Random &random, unsigned n) {
    return static_cast<unsigned>(((random() >> 32) * n) >> 32);
}

// Behaviour of a port.
struct Stall {
    unsigned refuse_percent = 0; // chance that a request is not accepted in a cycle
    unsigned delay_percent = 0;  // chance of each further cycle before a response
};

enum class StallMode { none, light, heavy, mixed };

struct Response {
    uint64_t due;
    uint32_t data;
    bool error;
};

class Port {
  public:
    void begin(Random &random, uint64_t now); // selects the core's inputs for this cycle
    void end(Random &random, uint64_t now, bool accepted, uint32_t data, bool error);
    // An access is open that is not answered in this cycle.
    bool waits() const {
        return !open_.empty();
    }
    void set(Stall stall) {
        stall_ = stall;
    }

    bool ready = true, rsp_valid = false, rsp_error = false;
    uint32_t rsp_rdata = 0;

  private:
    Stall stall_;
    std::deque<Response> open_;
};

// The interrupt lines 3, 7, 11 and 16: each rises at random, and falls when the handler stores its number or at random,
// perhaps before the core takes it.
class Interrupts {
  public:
    void step(Random &random, uint64_t now);
    void clear(uint32_t mcause);
    bool line(unsigned index) const {
        return high_[index];
    }
    // Whether line `code` was high within the last `cycles`; or, if it fell without a store, within the time that an
    // instruction may wait for memory.
    bool seen(unsigned code, uint64_t now, uint64_t cycles) const;
    // Cycles for which it has been high.
    uint64_t age(unsigned code, uint64_t now) const;
    static int index_of(unsigned code);

    unsigned mean = 0; // mean of the cycles between two, 0 = never

  private:
    std::array<bool, 4> high_{};
    std::array<uint64_t, 4> since_{}, last_high_{}, fallen_{};
};

struct DataRequest {
    bool valid;
    uint32_t addr;
    bool write;
    uint32_t wdata;
    unsigned strb;
    bool lock;
    bool held; /* no other master may write in this cycle */
    bool operator==(const DataRequest &o) const {
        return valid == o.valid && addr == o.addr && write == o.write && strb == o.strb && (!write || wdata == o.wdata);
    }
};

class Bus {
  public:
    Bus(std::vector<uint8_t> ram, uint64_t seed);
    void set_mode(StallMode mode, bool stale_fetch);
    void begin_cycle();
    // Takes the core's requests of this cycle; returns "" or the error.
    std::string end_cycle(bool i_valid, uint32_t i_addr, bool flush, const DataRequest &d);

    Port i, d;
    Interrupts interrupts;
    bool flush_done = false;
    uint64_t now = 0;
    const std::vector<uint8_t> &ram() const {
        return ram_;
    }
    // Atomic load-store pairs; other locked stores.
    uint64_t locked_pairs() const {
        return locked_pairs_;
    }
    uint64_t locked_writes() const {
        return locked_writes_;
    }
    Random &random() {
        return random_;
    }

  private:
    void choose_stalls();
    uint32_t fetch(uint32_t addr, bool &error);
    uint32_t access(const DataRequest &d, bool &error);
    uint32_t ram_word(uint32_t addr) const;
    std::string watch_lock(const DataRequest &request, bool accepted);

    static constexpr unsigned line_bytes = 32, lines = 64;
    struct Line {
        bool valid = false;
        uint32_t addr = 0;
        std::array<uint32_t, line_bytes / 4> words{};
    };
    std::vector<uint8_t> ram_;
    std::array<Line, lines> cache_;
    Random random_;
    StallMode mode_ = StallMode::none;
    bool stale_fetch_ = false;
    DataRequest previous_{};
    bool previous_refused_ = false;
    enum class Lock { none, read, between, write } lock_ = Lock::none;
    bool lock_pair_ = false, lock_doubtful_ = false;
    uint32_t lock_addr_ = 0;
    uint64_t locked_pairs_ = 0, locked_writes_ = 0;
};

} // namespace cosim
