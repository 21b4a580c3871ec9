// SPDX-License-Identifier: Apache-2.0
#include "board_options.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstdlib>
#include <getopt.h>

namespace gnomon {

const char *usage() {
    return "usage: gnomon-sim [OPTION]...\n"
           "Gnomon's simulated board: a USB/IP server with one device, bus id 1-1.\n"
           "Its first line on standard output is \"listening on ADDRESS:PORT\".\n"
           "\n"
           "  --host ADDRESS      listen on this IPv4 address (default 127.0.0.1; 0.0.0.0: all addresses); anyone\n"
           "                      who can reach the address can use the board\n"
           "  --port N            TCP port; 0 picks a free one (default 3240)\n"
           "  --once              exit when the connection that imported the device ends\n"
           "  --free              let simulated time pass also while no transfer is queued\n"
           "  --rate-divisor N    serve the trace endpoint at 1/N of full speed\n"
           "  --usb-speedup N     run USB N times as fast relative to the hart's clock (packet level; default 1)\n"
           "  --usb-rate RATE     speed of USB at packet level. true: always that of the cable; load: that of the "
           "cable\n"
           "                      only while a program runs; lossless: like load, but the trace takes no time.\n"
           "                      Default: lossless; load for real boards, and with --rate-divisor, --usb-speedup\n"
           "                      or --usb-faults\n"
           "  --usb-faults SEED:RATE  damage RATE (up to 700) of 1000 transactions on the cable, chosen by SEED\n"
           "  --usb-unplug MS     unplug the cable MS milliseconds after the program started, and plug it in again\n"
           "  --usb-log FILE      write a line for each bulk packet: the hart's cycle at its end, endpoint, bytes\n"
           "  --flash FILE        keep the contents of the board's flash memory in FILE (default: erased at the "
           "start)\n"
           "  --serial            simulate a board on a UART link: a terminal in place of the server; the first line "
           "is\n"
           "                      \"serial line PATH BAUD\"\n"
           "  --latency US        delay each byte on the UART link by US microseconds, in each direction (default 0)\n"
           "  --line-faults N[:SEED]  damage, lose or repeat about one of N bytes on the UART link\n"
           "  --oracle ELF=FILE   run the reference model of the cycles of the program ELF, and write its result to "
           "FILE (JSON)\n"
           "  --oracle-watch      include functions without hooks, as gnomon record --watch does\n"
           "  --oracle-clock EVENT  its time counts the event, as gnomon record --clock does; only boards with one "
           "hart\n"
           "  --oracle-stacks FILE  write the stack of open calls in the oracle at each interrupt to FILE\n"
           "  --counts SPEC=FILE   run the reference model of the counters in SPEC (JSON), write FILE (JSON)\n"
           "  --tags SPEC=FILE     run the reference model of the tags in SPEC (JSON), write FILE (JSON)\n"
           "  --instructions FILE count the cycles of every instruction by cause, write FILE (JSON) at the program's\n"
           "                      end\n"
           "  --retired FILE      write what each of two harts retires, and the accesses of the bus, to FILE (binary,\n"
           "                      sim/retired_log.h)\n"
           "  --trace-vcd FILE    write waveforms to FILE; needs a simulator built with waveforms (make sim-vcd)\n"
           "  --no-skip           also evaluate parts that cannot change (slower, for comparison)\n"
           "  --bench CYCLES      run CYCLES cycles with the hart in reset, print the speed, exit\n"
           "  -h, --help          print this text\n";
}

namespace {

bool number(const char *text, uint64_t low, uint64_t high, uint64_t &value) {
    char *end = nullptr;
    errno = 0;
    value = strtoull(text, &end, 10);
    return errno == 0 && *text >= '0' && *text <= '9' && *end == '\0' && value >= low && value <= high;
}

bool rate(const std::string &text, UsbRate &rate) {
    if (text == "true")
        rate = UsbRate::cable;
    else if (text == "load")
        rate = UsbRate::load;
    else if (text == "lossless")
        rate = UsbRate::lossless;
    return rate != UsbRate::by_board;
}

// Reads SEED:RATE.
bool fault_setting(const char *text, BoardOptions &board) {
    std::string all(text);
    size_t colon = all.find(':');
    uint64_t seed = 0, rate = 0;
    if (colon == std::string::npos || !number(all.substr(0, colon).c_str(), 0, UINT32_MAX, seed) ||
        !number(all.substr(colon + 1).c_str(), 0, 700, rate))
        return false;
    board.fault_seed = static_cast<uint32_t>(seed);
    board.fault_rate = static_cast<unsigned>(rate);
    return true;
}

bool split(const std::string &text, std::string &left, std::string &right) {
    size_t at = text.rfind('=');
    if (at == std::string::npos || at == 0 || at + 1 == text.size())
        return false;
    left = text.substr(0, at);
    right = text.substr(at + 1);
    return true;
}

bool faults(const std::string &text, UartFaults &faults) {
    size_t colon = text.find(':');
    uint64_t every = 0, seed = 1;
    if (!number(text.substr(0, colon).c_str(), 10, 1000000000, every) ||
        (colon != std::string::npos && !number(text.c_str() + colon + 1, 1, UINT32_MAX, seed)))
        return false;
    faults.every = static_cast<unsigned>(every);
    faults.seed = static_cast<unsigned>(seed);
    return true;
}

} // namespace

Parsed parse_options(int argc, char **argv, Options &options, std::string &error) {
    enum {
        HOST = 256,
        PORT,
        ONCE,
        FREE,
        DIVISOR,
        SPEEDUP,
        RATE,
        FAULTS,
        UNPLUG,
        USB_LOG,
        FLASH,
        SERIAL,
        LATENCY,
        LINE_FAULTS,
        ORACLE,
        ORACLE_WATCH,
        ORACLE_STACKS,
        ORACLE_CLOCK,
        COUNTS,
        TAGS,
        INSTRUCTIONS,
        RETIRED,
        VCD,
        NO_SKIP,
        BENCH
    };
    static const option table[] = {
        {"host", required_argument, nullptr, HOST},
        {"port", required_argument, nullptr, PORT},
        {"once", no_argument, nullptr, ONCE},
        {"free", no_argument, nullptr, FREE},
        {"rate-divisor", required_argument, nullptr, DIVISOR},
        {"usb-speedup", required_argument, nullptr, SPEEDUP},
        {"usb-rate", required_argument, nullptr, RATE},
        {"usb-faults", required_argument, nullptr, FAULTS},
        {"usb-unplug", required_argument, nullptr, UNPLUG},
        {"usb-log", required_argument, nullptr, USB_LOG},
        {"flash", required_argument, nullptr, FLASH},
        {"serial", no_argument, nullptr, SERIAL},
        {"latency", required_argument, nullptr, LATENCY},
        {"line-faults", required_argument, nullptr, LINE_FAULTS},
        {"oracle", required_argument, nullptr, ORACLE},
        {"oracle-watch", no_argument, nullptr, ORACLE_WATCH},
        {"oracle-stacks", required_argument, nullptr, ORACLE_STACKS},
        {"oracle-clock", required_argument, nullptr, ORACLE_CLOCK},
        {"counts", required_argument, nullptr, COUNTS},
        {"tags", required_argument, nullptr, TAGS},
        {"instructions", required_argument, nullptr, INSTRUCTIONS},
        {"retired", required_argument, nullptr, RETIRED},
        {"trace-vcd", required_argument, nullptr, VCD},
        {"no-skip", no_argument, nullptr, NO_SKIP},
        {"bench", required_argument, nullptr, BENCH},
        {"help", no_argument, nullptr, 'h'},
        {nullptr, 0, nullptr, 0},
    };
    in_addr address{};
    opterr = 0;
    for (;;) {
        uint64_t value = 0;
        int at = optind;
        switch (getopt_long(argc, argv, "+h", table, nullptr)) {
        case -1:
            if (optind == argc)
                return Parsed::run;
            error = std::string("unexpected argument ") + argv[optind];
            return Parsed::wrong;
        case HOST:
            if (inet_pton(AF_INET, optarg, &address) != 1) {
                error = std::string("--host takes an IPv4 address, as in 192.0.2.7, not ") + optarg;
                return Parsed::wrong;
            }
            options.host = optarg;
            break;
        case PORT:
            if (!number(optarg, 0, 65535, value)) {
                error = std::string("--port takes 0..65535, not ") + optarg;
                return Parsed::wrong;
            }
            options.port = static_cast<uint16_t>(value);
            break;
        case ONCE:
            options.once = true;
            break;
        case FREE:
            options.free_running = true;
            break;
        case DIVISOR:
            if (!number(optarg, 1, 1000000, value)) {
                error = std::string("--rate-divisor takes 1..1000000, not ") + optarg;
                return Parsed::wrong;
            }
            options.board.trace_divisor = static_cast<unsigned>(value);
            break;
        case SPEEDUP:
            if (!number(optarg, 1, 64, value)) {
                error = std::string("--usb-speedup takes 1..64, not ") + optarg;
                return Parsed::wrong;
            }
            options.board.usb_speedup = static_cast<unsigned>(value);
            break;
        case RATE:
            if (!rate(optarg, options.board.usb_rate)) {
                error = std::string("--usb-rate takes true, load or lossless, not ") + optarg;
                return Parsed::wrong;
            }
            break;
        case FAULTS:
            if (!fault_setting(optarg, options.board)) {
                error = std::string("--usb-faults takes SEED:RATE, RATE 0..700 of 1000, not ") + optarg;
                return Parsed::wrong;
            }
            break;
        case UNPLUG:
            if (!number(optarg, 1, 1000000, value)) {
                error = std::string("--usb-unplug takes 1..1000000 milliseconds, not ") + optarg;
                return Parsed::wrong;
            }
            options.unplug_ms = static_cast<unsigned>(value);
            break;
        case USB_LOG:
            options.board.usb_log = optarg;
            break;
        case FLASH:
            options.board.flash = optarg;
            break;
        case SERIAL:
            options.serial = true;
            break;
        case LATENCY:
            if (!number(optarg, 0, 100000, value)) {
                error = std::string("--latency takes 0..100000, not ") + optarg;
                return Parsed::wrong;
            }
            options.board.latency_us = static_cast<unsigned>(value);
            break;
        case LINE_FAULTS:
            if (!faults(optarg, options.board.faults)) {
                error = std::string("--line-faults takes N or N:SEED, N from 10, not ") + optarg;
                return Parsed::wrong;
            }
            break;
        case ORACLE:
            if (!split(optarg, options.oracle_elf, options.oracle_output)) {
                error = std::string("--oracle takes ELF=FILE, not ") + optarg;
                return Parsed::wrong;
            }
            break;
        case ORACLE_WATCH:
            options.oracle_watch = true;
            break;
        case ORACLE_STACKS:
            options.oracle_stacks = optarg;
            break;
        case ORACLE_CLOCK:
            options.oracle_clock = optarg;
            break;
        case COUNTS:
            if (!split(optarg, options.counts_spec, options.counts_output)) {
                error = std::string("--counts takes SPEC=FILE, not ") + optarg;
                return Parsed::wrong;
            }
            break;
        case TAGS:
            if (!split(optarg, options.tags_spec, options.tags_output)) {
                error = std::string("--tags takes SPEC=FILE, not ") + optarg;
                return Parsed::wrong;
            }
            break;
        case INSTRUCTIONS:
            options.instructions_output = optarg;
            break;
        case RETIRED:
            options.retired_output = optarg;
            break;
        case VCD:
            options.board.vcd = optarg;
            break;
        case NO_SKIP:
            options.board.skip = false;
            break;
        case BENCH:
            if (!number(optarg, 1, UINT64_MAX / 16, value)) {
                error = std::string("--bench takes a number of cycles, not ") + optarg;
                return Parsed::wrong;
            }
            options.bench_cycles = value;
            break;
        case 'h':
            return Parsed::help;
        default:
            error = std::string("unknown or incomplete option ") + argv[at];
            return Parsed::wrong;
        }
    }
}

} // namespace gnomon
