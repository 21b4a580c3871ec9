// SPDX-License-Identifier: Apache-2.0
// Uses every kind of lock, in an order that sleeps decide, so that who waits for whom does not depend on how long a
// lock function takes; except for the lock `busy`, which threads share as they are preempted.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, busy = PTHREAD_MUTEX_INITIALIZER,
                       queue_lock = PTHREAD_MUTEX_INITIALIZER, once_lock = PTHREAD_MUTEX_INITIALIZER, nested, checked;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t table;
static pthread_spinlock_t spin;
static pthread_barrier_t gate;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t items;
static mtx_t c11_lock;
static int filled_items;
static volatile unsigned count;
static int (*volatile through)(pthread_mutex_t *) = pthread_mutex_lock;

static void check(int good, const char *what) {
    if (!good) {
        printf("%s failed\n", what);
        exit(1);
    }
}
#define CHECK(condition) check(condition, #condition)

static void sleep_us(unsigned us) {
    const struct timespec time = {0, 1000 * (long)us};
    nanosleep(&time, NULL);
}

static struct timespec in_us(unsigned us) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += 1000 * (long)us;
    if (time.tv_nsec >= 1000000000) {
        time.tv_nsec -= 1000000000;
        time.tv_sec++;
    }
    return time;
}

static void with_once(void) {
    pthread_mutex_lock(&once_lock);
    count++;
    pthread_mutex_unlock(&once_lock);
}

static void share(void) {
    pthread_barrier_wait(&gate);
    for (int i = 0; i < 60; i++) {
        pthread_mutex_lock(&busy);
        for (unsigned j = 0; j < 20; j++)
            count++;
        pthread_mutex_unlock(&busy);
    }
    pthread_barrier_wait(&gate);
}

static void *first(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    sleep_us(800);
    pthread_mutex_unlock(&lock);
    pthread_once(&once, with_once);
    sem_post(&items);
    pthread_mutex_lock(&nested);
    pthread_mutex_lock(&nested);
    pthread_mutex_unlock(&nested);
    pthread_mutex_unlock(&nested);
    pthread_rwlock_rdlock(&table);
    sleep_us(400);
    pthread_rwlock_unlock(&table);
    share();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    sleep_us(200);
    through(&lock); // waits for `first`
    pthread_mutex_unlock(&lock);
    sem_wait(&items);
    sleep_us(200);
    pthread_rwlock_wrlock(&table); // waits for the reader
    pthread_rwlock_unlock(&table);
    pthread_once(&once, with_once);
    share();
    return NULL;
}

static void *third(void *unused) {
    (void)unused;
    sleep_us(400);
    CHECK(pthread_mutex_trylock(&lock) == EBUSY);
    const struct timespec soon = in_us(100);
    CHECK(pthread_mutex_timedlock(&lock, &soon) == ETIMEDOUT);
    CHECK(sem_trywait(&items) == -1);
    pthread_mutex_lock(&queue_lock);
    const struct timespec later = in_us(100);
    CHECK(pthread_cond_timedwait(&filled, &queue_lock, &later) == ETIMEDOUT);
    while (!filled_items)
        pthread_cond_wait(&filled, &queue_lock);
    pthread_mutex_unlock(&queue_lock);
    CHECK(mtx_trylock(&c11_lock) == thrd_success);
    CHECK(mtx_unlock(&c11_lock) == thrd_success);
    share();
    return NULL;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&nested, &attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &attributes);
    pthread_rwlock_init(&table, NULL);
    pthread_barrier_init(&gate, NULL, 3);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&items, 0, 0);
    mtx_init(&c11_lock, mtx_plain);
    CHECK(mtx_lock(&c11_lock) == thrd_success);
    CHECK(mtx_trylock(&c11_lock) == thrd_busy);
    CHECK(mtx_unlock(&c11_lock) == thrd_success);
    CHECK(pthread_mutex_unlock(&checked) == EPERM);
    pthread_spin_lock(&spin);
    pthread_spin_unlock(&spin);
    pthread_mutex_t *block = malloc(sizeof *block);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(block, NULL);
        pthread_mutex_lock(block);
        pthread_mutex_unlock(block);
        pthread_mutex_destroy(block);
    }
    free(block);

    void *(*const functions[])(void *) = {first, second, third};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, functions[i], NULL);
    sleep_us(2000);
    pthread_mutex_lock(&queue_lock);
    filled_items = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&queue_lock);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%u\n", count);
    return 0;
}
