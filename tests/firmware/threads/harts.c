/* SPDX-License-Identifier: Apache-2.0 */
/* Threads on two harts at once: who runs where, wake-ups from the other hart, each kind of lock under load from both,
 * priorities and their inheritance, data of each thread. Build with --gnomon-harts; the argument is the number of
 * rounds. */
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include <gnomon.h>

#include "check.h"

enum { THREADS = 4 };
static int rounds = 40;

static cpu_set_t only(int hart) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(hart, &set);
    return set;
}

static void stay_on(pthread_t thread, int hart) {
    const cpu_set_t set = only(hart);
    IS(pthread_setaffinity_np(thread, sizeof set, &set), 0);
}

static void go_anywhere(pthread_t thread) {
    cpu_set_t set = only(0);
    CPU_SET(1, &set);
    IS(pthread_setaffinity_np(thread, sizeof set, &set), 0);
}

static void become(int priority) {
    const struct sched_param param = {.sched_priority = priority};
    IS(pthread_setschedparam(pthread_self(), priority ? SCHED_FIFO : SCHED_OTHER, &param), 0);
}

/* ---- Where ---- */

static volatile int meeting[2];
static void *meets(void *argument) {
    const int me = (int)(intptr_t)argument;
    const long start = now_us();
    meeting[me] = 1;
    while (!meeting[1 - me] && now_us() - start < 100000)
        ;
    return (void *)(intptr_t)(meeting[1 - me] ? sched_getcpu() : -1);
}

/* Neither thread gives its hart up: they meet only if both run at once, above all others. */
static void test_both_run(void) {
    become(30);
    pthread_t a = begin(meets, (void *)0), b = begin(meets, (void *)1);
    become(0);
    const long first = (long)end(a), second = (long)end(b);
    CHECK(first != second && first + second == 1);
}

static void *where(void *argument) {
    for (int i = 0; i < 3; i++) {
        stay_on(pthread_self(), i & 1);
        IS(sched_getcpu(), i & 1);
        usleep(30);
        IS(sched_getcpu(), i & 1);
    }
    return argument;
}

static volatile int stop, seen_on;
static void *watches_itself(void *argument) {
    while (!stop)
        seen_on = sched_getcpu();
    return argument;
}

static void test_affinity(void) {
    cpu_set_t set = only(2);
    IS(pthread_setaffinity_np(pthread_self(), sizeof set, &set), EINVAL);
    IS(pthread_setaffinity_np(pthread_self(), 1, &set), EINVAL);
    IS(pthread_getaffinity_np(pthread_self(), sizeof set, &set), 0);
    IS(CPU_COUNT(&set), 2);
    end(begin(where, NULL));
    /* A thread that runs is moved by another one. */
    stay_on(pthread_self(), 0);
    pthread_t runs = begin(watches_itself, NULL);
    stay_on(runs, 1);
    usleep(100);
    IS(seen_on, 1);
    stay_on(pthread_self(), 1);
    stay_on(runs, 0);
    usleep(100);
    IS(seen_on, 0);
    IS(sched_getcpu(), 1);
    stop = 1;
    end(runs);
    go_anywhere(pthread_self());
    IS(pthread_getaffinity_np(pthread_self(), sizeof set, &set), 0);
    IS(CPU_COUNT(&set), 2);
}

/* ---- Wake-ups ---- */

static sem_t ping, pong;
static uint64_t posted;
static volatile long slowest;
static void *answers(void *argument) {
    stay_on(pthread_self(), 1);
    for (int i = 0; i < rounds; i++) {
        sem_wait(&ping);
        const long took = (long)(gnomon_cycles() - posted);
        if (took > slowest)
            slowest = took;
        sem_post(&pong);
    }
    return argument;
}

/* An idle hart is woken, and one that runs a thread of lower priority. There is no time-out that would do it later. */
static void test_wake_up(void *(*meanwhile)(void *)) {
    stay_on(pthread_self(), 0);
    pthread_t other = 0;
    stop = 0;
    slowest = 0;
    if (meanwhile) {
        other = begin(meanwhile, NULL);
        stay_on(other, 1);
    }
    become(9);
    pthread_t thread = begin(answers, NULL);
    for (int i = 0; i < rounds; i++) {
        usleep(20); /* the other one waits */
        posted = gnomon_cycles();
        sem_post(&ping);
        sem_wait(&pong);
    }
    end(thread);
    become(0);
    stop = 1;
    if (meanwhile)
        end(other);
    CHECK(slowest > 0 && slowest < 2500);
    go_anywhere(pthread_self());
}

/* ---- Locks ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t tokens;
/* Changed with plain loads and stores: an update is lost if two threads are in at once. */
static volatile unsigned counts[5];
static volatile int readers_met, turn, serial;
static _Thread_local unsigned own;

static void add(unsigned which) {
    const unsigned value = counts[which];
    for (volatile int i = 0; i < 3; i++)
        ;
    counts[which] = value + 1;
}

static void read_and_write(void) {
    pthread_rwlock_rdlock(&rwlock);
    const unsigned value = counts[3];
    readers_met |= counts[3] != value;
    pthread_rwlock_unlock(&rwlock);
    pthread_rwlock_wrlock(&rwlock);
    add(3);
    pthread_rwlock_unlock(&rwlock);
}

static void take_turns(int me) {
    pthread_mutex_lock(&mutex);
    while (turn != me)
        pthread_cond_wait(&cond, &mutex);
    turn = (me + 1) % THREADS;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
}

static void *uses_all(void *argument) {
    const int me = (int)(intptr_t)argument;
    char *blocks[4] = {0};
    for (int i = 0; i < rounds; i++) {
        pthread_mutex_lock(&mutex);
        add(0);
        pthread_mutex_unlock(&mutex);
        pthread_spin_lock(&spin);
        add(1);
        pthread_spin_unlock(&spin);
        sem_wait(&tokens);
        add(2);
        sem_post(&tokens);
        read_and_write();
        free(blocks[i & 3]);
        blocks[i & 3] = malloc(8 + (size_t)(i * 7 + me * 13) % 90);
        memset(blocks[i & 3], me, 8);
        take_turns(me);
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            serial++;
        errno = me;
        own += (unsigned)me;
        if ((i & 7) == me)
            usleep(10);
        else if ((i & 3) == me)
            sched_yield();
        IS(errno, me);
        for (int k = 0; k < 8; k++)
            if (blocks[i & 3][k] != me)
                return (void *)-1;
    }
    for (int i = 0; i < 4; i++)
        free(blocks[i]);
    return (void *)(intptr_t)(own == (unsigned)(me * rounds) ? 0 : -2);
}

static void test_load(void) {
    pthread_t threads[THREADS];
    IS(pthread_barrier_init(&barrier, NULL, THREADS), 0);
    sem_init(&tokens, 0, 1);
    for (int i = 0; i < THREADS; i++)
        threads[i] = begin(uses_all, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        IS(end(threads[i]), 0);
    for (int i = 0; i < 4; i++)
        IS(counts[i], THREADS * rounds);
    IS(serial, rounds);
    IS(readers_met, 0);
}

static void *is_short(void *argument) {
    return argument;
}

/* Creation, end and joining from both harts at once. */
static void *creates(void *argument) {
    for (int i = 0; i < rounds; i++)
        IS(end(begin(is_short, (void *)(intptr_t)i)), i);
    return argument;
}

static void test_creation(void) {
    pthread_t a = begin(creates, NULL), b = begin(creates, NULL);
    end(a);
    end(b);
}

/* ---- Priorities ---- */

static volatile int middle_runs, gave_up;
static void *runs_long(void *argument) {
    const long start = now_us();
    while (!stop && !gave_up) {
        middle_runs = 1;
        gave_up = now_us() - start > 50000;
    }
    return argument;
}

static pthread_mutex_t lent;
static void *owns(void *argument) {
    pthread_mutex_lock(&lent);
    sem_post(&ping);
    busy(300);
    pthread_mutex_unlock(&lent);
    return argument;
}

/* The owner is on hart 1, where a thread of middle priority takes its place. Main, on hart 0, lends the owner its
 * priority: without that, the owner would not run. */
static void test_inheritance(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&lent, &attr);
    stop = 0;
    stay_on(pthread_self(), 0);
    pthread_t owner = begin(owns, NULL);
    stay_on(owner, 1);
    sem_wait(&ping);
    become(5);
    pthread_t middle = begin(runs_long, NULL);
    stay_on(middle, 1);
    become(9);
    usleep(50);
    IS(middle_runs, 1);
    pthread_mutex_lock(&lent);
    IS(gave_up, 0);
    stop = 1;
    pthread_mutex_unlock(&lent);
    become(0);
    end(owner);
    end(middle);
    go_anywhere(pthread_self());
}

/* A thread on hart 1 that gets a lower priority from main, on hart 0, gives way to one that waited for hart 1. */
static void test_lower(void) {
    stop = middle_runs = 0;
    stay_on(pthread_self(), 0);
    become(9);
    pthread_t upper = begin(watches_itself, NULL);
    stay_on(upper, 1);
    become(5);
    pthread_t middle = begin(runs_long, NULL);
    stay_on(middle, 1);
    become(9);
    usleep(50);
    IS(middle_runs, 0);
    IS(pthread_setschedprio(upper, 2), 0);
    usleep(50);
    IS(middle_runs, 1);
    stop = 1;
    become(0);
    end(upper);
    end(middle);
    go_anywhere(pthread_self());
}

int main(int argc, char **argv) {
    if (argc > 1)
        rounds = atoi(argv[1]);
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    test_affinity();
    test_both_run();
    test_wake_up(NULL);
    test_wake_up(watches_itself);
    test_load();
    test_creation();
    test_inheritance();
    test_lower();
    return FINISH();
}
