/* SPDX-License-Identifier: Apache-2.0 */
/* Recursion without an end. Argument 1: bytes that the heap takes before; argument 2: how deep it ends all the same,
 * and the heap must refuse what the stack has taken. */
#include <stdlib.h>

/* Most of the memory is taken, so that it does not take long. */
__attribute__((section(".noinit"))) static volatile char room[30 << 20];
static volatile int one = 1;
static volatile int end;

__attribute__((noinline)) static int endless(int n) {
    volatile char frame[1000];
    frame[0] = (char)n;
    if (n == end)
        return malloc(700000) ? 1 : 0;
    return endless(n + one) + frame[0] - (char)n;
}

int main(int argc, char **argv) {
    char *volatile heap = malloc(argc > 1 ? strtoul(argv[1], NULL, 0) : 1);
    room[0] = 0;
    end = argc > 2 ? atoi(argv[2]) : -1;
    return heap && endless(0) == 0 ? 0 : 2;
}
