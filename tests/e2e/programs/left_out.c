// SPDX-License-Identifier: Apache-2.0
// Uses a unit of the profiler that lean models leave out, named by the argument: openly, so that the code shows the
// use, or hidden.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

static volatile uintptr_t base = 0xF0000000;

// Reads mhpmcounter3 by an instruction that is stored as data.
static uint32_t hidden_csr(void) {
    static uint32_t code[] = {0xB0302573, 0x00008067}; // csrr a0, mhpmcounter3; ret
    __asm__ volatile("fence.i" ::: "memory");
    return ((uint32_t(*)(void))(uintptr_t)code)();
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    uint32_t value = 0;
    if (!strcmp(what, "csr"))
        value = hidden_csr();
    else if (!strcmp(what, "pmu"))
        value = REGISTER(base + 0x4004);
    else if (!strcmp(what, "causes"))
        value = REGISTER(base + 0x5010);
    else if (!strcmp(what, "tags"))
        value = REGISTER(base + 0x6040);
    else if (!strcmp(what, "watch"))
        REGISTER(base + 0x3400) = 0x10000000;
#ifdef OPEN
    __asm__ volatile("csrr %0, mhpmcounter3" : "=r"(value));
#endif
    printf("%s: %s\n", what, value < 0xFFFFFFFF ? "done" : "not there");
    return 0;
}
