// SPDX-License-Identifier: Apache-2.0
// Command line of the simulated board.
#ifndef GNOMON_SIM_BOARD_OPTIONS_H
#define GNOMON_SIM_BOARD_OPTIONS_H

#include <cstdint>
#include <string>

#include "simulated_board.h"

namespace gnomon {

struct Options {
    BoardOptions board;
    std::string host = "127.0.0.1"; // IPv4 address to listen on
    uint16_t port = 3240;
    bool serial = false; // use a terminal instead of the USB/IP server
    bool once = false;
    bool free_running = false;
    unsigned unplug_ms = 0; // 0: the cable is never pulled out
    uint64_t bench_cycles = 0;
    std::string oracle_elf;
    std::string oracle_output;
    bool oracle_watch = false;
    std::string oracle_stacks;
    std::string oracle_clock;
    std::string counts_spec;
    std::string counts_output;
    std::string tags_spec;
    std::string tags_output;
    std::string instructions_output;
    std::string retired_output;
};

enum class Parsed { run, help, wrong };

// If this returns Parsed::wrong, `error` gives the reason.
Parsed parse_options(int argc, char **argv, Options &options, std::string &error);
const char *usage();

} // namespace gnomon

#endif
