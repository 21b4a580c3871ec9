/* SPDX-License-Identifier: Apache-2.0 */
/* main.elf ROUNDS: loads each overlay in each round. */
#include <stdio.h>
#include <stdlib.h>

#include "overlays.h"

__attribute__((noinline)) int resident(int x) {
    return x ^ 5;
}

__attribute__((noinline)) int bounce(int n) {
    return three(n) + 1;
}

static int failures;

#define EXPECT(text, got, expected)                                                                                    \
    do {                                                                                                               \
        const int value = (got);                                                                                       \
        if (value != (expected) && ++failures)                                                                         \
            printf("%s: %d, not %d\n", text, value, (int)(expected));                                                  \
    } while (0)

__attribute__((noinline)) static void round_of_all(void) {
    EXPECT("load 0", gnomon_overlay_load(0), 0);
    EXPECT("first visit", visits(), 1);
    EXPECT("one", one(4), 10 + (5 ^ 0) + (5 ^ 1) + (5 ^ 2) + (5 ^ 3));
    EXPECT("load 0 again", gnomon_overlay_load(0), 0);
    EXPECT("second visit", visits(), 2);
    EXPECT("load 3", gnomon_overlay_load(3), 0);
    EXPECT("two", two(3), 120);
    EXPECT("an overlay that is not there", gnomon_overlay_load(1), -1);
    EXPECT("a number too large", gnomon_overlay_load(16), -1);
    EXPECT("no number", gnomon_overlay_load((unsigned)-1), -1);
    EXPECT("two, still there", two(1), 40);
    EXPECT("load 14", gnomon_overlay_load(14), 0);
    EXPECT("only", only(1) + only(2), 17);
    EXPECT("load 15", gnomon_overlay_load(15), 0);
    EXPECT("three", three(5), 5 * 15 + 5);
}

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    for (int i = 0; i < rounds; i++)
        round_of_all();
    printf("%d failures\n", failures);
    return failures != 0;
}
