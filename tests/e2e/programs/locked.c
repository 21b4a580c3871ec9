/* SPDX-License-Identifier: Apache-2.0 */
/* Runs in step with a sampler of period 2^ARG cycles from the hart's reset on: waits at every sample, and works in
 * between. ARG 2: number of rounds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline, noclone))

static uint32_t cycle(void) {
    uint32_t low;
    __asm__ volatile("csrr %0, time" : "=r"(low));
    return low;
}

/* Waits until just after the next multiple of MASK + 1 cycles. */
KEEP void seen(uint32_t mask) {
    while ((cycle() & mask) < mask / 2)
        ;
    while ((cycle() & mask) > mask / 2)
        ;
}

KEEP unsigned hidden(unsigned n) {
    unsigned sum = n;
    for (unsigned i = 0; i < n; i++)
        sum = sum * 5 + (sum >> 7);
    return sum;
}

int main(int argc, char **argv) {
    const uint32_t mask = (1u << (argc > 1 ? atoi(argv[1]) : 12)) - 1;
    const unsigned times = argc > 2 ? (unsigned)atoi(argv[2]) : 300;
    unsigned sum = 0;
    for (unsigned i = 0; i < times; i++) {
        seen(mask);
        sum += hidden(mask / 8); /* some 6 cycles a turn: three quarters of the time */
    }
    printf("%u\n", sum);
    return 0;
}
