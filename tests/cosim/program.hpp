// SPDX-License-Identifier: Apache-2.0
// A generated program as the core gets it, and the reference stream that belongs to it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "reference.h"

namespace cosim {

constexpr uint32_t ram_base = 0x10000000, ram_bytes = 0x01000000;
constexpr uint32_t window = 0xfff00000;
constexpr uint32_t data_base = 0x10001000, data_bytes = 0x1000; // PMP may forbid to execute it

enum class PatchKind { message, wfi, misaligned, fault, counter };
struct Patch {
    uint32_t insn;
    PatchKind kind;
};

struct Program {
    std::vector<uint8_t> ram;                    // with the patches
    std::unordered_map<uint32_t, Patch> patches; // where the core sees what QEMU does not
    std::map<uint32_t, unsigned> blocks;         // address -> number
    uint32_t vector = 0;                         // where exceptions go
    bool vectored = false;                       // interrupts go to vector + 4 * code
    bool user = false;                           // for a hart with U mode and PMP
    std::vector<reference_record> reference;

    // Reads PREFIX.bin, PREFIX.map and PREFIX.ref. Returns a message on failure, nothing on success.
    std::string load(const std::string &prefix);
    // The block that holds `pc`, -1 for the start and the handler.
    int block_of(uint32_t pc) const;
};

} // namespace cosim
