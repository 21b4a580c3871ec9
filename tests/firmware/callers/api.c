/* SPDX-License-Identifier: Apache-2.0 */
/* A program that uses the monitor itself: starts it, gets each new caller, stops it, and starts it again for another
 * function. */
#include <stdio.h>

#include <gnomon_monitor.h>

#define APART __attribute__((noinline, noclone))

static volatile unsigned sum;
static unsigned told;

APART unsigned wanted(unsigned x) {
    for (unsigned i = 0; i < 20; i++)
        sum += x;
    return sum;
}
APART unsigned one(unsigned x) {
    return wanted(x) + 1;
}
APART unsigned two(unsigned x) {
    return wanted(x) + 2;
}
APART unsigned other(unsigned x) {
    return one(x) + two(x) + 1;
}

static void found(const struct gnomon_caller *caller) {
    told += caller->hits == 1;
}

static void run(void) {
    for (unsigned i = 0; i < 100; i++)
        sum += other(i);
}

static uint32_t hits_of(const void *callee, const void *function) {
    const struct gnomon_caller *callers;
    const size_t count = gnomon_monitor_callers(&callers);
    uint32_t hits = 0;
    for (size_t i = 0; i < count; i++)
        if (callers[i].callee == (uint32_t)(uintptr_t)callee && callers[i].function == (uint32_t)(uintptr_t)function)
            hits += callers[i].hits;
    return hits;
}

#define CHECK(what)                                                                                                    \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            printf("line %d: %s\n", __LINE__, #what);                                                                  \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

int main(void) {
    const struct gnomon_caller *callers;
    struct gnomon_monitor_settings settings = {
        .function = wanted, .period = 1, .settle = 1000000, .levels = 1, .found = found};
    run();
    CHECK(gnomon_monitor_callers(&callers) == 0);
    gnomon_monitor_start(&settings);
    run();
    gnomon_monitor_stop();
    CHECK(hits_of(wanted, one) == 100 && hits_of(wanted, two) == 100); /* period 1: each call */
    CHECK(gnomon_monitor_callers(&callers) == 2 && told == 2);         /* levels 1: not their callers */
    run();
    CHECK(hits_of(wanted, one) == 100);
    settings = (struct gnomon_monitor_settings){.function = one, .period = 2};
    gnomon_monitor_start(&settings);
    run();
    gnomon_monitor_stop();
    CHECK(hits_of(one, other) > 30 && hits_of(one, other) < 70 && hits_of(wanted, one) == 0);
    settings = (struct gnomon_monitor_settings){.function = wanted, .period = 1, .settle = 8, .levels = 1};
    gnomon_monitor_start(&settings);
    for (unsigned i = 0; i < 5; i++)
        run();
    gnomon_monitor_stop();
    const uint32_t hits = hits_of(wanted, one) + hits_of(wanted, two);
    CHECK(hits > 40 && hits < 120); /* of 1000 calls: 8 walks at each period of 1, 2, 4, ... calls */
    puts("good");
    return 0;
}
