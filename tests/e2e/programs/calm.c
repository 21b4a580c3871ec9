/* SPDX-License-Identifier: Apache-2.0 */
/* Calls so rare that a slow link carries every event: about one in 700 cycles. */
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))

KEEP static unsigned leaf(unsigned n) {
    return n * 3 + 1;
}

KEEP static unsigned work(unsigned n) {
    unsigned sum = 0;
    for (volatile unsigned i = 0; i < 100; i++)
        sum += n ^ i;
    return leaf(sum);
}

int main(int argc, char **argv) {
    unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 100, sum = 0;
    for (unsigned i = 0; i < rounds; i++)
        sum += work(i);
    printf("sum %x\n", sum);
    return 0;
}
