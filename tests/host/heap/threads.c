/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that allocate and free at the same time, also each other's blocks, with locks whose calls are messages, too.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { THREADS = 3, ROUNDS = 60, SLOTS = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *slots[SLOTS];

__attribute__((noinline)) static void *take(unsigned slot, void *block) {
    pthread_mutex_lock(&mutex);
    void *before = slots[slot];
    slots[slot] = block;
    pthread_mutex_unlock(&mutex);
    return before;
}

static void *work(void *argument) {
    uint32_t state = (uint32_t)(uintptr_t)argument;
    for (unsigned i = 0; i < ROUNDS; i++) {
        state = state * 1664525u + 1013904223u;
        free(take(state >> 16 & (SLOTS - 1), malloc(1 + (state >> 24))));
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)(i + 1));
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
