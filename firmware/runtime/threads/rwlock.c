/* SPDX-License-Identifier: Apache-2.0 */
/* Read-write locks. Who waits gets the lock by priority; among equals, writers come first. So a reader does not get the
 * lock while a writer of its priority or above waits. */
#include <errno.h>

#include "threads/kernel.h"

/* What a waiting thread wants is told by its result_of_wait, which nothing else uses while it waits. */
enum { WANTS_TO_READ, WANTS_TO_WRITE };

static bool wants_to_write(const struct gnomon_thread *thread) {
    return thread->result_of_wait == WANTS_TO_WRITE;
}

/* The one that comes next: the first writer of the highest priority, or else the first reader. */
static struct gnomon_thread *next_of(const pthread_rwlock_t *lock) {
    struct gnomon_thread *first = lock->waiters, *thread = first;
    while (thread && thread->priority == first->priority && !wants_to_write(thread))
        thread = thread->next;
    return thread && thread->priority == first->priority ? thread : first;
}

static bool writer_waits(const pthread_rwlock_t *lock, unsigned priority) {
    const struct gnomon_thread *thread = lock->waiters;
    while (thread && thread->priority >= priority && !wants_to_write(thread))
        thread = thread->next;
    return thread && thread->priority >= priority;
}

static void hand_on(pthread_rwlock_t *lock) {
    struct gnomon_thread *thread;
    while (!lock->writer && (thread = next_of(lock))) {
        if (wants_to_write(thread)) {
            if (lock->readers)
                return;
            lock->writer = thread;
        } else {
            lock->readers++;
        }
        __gnomon_wake(thread, 0);
    }
}

static int take(pthread_rwlock_t *lock, bool writes, bool wait, uint64_t until) {
    struct gnomon_thread *thread = current();
    if (!lock->writer && !(writes ? lock->readers : writer_waits(lock, thread->priority))) {
        if (writes)
            lock->writer = thread;
        else
            lock->readers++;
        return 0;
    }
    if (!wait)
        return EBUSY;
    if (lock->writer == thread)
        return EDEADLK;
    thread->result_of_wait = writes ? WANTS_TO_WRITE : WANTS_TO_READ;
    const int error = __gnomon_wait(&lock->waiters, until);
    if (error)
        hand_on(lock); /* a writer that has given up may have held up readers */
    return error;
}

static int take_until(pthread_rwlock_t *lock, bool writes, bool wait, const struct timespec *time) {
    uint64_t until = FOREVER;
    uint32_t before = kernel_enter();
    int error = take(lock, writes, wait && !time, FOREVER);
    kernel_leave(before);
    if (error != EBUSY || !time)
        return error;
    error = __gnomon_deadline(time, &until);
    if (error)
        return error;
    before = kernel_enter();
    error = take(lock, writes, true, until);
    kernel_leave(before);
    return error;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    return take_until(lock, false, true, NULL);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
    return take_until(lock, false, false, NULL);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until) {
    return take_until(lock, false, true, until);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    return take_until(lock, true, true, NULL);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
    return take_until(lock, true, false, NULL);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until) {
    return take_until(lock, true, true, until);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    const uint32_t before = kernel_enter();
    int error = 0;
    if (lock->writer == current())
        lock->writer = NULL;
    else if (!lock->writer && lock->readers)
        lock->readers--;
    else
        error = EPERM;
    if (!error)
        hand_on(lock);
    kernel_leave(before);
    return error;
}

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attr) {
    (void)attr;
    *lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
    return lock->writer || lock->readers ? EBUSY : 0;
}

int pthread_rwlockattr_init(pthread_rwlockattr_t *attr) {
    *attr = (pthread_rwlockattr_t){0};
    return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attr) {
    (void)attr;
    return 0;
}
