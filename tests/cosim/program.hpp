// SPDX-License-Identifier: Apache-2.0
// A generated program for the core, and its reference stream.
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
constexpr uint32_t data_base = 0x10001000, data_bytes = 0x1000; // PMP may forbid its execution

enum class PatchKind { message, wfi, misaligned, fault, counter };
struct Patch {
    uint32_t insn;
    PatchKind kind;
};

struct Program {
    std::vector<uint8_t> ram;                    // with the patches
    std::unordered_map<uint32_t, Patch> patches; // addresses at which the core sees other instructions than QEMU
    std::map<uint32_t, unsigned> blocks;         // address -> number
    uint32_t vector = 0;                         // address of the exception handler
    bool vectored = false;                       // interrupts go to vector + 4 * code
    bool user = false;                           // for a hart with U mode and PMP
    std::vector<reference_record> reference;

    // Reads PREFIX.bin, PREFIX.map and PREFIX.ref. Returns "" or an error message.
    std::string load(const std::string &prefix);
    // The block at `pc`, -1 for the start and the handler.
    int block_of(uint32_t pc) const;
};

} // namespace cosim
