/* SPDX-License-Identifier: Apache-2.0 */
/* Calls one function at a pace. Arguments: number of calls; turns of a two-instruction loop between them (0: a
 * random number up to some 30,000); turns in the function, if different. */
#include <gnomon.h>
#include <stdlib.h>

static inline void wait(unsigned turns) {
    while (turns--)
        __asm__ volatile("");
}

__attribute__((noinline)) static void leaf(unsigned turns) {
    wait(turns);
}

int main(int argc, char **argv) {
    const unsigned calls = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 100;
    const unsigned turns = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : 0;
    const unsigned inside = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 0) : 0;
    unsigned random = 1;
    for (unsigned i = 0; i < calls; i++) {
        random = random * 1664525u + 1013904223u;
        const unsigned now = turns ? turns : (random >> 17) >> (random >> 13 & 15);
        wait(now);
        leaf(inside ? inside : now);
    }
    return 0;
}
