// SPDX-License-Identifier: Apache-2.0
#include "hart_model.hpp"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>

#include "encode.h"
#include "execute.hpp"

namespace cosim {

namespace {

constexpr unsigned csr_mtvec = 0x305, csr_mepc = 0x341, csr_mhartid = 0xf14;
constexpr unsigned code_breakpoint = 3, code_load_fault = 5, code_store_fault = 7, code_ecall_user = 8, code_ecall = 11;
constexpr unsigned interrupt_bit = 32;

uint32_t low_bytes(uint32_t value, unsigned size) {
    return size == 4 ? value : value & ((1u << (8 * size)) - 1);
}

unsigned mask_of(unsigned size) {
    return (1u << size) - 1;
}

} // namespace

bool HartModel::fail(const char *format, ...) {
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    message_ = "hart " + std::to_string(number_) + ": " + text;
    return false;
}

void HartModel::reset() {
    regs_.fill({true, 0});
    pc_ = mtvec_ = mepc_ = {};
    reserved_ = {};
    memory_.forget(number_);
}

void HartModel::enter(unsigned cause) {
    mepc_ = pc_;
    const bool vectored = (mtvec_.value & 1) && (cause & interrupt_bit);
    pc_ = {mtvec_.is, (mtvec_.value & ~3u) + (vectored ? 4 * (cause & 31) : 0)};
}

bool HartModel::take(const Record &r) {
    if (r.debug) { // the debugger may change everything
        regs_.fill({});
        regs_[0].is = true;
        pc_ = mtvec_ = mepc_ = {};
        return true;
    }
    if (r.trap_enter && !r.valid) {
        totals_.interrupts++;
        if (!(r.trap_cause & interrupt_bit))
            return fail("a trap without an instruction has code %u", r.trap_cause);
        enter(r.trap_cause);
        return true;
    }
    if (!check_address(r))
        return false;
    const Decoded d = decode(r.insn);
    if (r.trap)
        return check_trap(r, d);
    totals_.retired++;
    uint32_t rd = 0, next = 0;
    if (!execute(r, d, rd, next))
        return false;
    if (r.rd != d.rd)
        return fail("%08" PRIx32 " writes x%u, expected x%u", r.pc, r.rd, d.rd);
    if (d.rd && r.rd_wdata != rd)
        return fail("%08" PRIx32 " %s: x%u = %08" PRIx32 ", expected %08" PRIx32, r.pc,
                    disassemble(r.insn, r.pc).c_str(), d.rd, r.rd_wdata, rd);
    if (r.next_pc != next)
        return fail("%08" PRIx32 " goes on at %08" PRIx32 ", expected %08" PRIx32, r.pc, r.next_pc, next);
    if (d.rd)
        regs_[d.rd] = {true, rd};
    seen_ = {memory_.accesses(), seen_[0], seen_[1]};
    pc_ = {true, next};
    return true;
}

bool HartModel::check_address(const Record &r) {
    if (pc_.is && r.pc != pc_.value)
        return fail("is at %08" PRIx32 ", expected %08" PRIx32, r.pc, pc_.value);
    pc_ = {true, r.pc};
    if (!memory_.holds(r.pc))
        return r.trap || fail("executes at %08" PRIx32 ", where nothing is", r.pc);
    uint32_t insn = memory_.parcel(r.pc);
    if ((insn & 3) == 3)
        insn |= memory_.parcel(r.pc + 2) << 16;
    return r.insn == insn || fail("%08" PRIx32 " is %08" PRIx32 ", memory has %08" PRIx32, r.pc, r.insn, insn);
}

bool HartModel::check_trap(const Record &r, const Decoded &d) {
    totals_.traps++;
    const unsigned code = r.trap_cause;
    if (r.rd || r.rmask || r.wmask)
        return fail("%08" PRIx32 " traps and has an effect", r.pc);
    if ((code == code_ecall || code == code_ecall_user) != (d.word == INSN_ECALL))
        return fail("%08" PRIx32 " traps with code %u", r.pc, code);
    if (d.word == INSN_EBREAK && code != code_breakpoint)
        return fail("%08" PRIx32 " is an ebreak and traps with code %u", r.pc, code);
    const bool faults = code == code_load_fault || code == code_store_fault;
    if (faults)
        memory_.forget(number_);
    if (d.atomic && (faults || !d.store || !d.load))
        reserved_.is = false;
    enter(code);
    if (pc_.is && r.next_pc != pc_.value)
        return fail("a trap goes to %08" PRIx32 ", expected %08" PRIx32, r.next_pc, pc_.value);
    return true;
}

// A value that depends on a register which the model does not know is taken from the hart.
bool HartModel::execute(const Record &r, const Decoded &d, uint32_t &rd, uint32_t &next) {
    const Known a = regs_[d.rs1], b = regs_[d.rs2];
    const bool known = a.is && b.is;
    const unsigned size = d.compressed ? 2 : 4;
    if (d.word == INSN_ECALL || d.word == INSN_EBREAK)
        return fail("%08" PRIx32 " must trap", r.pc);
    next = known ? followed(d.word, size, r.pc, a.value, b.value) : r.next_pc;
    rd = r.rd_wdata;
    if (r.trap_leave || d.word == INSN_MRET) {
        next = mepc_.is ? mepc_.value : r.next_pc;
        return true;
    }
    if (d.load || d.store)
        return access(r, d, rd);
    if (r.rmask || r.wmask)
        return fail("%08" PRIx32 " accesses memory", r.pc);
    if (d.csr)
        csr(r, d, rd);
    else if (known)
        rd = computed(d.word, size, r.pc, a.value, b.value);
    return true;
}

void HartModel::csr(const Record &r, const Decoded &d, uint32_t &rd) {
    if (d.csr_address == csr_mhartid)
        rd = number_;
    Known *tracked = d.csr_address == csr_mtvec ? &mtvec_ : d.csr_address == csr_mepc ? &mepc_ : nullptr;
    if (!tracked)
        return;
    if (d.rd && tracked->is)
        rd = tracked->value;
    if (!d.csr_writes)
        return;
    const Known old = d.rd ? Known{true, rd} : *tracked;
    const Known source = d.csr_immediate ? Known{true, r.insn >> 15 & 31} : regs_[d.rs1];
    const uint32_t value = d.csr_operation == 1   ? source.value
                           : d.csr_operation == 2 ? old.value | source.value
                                                  : old.value & ~source.value;
    *tracked = {source.is && (d.csr_operation == 1 || old.is), value & (tracked == &mtvec_ ? ~2u : ~1u)};
}

bool HartModel::access(const Record &r, const Decoded &d, uint32_t &rd) {
    const Known base = regs_[d.rs1];
    const bool conditional = d.atomic && !d.load;
    const uint32_t addr = base.is ? base.value + static_cast<uint32_t>(d.offset) : r.mem_addr;
    const unsigned rmask = d.load ? mask_of(d.size) : 0, wmask = d.store ? mask_of(d.size) : 0;
    if (r.rmask != rmask || (r.wmask != wmask && !(conditional && r.wmask == 0)))
        return fail("%08" PRIx32 " has masks r %x w %x", r.pc, r.rmask, r.wmask);
    if ((r.rmask || r.wmask) && r.mem_addr != addr)
        return fail("%08" PRIx32 " accesses %08" PRIx32 ", expected %08" PRIx32, r.pc, r.mem_addr, addr);
    return d.atomic ? atomic(r, d, addr, rd) : d.load ? load(r, d, addr, rd) : store(r, d, addr);
}

bool HartModel::read_access(const Record &r, uint32_t addr, Access &access) {
    if (!memory_.next(number_, access))
        return fail("%08" PRIx32 " loads, and the bus has seen nothing", r.pc);
    if (access.strb || access.addr != (addr & ~3u))
        return fail("%08" PRIx32 " loads from %08" PRIx32 ", the bus has seen %s of %08" PRIx32, r.pc, addr,
                    access.strb ? "a write" : "a read", access.addr);
    totals_.loads++;
    totals_.shared += access.from_other;
    return true;
}

bool HartModel::load(const Record &r, const Decoded &d, uint32_t addr, uint32_t &rd) {
    Access access;
    if (!read_access(r, addr, access))
        return false;
    const uint32_t value =
        memory_.holds(addr) ? low_bytes(access.data >> (8 * (addr & 3)), d.size) : low_bytes(r.mem_rdata, d.size);
    if (low_bytes(r.mem_rdata, d.size) != value)
        return fail("%08" PRIx32 " loads %08" PRIx32 " from %08" PRIx32 ", memory has %08" PRIx32, r.pc, r.mem_rdata,
                    addr, value);
    const unsigned shift = 32 - 8 * d.size;
    rd = d.sign ? static_cast<uint32_t>(static_cast<int32_t>(value << shift) >> shift) : value;
    return true;
}

bool HartModel::write_access(const Record &r, uint32_t addr, unsigned size, uint32_t value, Access &access) {
    if (low_bytes(r.mem_wdata, size) != low_bytes(value, size))
        return fail("%08" PRIx32 " stores %08" PRIx32 ", expected %08" PRIx32, r.pc, r.mem_wdata, value);
    if (!memory_.next(number_, access))
        return fail("%08" PRIx32 " stores, and the bus has seen nothing", r.pc);
    const unsigned lane = addr & 3;
    if (access.addr != (addr & ~3u) || access.strb != mask_of(size) << lane ||
        low_bytes(access.data >> (8 * lane), size) != low_bytes(value, size))
        return fail("%08" PRIx32 " stores %08" PRIx32 " to %08" PRIx32 ", the bus has seen %08" PRIx32
                    " (lanes %x) for %08" PRIx32,
                    r.pc, value, addr, access.data, access.strb, access.addr);
    totals_.stores++;
    return true;
}

// Messages of the window do not reach the bus.
bool HartModel::store(const Record &r, const Decoded &d, uint32_t addr) {
    constexpr uint32_t window = 0xfff00000;
    Access access;
    const Known value = regs_[d.rs2];
    if (addr >= window)
        return !value.is || low_bytes(r.mem_wdata, d.size) == low_bytes(value.value, d.size) ||
               fail("%08" PRIx32 " sends %08" PRIx32 ", expected %08" PRIx32, r.pc, r.mem_wdata, value.value);
    return write_access(r, addr, d.size, value.is ? value.value : r.mem_wdata, access);
}

bool HartModel::atomic(const Record &r, const Decoded &d, uint32_t addr, uint32_t &rd) {
    const uint32_t operand = regs_[d.rs2].is ? regs_[d.rs2].value : r.mem_wdata;
    if (!d.load)
        return conditional(r, addr, operand, rd);
    Access read, write;
    if (!read_access(r, addr, read))
        return false;
    const uint32_t old = memory_.holds(addr) ? read.data : r.mem_rdata;
    rd = old;
    if (r.mem_rdata != old)
        return fail("%08" PRIx32 " loads %08" PRIx32 " from %08" PRIx32 ", memory has %08" PRIx32, r.pc, r.mem_rdata,
                    addr, old);
    if (!d.store) {
        reserved_ = {true, addr, read.number, seen_[2]};
        return true;
    }
    totals_.amos++;
    const uint32_t value = regs_[d.rs2].is ? amo(d.operation, old, operand) : r.mem_wdata;
    if (!write_access(r, addr, 4, value, write))
        return false;
    return !memory_.disturbed(addr, number_, read.number, write.number) ||
           fail("%08" PRIx32 ": another master writes %08" PRIx32 " between the load and the store of an amo", r.pc,
                addr);
}

// A write that the bus accepts while the hart asks for the lr's load may end the reservation, too.
bool HartModel::conditional(const Record &r, uint32_t addr, uint32_t value, uint32_t &rd) {
    Reservation was = reserved_;
    reserved_.is = false;
    rd = r.wmask == 0;
    if (r.wmask) {
        Access write;
        totals_.stored++;
        if (!was.is || was.addr != addr)
            return fail("%08" PRIx32 ": an sc stores without a reservation", r.pc);
        return write_access(r, addr, 4, value, write) &&
               (!memory_.disturbed(addr, number_, was.number, write.number) ||
                fail("%08" PRIx32 ": an sc stores, although another master has written %08" PRIx32, r.pc, addr));
    }
    totals_.refused++;
    return !was.is || was.addr != addr || memory_.disturbed(addr, number_, was.asked) ||
           fail("%08" PRIx32 ": an sc fails, although no other master has written %08" PRIx32, r.pc, addr);
}

} // namespace cosim
