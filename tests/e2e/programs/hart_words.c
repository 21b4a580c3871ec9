// SPDX-License-Identifier: Apache-2.0
// Two harts that access words of which every access is known: `shared`, to which both add, and a word of each. Hart 1
// also asks the device to trace a word of its own.
//
// usage: hart_words ROUNDS
#include <gnomon_harts.h>
#include <gnomon_locks.h>
#include <stdint.h>
#include <stdlib.h>

// None begins with 0: start-up would clear it.
static uint32_t shared = 1;
static volatile uint32_t own[2] = {~0u, ~0u}, asked = 1;
static volatile unsigned rounds, over;
static uint8_t stack[2048] __attribute__((aligned(16)));

static void run(unsigned hart) {
    for (unsigned i = 0; i < rounds; i++) {
        __atomic_fetch_add(&shared, 1 + 256 * hart, __ATOMIC_RELAXED);
        own[hart] = i;
        for (volatile unsigned wait = 0; wait < 40 + 7 * hart; wait++) // so that USB carries every event
            ;
    }
}

static void second(void *argument) {
    (void)argument;
    if (gnomon_lock_word(&asked) != GNOMON_LOCK_WORD_TRACED)
        exit(2);
    asked = 77;
    run(1);
    over = 1;
}

int main(int argc, char **argv) {
    rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
    if (gnomon_hart_start(second, NULL, stack, sizeof stack))
        return 1;
    run(0);
    while (!over)
        ;
    return shared == 1 + rounds * 258 ? 0 : 3;
}
