// SPDX-License-Identifier: Apache-2.0
// What an instruction of RV32IMA, Zba, Zbb and Zbs computes. Written from the manual.
#pragma once

#include <cstdint>

namespace cosim {

// The value that an instruction without memory access or CSR writes to rd. `word` is its 32-bit form (expand()), `size`
// its own bytes.
uint32_t computed(uint32_t word, unsigned size, uint32_t pc, uint32_t rs1, uint32_t rs2);
// The address of the next instruction; of no use for traps and mret.
uint32_t followed(uint32_t word, unsigned size, uint32_t pc, uint32_t rs1, uint32_t rs2);
// The word that an amo stores; `operation` is its funct5.
uint32_t amo(unsigned operation, uint32_t old, uint32_t operand);

} // namespace cosim
