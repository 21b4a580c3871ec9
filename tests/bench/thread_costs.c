/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what calls of the threads layer cost: a line "NAME CYCLES" for each. Each loop runs five times; its best is
   the one with warm caches. Built for two harts, too: both threads stay on hart 0. */
#include <gnomon.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>

#define LOOPS 10
#define ROUNDS 5

static pthread_mutex_t mutex, more[ROUNDS * LOOPS];
static pthread_rwlock_t rwlock;
static pthread_cond_t cond;
static pthread_spinlock_t spin;
static sem_t sem;
static volatile int stop;

static void *nothing(void *argument) {
    return argument;
}

static void *yield_until_stop(void *argument) {
    while (!stop)
        sched_yield();
    return argument;
}

/* A macro, because a call of the body through a pointer would count, too. */
#define COST(name, loops, body)                                                                                        \
    do {                                                                                                               \
        uint64_t best = UINT64_MAX;                                                                                    \
        for (int round = 0; round < ROUNDS; round++) {                                                                 \
            const uint64_t begin = gnomon_cycles();                                                                    \
            for (int loop = 0; loop < (loops); loop++) {                                                               \
                body;                                                                                                  \
            }                                                                                                          \
            const uint64_t cycles = (gnomon_cycles() - begin) / (loops);                                               \
            if (cycles < best)                                                                                         \
                best = cycles;                                                                                         \
        }                                                                                                              \
        printf("%s %u\n", name, (unsigned)best);                                                                       \
    } while (0)

int main(void) {
    pthread_t thread;
    sem_init(&sem, 0, 1);
    pthread_spin_init(&spin, 0);
    COST("create-join", 1, pthread_create(&thread, 0, nothing, 0); pthread_join(thread, 0));
    COST("mutex", LOOPS, pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex));
    COST("trylock", LOOPS, pthread_mutex_trylock(&more[round * LOOPS + loop]));
    COST("semaphore", LOOPS, sem_wait(&sem); sem_post(&sem));
    COST("rwlock", LOOPS, pthread_rwlock_rdlock(&rwlock); pthread_rwlock_unlock(&rwlock));
    COST("spin", LOOPS, pthread_spin_lock(&spin); pthread_spin_unlock(&spin));
    COST("signal", LOOPS, pthread_cond_signal(&cond));

    pthread_setaffinity_np(pthread_self(), sizeof(cpu_set_t), &(cpu_set_t){1});
    pthread_create(&thread, 0, yield_until_stop, 0);
    COST("yield", LOOPS, sched_yield()); /* there and back: each call switches */
    stop = 1;
    pthread_join(thread, 0);
    return 0;
}
