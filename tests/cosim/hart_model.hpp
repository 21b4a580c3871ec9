// SPDX-License-Identifier: Apache-2.0
// Reference model of one of several harts: executes each instruction that the hart retires, from its own registers and
// from the words that memory has in the order of the bus. What devices and most CSRs give is taken from the hart.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "decode.hpp"
#include "memory_order.hpp"
#include "retired_log.h"

namespace cosim {

struct HartTotals {
    uint64_t retired = 0, traps = 0, interrupts = 0, loads = 0, stores = 0, shared = 0, amos = 0, stored = 0,
             refused = 0; // shared: loads of what another master wrote; stored, refused: sc
};

class HartModel {
  public:
    HartModel(unsigned number, MemoryOrder &memory) : number_(number), memory_(memory) {
    }
    void reset();
    // The hart's record. False on a difference; message() describes it.
    bool take(const gnomon::RetiredRecord &record);
    const HartTotals &totals() const {
        return totals_;
    }
    const std::string &message() const {
        return message_;
    }

  private:
    using Record = gnomon::RetiredRecord;
    struct Known {
        bool is = false;
        uint32_t value = 0;
    };
    struct Reservation {
        bool is = false;
        uint32_t addr = 0;
        uint64_t number = 0; // of the load
        uint64_t asked = 0;  // accesses that the bus had seen before the hart can have asked for the load
    };

    bool fail(const char *format, ...) __attribute__((format(printf, 2, 3)));
    bool check_address(const Record &r);
    bool check_trap(const Record &r, const Decoded &d);
    bool execute(const Record &r, const Decoded &d, uint32_t &rd, uint32_t &next);
    bool access(const Record &r, const Decoded &d, uint32_t &rd);
    bool load(const Record &r, const Decoded &d, uint32_t addr, uint32_t &rd);
    bool store(const Record &r, const Decoded &d, uint32_t addr);
    bool atomic(const Record &r, const Decoded &d, uint32_t addr, uint32_t &rd);
    bool conditional(const Record &r, uint32_t addr, uint32_t value, uint32_t &rd);
    bool read_access(const Record &r, uint32_t addr, Access &access);
    bool write_access(const Record &r, uint32_t addr, unsigned size, uint32_t value, Access &access);
    void csr(const Record &r, const Decoded &d, uint32_t &rd);
    void enter(unsigned cause);

    unsigned number_;
    MemoryOrder &memory_;
    std::array<Known, 32> regs_{};
    Known pc_, mtvec_, mepc_;
    Reservation reserved_;
    std::array<uint64_t, 3> seen_{}; // accesses that the bus had seen at the last retirements, the last one first
    HartTotals totals_;
    std::string message_;
};

} // namespace cosim
