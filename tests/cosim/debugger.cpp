// SPDX-License-Identifier: Apache-2.0
#include "debugger.hpp"

#include <cstdio>

#include "encode.h"
#include "program.hpp"

namespace cosim {

namespace {

constexpr uint32_t csr_dcsr = 0x7b0, csr_dpc = 0x7b1, csr_dscratch0 = 0x7b2;
constexpr uint32_t ebreak_bits = 1u << 15 | 1u << 12; // of M mode, of U mode
constexpr unsigned step_bit = 4, cause_ebreak = 1, cause_halt = 3, cause_step = 4;
constexpr uint64_t patience = 5000; // maximum of cycles for a reaction of the hart

uint32_t insn_from_register(unsigned reg) { // csrw dscratch0, reg
    return enc_i(OP_SYSTEM, 1, 0, reg, csr_dscratch0);
}
uint32_t insn_to_register(unsigned reg) { // csrr reg, dscratch0
    return enc_i(OP_SYSTEM, 2, reg, 0, csr_dscratch0);
}

} // namespace

std::string Debugger::wrong(const char *what) const {
    return std::string("debug mode: ") + what;
}

bool Debugger::came_by_ebreak(unsigned cause) const {
    return ebreak_enters_ && cause == cause_ebreak;
}

void Debugger::set_register(unsigned reg, uint32_t value) {
    orders_.push_back({Action::set_data, value});
    orders_.push_back({Action::inject, insn_to_register(reg)});
}

void Debugger::expect_register(unsigned reg, uint32_t value) {
    orders_.push_back({Action::inject, insn_from_register(reg)});
    orders_.push_back({Action::expect_data, value});
}

// Reads, overwrites, reads back and restores a word of memory.
void Debugger::plan_memory(const Checker &checker, Random &random) {
    unsigned base = 1 + below(random, 31), data = 1 + (base + below(random, 30)) % 31;
    uint32_t addr = data_base + 4 * below(random, data_bytes / 4), value = static_cast<uint32_t>(random());
    uint32_t load = enc_i(OP_LOAD, 2, data, base, 0), store = enc_s(OP_STORE, 2, base, data, 0);
    set_register(base, addr);
    orders_.push_back({Action::inject, load});
    expect_register(data, checker.word(addr));
    for (uint32_t word : {value, checker.word(addr)}) {
        set_register(data, word);
        orders_.push_back({Action::inject, store});
        set_register(data, ~word);
        orders_.push_back({Action::inject, load});
        expect_register(data, word);
    }
    set_register(base, checker.reg(base));
    set_register(data, checker.reg(data));
}

// From now on an ebreak enters debug mode, or no longer does. An ebreak that did not enter it is executed again,
// because the reference has its trap.
void Debugger::plan_ebreak(const Checker &checker, Random &random, bool enters) {
    unsigned reg = 1 + below(random, 31);
    set_register(reg, ebreak_bits);
    orders_.push_back({Action::inject, enc_i(OP_SYSTEM, enters ? 2 : 3, 0, reg, csr_dcsr)});
    set_register(reg, checker.reg(reg));
    ebreak_enters_ = enters;
}

// A visit: reads some registers; overwrites, reads back and restores some; perhaps makes a few single steps.
void Debugger::plan(const Checker &checker, Random &random) {
    if (below(random, 4) == 0) {
        unsigned reg = 1 + below(random, 31);
        orders_.push_back({Action::inject, enc_i(OP_SYSTEM, 2, reg, 0, csr_dpc)});
        expect_register(reg, checker.pc());
        set_register(reg, checker.reg(reg));
    }
    if (below(random, 4) == 0)
        plan_memory(checker, random);
    bool steps = below(random, 3) == 0;
    if (ebreak_enters_)
        plan_ebreak(checker, random, false);
    else if (!steps && below(random, 2))
        plan_ebreak(checker, random, true);
    for (unsigned n = below(random, 3); n > 0; n--) {
        unsigned reg = 1 + below(random, 31);
        expect_register(reg, checker.reg(reg));
        if (below(random, 2))
            continue;
        uint32_t value = static_cast<uint32_t>(random());
        set_register(reg, value);
        orders_.push_back({Action::set_data, ~value});
        expect_register(reg, value);
        set_register(reg, checker.reg(reg));
    }
    if (steps) {
        orders_.push_back({Action::inject, enc_i(OP_SYSTEM, 6, 0, step_bit, csr_dcsr)});
        for (unsigned n = 1 + below(random, 4); n > 0; n--)
            orders_.push_back({Action::step, 0});
        orders_.push_back({Action::inject, enc_i(OP_SYSTEM, 7, 0, step_bit, csr_dcsr)});
    }
    orders_.push_back({Action::resume, 0});
}

void Debugger::drive(Vgnomon_core &core, Random &random) {
    core.dbg_halt_i = halt_;
    core.dbg_resume_i = resume_;
    core.dbg_insn_valid_i = insn_valid_;
    core.dbg_insn_i = insn_valid_ ? insn_ : static_cast<uint32_t>(random());
    core.dbg_data_we_i = data_we_;
    core.dbg_data_i = data_we_ ? data_ : static_cast<uint32_t>(random());
}

void Debugger::start_next(const Checker &checker) {
    Order order = orders_.front();
    orders_.pop_front();
    switch (order.action) {
    case Action::set_data:
        data_we_ = true;
        data_ = order.value;
        break;
    case Action::inject:
        insn_valid_ = injecting_ = true;
        insn_ = order.value;
        break;
    case Action::expect_data:
        expecting_ = true;
        expected_data_ = order.value;
        break;
    case Action::step:
        resume_ = stepping_ = true;
        order_before_ = checker.order();
        break;
    case Action::resume:
        resume_ = true;
        break;
    }
}

std::string Debugger::observe(const Vgnomon_core &core, const Checker &checker, Random &random) {
    bool pulsed = resume_ || insn_valid_ || data_we_; // takes effect at the end of this cycle
    resume_ = insn_valid_ = data_we_ = false;
    if (mean_ == 0 || pulsed)
        return "";
    if (halting_ || stepping_ || injecting_)
        if (++waited_ > patience)
            return wrong("no reaction");
    if (injecting_) {
        if (core.dbg_busy_o)
            return "";
        if (core.dbg_error_o)
            return wrong("an injected instruction has trapped");
        injecting_ = false;
    }
    if (expecting_) {
        expecting_ = false;
        if (core.dbg_data_o != expected_data_) {
            char text[100];
            snprintf(text, sizeof text, "dscratch0 is %08x after instruction %08x, expected %08x", core.dbg_data_o,
                     insn_, expected_data_);
            return wrong(text);
        }
    }
    if (halting_ || stepping_) {
        if (!core.dbg_halted_o)
            return "";
        if (core.dbg_cause_o != (stepping_ ? cause_step : cause_halt) &&
            !(halting_ && came_by_ebreak(core.dbg_cause_o)))
            return wrong("wrong cause");
        if (stepping_ && checker.order() != order_before_ + 1)
            return wrong("a step is not one instruction");
        if (halting_)
            plan(checker, random);
        halting_ = stepping_ = halt_ = false;
    } else if (orders_.empty()) {
        if (core.dbg_halted_o && !came_by_ebreak(core.dbg_cause_o))
            return wrong("halted without having been asked");
        if (core.dbg_halted_o)
            plan(checker, random);
        else if (below(random, mean_) == 0)
            halt_ = halting_ = true;
        waited_ = 0;
        return "";
    }
    waited_ = 0;
    if (!orders_.empty())
        start_next(checker);
    return "";
}

} // namespace cosim
