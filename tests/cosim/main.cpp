// SPDX-License-Identifier: Apache-2.0
// cosim: runs one generated program on the Verilated core and compares every retirement with the reference.
//
// usage: cosim PREFIX [--seed N] [--stalls none|light|heavy|mixed] [--stale-fetch] [--interrupts MEAN] [--debug MEAN]
//
// Prints one line of totals and returns 0, or a report and 1; 2 when the files cannot be read.

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "Vgnomon_core.h"
#include "bus.hpp"
#include "checker.hpp"
#include "debugger.hpp"
#include "misses.hpp"
#include "program.h"
#include "program.hpp"
#include "verilated.h"

double sc_time_stamp() {
    return 0;
}

namespace {

using namespace cosim;

struct Options {
    std::string prefix;
    uint64_t seed = 1;
    StallMode stalls = StallMode::none;
    bool stale_fetch = false;
    unsigned interrupts = 0, debug = 0;
};

constexpr int reset_cycles = 33;       // what docs/internals/core.md asks for
constexpr uint64_t dead_after = 20000; // cycles without a retirement

bool parse(int argc, char **argv, Options &options) {
    static const std::map<std::string, StallMode> modes = {{"none", StallMode::none},
                                                           {"light", StallMode::light},
                                                           {"heavy", StallMode::heavy},
                                                           {"mixed", StallMode::mixed}};
    for (int n = 1; n < argc; n++) {
        std::string word = argv[n];
        const char *value = n + 1 < argc ? argv[n + 1] : nullptr;
        if (word == "--stale-fetch") {
            options.stale_fetch = true;
            continue;
        }
        if (word[0] != '-') {
            options.prefix = word;
            continue;
        }
        if (!value)
            return false;
        n++;
        if (word == "--seed")
            options.seed = strtoull(value, nullptr, 0);
        else if (word == "--stalls" && modes.count(value))
            options.stalls = modes.at(value);
        else if (word == "--interrupts")
            options.interrupts = static_cast<unsigned>(strtoul(value, nullptr, 0));
        else if (word == "--debug")
            options.debug = static_cast<unsigned>(strtoul(value, nullptr, 0));
        else
            return false;
    }
    return !options.prefix.empty();
}

Bundle sample(const Vgnomon_core &core) {
    Bundle b;
    b.valid = core.obs_valid_o;
    b.order = core.obs_order_o;
    b.insn = core.obs_insn_o;
    b.trap = core.obs_trap_o;
    b.halt = core.obs_halt_o;
    b.intr = core.obs_intr_o;
    b.mode = core.obs_mode_o;
    b.ixl = core.obs_ixl_o;
    b.rs1_addr = core.obs_rs1_addr_o;
    b.rs2_addr = core.obs_rs2_addr_o;
    b.rs1_rdata = core.obs_rs1_rdata_o;
    b.rs2_rdata = core.obs_rs2_rdata_o;
    b.rd_addr = core.obs_rd_addr_o;
    b.rd_wdata = core.obs_rd_wdata_o;
    b.pc_rdata = core.obs_pc_rdata_o;
    b.pc_wdata = core.obs_pc_wdata_o;
    b.mem_addr = core.obs_mem_addr_o;
    b.mem_rmask = core.obs_mem_rmask_o;
    b.mem_wmask = core.obs_mem_wmask_o;
    b.mem_rdata = core.obs_mem_rdata_o;
    b.mem_wdata = core.obs_mem_wdata_o;
    b.cause = core.obs_cause_o;
    b.trap_enter = core.obs_trap_enter_o;
    b.trap_cause = core.obs_trap_cause_o;
    b.trap_leave = core.obs_trap_leave_o;
    b.irq_pending = core.obs_irq_pending_o;
    b.debug = core.obs_debug_o;
    b.wfi = core.obs_wfi_o;
    return b;
}

class Bench {
  public:
    Bench(const Options &options, const Program &program)
        : bus_(program.ram, options.seed), checker_(program, bus_.interrupts), debugger_(options.debug),
          misses_(options.seed) {
        bus_.set_mode(options.stalls, options.stale_fetch);
        bus_.interrupts.mean = options.interrupts;
        core_.boot_pc_i = ram_base;
    }

    // "" or what went wrong.
    std::string run() {
        reset();
        uint64_t alive = 0;
        while (!checker_.done()) {
            std::string wrong = cycle();
            if (!wrong.empty())
                return wrong;
            if (core_.obs_valid_o || core_.obs_debug_o)
                alive = bus_.now;
            if (bus_.now - alive > dead_after)
                return "nothing has retired for " + std::to_string(dead_after) + " cycles";
        }
        return checker_.finish(bus_) ? "" : checker_.message();
    }

    const Checker &checker() const {
        return checker_;
    }
    uint64_t now() const {
        return bus_.now;
    }

  private:
    void clock(bool high) {
        core_.clk_i = high;
        core_.eval();
    }

    void reset() {
        core_.rst_i = 1;
        for (int n = 0; n < reset_cycles; n++) {
            clock(false);
            clock(true);
        }
        core_.rst_i = 0;
    }

    void drive() {
        bus_.begin_cycle();
        core_.i_req_ready_i = bus_.i.ready;
        core_.i_rsp_valid_i = bus_.i.rsp_valid;
        core_.i_rsp_rdata_i = bus_.i.rsp_rdata;
        core_.i_rsp_error_i = bus_.i.rsp_error;
        core_.i_flush_done_i = bus_.flush_done;
        core_.d_req_ready_i = bus_.d.ready;
        core_.d_rsp_valid_i = bus_.d.rsp_valid;
        core_.d_rsp_rdata_i = bus_.d.rsp_rdata;
        core_.d_rsp_error_i = bus_.d.rsp_error;
        misses_.begin_cycle(bus_.d.waits());
        core_.i_wait_miss_i = misses_.i;
        core_.d_wait_miss_i = misses_.d;
        core_.i_wait_refresh_i = misses_.i_memory == Misses::Memory::refresh;
        core_.i_wait_page_i = misses_.i_memory == Misses::Memory::page;
        core_.d_wait_refresh_i = misses_.d_memory == Misses::Memory::refresh;
        core_.d_wait_page_i = misses_.d_memory == Misses::Memory::page;
        // Another master writes where no program ever has a reservation.
        uint32_t word = (DATA_BASE >> 2) + below(bus_.random(), DATA_POINTERS);
        core_.d_snoop_valid_i = below(bus_.random(), 4) == 0;
        core_.d_snoop_addr_i =
            below(bus_.random(), 2) ? word : (word + DATA_POINTERS) ^ 1u << (10 + below(bus_.random(), 20));
        core_.irq_software_i = bus_.interrupts.line(0);
        core_.irq_timer_i = bus_.interrupts.line(1);
        core_.irq_external_i = bus_.interrupts.line(2);
        core_.irq_profile_i = bus_.interrupts.line(3);
        core_.irq_overflow_i = 0;
        // A counter answers exactly two cycles after it is asked.
        core_.hpm_rdata_i = static_cast<uint32_t>(bus_.random()());
        if (hpm_asked_ >> 1 & 1)
            checker_.counter_read(core_.hpm_rdata_i);
        debugger_.drive(core_, bus_.random());
    }

    std::string cycle() {
        drive();
        clock(false);
        Bundle b = sample(core_);
        if (core_.hpm_valid_o && core_.hpm_write_o)
            checker_.counter_write(core_.hpm_addr_o, core_.hpm_wdata_o);
        hpm_asked_ = hpm_asked_ << 1 | static_cast<unsigned>(core_.hpm_valid_o && !core_.hpm_write_o);
        DataRequest d = {core_.d_req_valid_o != 0, core_.d_req_addr_o, core_.d_req_write_o != 0,
                         core_.d_req_wdata_o,      core_.d_req_strb_o, core_.d_req_lock_o != 0};
        std::string wrong = bus_.end_cycle(core_.i_req_valid_o, core_.i_req_addr_o, core_.i_flush_o, d);
        if (!checker_.cycle(b, bus_.now - 1))
            return checker_.message();
        if (wrong.empty())
            wrong = misses_.observe(b.cause);
        if (wrong.empty())
            wrong = debugger_.observe(core_, checker_, bus_.random());
        clock(true);
        return wrong;
    }

    Vgnomon_core core_;
    Bus bus_;
    Checker checker_;
    Debugger debugger_;
    Misses misses_;
    unsigned hpm_asked_ = 0;
};

void print_totals(const Totals &t) {
    printf("compared=%" PRIu64 " cycles=%" PRIu64 " aside=%" PRIu64 " interrupts=%" PRIu64 " traps=%" PRIu64
           " messages=%" PRIu64 " atomics=%" PRIu64 " wfi=%" PRIu64 " counters=%" PRIu64 " debug=%" PRIu64
           " hash=%016" PRIx64 " causes=",
           t.compared, t.cycles, t.aside, t.interrupts, t.traps, t.messages, t.atomics, t.wfi, t.counters, t.debug,
           t.stream_hash);
    for (size_t n = 0; n < t.causes.size(); n++)
        printf("%s%" PRIu64, n ? "," : "", t.causes[n]);
    printf("\n");
}

} // namespace

int main(int argc, char **argv) {
    Options options;
    if (!parse(argc, argv, options)) {
        fputs("usage: cosim PREFIX [--seed N] [--stalls none|light|heavy|mixed] [--stale-fetch] [--interrupts MEAN] "
              "[--debug MEAN]\n",
              stderr);
        return 2;
    }
    Program program;
    std::string problem = program.load(options.prefix);
    if (!problem.empty()) {
        fprintf(stderr, "cosim: %s\n", problem.c_str());
        return 2;
    }
    // What reset leaves undefined starts with random values.
    Verilated::randReset(2);
    Verilated::randSeed(static_cast<int>(options.seed & 0x7fffffff));
    Bench bench(options, program);
    std::string wrong = bench.run();
    const Totals &totals = bench.checker().totals();
    if (!wrong.empty()) {
        uint32_t pc = totals.compared < program.reference.size() ? program.reference[totals.compared].pc : ram_base;
        printf("MISMATCH in cycle %" PRIu64 ", block %d: %s\n%s", bench.now(), program.block_of(pc), wrong.c_str(),
               bench.checker().report().c_str());
        return 1;
    }
    print_totals(totals);
    return 0;
}
