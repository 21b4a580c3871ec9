// SPDX-License-Identifier: Apache-2.0
// Signals of the caches about waits: never a miss, always a miss, or random, by the seed; and in the random mode the
// state of main memory. They may only decide between FETCH and ICACHE_MISS, DATA and DCACHE_MISS, and between these and
// REFRESH or PAGE. The random numbers are separate, so all other behaviour is unchanged.
#pragma once

#include <string>

#include "bundle.hpp"
#include "bus.hpp"

namespace cosim {

class Misses {
  public:
    explicit Misses(uint64_t seed) : kind_(static_cast<Kind>(seed % 3)), random_(seed) {
    }

    // `waits`: a data access is open that is not answered in this cycle.
    void begin_cycle(bool waits) {
        d_before_ = d;
        waited_ = waits_;
        waits_ = waits;
        i = choose();
        d = choose();
        i_memory = memory();
        d_memory = memory();
    }

    // Returns "" or the error in the cause of this cycle. The cause of a wait for data is that of the previous cycle;
    // the cause of a wait for an instruction has passed through the pipeline.
    std::string observe(unsigned cause) const {
        if ((cause == REFRESH || cause == PAGE) && kind_ != Kind::random)
            return "REFRESH or PAGE, but memory does neither";
        if (cause == ICACHE_MISS && kind_ == Kind::never)
            return "ICACHE_MISS without a miss";
        if (cause == FETCH && kind_ == Kind::always)
            return "FETCH, but all waits for instructions are misses";
        if (cause == DCACHE_MISS && !d_before_)
            return "DCACHE_MISS without a miss";
        if (cause == DATA && d_before_ && waited_)
            return "DATA, but the access waited for a line";
        return "";
    }

    enum class Memory { other, refresh, page };
    bool i = false, d = false;
    Memory i_memory = Memory::other, d_memory = Memory::other;

  private:
    enum class Kind { never, always, random };
    bool choose() {
        return kind_ == Kind::always || (kind_ == Kind::random && below(random_, 2));
    }

    Memory memory() {
        return kind_ == Kind::random ? static_cast<Memory>(below(random_, 3)) : Memory::other;
    }

    Kind kind_;
    Random random_;
    bool d_before_ = false, waits_ = false, waited_ = false;
};

} // namespace cosim
