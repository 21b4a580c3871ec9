/* SPDX-License-Identifier: Apache-2.0 */
/* Recursion without an end. Argument 1: bytes that the heap takes before; argument 2: how deep it ends all the same,
 * and the heap must refuse what the stack has taken; 3: how deep another recursion goes before, and returns. ROOM:
 * bytes of memory that are taken, so that it does not take long. */
#include <stdlib.h>

#ifndef ROOM
#define ROOM (30 << 20)
#endif
__attribute__((section(".noinit"))) static volatile char room[ROOM];
static volatile int one = 1;
static volatile int end;

__attribute__((noinline)) static int endless(int n) {
    volatile char frame[1000];
    frame[0] = (char)n;
    if (n == end)
        return malloc(700000) ? 1 : 0;
    return endless(n + one) + frame[0] - (char)n;
}

__attribute__((noinline)) static int shallow(int n) {
    return n == 0 ? 0 : shallow(n - one) + one;
}

int main(int argc, char **argv) {
    char *volatile heap = malloc(argc > 1 ? strtoul(argv[1], NULL, 0) : 1);
    room[0] = 0;
    end = argc > 2 ? atoi(argv[2]) : -1;
    if (argc > 3 && shallow(atoi(argv[3])) != atoi(argv[3]))
        return 2;
    return heap && endless(0) == 0 ? 0 : 2;
}
