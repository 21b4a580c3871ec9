/* SPDX-License-Identifier: Apache-2.0 */
/* A function that is called in many ways: directly, by pointers, by tail calls, in recursion, by a caller that has
 * ended before the interrupt comes, and at different times of the run. */
#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((noinline, noclone))

static volatile unsigned sum;

APART unsigned tiny(unsigned x) {
    return x ^ 5;
}
APART unsigned work(unsigned x) {
    for (unsigned i = 0; i < 12; i++)
        x = x * 1664525u + 1013904223u + tiny(x);
    sum += x;
    return x;
}

APART unsigned directly(unsigned x) {
    return work(x) + 1;
}
APART unsigned twice(unsigned x) {
    return work(x) + work(x + 1) + tiny(x);
}
static unsigned (*volatile pointer)(unsigned) = work;
APART unsigned by_pointer(unsigned x) {
    return pointer(x) + 2;
}
APART unsigned
jumps_on(unsigned x) { /* a tail call, if the compiler makes one: then its caller is work's caller, too */
    return work(x + 3);
}
APART unsigned calls_the_jumper(unsigned x) {
    return jumps_on(x) * 3;
}
APART unsigned recurse(unsigned x, unsigned depth) {
    return depth ? recurse(x + 1, depth - 1) + work(x) : directly(x);
}
APART unsigned tiny_twice(unsigned x) {
    return tiny(x) + tiny(x + 1) + 3;
}
APART unsigned late(unsigned x) {
    return work(x) - tiny(x);
}

int main(int argc, char **argv) {
    const unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 100;
    unsigned x = 1;
    for (unsigned i = 0; i < rounds; i++)
        x += directly(x) + twice(x) + by_pointer(x) + calls_the_jumper(x);
    for (unsigned i = 0; i < rounds; i++)
        x += recurse(x, 3) + tiny_twice(x);
    for (unsigned i = 0; i < rounds; i++)
        x += late(x);
    printf("%u\n", x + sum);
    return 0;
}
