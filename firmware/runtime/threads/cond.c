/* SPDX-License-Identifier: Apache-2.0 */
/* Condition variables. Each clock shows the same time, so the clock attribute changes nothing. */
#include <errno.h>

#include "threads/kernel.h"

static int wait(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t until) {
    const unsigned short count = mutex->count;
    const uint32_t before = kernel_enter();
    int error = mutex->owner == current() ? 0 : EPERM;
    if (!error) {
        mutex->count = 0;
        __gnomon_mutex_give(mutex);
        error = __gnomon_wait(&cond->waiters, until);
        __gnomon_mutex_take(mutex, true, FOREVER);
        mutex->count = count;
    }
    kernel_leave(before);
    return error;
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    return wait(cond, mutex, FOREVER);
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *time) {
    uint64_t until;
    const int error = __gnomon_deadline(time, &until);
    return error ? error : wait(cond, mutex, until);
}

int pthread_cond_signal(pthread_cond_t *cond) {
    const uint32_t before = kernel_enter();
    if (cond->waiters)
        __gnomon_wake(cond->waiters, 0);
    kernel_leave(before);
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *cond) {
    const uint32_t before = kernel_enter();
    while (cond->waiters)
        __gnomon_wake(cond->waiters, 0);
    kernel_leave(before);
    return 0;
}

int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr) {
    (void)attr;
    *cond = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *cond) {
    return cond->waiters ? EBUSY : 0;
}

int pthread_condattr_init(pthread_condattr_t *attr) {
    *attr = (pthread_condattr_t){.clock = (unsigned char)CLOCK_REALTIME};
    return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attr) {
    (void)attr;
    return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *attr, clockid_t clock) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    attr->clock = (unsigned char)clock;
    return 0;
}

int pthread_condattr_getclock(const pthread_condattr_t *attr, clockid_t *clock) {
    *clock = attr->clock;
    return 0;
}
