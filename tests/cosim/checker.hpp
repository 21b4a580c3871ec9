// SPDX-License-Identifier: Apache-2.0
// Compares the core's bundle, cycle by cycle, with the reference stream and with the rules of
// docs/internals/observation.md. Stretches that the reference does not have (interrupt handlers, the handler of a trap
// that only the core takes) must leave every register unchanged and return to their start.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "bundle.hpp"
#include "bus.hpp"
#include "decode.hpp"
#include "program.hpp"

namespace cosim {

struct Totals {
    uint64_t cycles = 0, compared = 0, aside = 0, interrupts = 0, traps = 0, messages = 0, atomics = 0, wfi = 0,
             counters = 0, debug = 0;
    std::array<uint64_t, CAUSES> causes{};
    uint64_t stream_hash = 0xcbf29ce484222325; // of every retirement, without its cycle
};

class Checker {
  public:
    Checker(const Program &program, const Interrupts &interrupts);

    // Checks a cycle; cycles come in order. False on an error; message() describes it.
    bool cycle(const Bundle &b, uint64_t now);
    // The answer to a counter read, and a counter write, at the ports.
    void counter_read(uint32_t value) {
        counter_value_ = value;
    }
    void counter_write(unsigned address, uint32_t value) {
        counter_writes_.push_back({address, value});
    }
    bool done() const {
        return next_ + 1 >= program_.reference.size() && aside_ == Aside::none;
    }
    // At the end: the bus's memory matches the retired stores, and atomic instructions have locked the bus.
    bool finish(const Bus &bus);

    const Totals &totals() const {
        return totals_;
    }
    const std::string &message() const {
        return message_;
    }
    std::string report() const;
    uint32_t reg(unsigned n) const {
        return core_[n];
    }
    uint64_t order() const {
        return order_;
    }
    // Address of the next instruction.
    uint32_t pc() const {
        return expected_pc_;
    }
    // A word in memory, from the retired stores.
    uint32_t word(uint32_t addr) const {
        return loaded(addr, 4);
    }

  private:
    enum class Aside { none, interrupt, trap };
    struct Retired {
        Bundle b;
        uint64_t cycle;
        bool aside;
    };

    bool fail(const char *format, ...) __attribute__((format(printf, 2, 3)));
    bool check_cause(const Bundle &b);
    bool check_interrupt(const Bundle &b, uint64_t now);
    bool check_liveness(uint64_t now);
    bool check_flow(const Bundle &b);
    bool check_operands(const Bundle &b, const Decoded &d);
    bool check_memory(const Bundle &b, const Decoded &d);
    bool check_atomic(const Bundle &b, const Decoded &d);
    bool check_counter(const Bundle &b, const Decoded &d);
    bool check_aside(const Bundle &b, const Decoded &d);
    bool check_reference(const Bundle &b, const Decoded &d);
    bool check_reference_trap(const Bundle &b);
    bool check_written(const Bundle &b, const Decoded &d, const reference_record &r, const Patch *patch);
    bool enter_aside(Aside kind, uint32_t resume, unsigned code, uint32_t value);
    void update_state(const Bundle &b, const Decoded &d);
    void hash(const Bundle &b);
    uint32_t loaded(uint32_t addr, unsigned size) const;

    const Program &program_;
    const Interrupts &interrupts_;
    std::vector<uint8_t> ram_; // from retired stores
    std::array<uint32_t, 32> core_{}, reference_{}, before_aside_{};
    std::array<bool, 32> written_{};
    size_t next_ = 0; // in the reference stream
    Aside aside_ = Aside::none;
    uint32_t aside_resume_ = 0, aside_value_ = 0; // return address; mtval
    unsigned aside_code_ = 0;
    bool fetch_fault_ = false; // the next instruction cannot be fetched
    bool first_ = true, retired_ = false;
    uint32_t expected_pc_ = ram_base;
    bool expect_intr_ = false;
    uint64_t order_ = 0;
    bool mie_ = false, mpie_ = false;
    bool user_ = false, mpp_user_ = false;
    void trap();
    uint32_t mie_bits_ = 0;
    unsigned late_ = 0; // instructions retired while an interrupt should have been taken
    bool reserved_ = false;
    uint32_t reserved_word_ = 0;
    uint64_t amos_ = 0, conditional_ = 0; // amo and successful sc
    uint32_t counter_value_ = 0;
    std::deque<std::pair<unsigned, uint32_t>> counter_writes_;
    std::deque<Retired> history_;
    Totals totals_;
    std::string message_;
};

} // namespace cosim
