/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that call each other in each way: nested, by a jump at their end, in recursion, and through pointers.
 * calls ROUNDS [FILE]: the file's bytes choose what is called. With -DSLOWER api_nested takes a cycle
 * more. */
#include <gnomon.h>
#include <stdio.h>
#include <stdlib.h>

#define API __attribute__((noinline, noclone))

static volatile unsigned sink;

API unsigned api_leaf(unsigned n) {
    for (unsigned i = 0; i < n % 7; i++)
        sink += i;
    return sink;
}

API unsigned api_other(unsigned n) {
    sink += n;
    return sink * 3;
}

API unsigned api_nested(unsigned n) {
    unsigned sum = api_leaf(n);
    sum += api_other(n);
#ifdef SLOWER
    __asm__ volatile(".rept 60; nop; .endr");
#endif
    return sum + 1;
}

API unsigned api_jumps(unsigned n) {
    sink = n;
    return api_nested(n + 1); /* a jump */
}

API unsigned api_hops(unsigned n) {
    sink += 2;
    return api_other(n); /* a jump to a function that others call */
}

API unsigned api_again(unsigned n) {
    return n ? api_again(n - 1) + api_leaf(n) : 1;
}

API unsigned api_ping(unsigned n);
API unsigned api_pong(unsigned n) {
    return n ? api_ping(n - 1) + 1 : 0;
}
API unsigned api_ping(unsigned n) {
    return n ? api_pong(n - 1) + 2 : 0;
}

API unsigned api_through(unsigned (*called)(unsigned), unsigned n) {
    return called(n) + 1;
}

API unsigned plain(unsigned n) {
    return api_leaf(n) + 1;
}

API unsigned api_never(unsigned n) {
    return n;
}

int main(int argc, char **argv) {
    unsigned (*const calls[])(unsigned) = {api_leaf, api_other, api_nested, api_jumps,
                                           api_hops, api_again, api_ping,   plain};
    const unsigned count = sizeof calls / sizeof *calls;
    const int rounds = argc > 1 ? atoi(argv[1]) : 10;
    FILE *file = argc > 2 ? fopen(argv[2], "rb") : NULL;
    if (rounds < 0)
        api_never(1);
    for (int i = 0; i < rounds; i++) {
        const int byte = file ? fgetc(file) : i * 7;
        const unsigned which = byte < 0 ? 0 : (unsigned)byte;
        calls[which % count](which % 5);
        api_through(calls[which / 8 % count], which % 3);
    }
    printf("%u\n", sink);
    return 0;
}
