/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes, conditions, read-write locks, spin locks, barriers, semaphores: each function and its errors. */
#include <sched.h>
#include <semaphore.h>

#include "check.h"

/* Another thread does one call, and returns what it returned. */
static void *tries_mutex(void *mutex) {
    return (void *)(intptr_t)pthread_mutex_trylock(mutex);
}
static void *unlocks_mutex(void *mutex) {
    return (void *)(intptr_t)pthread_mutex_unlock(mutex);
}
static void *times_mutex(void *mutex) {
    const struct timespec soon = in(500);
    return (void *)(intptr_t)pthread_mutex_timedlock(mutex, &soon);
}
static void *locks_mutex(void *mutex) {
    const int error = pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    return (void *)(intptr_t)error;
}

static void test_mutex(int type, int protocol) {
    static const struct timespec wrong = {0, 1000000000}, past = {-1, 0};
    pthread_mutexattr_t attr;
    pthread_mutex_t mutex;
    int value;
    IS(pthread_mutexattr_init(&attr), 0);
    IS(pthread_mutexattr_settype(&attr, 77), EINVAL);
    IS(pthread_mutexattr_settype(&attr, type), 0);
    IS(pthread_mutexattr_gettype(&attr, &value), 0);
    IS(value, type);
    IS(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT), ENOTSUP);
    IS(pthread_mutexattr_setprotocol(&attr, 77), EINVAL);
    IS(pthread_mutexattr_setprotocol(&attr, protocol), 0);
    IS(pthread_mutexattr_getprotocol(&attr, &value), 0);
    IS(value, protocol);
    IS(pthread_mutexattr_setpshared(&attr, 77), EINVAL);
    IS(pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED), 0);
    IS(pthread_mutexattr_getpshared(&attr, &value), 0);
    IS(value, PTHREAD_PROCESS_SHARED);
    IS(pthread_mutex_init(&mutex, &attr), 0);
    IS(pthread_mutexattr_destroy(&attr), 0);

    IS(pthread_mutex_unlock(&mutex), EPERM);
    IS(pthread_mutex_lock(&mutex), 0);
    IS(pthread_mutex_destroy(&mutex), EBUSY);
    IS(end(begin(tries_mutex, &mutex)), EBUSY);
    IS(end(begin(unlocks_mutex, &mutex)), EPERM);
    IS(end(begin(times_mutex, &mutex)), ETIMEDOUT);
    IS(pthread_mutex_trylock(&mutex), type == PTHREAD_MUTEX_RECURSIVE ? 0 : EBUSY);
    if (type == PTHREAD_MUTEX_RECURSIVE) {
        IS(pthread_mutex_unlock(&mutex), 0);
        IS(pthread_mutex_lock(&mutex), 0);
        IS(pthread_mutex_unlock(&mutex), 0);
        IS(end(begin(tries_mutex, &mutex)), EBUSY);
    } else {
        const struct timespec soon = in(100);
        IS(pthread_mutex_timedlock(&mutex, &wrong), EINVAL);
        IS(pthread_mutex_timedlock(&mutex, &soon), type == PTHREAD_MUTEX_ERRORCHECK ? EDEADLK : ETIMEDOUT);
        IS(pthread_mutex_timedlock(&mutex, &past), type == PTHREAD_MUTEX_ERRORCHECK ? EDEADLK : ETIMEDOUT);
    }
    if (type == PTHREAD_MUTEX_ERRORCHECK)
        IS(pthread_mutex_lock(&mutex), EDEADLK);
    pthread_t waits = begin(locks_mutex, &mutex);
    usleep(100);
    IS(pthread_mutex_unlock(&mutex), 0);
    IS(end(waits), 0);
    IS(pthread_mutex_timedlock(&mutex, &wrong), 0); /* need not wait */
    IS(pthread_mutex_unlock(&mutex), 0);
    IS(pthread_mutex_destroy(&mutex), 0);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waiting, order;

static void *waits_cond(void *argument) {
    (void)argument;
    pthread_mutex_lock(&mutex);
    waiting++;
    const int error = pthread_cond_wait(&cond, &mutex);
    CHECK(pthread_mutex_trylock(&mutex) == EBUSY); /* has it again */
    waiting--;
    order++;
    pthread_mutex_unlock(&mutex);
    return (void *)(intptr_t)error;
}

static void test_cond(void) {
    pthread_condattr_t attr;
    pthread_t threads[3];
    clockid_t clock;
    int value;
    IS(pthread_condattr_init(&attr), 0);
    IS(pthread_condattr_setclock(&attr, 77), EINVAL);
    IS(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC), 0);
    IS(pthread_condattr_getclock(&attr, &clock), 0);
    IS(clock, CLOCK_MONOTONIC);
    IS(pthread_condattr_setpshared(&attr, PTHREAD_PROCESS_PRIVATE), 0);
    IS(pthread_condattr_getpshared(&attr, &value), 0);
    IS(pthread_cond_init(&cond, &attr), 0);
    IS(pthread_condattr_destroy(&attr), 0);
    IS(pthread_cond_wait(&cond, &mutex), EPERM); /* not locked */
    IS(pthread_cond_signal(&cond), 0);           /* is not kept */
    for (int i = 0; i < 3; i++)
        threads[i] = begin(waits_cond, NULL);
    usleep(200);
    IS(waiting, 3);
    IS(pthread_cond_destroy(&cond), EBUSY);
    IS(pthread_cond_signal(&cond), 0);
    usleep(200);
    IS(waiting, 2);
    pthread_mutex_lock(&mutex);
    IS(pthread_cond_broadcast(&cond), 0);
    usleep(200);
    IS(waiting, 2); /* they need the mutex */
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 3; i++)
        IS(end(threads[i]), 0);
    IS(order, 3);
    pthread_mutex_lock(&mutex);
    struct timespec time = in(300);
    IS(pthread_cond_timedwait(&cond, &mutex, &time), ETIMEDOUT);
    IS(pthread_mutex_trylock(&mutex), EBUSY);
    time.tv_nsec = -1;
    IS(pthread_cond_timedwait(&cond, &mutex, &time), EINVAL);
    pthread_mutex_unlock(&mutex);
    IS(pthread_cond_destroy(&cond), 0);
}

static void *reads(void *lock) {
    const int error = pthread_rwlock_rdlock(lock);
    order = order * 10 + 1;
    if (!error)
        pthread_rwlock_unlock(lock);
    return (void *)(intptr_t)error;
}
static void *writes(void *lock) {
    const int error = pthread_rwlock_wrlock(lock);
    order = order * 10 + 2;
    if (!error)
        pthread_rwlock_unlock(lock);
    return (void *)(intptr_t)error;
}
static void *tries_read(void *lock) {
    const int error = pthread_rwlock_tryrdlock(lock);
    if (!error)
        pthread_rwlock_unlock(lock);
    return (void *)(intptr_t)error;
}
static void *tries_write(void *lock) {
    const int error = pthread_rwlock_trywrlock(lock);
    if (!error)
        pthread_rwlock_unlock(lock);
    return (void *)(intptr_t)error;
}
static void *times_read(void *lock) {
    const struct timespec soon = in(300);
    return (void *)(intptr_t)pthread_rwlock_timedrdlock(lock, &soon);
}
static void *times_write(void *lock) {
    const struct timespec soon = in(300);
    return (void *)(intptr_t)pthread_rwlock_timedwrlock(lock, &soon);
}
static void *unlocks_rwlock(void *lock) {
    return (void *)(intptr_t)pthread_rwlock_unlock(lock);
}

static void test_rwlock(void) {
    pthread_rwlockattr_t attr;
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_t a, b;
    int value;
    IS(pthread_rwlockattr_init(&attr), 0);
    IS(pthread_rwlockattr_setpshared(&attr, 77), EINVAL);
    IS(pthread_rwlockattr_getpshared(&attr, &value), 0);
    IS(pthread_rwlock_init(&lock, &attr), 0);
    IS(pthread_rwlockattr_destroy(&attr), 0);
    IS(pthread_rwlock_unlock(&lock), EPERM);
    IS(pthread_rwlock_rdlock(&lock), 0);
    IS(end(begin(reads, &lock)), 0);
    IS(end(begin(tries_read, &lock)), 0);
    IS(end(begin(tries_write, &lock)), EBUSY);
    IS(end(begin(times_write, &lock)), ETIMEDOUT);
    IS(pthread_rwlock_destroy(&lock), EBUSY);
    order = 0;
    a = begin(writes, &lock);
    usleep(100);
    IS(end(begin(tries_read, &lock)), EBUSY); /* a writer waits */
    b = begin(reads, &lock);
    usleep(100);
    IS(pthread_rwlock_unlock(&lock), 0);
    IS(end(a), 0);
    IS(end(b), 0);
    IS(order, 21);
    IS(pthread_rwlock_wrlock(&lock), 0);
    IS(pthread_rwlock_wrlock(&lock), EDEADLK);
    IS(pthread_rwlock_rdlock(&lock), EDEADLK);
    IS(end(begin(unlocks_rwlock, &lock)), EPERM);
    IS(end(begin(times_read, &lock)), ETIMEDOUT);
    IS(end(begin(tries_read, &lock)), EBUSY);
    a = begin(reads, &lock);
    b = begin(reads, &lock);
    usleep(100);
    IS(pthread_rwlock_unlock(&lock), 0);
    IS(end(a), 0);
    IS(end(b), 0);
    /* A writer that gives up lets the readers in that waited for it. */
    IS(pthread_rwlock_rdlock(&lock), 0);
    a = begin(times_write, &lock);
    usleep(100);
    b = begin(reads, &lock);
    IS(end(a), ETIMEDOUT);
    IS(end(b), 0);
    IS(pthread_rwlock_unlock(&lock), 0);
    const struct timespec wrong = {0, -1};
    IS(pthread_rwlock_timedrdlock(&lock, &wrong), 0);
    IS(pthread_rwlock_unlock(&lock), 0);
    IS(pthread_rwlock_timedwrlock(&lock, &wrong), 0);
    IS(pthread_rwlock_unlock(&lock), 0);
    IS(pthread_rwlock_destroy(&lock), 0);
}

static pthread_spinlock_t spin;
static volatile int spun;
static void *spins(void *argument) {
    for (int i = 0; i < 50; i++) {
        pthread_spin_lock(&spin);
        const int before = spun;
        if (i % 10 == 0)
            sched_yield();
        spun = before + 1;
        pthread_spin_unlock(&spin);
    }
    return argument;
}
static void *tries_spin(void *argument) {
    (void)argument;
    return (void *)(intptr_t)(pthread_spin_trylock(&spin) * 1000 + pthread_spin_unlock(&spin));
}

static void test_spin(void) {
    IS(pthread_spin_init(&spin, 77), EINVAL);
    IS(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE), 0);
    IS(pthread_spin_unlock(&spin), EPERM);
    IS(pthread_spin_lock(&spin), 0);
    IS(pthread_spin_lock(&spin), EDEADLK);
    IS(end(begin(tries_spin, NULL)), EBUSY * 1000 + EPERM);
    IS(pthread_spin_destroy(&spin), EBUSY);
    IS(pthread_spin_unlock(&spin), 0);
    IS(pthread_spin_trylock(&spin), 0);
    IS(pthread_spin_unlock(&spin), 0);
    pthread_t a = begin(spins, NULL), b = begin(spins, NULL);
    end(a);
    end(b);
    IS(spun, 100);
    IS(pthread_spin_destroy(&spin), 0);
}

static pthread_barrier_t barrier;
static volatile int arrived, serial, early;
static void *arrives(void *argument) {
    for (int round = 1; round <= 5; round++) {
        usleep((unsigned)(uintptr_t)argument);
        arrived++;
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            serial++;
        early += arrived < 3 * round;
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static void test_barrier(void) {
    pthread_barrierattr_t attr;
    pthread_t threads[3];
    int value;
    IS(pthread_barrierattr_init(&attr), 0);
    IS(pthread_barrierattr_setpshared(&attr, 77), EINVAL);
    IS(pthread_barrierattr_getpshared(&attr, &value), 0);
    IS(pthread_barrier_init(&barrier, &attr, 0), EINVAL);
    IS(pthread_barrier_init(&barrier, &attr, 3), 0);
    IS(pthread_barrierattr_destroy(&attr), 0);
    for (int i = 0; i < 3; i++)
        threads[i] = begin(arrives, (void *)(intptr_t)(i * 50));
    usleep(50);
    IS(pthread_barrier_destroy(&barrier), EBUSY);
    for (int i = 0; i < 3; i++)
        end(threads[i]);
    IS(serial, 5);
    IS(early, 0);
    IS(pthread_barrier_destroy(&barrier), 0);
}

static sem_t semaphore;
static void *posts(void *argument) {
    usleep(100);
    for (int i = 0; i < 10; i++) {
        sem_post(&semaphore);
        sched_yield();
    }
    return argument;
}

static void test_semaphore(void) {
    struct timespec time = in(200);
    int value;
    errno = 0;
    IS(sem_init(&semaphore, 0, (unsigned)SEM_VALUE_MAX + 1), -1);
    IS(errno, EINVAL);
    IS(sem_init(&semaphore, 0, SEM_VALUE_MAX), 0);
    errno = 0;
    IS(sem_post(&semaphore), -1);
    IS(errno, EOVERFLOW);
    IS(sem_init(&semaphore, 0, 2), 0);
    IS(sem_wait(&semaphore), 0);
    IS(sem_trywait(&semaphore), 0);
    errno = 0;
    IS(sem_trywait(&semaphore), -1);
    IS(errno, EAGAIN);
    errno = 0;
    IS(sem_timedwait(&semaphore, &time), -1);
    IS(errno, ETIMEDOUT);
    time.tv_nsec = 1000000000;
    IS(sem_timedwait(&semaphore, &time), -1);
    IS(errno, EINVAL);
    IS(sem_getvalue(&semaphore, &value), 0);
    IS(value, 0);
    pthread_t thread = begin(posts, NULL);
    for (int i = 0; i < 9; i++)
        IS(sem_wait(&semaphore), 0);
    time = in(5000);
    IS(sem_timedwait(&semaphore, &time), 0);
    end(thread);
    IS(sem_post(&semaphore), 0);
    IS(sem_getvalue(&semaphore, &value), 0);
    IS(value, 1);
    IS(sem_timedwait(&semaphore, &(struct timespec){0, -1}), 0); /* need not wait */
    IS(sem_destroy(&semaphore), 0);
}

int main(void) {
    for (int type = PTHREAD_MUTEX_NORMAL; type <= PTHREAD_MUTEX_ERRORCHECK; type++)
        for (int protocol = PTHREAD_PRIO_NONE; protocol <= PTHREAD_PRIO_INHERIT; protocol++)
            test_mutex(type, protocol);
    test_cond();
    test_rwlock();
    test_spin();
    test_barrier();
    test_semaphore();
    return FINISH();
}
