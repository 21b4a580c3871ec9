// SPDX-License-Identifier: Apache-2.0
// The rules of the bundle itself; checker_reference.cpp compares with the reference.
#include "checker.hpp"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>

#include "encode.h"
#include "execute.hpp"

namespace cosim {

namespace {

constexpr size_t history_length = 20;
constexpr unsigned lateness_allowed = 16; // instructions: more than any pipeline holds
constexpr uint64_t settled = 64;          // cycles after which the core must know a line, even if it waits,
constexpr uint64_t known = 4;             // and if it does not wait
constexpr unsigned csr_mstatus = 0x300, csr_mie = 0x304;
constexpr uint32_t mstatus_mpp = 0x1800;
const std::array<unsigned, 4> priority = {11, 3, 7, 16};

uint32_t mask_of(unsigned size) {
    return size == 4 ? 0xf : size == 2 ? 3 : 1;
}

uint32_t apply(const Decoded &d, uint32_t old, uint32_t source) {
    return d.csr_operation == 1 ? source : d.csr_operation == 2 ? old | source : old & ~source;
}

uint32_t csr_source(const Bundle &b, const Decoded &d) {
    return d.csr_immediate ? (d.word >> 15) & 31 : b.rs1_rdata;
}

} // namespace

Checker::Checker(const Program &program, const Interrupts &interrupts)
    : program_(program), interrupts_(interrupts), ram_(program.ram) {
}

bool Checker::fail(const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    message_ = text;
    return false;
}

bool Checker::cycle(const Bundle &b, uint64_t now) {
    totals_.cycles++;
    if (!check_cause(b))
        return false;
    if (b.trap_enter && !b.valid && !check_interrupt(b, now))
        return false;
    if (!b.valid)
        return true;
    history_.push_back({b, now, aside_ != Aside::none});
    if (history_.size() > history_length)
        history_.pop_front();
    hash(b);
    // The word of a trapping fetch is ignored.
    Decoded d = decode(b.trap ? static_cast<uint32_t>(INSN_NOP) : b.insn);
    if (!check_flow(b) || (!b.trap && (!check_operands(b, d) || !check_memory(b, d) || !check_counter(b, d))))
        return false;
    if (b.trap && (b.rd_addr || b.mem_rmask || b.mem_wmask))
        return fail("a trapping instruction has an effect: rd x%u, memory masks r %x w %x", b.rd_addr, b.mem_rmask,
                    b.mem_wmask);
    bool good = aside_ == Aside::none ? check_reference(b, d) : check_aside(b, d);
    update_state(b, d);
    return good && check_liveness(now);
}

bool Checker::check_cause(const Bundle &b) {
    if (b.cause >= CAUSES || (b.cause > DCACHE_MISS && b.cause < REFRESH))
        return fail("cause %u is not defined", b.cause);
    totals_.causes[b.cause]++;
    if ((b.cause == RETIRED) != (b.valid && !b.trap))
        return fail("cause %u with valid %d, trap %d", b.cause, b.valid, b.trap);
    if (b.trap && !b.valid)
        return fail("trap without valid");
    if (b.valid && b.trap != b.trap_enter)
        return fail("trap %d with trap_enter %d in a cycle with valid", b.trap, b.trap_enter);
    if (b.valid && b.trap && (b.trap_cause & 32))
        return fail("an exception with an interrupt's cause %02x", b.trap_cause);
    if (b.trap_leave != (b.valid && !b.trap && b.insn == INSN_MRET))
        return fail("trap_leave %d, valid %d, instruction %08" PRIx32, b.trap_leave, b.valid, b.insn);
    if (b.debug && (b.valid || b.trap_enter || b.cause != DEBUG))
        return fail("in debug mode: valid %d, trap_enter %d, cause %u", b.valid, b.trap_enter, b.cause);
    if (b.halt)
        return fail("halt is set");
    if (!retired_ && !b.valid && b.cause != RESET && !b.debug && b.cause != DEBUG)
        return fail("cause %u before the first retirement, which should be RESET", b.cause);
    if (retired_ && b.cause == RESET)
        return fail("cause RESET after the first retirement");
    if (b.debug)
        totals_.debug++;
    return true;
}

bool Checker::check_interrupt(const Bundle &b, uint64_t now) {
    unsigned code = b.trap_cause & 31;
    totals_.interrupts++;
    if (!(b.trap_cause & 32))
        return fail("trap_enter without a retirement, but cause %02x is no interrupt", b.trap_cause);
    if (aside_ != Aside::none)
        return fail("interrupt %u inside a handler", code);
    if (!(mie_ || user_) || !(mie_bits_ >> code & 1))
        return fail("interrupt %u is taken while not enabled: mstatus.MIE %d, mie %08" PRIx32, code, mie_, mie_bits_);
    if (!interrupts_.seen(code, now, 8))
        return fail("interrupt %u is taken, but its line is low", code);
    // The priority is decided at the entry into the pipeline: not before the third last instruction left it.
    uint64_t decided = history_.size() < 3 ? 0 : history_[history_.size() - 3].cycle;
    for (unsigned other : priority) {
        if (other == code)
            break;
        if ((mie_bits_ >> other & 1) && interrupts_.age(other, now) > now - decided + known)
            return fail("interrupt %u is taken although %u waits, which goes first", code, other);
    }
    late_ = 0;
    trap();
    uint32_t resume = expected_pc_;
    expected_pc_ = program_.vectored ? program_.vector + 4 * code : program_.vector;
    expect_intr_ = true;
    return enter_aside(Aside::interrupt, resume, code, 0);
}

// A line that is high and enabled must be taken in time.
bool Checker::check_liveness(uint64_t now) {
    bool waiting = false;
    for (unsigned code : priority)
        waiting |= (mie_ || user_) && (mie_bits_ >> code & 1) && interrupts_.age(code, now) > settled;
    late_ = waiting ? late_ + 1 : 0;
    if (late_ > lateness_allowed)
        return fail("an enabled interrupt is not taken for %u instructions", late_);
    return true;
}

bool Checker::check_flow(const Bundle &b) {
    if (b.order != order_)
        return fail("order %" PRIu64 ", expected %" PRIu64, b.order, order_);
    order_++;
    if (b.pc_rdata != expected_pc_)
        return fail("pc_rdata %08" PRIx32 ", expected %08" PRIx32, b.pc_rdata, expected_pc_);
    if (b.intr != expect_intr_)
        return fail("intr %d, expected %d", b.intr, expect_intr_);
    if (b.mode != (user_ ? 0 : 3) || b.ixl != 1)
        return fail("mode %u, ixl %u", b.mode, b.ixl);
    expected_pc_ = b.pc_wdata;
    expect_intr_ = b.trap;
    retired_ |= !b.trap;
    totals_.traps += b.trap;
    return true;
}

bool Checker::check_operands(const Bundle &b, const Decoded &d) {
    if (b.rs1_addr != d.rs1 || b.rs2_addr != d.rs2)
        return fail("reads x%u and x%u, expected x%u and x%u", b.rs1_addr, b.rs2_addr, d.rs1, d.rs2);
    if ((b.rs1_addr == 0 || written_[b.rs1_addr]) && b.rs1_rdata != core_[b.rs1_addr])
        return fail("rs1 x%u is %08" PRIx32 ", expected %08" PRIx32, b.rs1_addr, b.rs1_rdata, core_[b.rs1_addr]);
    if ((b.rs2_addr == 0 || written_[b.rs2_addr]) && b.rs2_rdata != core_[b.rs2_addr])
        return fail("rs2 x%u is %08" PRIx32 ", expected %08" PRIx32, b.rs2_addr, b.rs2_rdata, core_[b.rs2_addr]);
    if (b.rd_addr != d.rd)
        return fail("writes x%u, expected x%u", b.rd_addr, d.rd);
    if (b.rd_addr == 0 && b.rd_wdata != 0)
        return fail("rd_wdata %08" PRIx32 " without a register", b.rd_wdata);
    core_[b.rd_addr] = b.rd_wdata;
    written_[b.rd_addr] = true;
    return true;
}

uint32_t Checker::loaded(uint32_t addr, unsigned size) const {
    uint32_t value = 0;
    for (unsigned n = 0; n < size; n++)
        value |= static_cast<uint32_t>(ram_[addr - ram_base + n]) << (8 * n);
    return value;
}

bool Checker::check_memory(const Bundle &b, const Decoded &d) {
    if (d.atomic)
        return check_atomic(b, d);
    unsigned rmask = d.load ? mask_of(d.size) : 0, wmask = d.store ? mask_of(d.size) : 0;
    if (b.mem_rmask != rmask || b.mem_wmask != wmask)
        return fail("memory masks r %x w %x, expected r %x w %x", b.mem_rmask, b.mem_wmask, rmask, wmask);
    if (!d.load && !d.store)
        return true;
    uint32_t addr = b.rs1_rdata + static_cast<uint32_t>(d.offset);
    if (b.mem_addr != addr)
        return fail("mem_addr %08" PRIx32 ", expected %08" PRIx32, b.mem_addr, addr);
    uint32_t bits = d.size == 4 ? 0xffffffff : (1u << (8 * d.size)) - 1;
    bool in_ram = addr - ram_base < ram_bytes;
    if (d.store) {
        if (b.mem_wdata != b.rs2_rdata)
            return fail("mem_wdata %08" PRIx32 ", expected %08" PRIx32, b.mem_wdata, b.rs2_rdata);
        for (unsigned n = 0; in_ram && n < d.size; n++)
            ram_[addr - ram_base + n] = static_cast<uint8_t>(b.mem_wdata >> (8 * n));
        totals_.messages += addr >= window;
        return true;
    }
    if (!in_ram)
        return fail("a load from %08" PRIx32 " retired, where nothing is", addr);
    uint32_t value = loaded(addr, d.size);
    if (b.mem_rdata != value)
        return fail("mem_rdata %08" PRIx32 " from %08" PRIx32 ", expected %08" PRIx32, b.mem_rdata, addr, value);
    if (d.sign && (value & (bits ^ (bits >> 1))))
        value |= ~bits;
    if (d.rd && b.rd_wdata != value)
        return fail("loaded %08" PRIx32 ", expected %08" PRIx32, b.rd_wdata, value);
    return true;
}

// Only an sc ends a reservation: traps and the hart's other stores do not. The harness never writes reserved words.
bool Checker::check_atomic(const Bundle &b, const Decoded &d) {
    bool conditional = !d.load;
    bool stores = d.store && (!conditional || (reserved_ && reserved_word_ == b.rs1_rdata));
    unsigned rmask = d.load ? 0xf : 0, wmask = stores ? 0xf : 0;
    totals_.atomics++;
    if (b.mem_rmask != rmask || b.mem_wmask != wmask)
        return fail("memory masks r %x w %x, expected r %x w %x", b.mem_rmask, b.mem_wmask, rmask, wmask);
    if (!d.store) {
        reserved_ = true;
        reserved_word_ = b.rs1_rdata;
    } else if (conditional) {
        reserved_ = false;
        conditional_ += stores;
        if (d.rd && b.rd_wdata != !stores)
            return fail("sc says %08" PRIx32 ", expected %d", b.rd_wdata, !stores);
    }
    if (!d.load && !stores)
        return true;
    if (b.mem_addr != b.rs1_rdata || b.mem_addr - ram_base >= ram_bytes)
        return fail("mem_addr %08" PRIx32 ", expected %08" PRIx32, b.mem_addr, b.rs1_rdata);
    uint32_t old = loaded(b.mem_addr, 4), value = conditional ? b.rs2_rdata : amo(d.operation, old, b.rs2_rdata);
    if (d.load && (b.mem_rdata != old || (d.rd && b.rd_wdata != old)))
        return fail("loaded %08" PRIx32 ", register %08" PRIx32 ", expected %08" PRIx32, b.mem_rdata, b.rd_wdata, old);
    if (!stores)
        return true;
    amos_ += !conditional;
    if (b.mem_wdata != value)
        return fail("mem_wdata %08" PRIx32 ", expected %08" PRIx32, b.mem_wdata, value);
    for (unsigned n = 0; n < 4; n++)
        ram_[b.mem_addr - ram_base + n] = static_cast<uint8_t>(value >> (8 * n));
    return true;
}

// Counters are outside of the core: it must return the values that it got, and forward the writes.
bool Checker::check_counter(const Bundle &b, const Decoded &d) {
    auto patch = program_.patches.find(b.pc_rdata);
    bool counter = d.csr && patch != program_.patches.end() && patch->second.kind == PatchKind::counter;
    if (counter) {
        totals_.counters++;
        if (d.rd && b.rd_wdata != counter_value_)
            return fail("counter read %08" PRIx32 ", was given %08" PRIx32, b.rd_wdata, counter_value_);
    }
    if (!counter || !d.csr_writes)
        return counter_writes_.empty() || fail("a counter is written, but by no instruction");
    if (counter_writes_.size() != 1)
        return fail("%zu counter writes for one instruction", counter_writes_.size());
    auto [address, value] = counter_writes_.front();
    counter_writes_.pop_front();
    uint32_t expected = apply(d, counter_value_, csr_source(b, d));
    if (address != d.csr_address || value != expected)
        return fail("counter %03x written with %08" PRIx32 ", expected %03x, %08" PRIx32, address, value, d.csr_address,
                    expected);
    return true;
}

void Checker::trap() {
    mpie_ = mie_;
    mie_ = false;
    mpp_user_ = user_;
    user_ = false;
}

// mstatus and mie, as far as interrupts and the mode need them.
void Checker::update_state(const Bundle &b, const Decoded &d) {
    if (b.trap) {
        trap();
    } else if (b.trap_leave) {
        mie_ = mpie_;
        mpie_ = true;
        user_ = mpp_user_;
        mpp_user_ = program_.user;
    } else if (d.csr && d.csr_writes && d.csr_address == csr_mstatus) {
        uint32_t value =
            apply(d, (mpp_user_ ? 0u : mstatus_mpp) | (mpie_ ? 0x80u : 0u) | (mie_ ? 8u : 0u), csr_source(b, d));
        mie_ = value & 8;
        mpie_ = value & 0x80;
        mpp_user_ = program_.user && (value & mstatus_mpp) != mstatus_mpp;
    } else if (d.csr && d.csr_writes && d.csr_address == csr_mie) {
        mie_bits_ = apply(d, mie_bits_, csr_source(b, d)) & 0x10888;
    }
    totals_.wfi += b.insn == INSN_WFI && !b.trap;
}

void Checker::hash(const Bundle &b) {
    // Words of failed fetches and values of counters do not come from the core.
    bool fetched = !b.trap || b.trap_cause != 1;
    auto patch = program_.patches.find(b.pc_rdata);
    bool counter = patch != program_.patches.end() && patch->second.kind == PatchKind::counter;
    for (uint32_t value :
         {b.pc_rdata, fetched ? b.insn : 0, b.rd_addr | static_cast<uint32_t>(b.trap) << 8, counter ? 0 : b.rd_wdata})
        totals_.stream_hash = (totals_.stream_hash ^ value) * 0x100000001b3;
}

bool Checker::finish(const Bus &bus) {
    if (bus.locked_pairs() != amos_ || bus.locked_writes() != conditional_)
        return fail("%" PRIu64 " amo and %" PRIu64 " sc stored, the bus was locked for %" PRIu64 " and %" PRIu64, amos_,
                    conditional_, bus.locked_pairs(), bus.locked_writes());
    const std::vector<uint8_t> &ram = bus.ram();
    for (size_t n = 0; n < ram.size(); n++)
        if (ram[n] != ram_[n])
            return fail("memory at %08zx is %02x, the retired stores made %02x", ram_base + n, ram[n], ram_[n]);
    return true;
}

std::string Checker::report() const {
    std::string text = "last instructions (a: not in the reference; t: trapped)\n";
    char line[240];
    for (const Retired &r : history_) {
        snprintf(line, sizeof line, "  %8" PRIu64 " %c%c %08" PRIx32 "  %08" PRIx32 "  %-30s", r.cycle,
                 r.aside ? 'a' : ' ', r.b.trap ? 't' : ' ', r.b.pc_rdata, r.b.insn,
                 disassemble(r.b.insn, r.b.pc_rdata).c_str());
        text += line;
        if (r.b.rd_addr) {
            snprintf(line, sizeof line, "  x%u = %08" PRIx32, r.b.rd_addr, r.b.rd_wdata);
            text += line;
        }
        if (r.b.mem_wmask || r.b.mem_rmask) {
            snprintf(line, sizeof line, "  [%08" PRIx32 "] %s %08" PRIx32, r.b.mem_addr, r.b.mem_wmask ? "<-" : "->",
                     r.b.mem_wmask ? r.b.mem_wdata : r.b.mem_rdata);
            text += line;
        }
        text += "\n";
    }
    snprintf(line, sizeof line, "reference record %zu of %zu: ", next_, program_.reference.size());
    text += line;
    if (next_ < program_.reference.size()) {
        const reference_record &r = program_.reference[next_];
        snprintf(line, sizeof line, "%08" PRIx32 "  %08" PRIx32 "  %s  x%" PRIu32 " = %08" PRIx32 "\n", r.pc, r.insn,
                 disassemble(r.insn, r.pc).c_str(), r.rd, r.value);
        text += line;
    }
    for (unsigned n = 1; n < 32; n++)
        if (core_[n] != reference_[n]) {
            snprintf(line, sizeof line, "  x%u: core %08" PRIx32 ", reference %08" PRIx32 "\n", n, core_[n],
                     reference_[n]);
            text += line;
        }
    return text;
}

} // namespace cosim
