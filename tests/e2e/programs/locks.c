/* SPDX-License-Identifier: Apache-2.0 */
/* Announces locks on the memory bus: asks for one and takes it by a load, releases it by a store, in both lock
 * segments. Argument 1: number of rounds. Prints the number of accesses. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))

enum { LOCKS = 5 };
static const uintptr_t segments[2] = {0xE0000000u, 0xE1000000u};
static unsigned accesses;

KEEP static void take(unsigned segment, unsigned lock) {
    (void)*(volatile uint32_t *)(segments[segment] + 8 * lock);
    accesses++;
}
KEEP static void release(unsigned segment, unsigned lock) {
    *(volatile uint32_t *)(segments[segment] + 8 * lock) = lock;
    accesses++;
}

int main(int argc, char **argv) {
    const unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 100;
    for (unsigned i = 0; i < rounds; i++) {
        take(i & 1, i % LOCKS);
        release(i & 1, i % LOCKS);
    }
    printf("%u accesses\n", accesses);
    return 0;
}
