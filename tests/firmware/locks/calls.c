/* SPDX-License-Identifier: Apache-2.0 */
/* Calls every lock function with every kind of result, by threads 0 and 3 in turn. For each call the program prints the
 * messages that it expects: Q request, A acquired, R released, X refused, each followed by thread and lock. At the end
 * it prints its table of locks. Also compiled as C++. */
#include <errno.h>
#include <gnomon_locks.h>
#include <stdio.h>
#include <stdlib.h>

#include "stand_in.h"

#define KEEP __attribute__((noinline))

static int mutex, other_mutex, typed[3], spin, condition, barrier, once, semaphore, user, unnamed_user;
static long long rwlock, static_rwlock;
static unsigned failed;

/* The newest entry of the lock at `address`. */
static unsigned index_of(const volatile void *address) {
    unsigned found = 0;
    for (unsigned i = 1; i < 64; i++)
        if (__gnomon_lock_table[i].address == (uint32_t)(uintptr_t)address &&
            __gnomon_lock_table[i].kind != GNOMON_LOCK_RWLOCK_READ)
            found = i;
    return found;
}
static void expect(char what, unsigned index) {
    printf("%c %u %u\n", what, (unsigned)__gnomon_thread, index);
}
static void expect_all(const char *what, const volatile void *lock) {
    for (; *what; what++)
        expect(*what, index_of(lock));
}
static void same(int got, int want, int line) {
    if (got == want)
        return;
    printf("line %d: %d, not %d\n", line, got, want);
    failed++;
}

/* Calls with a result and expects these messages of one lock. */
#define CALL(result, what, lock, ...)                                                                                  \
    do {                                                                                                               \
        stand_in_result = result;                                                                                      \
        same(__VA_ARGS__, result, __LINE__);                                                                           \
        expect_all(what, lock);                                                                                        \
        __gnomon_thread ^= 3;                                                                                          \
    } while (0)
/* The same for a read-write lock: of which side the messages are. */
#define SIDE(result, what, lock, side, ...)                                                                            \
    do {                                                                                                               \
        stand_in_result = result;                                                                                      \
        same(__VA_ARGS__, result, __LINE__);                                                                           \
        for (const char *one = what; *one; one++)                                                                      \
            expect(*one, index_of(lock) + side);                                                                       \
    } while (0)
#define WAIT(result, end_of_mutex, end_of_condition, ...)                                                              \
    do {                                                                                                               \
        stand_in_result = result;                                                                                      \
        same(__VA_ARGS__, result, __LINE__);                                                                           \
        expect_all("Q", &condition);                                                                                   \
        expect_all("R", &mutex);                                                                                       \
        expect_all(end_of_mutex, &mutex);                                                                              \
        expect_all(end_of_condition, &condition);                                                                      \
    } while (0)

static KEEP void mutexes(void) {
    CALL(0, "", &mutex, pthread_mutex_init(&mutex, NULL));
    CALL(0, "QA", &mutex, pthread_mutex_lock(&mutex));
    CALL(EDEADLK, "QX", &mutex, pthread_mutex_lock(&mutex));
    CALL(0, "R", &mutex, pthread_mutex_unlock(&mutex));
    CALL(EPERM, "RX", &mutex, pthread_mutex_unlock(&mutex));
    CALL(0, "A", &mutex, pthread_mutex_trylock(&mutex));
    CALL(EBUSY, "X", &mutex, pthread_mutex_trylock(&mutex));
    CALL(0, "QA", &mutex, pthread_mutex_timedlock(&mutex, NULL));
    CALL(ETIMEDOUT, "QX", &mutex, pthread_mutex_timedlock(&mutex, NULL));
    CALL(ETIMEDOUT, "QX", &mutex, pthread_mutex_clocklock(&mutex, 7, NULL));
    CALL(0, "QA", &other_mutex, pthread_mutex_lock(&other_mutex)); /* never initialized by a call */
    for (int i = 0; i < 3; i++) {
        stand_in_type = i;
        CALL(0, "", &typed[i], pthread_mutex_init(&typed[i], ""));
        CALL(0, "QA", &typed[i], pthread_mutex_lock(&typed[i]));
    }
    CALL(0, "", &spin, pthread_spin_init(&spin, 0));
    CALL(0, "QA", &spin, pthread_spin_lock(&spin));
    CALL(EDEADLK, "QX", &spin, pthread_spin_lock(&spin));
    CALL(EBUSY, "X", &spin, pthread_spin_trylock(&spin));
    CALL(0, "A", &spin, pthread_spin_trylock(&spin));
    CALL(0, "R", &spin, pthread_spin_unlock(&spin));
    CALL(0, "", &spin, pthread_spin_destroy(&spin));
}

static KEEP void rwlocks(void) {
    CALL(0, "", &rwlock, pthread_rwlock_init(&rwlock, NULL));
    SIDE(0, "QA", &rwlock, 1, pthread_rwlock_rdlock(&rwlock));
    SIDE(0, "A", &rwlock, 1, pthread_rwlock_tryrdlock(&rwlock));
    SIDE(EBUSY, "X", &rwlock, 0, pthread_rwlock_trywrlock(&rwlock));
    SIDE(0, "R", &rwlock, 1, pthread_rwlock_unlock(&rwlock));
    SIDE(0, "R", &rwlock, 1, pthread_rwlock_unlock(&rwlock));
    SIDE(0, "QA", &rwlock, 0, pthread_rwlock_wrlock(&rwlock));
    SIDE(EBUSY, "X", &rwlock, 1, pthread_rwlock_tryrdlock(&rwlock));
    SIDE(ETIMEDOUT, "QX", &rwlock, 1, pthread_rwlock_timedrdlock(&rwlock, NULL));
    SIDE(ETIMEDOUT, "QX", &rwlock, 1, pthread_rwlock_clockrdlock(&rwlock, 7, NULL));
    SIDE(EPERM, "RX", &rwlock, 0, pthread_rwlock_unlock(&rwlock));
    SIDE(0, "R", &rwlock, 0, pthread_rwlock_unlock(&rwlock));
    SIDE(EPERM, "RX", &rwlock, 1, pthread_rwlock_unlock(&rwlock));
    SIDE(0, "QA", &rwlock, 0, pthread_rwlock_timedwrlock(&rwlock, NULL));
    SIDE(0, "R", &rwlock, 0, pthread_rwlock_unlock(&rwlock));
    SIDE(ETIMEDOUT, "QX", &rwlock, 0, pthread_rwlock_clockwrlock(&rwlock, 7, NULL));
    SIDE(0, "QA", &static_rwlock, 0, pthread_rwlock_wrlock(&static_rwlock));
    CALL(0, "", &rwlock, pthread_rwlock_destroy(&rwlock));
}

static void called_once(void) {
    expect_all("Q", &once);
}

static KEEP void waits(void) {
    CALL(0, "", &condition, pthread_cond_init(&condition, NULL));
    WAIT(0, "A", "A", pthread_cond_wait(&condition, &mutex));
    WAIT(ETIMEDOUT, "A", "X", pthread_cond_timedwait(&condition, &mutex, NULL));
    WAIT(ETIMEDOUT, "A", "X", pthread_cond_clockwait(&condition, &mutex, 7, NULL));
    WAIT(EPERM, "X", "X", pthread_cond_wait(&condition, &mutex));
    CALL(0, "R", &condition, pthread_cond_signal(&condition));
    CALL(0, "R", &condition, pthread_cond_broadcast(&condition));
    CALL(0, "", &condition, pthread_cond_destroy(&condition));
    CALL(0, "", &barrier, pthread_barrier_init(&barrier, NULL, 3));
    CALL(0, "QA", &barrier, pthread_barrier_wait(&barrier));
    CALL(-1, "QA", &barrier, pthread_barrier_wait(&barrier));
    CALL(EINVAL, "QX", &barrier, pthread_barrier_wait(&barrier));
    CALL(0, "", &barrier, pthread_barrier_destroy(&barrier));
    CALL(0, "A", &once, pthread_once(&once, called_once));
    CALL(0, "", &semaphore, sem_init(&semaphore, 0, 5));
    CALL(0, "QA", &semaphore, sem_wait(&semaphore));
    CALL(-1, "QX", &semaphore, sem_timedwait(&semaphore, NULL));
    CALL(-1, "QX", &semaphore, sem_clockwait(&semaphore, 7, NULL));
    CALL(0, "A", &semaphore, sem_trywait(&semaphore));
    CALL(-1, "X", &semaphore, sem_trywait(&semaphore));
    CALL(0, "R", &semaphore, sem_post(&semaphore));
    CALL(-1, "RX", &semaphore, sem_post(&semaphore));
    CALL(0, "", &semaphore, sem_destroy(&semaphore));
}

static KEEP void annotations(void) {
    GNOMON_LOCK(user);
    GNOMON_LOCK_REQUEST(user);
    GNOMON_LOCK_ACQUIRED(user);
    GNOMON_LOCK_RELEASED(user);
    GNOMON_LOCK_REFUSED(user);
    expect_all("QARX", &user);
    GNOMON_LOCK_ACQUIRED(unnamed_user);
    expect_all("A", &unnamed_user);
}

/* Names before and after the lock is known. */
static KEEP void names(void) {
    static int early, early_initialized;
    static long long early_rwlock;
    gnomon_lock_name(&mutex, "the mutex");
    gnomon_lock_name(&early, "early");
    CALL(0, "QA", &early, pthread_mutex_lock(&early));
    gnomon_lock_name(&early_initialized, "early initialized");
    CALL(0, "", &early_initialized, pthread_mutex_init(&early_initialized, NULL));
    gnomon_lock_name(&early_rwlock, "early rwlock");
    SIDE(0, "QA", &early_rwlock, 1, pthread_rwlock_rdlock(&early_rwlock));
    gnomon_thread_name("first");
}

/* What the program can notice of wrong use. */
static KEEP void wrong_use(void) {
    static int held, gone, again;
    CALL(0, "", &held, pthread_mutex_init(&held, NULL));
    CALL(0, "QA", &held, pthread_mutex_lock(&held));
    CALL(EBUSY, "", &held, pthread_mutex_destroy(&held));
    CALL(0, "", &gone, pthread_mutex_init(&gone, NULL));
    CALL(0, "", &gone, pthread_mutex_destroy(&gone));
    CALL(EINVAL, "QX", &gone, pthread_mutex_lock(&gone));
    CALL(0, "", &gone, pthread_mutex_init(&gone, NULL)); /* a new lock */
    CALL(0, "QA", &gone, pthread_mutex_lock(&gone));
    CALL(0, "", &again, pthread_mutex_init(&again, NULL));
    CALL(0, "", &again, pthread_mutex_init(&again, NULL));
    int *block = (int *)malloc(64);
    CALL(0, "", &block[5], pthread_mutex_init(&block[5], NULL));
    CALL(0, "", &block[6], pthread_mutex_init(&block[6], NULL));
    CALL(0, "", &block[6], pthread_mutex_destroy(&block[6]));
    free(block);
    free(NULL);
}

int main(void) {
    mutexes();
    rwlocks();
    waits();
    annotations();
    names();
    wrong_use();
    for (unsigned i = 1; i < 64; i++) {
        const struct gnomon_lock_entry *entry = &__gnomon_lock_table[i];
        if (entry->address)
            printf("lock %u kind %u state %u wrong %u thread %u name %s caller %#lx\n", i, entry->kind, entry->state,
                   entry->wrong, entry->thread, entry->name ? (const char *)(uintptr_t)entry->name : "-",
                   (unsigned long)entry->caller);
    }
    return failed != 0;
}
