// SPDX-License-Identifier: Apache-2.0
// Accesses of the lock segments: stores and loads, right after messages and right after each other, in functions with
// hooks. The argument is the number of rounds. After each round the program waits, so that USB and the function records
// of small carry all events.
#include <gnomon.h>
#include <stdint.h>
#include <stdlib.h>

#define LOCK(segment, thread, lock, locks)                                                                             \
    ((volatile uint32_t *)(0xE0000000U + (segment)*0x1000000U + (thread)*0x10000U + (lock)*16U + (locks)*8U))

static volatile unsigned rounds_done = 1;

static void __attribute__((noinline)) take(unsigned thread) {
    *LOCK(0, thread, 5, 1) = thread;
    *LOCK(1, thread, 4095, 1);
    *LOCK(1, thread, 4095, 1);
}

static void __attribute__((noinline)) give(unsigned thread) {
    GNOMON_VALUE(1, thread);
    *LOCK(0, thread, 5, 0);
    *LOCK(1, thread, 0, 0) = ~thread;
}

int main(int argc, char **argv) {
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 10;
    for (unsigned i = 0; i < rounds; i++) {
        take(i & 255);
        give(i & 255);
        rounds_done++;
        for (volatile int wait = 0; wait < 200; wait++)
            ;
    }
    return 0;
}
