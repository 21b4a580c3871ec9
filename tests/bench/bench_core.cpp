// SPDX-License-Identifier: Apache-2.0
// Runs a program on the bare hart. Prints "CYCLES CPU-SECONDS STATUS INSTRUCTIONS", with cycles and instructions from
// the hart's counters, then the cycles of each stall cause (docs/internals/observation.md) by number. The program's
// output goes to standard error.
// usage: bench_core PROGRAM.bin [PARAM.bin]   PARAM.bin is placed at the end of memory and begins with the parameter
// block
#include <array>
#include <cinttypes>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <vector>

#include "Vbench_core.h"

namespace {

void pulse(Vbench_core &top) {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
}

constexpr uint32_t ram_base = 0x10000000, ram_bytes = 8 << 20;

// The bytes of the file, padded with zeros to a multiple of 16.
std::vector<char> read(const char *name) {
    std::ifstream file(name, std::ios::binary);
    std::vector<char> image{std::istreambuf_iterator<char>(file), {}};
    image.resize((image.size() + 15) & ~size_t{15});
    return image;
}

void load(Vbench_core &top, const std::vector<char> &image, size_t place) {
    top.load_we_i = 1;
    for (size_t at = 0; at < image.size(); at += 4) {
        top.load_addr_i = static_cast<uint32_t>((place + at) / 4);
        top.load_data_i = 0;
        for (size_t byte = 4; byte-- > 0;)
            top.load_data_i = top.load_data_i << 8 | static_cast<uint8_t>(image[at + byte]);
        pulse(top);
    }
    top.load_we_i = 0;
}

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2 && argc != 3)
        return 2;
    Vbench_core top;
    top.rst_i = 1;
    top.eval(); // the model sees the clock low before it rises
    load(top, read(argv[1]), 0);
    if (argc == 3) {
        const std::vector<char> param = read(argv[2]);
        load(top, param, ram_bytes - param.size());
        top.param_i = static_cast<uint32_t>(ram_base + ram_bytes - param.size());
    }
    for (int i = 0; i < 40; ++i)
        pulse(top);
    top.rst_i = 0;
    double begin = cpu_seconds();
    std::array<uint64_t, 32> causes{};
    top.eval();
    unsigned status = 0;
    for (bool exits = false; !exits;) {
        exits = top.exit_o;
        status = top.status_o;
        ++causes[top.cause_o];
        if (top.print_o)
            fputc(top.print_data_o, stderr);
        pulse(top);
    }
    const double took = cpu_seconds() - begin;
    printf("%" PRIu64 " %.6f %u %" PRIu64, uint64_t{top.cycle_o}, took, status, uint64_t{top.retired_o});
    for (uint64_t count : causes)
        printf(" %" PRIu64, count);
    printf("\n");
    return 0;
}
