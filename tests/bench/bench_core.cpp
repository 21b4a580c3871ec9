// SPDX-License-Identifier: Apache-2.0
// Runs a program on the bare hart, prints "CYCLES CPU-SECONDS STATUS" and the cycles of each cause
// (docs/observation.md) by number, and on standard error what the program prints.
// usage: bench_core PROGRAM.bin
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

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    std::ifstream file(argv[1], std::ios::binary);
    std::vector<char> image{std::istreambuf_iterator<char>(file), {}};
    image.resize((image.size() + 3) & ~size_t{3});
    Vbench_core top;
    top.rst_i = 1;
    top.eval(); // the clock is seen low before it rises
    top.load_we_i = 1;
    for (size_t at = 0; at < image.size(); at += 4) {
        top.load_addr_i = static_cast<uint32_t>(at / 4);
        top.load_data_i = 0;
        for (size_t byte = 4; byte-- > 0;)
            top.load_data_i = top.load_data_i << 8 | static_cast<uint8_t>(image[at + byte]);
        pulse(top);
    }
    top.load_we_i = 0;
    for (int i = 0; i < 40; ++i)
        pulse(top);
    top.rst_i = 0;
    double begin = cpu_seconds();
    uint64_t cycles = 0;
    std::array<uint64_t, 32> causes{};
    for (; !top.exit_o; ++cycles) {
        if (top.print_o)
            fputc(top.print_data_o, stderr);
        pulse(top);
        ++causes[top.cause_o];
    }
    printf("%" PRIu64 " %.6f %u", cycles, cpu_seconds() - begin, top.status_o);
    for (uint64_t count : causes)
        printf(" %" PRIu64, count);
    printf("\n");
    return 0;
}
