/* SPDX-License-Identifier: Apache-2.0 */
/* A program of a fleet: station STATUS [TEXT...]. It echoes its texts and its input, prints how many cycles it took,
 * and ends with STATUS. Its functions end in each way: by a return, by a jump to another one, to one of a table, in a
 * switch of many cases, and in parts that the compiler moves away. With -DWAITS it waits for input first. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define API __attribute__((noinline, noclone))

static volatile unsigned sink;

API unsigned api_leaf(unsigned n) {
    for (unsigned i = 0; i < n % 7; i++)
        sink += i;
    return sink;
}

API unsigned api_long(unsigned n) {
    for (unsigned i = 0; i < 20 + n % 50; i++)
        sink ^= i * n;
    return sink;
}

API unsigned api_jumps(unsigned n) {
    sink = n;
    return api_long(n + 1);
}

typedef unsigned step(unsigned n);
static step *volatile const table[] = {api_leaf, api_long, api_jumps};

API unsigned api_leaps(unsigned n) {
    sink++;
    return table[n % 3](n);
}

API unsigned api_calls(unsigned n) {
    return table[n % 3](n) + api_leaps(n) + 1;
}

API unsigned api_switch(unsigned n) {
    switch (n % 9) {
    case 0:
        return api_leaf(n);
    case 1:
        sink += 5;
        break;
    case 2:
        sink *= 3;
        break;
    case 3:
        return api_long(n);
    case 4:
        sink ^= 77;
        break;
    case 5:
        return api_leaps(n);
    case 6:
        sink -= 1;
        break;
    default:
        return api_calls(n);
    }
    return sink;
}

API __attribute__((cold)) unsigned api_rare(unsigned n) {
    return n * 7 + sink;
}

API unsigned api_again(unsigned n) {
    if (__builtin_expect(n == 99, 0))
        return api_rare(n);
    return n ? api_again(n - 1) + api_leaf(n) : 1;
}

static uint32_t cycles(void) {
    uint32_t now;
    __asm__ volatile("csrr %0, mcycle" : "=r"(now));
    return now;
}

int main(int argc, char **argv) {
    unsigned sum = 0;
    char line[64];
#ifdef WAITS
    puts("waits");
    fflush(stdout);
#endif
    while (fgets(line, sizeof line, stdin))
        printf("input: %s", line);
    const uint32_t began = cycles();
    for (unsigned i = 0; i < 200; i++)
        sum += api_switch(i) + api_calls(i) + api_jumps(i) + api_again(i % 5);
    const uint32_t took = cycles() - began;
    for (int i = 2; i < argc; i++)
        printf("text: %s\n", argv[i]);
    printf("%u in %u cycles\n", sum, (unsigned)took);
    return argc > 1 ? atoi(argv[1]) : 0;
}
