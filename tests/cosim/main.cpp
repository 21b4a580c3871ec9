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
#include "observation.hpp"
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

constexpr int reset_cycles = 33;       // as docs/internals/core.md requires
constexpr uint64_t dead_after = 20000; // maximum of cycles without a retirement

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

// A field of at most 64 bits.
uint64_t field(const Vgnomon_core &core, observation::Field f) {
    uint64_t value = 0;
    for (unsigned bit = 0; bit < f.width;) {
        unsigned at = f.low + bit, shift = at % 32;
        value |= static_cast<uint64_t>(core.obs_o[at / 32] >> shift) << bit;
        bit += 32 - shift;
    }
    return f.width < 64 ? value & ((uint64_t{1} << f.width) - 1) : value;
}

Bundle sample(const Vgnomon_core &core) {
    Bundle b;
    b.valid = field(core, observation::valid);
    b.order = field(core, observation::order);
    b.insn = field(core, observation::insn);
    b.trap = field(core, observation::trap);
    b.halt = field(core, observation::halt);
    b.intr = field(core, observation::intr);
    b.mode = field(core, observation::mode);
    b.ixl = field(core, observation::ixl);
    b.rs1_addr = field(core, observation::rs1_addr);
    b.rs2_addr = field(core, observation::rs2_addr);
    b.rs1_rdata = field(core, observation::rs1_rdata);
    b.rs2_rdata = field(core, observation::rs2_rdata);
    b.rd_addr = field(core, observation::rd_addr);
    b.rd_wdata = field(core, observation::rd_wdata);
    b.pc_rdata = field(core, observation::pc_rdata);
    b.pc_wdata = field(core, observation::pc_wdata);
    b.mem_addr = field(core, observation::mem_addr);
    b.mem_rmask = field(core, observation::mem_rmask);
    b.mem_wmask = field(core, observation::mem_wmask);
    b.mem_rdata = field(core, observation::mem_rdata);
    b.mem_wdata = field(core, observation::mem_wdata);
    b.cause = field(core, observation::cause);
    b.trap_enter = field(core, observation::trap_enter);
    b.trap_cause = field(core, observation::trap_cause);
    b.trap_leave = field(core, observation::trap_leave);
    b.irq_pending = field(core, observation::irq_pending);
    b.debug = field(core, observation::debug);
    b.wfi = field(core, observation::wfi);
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

    // Returns "" or the error.
    std::string run() {
        reset();
        uint64_t alive = 0;
        while (!checker_.done()) {
            std::string wrong = cycle();
            if (!wrong.empty())
                return wrong;
            if (field(core_, observation::valid) || field(core_, observation::debug))
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
        // Another master writes words that no program reserves.
        uint32_t word = (DATA_BASE >> 2) + below(bus_.random(), DATA_POINTERS);
        core_.d_snoop_valid_i = below(bus_.random(), 4) == 0;
        core_.d_snoop_addr_i =
            below(bus_.random(), 2) ? word : (word + DATA_POINTERS) ^ 1u << (10 + below(bus_.random(), 20));
        core_.d_grant_i = 1;
        core_.irq_software_i = bus_.interrupts.line(0);
        core_.irq_timer_i = bus_.interrupts.line(1);
        core_.irq_external_i = bus_.interrupts.line(2);
        core_.irq_profile_i = bus_.interrupts.line(3);
        core_.irq_overflow_i = 0;
        // A counter answers exactly two cycles after the request.
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
                         core_.d_req_wdata_o,      core_.d_req_strb_o, core_.d_req_lock_o != 0,
                         core_.d_lock_o != 0};
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
    // Registers without a reset value start with random values.
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
