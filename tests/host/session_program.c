/* SPDX-License-Identifier: Apache-2.0 */
/* Prints that it runs, and calls functions for ever; with an argument, that many times. */
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned sum;

static __attribute__((noinline)) void work(unsigned rounds) {
    for (unsigned i = 0; i < rounds; i++)
        sum += i;
}

int main(int argc, char **argv) {
    int times = argc > 1 ? atoi(argv[1]) : -1;
    puts("running");
    while (times < 0 || times-- > 0)
        work(argc > 2 ? 1 : 100);
    return 0;
}
