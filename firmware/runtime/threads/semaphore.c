/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores. sem_post also works in interrupt handlers: a thread that it wakes runs when the handler has ended. */
#include <errno.h>
#include <semaphore.h>

#include "threads/kernel.h"

static int result(int error) {
    if (error)
        errno = error;
    return error ? -1 : 0;
}

int sem_init(sem_t *semaphore, int shared, unsigned value) {
    (void)shared;
    if (value > SEM_VALUE_MAX)
        return result(EINVAL);
    *semaphore = (sem_t){.value = value};
    return 0;
}

int sem_destroy(sem_t *semaphore) {
    return result(semaphore->waiters ? EBUSY : 0);
}

static int take(sem_t *semaphore, bool wait, uint64_t until) {
    const uint32_t before = kernel_enter();
    int error = 0;
    if (semaphore->value)
        semaphore->value--;
    else
        error = wait ? __gnomon_wait(&semaphore->waiters, until) : EAGAIN;
    kernel_leave(before);
    return error;
}

int sem_wait(sem_t *semaphore) {
    return result(take(semaphore, true, FOREVER));
}

int sem_trywait(sem_t *semaphore) {
    return result(take(semaphore, false, FOREVER));
}

int sem_timedwait(sem_t *semaphore, const struct timespec *time) {
    uint64_t until;
    int error = take(semaphore, false, FOREVER);
    if (error == EAGAIN)
        error = __gnomon_deadline(time, &until);
    else
        return result(error);
    return result(error ? error : take(semaphore, true, until));
}

int sem_post(sem_t *semaphore) {
    const uint32_t before = kernel_enter();
    int error = 0;
    if (semaphore->waiters)
        __gnomon_wake(semaphore->waiters, 0);
    else if (semaphore->value < SEM_VALUE_MAX)
        semaphore->value++;
    else
        error = EOVERFLOW;
    kernel_leave(before);
    return result(error);
}

int sem_getvalue(sem_t *semaphore, int *value) {
    *value = (int)semaphore->value;
    return 0;
}
