/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads that do the same one after the other, in a loop of two instructions: their stacks are equal.
 * usage: twins ROUNDS */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { THREADS = 2 };

static unsigned rounds;

static void *run(void *argument) {
    unsigned left = rounds;
    __asm__ volatile("1: addi %0, %0, -1; bnez %0, 1b" : "+r"(left));
    return argument;
}

int main(int argc, char **argv) {
    static const char *const names[THREADS] = {"first", "second"};
    pthread_t threads[THREADS];
    rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000;
    for (unsigned i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, run, NULL))
            return 1;
        pthread_setname_np(threads[i], names[i]);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
