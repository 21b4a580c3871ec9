/* SPDX-License-Identifier: Apache-2.0 */
/* Spin locks. A thread spins only while the owner runs on the other hart. Otherwise it would keep the owner from
 * running: it waits instead. */
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

/* If the owner gives the lock up and ends meanwhile, the memory of its state may have another use: the loop ends then,
 * whatever it reads. */
static void spin(const pthread_spinlock_t *lock, const struct gnomon_thread *owner) {
    while (__atomic_load_n(&lock->owner, __ATOMIC_RELAXED) == owner &&
           __atomic_load_n(&owner->state, __ATOMIC_RELAXED) == RUNNING)
        ;
}

static int take(pthread_spinlock_t *lock, bool wait) {
    for (;;) {
        const uint32_t before = kernel_enter();
        struct gnomon_thread *owner = lock->owner;
        bool spins = false;
        int error = 0;
        if (!owner)
            lock->owner = current();
        else if (!wait)
            error = EBUSY;
        else if (owner == current())
            error = EDEADLK;
        else if (HARTS > 1 && owner->state == RUNNING)
            spins = true;
        else
            __gnomon_wait(&lock->waiters, FOREVER);
        kernel_leave(before);
        if (!spins)
            return error;
        spin(lock, owner);
    }
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
