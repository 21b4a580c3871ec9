// SPDX-License-Identifier: Apache-2.0
// Main memory of a board with two harts, in the order in which its bus accepts accesses. Each hart's accesses to memory
// and registers wait here until their instruction retires.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "retired_log.h"

namespace cosim {

struct Access {
    uint32_t addr = 0; // of the word
    uint8_t strb = 0;  // 0: a read
    uint32_t data = 0; // written, or what a read of main memory must give
    uint64_t number = 0;
    bool from_other = false; // a read: another master wrote the word last
};

class MemoryOrder {
  public:
    static constexpr uint32_t base = 0x10000000, bytes = 0x02000000;

    MemoryOrder();
    void take(const gnomon::RetiredRecord &access);
    // The hart's oldest access that belongs to no instruction yet. False: there is none.
    bool next(unsigned hart, Access &access);
    // Forgets them: the hart was reset, or its access failed.
    void forget(unsigned hart);
    bool holds(uint32_t addr) const {
        return addr - base < bytes;
    }
    uint32_t word(uint32_t addr) const;
    // A 16-bit part of an instruction.
    uint32_t parcel(uint32_t addr) const;
    // Whether a master other than the hart has written the word after the access with this number.
    bool disturbed(uint32_t addr, unsigned hart, uint64_t since) const;
    // The same, but before the access `until`.
    bool disturbed(uint32_t addr, unsigned hart, uint64_t since, uint64_t until) const;
    uint64_t accesses() const {
        return number_;
    }

  private:
    struct Write {
        uint64_t number;
        unsigned writer; // number of the hart, or `host`
    };
    static constexpr unsigned host = 2;
    static constexpr size_t kept = 64; // writes of a word that are remembered

    std::vector<uint8_t> bytes_;
    std::array<std::deque<Access>, 2> waiting_;
    std::unordered_map<uint32_t, std::deque<Write>> writes_; // by word
    uint64_t number_ = 0;
};

} // namespace cosim
