/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "threads/kernel.h"

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attr, unsigned count) {
    (void)attr;
    if (count == 0)
        return EINVAL;
    *barrier = (pthread_barrier_t){.count = count};
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier) {
    return barrier->waiters ? EBUSY : 0;
}

/* The last thread to arrive is the one that gets PTHREAD_BARRIER_SERIAL_THREAD. */
int pthread_barrier_wait(pthread_barrier_t *barrier) {
    const uint32_t before = kernel_enter();
    int result = 0;
    if (++barrier->arrived < barrier->count) {
        __gnomon_wait(&barrier->waiters, FOREVER);
    } else {
        barrier->arrived = 0;
        while (barrier->waiters)
            __gnomon_wake(barrier->waiters, 0);
        result = PTHREAD_BARRIER_SERIAL_THREAD;
    }
    kernel_leave(before);
    return result;
}

int pthread_barrierattr_init(pthread_barrierattr_t *attr) {
    *attr = (pthread_barrierattr_t){0};
    return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attr) {
    (void)attr;
    return 0;
}
