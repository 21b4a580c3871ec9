/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that work at different depths of recursion, two of them at the same one, and take turns.
 * usage: sampled ROUNDS */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { THREADS = 4, TURN = 40 };

static const unsigned depths[THREADS] = {0, 4, 8, 4};
static unsigned rounds;
static volatile uint32_t results[THREADS];

static __attribute__((noinline)) uint32_t work(uint32_t value) {
    for (unsigned i = 0; i < TURN; i++)
        value = value * 1664525u + 1013904223u;
    return value;
}

/* Works below `depth` calls of itself. */
static __attribute__((noinline)) uint32_t descend(unsigned depth, uint32_t value) {
    if (!depth)
        return work(value);
    const uint32_t below = descend(depth - 1, value);
    return below ^ depth;
}

static void *run(void *argument) {
    const unsigned index = (unsigned)(uintptr_t)argument;
    for (unsigned i = 0; i < rounds; i++) {
        results[index] += descend(depths[index], i);
        if (i % 4 == 0)
            sched_yield();
    }
    return NULL;
}

int main(int argc, char **argv) {
    static const char *const names[THREADS] = {"shallow", "middle", "deep", "twin"};
    pthread_t threads[THREADS];
    rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 100;
    for (unsigned i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, run, (void *)(uintptr_t)i))
            return 1;
        pthread_setname_np(threads[i], names[i]);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
