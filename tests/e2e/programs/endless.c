/* SPDX-License-Identifier: Apache-2.0 */
/* Endless recursion. Argument 1: bytes that the heap takes first; argument 2: depth at which the recursion ends
 * after all, and the heap must refuse memory that the stack has used; argument 3: depth of an earlier recursion that
 * returns. ROOM: bytes of memory that are occupied, so that the stack overflows soon. */
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
