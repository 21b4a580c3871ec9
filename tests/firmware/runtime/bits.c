/* SPDX-License-Identifier: Apache-2.0 */
/* Code for which the compiler generates bit instructions, and a library function with 64-bit arithmetic. */
#include <stdint.h>

#include "check.h"

__attribute__((noinline)) static uint32_t rotated(uint32_t word, unsigned by) {
    return word << by | word >> (32 - by);
}

__attribute__((noinline)) static uint32_t without(uint32_t word, uint32_t bits) {
    return word & ~bits;
}

int main(void) {
    char text[40];
    volatile uint32_t word = 0x12345678; /* prevents constant folding */
    CHECK(rotated(word, 8) == 0x34567812 && without(word, 0xFF0) == 0x12345008);
    CHECK(snprintf(text, sizeof text, "%.3f %llu", 1.125, 12345678901234567ull) == 23);
    return check_failed != 0;
}
