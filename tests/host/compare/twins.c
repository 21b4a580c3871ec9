/* SPDX-License-Identifier: Apache-2.0 */
/* Two functions of one name, one of which takes STEPS steps, and the other more if argument 1 is larger. */
#include <stdlib.h>

#ifndef STEPS
#define STEPS 10
#endif
#if STEPS > 10
__attribute__((noinline)) static int added(int n) {
    return n * 3;
}
#endif

int other(int n);

__attribute__((noinline)) static int work(int n) {
    int sum = 0;
    for (int i = 0; i < STEPS; i++)
        sum += n ^ i;
    return sum;
}

int main(int argc, char **argv) {
    const int times = argc > 1 ? atoi(argv[1]) : 20;
    int sum = 0;
    for (int i = 0; i < times; i++)
        sum += work(i) + other(i);
#if STEPS > 10
    sum += added(sum);
#endif
    return sum & 7;
}
