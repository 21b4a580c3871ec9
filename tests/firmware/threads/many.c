/* SPDX-License-Identifier: Apache-2.0 */
/* As many threads at a time as the first argument says, and then as many one after the other as the second says. Prints
 * how the runtime's thread table counts them. */
#include <stdlib.h>

#include <gnomon/locks.h>

#include "check.h"

extern struct gnomon_locks __gnomon_locks;
static pthread_barrier_t barrier;

__attribute__((noinline)) static void add(unsigned *sum, unsigned value) {
    *sum += value;
}

static void *adds(void *argument) {
    unsigned sum = 0;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 3; i++) {
        add(&sum, (unsigned)(uintptr_t)argument);
        usleep(50);
    }
    return (void *)(uintptr_t)sum;
}
static void *nothing(void *argument) {
    return argument;
}

int main(int argc, char **argv) {
    const unsigned together = argc > 1 ? (unsigned)atoi(argv[1]) : 2, later = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
    pthread_t *threads = calloc(together, sizeof *threads);
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    IS(pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN), 0);
    IS(pthread_barrier_init(&barrier, NULL, together + 1), 0);
    for (unsigned i = 0; i < together; i++)
        IS(pthread_create(&threads[i], &attr, adds, (void *)(uintptr_t)(i + 1)), 0);
    pthread_barrier_wait(&barrier);
    for (unsigned i = 0; i < together; i++)
        IS(end(threads[i]), 3 * (i + 1));
    for (unsigned i = 0; i < later; i++)
        IS(end(begin(nothing, (void *)(uintptr_t)i)), i);
    printf("threads %u refused %u\n", (unsigned)__gnomon_locks.threads, (unsigned)__gnomon_locks.threads_refused);
    return FINISH();
}
