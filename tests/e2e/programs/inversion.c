// SPDX-License-Identifier: Apache-2.0
// Three threads of priorities 1, 2 and 3. The lowest has a mutex when the highest asks for it, and the middle one runs
// meanwhile: priority inversion. The cases that are none: the mutex inherits, or the lowest sleeps with the mutex. In
// `chain`, the highest asks for another mutex, whose owner waits for that of the lowest.
//
// usage: inversion plain|inherit|asleep|chain|equal|changed LOOPS   LOOPS: that take about a microsecond
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LOW = 1, MIDDLE, HIGH, ROUNDS = 2 };
enum { ROUND = 2500, SECTION = 800, WORK = 300 }; // microseconds

static pthread_mutex_t device_lock, other_lock;
static struct timespec begin;
static bool asleep, chain;
static int loops;

// Sleeps until some microseconds after the beginning of a round. The threads are created in the time of one round.
static void sleep_until(int round, int microseconds) {
    struct timespec time = begin;
    time.tv_nsec += ((round + 1) * ROUND + microseconds) * 1000L;
    time.tv_sec += time.tv_nsec / 1000000000L;
    time.tv_nsec %= 1000000000L;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

static void work(int microseconds) {
    for (volatile int i = 0; i < microseconds * loops; i++)
        ;
}

static void *low(void *argument) {
    (void)argument;
    for (int i = 0; i < ROUNDS; i++) {
        sleep_until(i, 500);
        pthread_mutex_lock(&device_lock);
        if (asleep)
            sleep_until(i, 2200);
        else
            work(SECTION);
        pthread_mutex_unlock(&device_lock);
    }
    return NULL;
}

static void *between(void *argument) {
    (void)argument;
    for (int i = 0; chain && i < ROUNDS; i++) {
        sleep_until(i, 600);
        pthread_mutex_lock(&other_lock);
        pthread_mutex_lock(&device_lock);
        pthread_mutex_unlock(&device_lock);
        pthread_mutex_unlock(&other_lock);
    }
    return NULL;
}

// Its work before `high` asks makes nobody wait; between its two other ones `low` goes on.
static void *middle(void *argument) {
    (void)argument;
    for (int i = 0; i < ROUNDS; i++) {
        sleep_until(i, 650);
        work(20);
        sleep_until(i, 800);
        work(WORK);
        sleep_until(i, 1500);
        work(WORK);
    }
    return NULL;
}

static void *high(void *argument) {
    pthread_mutex_t *lock = chain ? &other_lock : &device_lock;
    (void)argument;
    for (int i = 0; i < ROUNDS; i++) {
        sleep_until(i, 750);
        pthread_mutex_lock(lock);
        pthread_mutex_unlock(lock);
    }
    return NULL;
}

static pthread_t start(int priority, const char *name, void *(*function)(void *)) {
    const struct sched_param param = {.sched_priority = priority};
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
    pthread_attr_setschedparam(&attr, &param);
    pthread_create(&thread, &attr, function, NULL);
    pthread_setname_np(thread, name);
    return thread;
}

int main(int argc, char **argv) {
    const char *mode = argc > 2 ? argv[1] : "plain";
    const struct sched_param most = {.sched_priority = 8};
    pthread_mutexattr_t attr;
    loops = argc > 2 ? atoi(argv[2]) : 1;
    asleep = !strcmp(mode, "asleep");
    chain = !strcmp(mode, "chain");
    pthread_setschedparam(pthread_self(), SCHED_FIFO, &most);
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setprotocol(&attr, strcmp(mode, "inherit") ? PTHREAD_PRIO_NONE : PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&device_lock, &attr);
    pthread_mutex_init(&other_lock, &attr);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    pthread_t threads[] = {start(LOW, "low", low), start(strcmp(mode, "equal") ? MIDDLE : LOW, "middle", middle),
                           start(HIGH, "high", high), start(MIDDLE, "between", between)};
    if (!strcmp(mode, "changed")) // its priority was once not below that of `middle`
        pthread_setschedprio(threads[0], MIDDLE), pthread_setschedprio(threads[0], LOW);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
