/* SPDX-License-Identifier: Apache-2.0 */
/* Works in two functions, one twice as long as the other. Argument 1: rounds; without it, the program never ends. */
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))

static volatile unsigned sum;

KEEP static void twice(unsigned steps) {
    for (unsigned i = 0; i < 2 * steps; i++)
        sum += i;
}

KEEP static void once(unsigned steps) {
    for (unsigned i = 0; i < steps; i++)
        sum ^= i;
}

int main(int argc, char **argv) {
    const unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 0;
    for (unsigned long round = 0; !rounds || round < rounds; round++) {
        if (round % 1000 == 0) {
            printf("round %lu\n", round);
            fflush(stdout);
        }
        twice(500);
        once(500);
    }
    return 0;
}
