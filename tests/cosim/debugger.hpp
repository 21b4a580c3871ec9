// SPDX-License-Identifier: Apache-2.0
// Halts the hart at random or by an ebreak, reads and rewrites registers and memory with injected instructions, makes
// single steps and resumes. The stream must not show any of this.
#pragma once

#include <deque>
#include <string>

#include "Vgnomon_core.h"
#include "bus.hpp"
#include "checker.hpp"

namespace cosim {

class Debugger {
  public:
    explicit Debugger(unsigned mean) : mean_(mean) {
    }
    // Sets the debug inputs of this cycle.
    void drive(Vgnomon_core &core, Random &random);
    // Checks the outputs of this cycle. Returns "" or the error.
    std::string observe(const Vgnomon_core &core, const Checker &checker, Random &random);

  private:
    enum class Action { set_data, inject, expect_data, step, resume };
    struct Order {
        Action action;
        uint32_t value; // data, or instruction
    };
    void plan(const Checker &checker, Random &random);
    void plan_memory(const Checker &checker, Random &random);
    void plan_ebreak(const Checker &checker, Random &random, bool enters);
    void set_register(unsigned reg, uint32_t value);
    void expect_register(unsigned reg, uint32_t value);
    bool came_by_ebreak(unsigned cause) const;
    void start_next(const Checker &checker);
    std::string wrong(const char *what) const;

    unsigned mean_; // cycles between two halts, 0 = never
    std::deque<Order> orders_;
    bool ebreak_enters_ = false; // debug mode, until the next visit
    // Inputs of the next cycle.
    bool halt_ = false, resume_ = false, insn_valid_ = false, data_we_ = false;
    uint32_t insn_ = 0, data_ = 0;
    // Awaited reactions.
    bool halting_ = false, injecting_ = false, stepping_ = false;
    uint32_t expected_data_ = 0;
    bool expecting_ = false;
    uint64_t waited_ = 0, order_before_ = 0;
};

} // namespace cosim
