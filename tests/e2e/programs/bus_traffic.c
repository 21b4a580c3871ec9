// SPDX-License-Identifier: Apache-2.0
// Accesses of an array that tests/e2e/bus_trace.py knows one by one: stores of one, two and four bytes, and loads. With
// an argument above 0 the program also makes that many lock messages, as fast as it can.
#include <gnomon.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct table {
    volatile uint32_t words[16];
    volatile uint16_t halves[16];
    volatile uint8_t bytes[16];
};
struct table table = {.words = {1}}; // in .data, which the program's start does not write

#define LOCK(segment, number) ((volatile uint32_t *)(0xE0000000U + (segment)*0x1000000U + (number) % 4096 * 16U))

static void __attribute__((noinline)) fill(void) {
    for (unsigned i = 0; i < 16; i++) {
        table.words[i] = 0x01020304U * i;
        table.halves[i] = (uint16_t)(0x1111 * i);
        table.bytes[i] = (uint8_t)(i * 17);
    }
}

static unsigned __attribute__((noinline)) sum(void) {
    unsigned result = 0;
    for (unsigned i = 0; i < 16; i++)
        result += table.words[i] + table.halves[i] + table.bytes[i];
    return result;
}

static void __attribute__((noinline)) storm(unsigned count) {
    for (unsigned i = 0; i < count; i++)
        *LOCK(i & 1, i) = i;
}

int main(int argc, char **argv) {
    fill();
    printf("%u\n", sum());
    storm(argc > 1 ? (unsigned)atoi(argv[1]) : 0);
    return 0;
}
