// SPDX-License-Identifier: Apache-2.0
// The observation bundle of one cycle (docs/internals/observation.md).
#pragma once

#include <cstdint>

namespace cosim {

enum Cause : unsigned {
    RETIRED,
    FETCH,
    JUMP,
    MISPREDICT,
    LOAD_USE,
    MULDIV,
    DATA,
    TRAP,
    WFI,
    DEBUG,
    RESET,
    CSR,
    FENCE,
    ICACHE_MISS,
    DCACHE_MISS,
    REFRESH = 16,
    PAGE,
    CAUSES
};

struct Bundle {
    bool valid, trap, halt, intr, trap_enter, trap_leave, irq_pending, debug, wfi;
    uint64_t order;
    uint32_t insn, rs1_rdata, rs2_rdata, rd_wdata, pc_rdata, pc_wdata, mem_addr, mem_rdata, mem_wdata;
    unsigned mode, ixl, rs1_addr, rs2_addr, rd_addr, mem_rmask, mem_wmask, cause, trap_cause;
};

} // namespace cosim
