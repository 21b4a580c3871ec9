/* SPDX-License-Identifier: Apache-2.0 */
/* A recursion deeper than the records' memory, twice. Argument 1: depth. */
#include <gnomon.h>
#include <gnomon_records.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))

unsigned gnomon_records_depth = 100;

KEEP static unsigned leaf(unsigned n) {
    return n * 7;
}
KEEP static unsigned deep(unsigned n) {
    return n == 0 ? leaf(n) : leaf(n) + (deep(n - 1) >> 1);
}

int main(int argc, char **argv) {
    const unsigned depth = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 10;
    return deep(depth) + deep(10) == 1;
}
