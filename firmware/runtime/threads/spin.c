/* SPDX-License-Identifier: Apache-2.0 */
/* Spin locks. On one hart, a thread that spins would only keep the owner from running: it waits instead. */
#include <errno.h>

#include "threads/kernel.h"

int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
    if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
        return EINVAL;
    *lock = (pthread_spinlock_t){0};
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock) {
    return lock->owner ? EBUSY : 0;
}

static int take(pthread_spinlock_t *lock, bool wait) {
    const uint32_t before = kernel_enter();
    int error = 0;
    if (!lock->owner)
        lock->owner = current();
    else if (!wait)
        error = EBUSY;
    else if (lock->owner == current())
        error = EDEADLK;
    else
        __gnomon_wait(&lock->waiters, FOREVER);
    kernel_leave(before);
    return error;
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
    return take(lock, true);
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
    return take(lock, false);
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
    const uint32_t before = kernel_enter();
    const int error = lock->owner == current() ? 0 : EPERM;
    if (!error) {
        lock->owner = lock->waiters;
        if (lock->owner)
            __gnomon_wake(lock->owner, 0);
    }
    kernel_leave(before);
    return error;
}
