// SPDX-License-Identifier: Apache-2.0
// Threads on two harts, for a program that is linked with gnomon cc --gnomon-harts. With "pinned" each thread stays on
// a hart; with "free" threads move between the harts, also within their calls.
//
// usage: hart_threads pinned|free TURNS
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4 };

static unsigned turns;
static volatile unsigned sums[THREADS];

static void pin(pthread_t thread, unsigned hart) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(hart, &set);
    if (pthread_setaffinity_np(thread, sizeof set, &set))
        abort();
}

static unsigned __attribute__((noinline)) leaf(unsigned value) {
    return value * 1664525 + 1013904223;
}

// Gives way in the middle of its call, and within calls of itself.
static unsigned __attribute__((noinline)) branch(unsigned value, unsigned depth) {
    value = leaf(value);
    sched_yield();
    return depth ? branch(value, depth - 1) + leaf(value) : value;
}

static void *run(void *argument) {
    const unsigned index = (unsigned)(size_t)argument;
    for (unsigned i = 0; i < turns; i++)
        sums[index] += branch(index + i, i % 4);
    return NULL;
}

int main(int argc, char **argv) {
    const int pinned = argc > 1 && !strcmp(argv[1], "pinned");
    turns = argc > 2 ? (unsigned)atoi(argv[2]) : 10;
    pthread_t threads[THREADS];
    if (pinned)
        pin(pthread_self(), 0);
    for (size_t i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, run, (void *)i))
            return 1;
        if (pinned) // before it has run: main has the hart until its turn is over
            pin(threads[i], i % 2);
    }
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
