// SPDX-License-Identifier: Apache-2.0
// The registers and the access of an instruction, and its text. Written from the manual, independent of the core's
// decoder.
#pragma once

#include <cstdint>
#include <string>

namespace cosim {

struct Decoded {
    uint32_t word = 0; // as 32-bit instruction
    bool compressed = false;
    unsigned rd = 0, rs1 = 0, rs2 = 0; // 0 if the instruction has none
    bool load = false, store = false;
    unsigned size = 0; // bytes accessed
    bool sign = false; // of a load
    int32_t offset = 0;
    bool atomic = false;    // lr (load), sc (store), amo (both)
    unsigned operation = 0; // of an amo: funct5
    bool csr = false, csr_writes = false, csr_immediate = false;
    unsigned csr_address = 0, csr_operation = 0; // 1 write, 2 set, 3 clear
};

// A compressed instruction as its 32-bit equivalent, 0 if it has none; other instructions unchanged.
uint32_t expand(uint32_t insn);
Decoded decode(uint32_t insn);
std::string disassemble(uint32_t insn, uint32_t pc);

} // namespace cosim
