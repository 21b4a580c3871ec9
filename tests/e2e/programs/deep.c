/* SPDX-License-Identifier: Apache-2.0 */
/* Calls nested deeper than a device's memory. Argument 1: depth; argument 2: "both": two functions call each other;
 * "slow": with pauses, for a device that needs them. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__((noinline))

static volatile int one = 1, pause;

static inline int paused(int n) {
    for (volatile int i = 0; i < pause; i++)
        ;
    return n;
}
KEEP static int leaf(int n) {
    return n & one;
}
KEEP static int descend(int n) {
    return n == 0 ? 0 : leaf(paused(n)) + paused(descend(paused(n - 1))) + one;
}
KEEP static int odd(int n);
KEEP static int even(int n) {
    return n == 0 ? 0 : odd(n - 1) + one;
}
KEEP static int odd(int n) {
    return n == 0 ? 0 : one + one + even(n - 1) - one;
}

int main(int argc, char **argv) {
    const int depth = argc > 1 ? atoi(argv[1]) : 3000;
    const bool both = argc > 2 && strcmp(argv[2], "both") == 0;
    pause = argc > 2 && !both ? 20 : 0;
    const int sum = both ? even(depth) : descend(depth);
    const int again = leaf(7) + descend(3);
    return sum == depth + (both ? 0 : (depth + 1) / 2) && again == 6 ? 0 : 1;
}
