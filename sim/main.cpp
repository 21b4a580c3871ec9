// SPDX-License-Identifier: Apache-2.0
// Main program of the simulated board (docs/guide/sim.md).
#include <chrono>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <memory>

#include "../include/gnomon/sim.h"
#include "board_options.h"
#include "simulated_board.h"
#if SIM_SERIAL
#include "serial/terminal.h"
#else
#include "server.h"
#endif

namespace {

volatile std::sig_atomic_t stop = 0;

void on_signal(int) {
    stop = 1;
}

void catch_signals() {
    struct sigaction action = {};
    action.sa_handler = on_signal; // no SA_RESTART: poll() must return
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    signal(SIGPIPE, SIG_IGN);
}

int fail(const std::string &what) {
    fprintf(stderr, "gnomon-sim: %s\n", what.c_str());
    return 1;
}

int bench(gnomon::Board &board, uint64_t cycles) {
    bool never = false;
    auto begin = std::chrono::steady_clock::now();
    board.run(board.now() + cycles, never);
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    printf("%" PRIu64 " cycles %.6f s\n", cycles, took.count());
    return 0;
}

// True if no log was lost; a board without USB has no USB log.
bool log_good(const gnomon::Board &board) {
#if SIM_SERIAL
    (void)board;
    return true;
#else
    return board.usb_log_good();
#endif
}

// Opens the connection for the host, prints its address, and serves the host.
bool serve(gnomon::Board &board, const gnomon::Options &options, std::string &error) {
#if SIM_SERIAL
    gnomon::Terminal terminal(board, options.free_running, options.once);
    if (!terminal.open(error))
        return false;
    printf("serial line %s %u\n", terminal.path().c_str(), board.baud());
    fflush(stdout);
    return terminal.serve(stop, error);
#else
    gnomon::Server server(board, options.free_running, options.once, options.unplug_ms);
    if (!server.enumerate(error) || !server.listen(options.host, options.port, error))
        return false;
    printf("listening on %s:%u\n", options.host.c_str(), server.port());
    fflush(stdout);
    return server.serve(stop, error);
#endif
}

// Returns an error message with a remedy if an option does not apply to this board's line; empty: all apply.
std::string other_line(const gnomon::Options &options) {
#if SIM_SERIAL
    const char *option = options.board.fault_rate != 0                         ? "--usb-faults"
                         : options.unplug_ms != 0                              ? "--usb-unplug"
                         : !options.board.usb_log.empty()                      ? "--usb-log"
                         : options.board.usb_speedup != 0                      ? "--usb-speedup"
                         : options.board.trace_divisor != 0                    ? "--rate-divisor"
                         : options.board.usb_rate != gnomon::UsbRate::by_board ? "--usb-rate"
                                                                               : nullptr;
    const char *why = ": this board has a UART link; build/sim/small has USB";
#else
    const char *option = options.serial                    ? "--serial"
                         : options.board.latency_us != 0   ? "--latency"
                         : options.board.faults.every != 0 ? "--line-faults"
                                                           : nullptr;
    const char *why = ": this board has USB; build/sim/small-serial has a UART link";
#endif
    return option ? std::string(option) + why : std::string();
}

int run(const gnomon::Options &options) {
    std::unique_ptr<gnomon::Oracle> oracle;
    if (!options.oracle_elf.empty()) {
        oracle = std::make_unique<gnomon::Oracle>(options.oracle_elf, options.oracle_watch);
        if (!oracle->ok())
            return fail("oracle: " + oracle->error());
        if (!options.oracle_stacks.empty() && !oracle->show_stacks(options.oracle_stacks))
            return fail("cannot write " + options.oracle_stacks);
    }
#if !VM_TRACE
    if (!options.board.vcd.empty())
        return fail("--trace-vcd: this binary was built without waveforms; make sim-vcd builds one with them");
#endif
    std::string wrong = other_line(options);
    if (!wrong.empty())
        return fail(wrong);
    std::unique_ptr<gnomon::Counts> counts;
    if (!options.counts_spec.empty()) {
        counts = std::make_unique<gnomon::Counts>(options.counts_spec);
        if (!counts->ok())
            return fail("counts: " + counts->error());
    }
    std::unique_ptr<gnomon::Tags> tags;
    if (!options.tags_spec.empty()) {
        tags = std::make_unique<gnomon::Tags>(options.tags_spec);
        if (!tags->ok())
            return fail("tags: " + tags->error());
    }
    gnomon::Board board(options.board);
    if (!log_good(board))
        return fail("cannot write " + options.board.usb_log);
    if (!options.board.flash.empty() && !board.load_flash())
        return fail("--flash " + options.board.flash + ": this board has no flash memory, or the file cannot be read");
    if (options.bench_cycles)
        return bench(board, options.bench_cycles);
    std::unique_ptr<gnomon::Oracle> oracle1;
    if (oracle && board.two_harts()) {
        oracle1 = std::make_unique<gnomon::Oracle>(options.oracle_elf, options.oracle_watch);
        if (!oracle1->ok())
            return fail("oracle: " + oracle1->error());
        oracle->join(*oracle1);
    }
    if (oracle)
        board.observe(oracle.get(), oracle1.get(), options.oracle_output);
    const gnomon::CountedEvent clock(options.oracle_clock);
    if (!options.oracle_clock.empty() && (!clock.known() || board.two_harts()))
        return fail("--oracle-clock " + options.oracle_clock + ": no such event, or the board has two harts");
    if (clock.known())
        board.observe(&clock);
    if (counts)
        board.observe(counts.get());
    if (tags)
        board.observe(tags.get());

    gnomon::Instructions instructions(options.instructions_output);
    if (!instructions.path().empty())
        board.observe(&instructions);

    gnomon::RetiredLog retired(options.retired_output);
    if (!retired.path().empty())
        board.observe(&retired);

    std::string error;
    bool good = serve(board, options, error);
    if (!good && !(options.once && board.left_out_used())) // the command that started the simulator reports it
        fail(error);
    if (!board.finish_oracle())
        return fail("cannot write " + options.oracle_output);
    if (counts && !counts->write(options.counts_output))
        return fail("cannot write " + options.counts_output);
    if (tags && !tags->write(options.tags_output))
        return fail("cannot write " + options.tags_output);
    if (!log_good(board))
        return fail("cannot write " + options.board.usb_log);
    if (!options.board.flash.empty() && !board.save_flash())
        return fail("cannot write " + options.board.flash);
    if (!instructions.good())
        return fail("cannot write " + instructions.path());
    if (!retired.close())
        return fail("cannot write " + retired.path());
    return good                    ? 0
           : board.left_out_used() ? static_cast<int>(1u << GNOMON_SIM_LEFT_OUT_LOG2 | board.left_out_used())
                                   : 1;
}

} // namespace

int main(int argc, char **argv) {
    gnomon::Options options;
    std::string error;
    switch (gnomon::parse_options(argc, argv, options, error)) {
    case gnomon::Parsed::help:
        fputs(gnomon::usage(), stdout);
        return 0;
    case gnomon::Parsed::wrong:
        fprintf(stderr, "gnomon-sim: %s\n%s", error.c_str(), gnomon::usage());
        return 2;
    case gnomon::Parsed::run:
        break;
    }
    catch_signals();
    return run(options);
}
