/* SPDX-License-Identifier: Apache-2.0 */
/* Calls far denser than full-speed USB carries: the device must drop whole subtrees, and count them. Argument 1:
 * rounds. */
#include <gnomon.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))

KEEP static unsigned leaf(unsigned n) {
    return n * 2654435761u >> 7;
}
KEEP static unsigned twig(unsigned n) {
    return leaf(n) ^ leaf(n + 1);
}
KEEP static unsigned branch(unsigned n, unsigned depth) {
    return depth == 0 ? twig(n) : branch(n, depth - 1) + branch(n + depth, depth - 1);
}

int main(int argc, char **argv) {
    const unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 50;
    unsigned sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        sum += branch(i, i % 9);
        GNOMON_VALUE(0, sum);
    }
    printf("sum %08x\n", sum);
    return (int)(sum & 0x3F);
}
