// SPDX-License-Identifier: Apache-2.0
// The comparison with the reference stream, and the stretches that it does not have.
#include <cinttypes>

#include "checker.hpp"
#include "encode.h"

namespace cosim {

namespace {

constexpr unsigned csr_mstatus = 0x300, csr_mie = 0x304, csr_mepc = 0x341, csr_mcause = 0x342, csr_mtval = 0x343;

// Bits of a CSR that both have; the program keeps no others.
uint32_t compared_bits(const Decoded &d, bool user) {
    if (!d.csr)
        return 0xffffffff;
    return d.csr_address == csr_mstatus ? (user ? 0x221888 : 0x88) : d.csr_address == csr_mie ? 0x888 : 0xffffffff;
}

} // namespace

bool Checker::enter_aside(Aside kind, uint32_t resume, unsigned code, uint32_t value) {
    aside_ = kind;
    aside_value_ = value;
    aside_resume_ = resume;
    aside_code_ = code;
    before_aside_ = core_;
    return true;
}

// Inside: the handler reads the right values of the trap. At its end: the state is as before.
bool Checker::check_aside(const Bundle &b, const Decoded &d) {
    totals_.aside++;
    if (b.trap)
        return fail("an exception, code %u, in a handler", b.trap_cause);
    if (d.csr && d.rd && d.csr_address == csr_mepc && b.rd_wdata != aside_resume_ && aside_ == Aside::interrupt)
        return fail("mepc is %08" PRIx32 ", expected %08" PRIx32, b.rd_wdata, aside_resume_);
    uint32_t mcause = aside_code_ | (aside_ == Aside::interrupt ? 0x80000000u : 0);
    if (d.csr && d.rd && d.csr_address == csr_mcause && b.rd_wdata != mcause)
        return fail("mcause is %08" PRIx32 ", expected %08" PRIx32, b.rd_wdata, mcause);
    if (d.csr && d.rd && d.csr_address == csr_mtval && b.rd_wdata != aside_value_)
        return fail("mtval is %08" PRIx32 ", expected %08" PRIx32, b.rd_wdata, aside_value_);
    if (!b.trap_leave)
        return true;
    if (b.pc_wdata != aside_resume_)
        return fail("mret goes to %08" PRIx32 ", expected %08" PRIx32, b.pc_wdata, aside_resume_);
    for (unsigned n = 1; n < 32; n++)
        if (core_[n] != before_aside_[n])
            return fail("x%u is %08" PRIx32 " after a handler, was %08" PRIx32, n, core_[n], before_aside_[n]);
    aside_ = Aside::none;
    return true;
}

bool Checker::check_reference(const Bundle &b, const Decoded &d) {
    if (fetch_fault_) { // QEMU neither executes nor records an instruction that it cannot fetch
        fetch_fault_ = false;
        if (!b.trap || b.trap_cause != 1)
            return fail("expected an instruction access fault at %08" PRIx32, b.pc_rdata);
        if (b.pc_wdata != program_.vector)
            return fail("a trap goes to %08" PRIx32 ", not to its handler", b.pc_wdata);
        return true;
    }
    if (next_ + 1 >= program_.reference.size())
        return fail("the reference has ended");
    const reference_record &r = program_.reference[next_];
    uint32_t next_pc = program_.reference[next_ + 1].pc;
    auto found = program_.patches.find(b.pc_rdata);
    const Patch *patch = found == program_.patches.end() ? nullptr : &found->second;
    if (b.pc_rdata != r.pc)
        return fail("pc %08" PRIx32 ", the reference is at %08" PRIx32, b.pc_rdata, r.pc);
    if (b.insn != (patch ? patch->insn : r.insn))
        return fail("instruction %08" PRIx32 ", the reference has %08" PRIx32, b.insn, patch ? patch->insn : r.insn);
    if (patch && (patch->kind == PatchKind::misaligned || patch->kind == PatchKind::fault)) {
        unsigned code = (decode(patch->insn).store ? 6 : 4) + (patch->kind == PatchKind::fault);
        if (!b.trap || b.trap_cause != code)
            return fail("a misaligned or impossible access must trap with code %u", code);
        if (b.pc_wdata != program_.vector)
            return fail("a trap goes to %08" PRIx32 ", not to its handler", b.pc_wdata);
        next_++;
        totals_.compared++;
        Decoded access = decode(patch->insn);
        return enter_aside(Aside::trap, next_pc, code, core_[access.rs1] + static_cast<uint32_t>(access.offset));
    }
    // Only a trap goes to the handler.
    if (next_pc == program_.vector) {
        if (!check_reference_trap(b))
            return false;
    } else if (b.trap) {
        return fail("trap with code %u, the reference has none", b.trap_cause);
    } else if (b.pc_wdata != next_pc) {
        return fail("pc_wdata %08" PRIx32 ", the reference goes on at %08" PRIx32, b.pc_wdata, next_pc);
    }
    if (!check_written(b, d, r, patch))
        return false;
    next_++;
    totals_.compared++;
    return true;
}

// Either this instruction traps, or the next one cannot be fetched.
bool Checker::check_reference_trap(const Bundle &b) {
    if (b.trap)
        return b.pc_wdata == program_.vector || fail("a trap goes to %08" PRIx32 ", not to its handler", b.pc_wdata);
    bool forbidden = user_ && b.pc_wdata - data_base < data_bytes;
    if (b.pc_wdata - ram_base < ram_bytes && !forbidden)
        return fail("no trap, the reference traps");
    fetch_fault_ = true;
    return true;
}

bool Checker::check_written(const Bundle &b, const Decoded &d, const reference_record &r, const Patch *patch) {
    if (r.rd)
        reference_[r.rd] = r.value;
    if (patch) // the bundle's rules have been checked; the next instruction overwrites the counter's value
        return true;
    if (r.rd && r.rd != b.rd_addr)
        return fail("x%u is written, the reference writes x%" PRIu32, b.rd_addr, r.rd);
    if (b.rd_addr == 0)
        return true;
    uint32_t core = b.rd_wdata, expected = reference_[b.rd_addr];
    if ((core ^ expected) & compared_bits(d, program_.user))
        return fail("x%u = %08" PRIx32 ", the reference has %08" PRIx32, b.rd_addr, core, expected);
    return true;
}

} // namespace cosim
