/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/model/lock_functions.h"

#include <string.h>

/* Constants of the program's C library. */
enum { TARGET_ETIMEDOUT = 116, TARGET_THRD_SUCCESS = 4, TARGET_THRD_TIMEDOUT = 5 };

#define ROLE(function, what, of, result)                                                                               \
    { .name = #function, .call = GNOMON_CALL_##what, .kind = GNOMON_LOCK_##of, .good = GNOMON_RESULT_##result }

static const struct gnomon_lock_role roles[] = {
    ROLE(pthread_mutex_lock, ACQUIRE, MUTEX, ZERO),
    ROLE(pthread_mutex_timedlock, ACQUIRE, MUTEX, ZERO),
    ROLE(pthread_mutex_clocklock, ACQUIRE, MUTEX, ZERO),
    ROLE(pthread_mutex_trylock, TRY, MUTEX, ZERO),
    ROLE(pthread_mutex_unlock, RELEASE, MUTEX, ZERO),
    ROLE(pthread_mutex_init, INIT, MUTEX, ZERO),
    ROLE(pthread_mutex_destroy, DESTROY, MUTEX, ZERO),
    ROLE(pthread_mutexattr_settype, SET_TYPE, NONE, ZERO),
    ROLE(pthread_spin_lock, ACQUIRE, SPIN, ZERO),
    ROLE(pthread_spin_trylock, TRY, SPIN, ZERO),
    ROLE(pthread_spin_unlock, RELEASE, SPIN, ZERO),
    ROLE(pthread_spin_init, INIT, SPIN, ZERO),
    ROLE(pthread_spin_destroy, DESTROY, SPIN, ZERO),
    ROLE(pthread_rwlock_wrlock, ACQUIRE, RWLOCK, ZERO),
    ROLE(pthread_rwlock_timedwrlock, ACQUIRE, RWLOCK, ZERO),
    ROLE(pthread_rwlock_clockwrlock, ACQUIRE, RWLOCK, ZERO),
    ROLE(pthread_rwlock_trywrlock, TRY, RWLOCK, ZERO),
    ROLE(pthread_rwlock_rdlock, ACQUIRE, RWLOCK_READ, ZERO),
    ROLE(pthread_rwlock_timedrdlock, ACQUIRE, RWLOCK_READ, ZERO),
    ROLE(pthread_rwlock_clockrdlock, ACQUIRE, RWLOCK_READ, ZERO),
    ROLE(pthread_rwlock_tryrdlock, TRY, RWLOCK_READ, ZERO),
    ROLE(pthread_rwlock_unlock, RELEASE, RWLOCK, ZERO),
    ROLE(pthread_rwlock_init, INIT, RWLOCK, ZERO),
    ROLE(pthread_rwlock_destroy, DESTROY, RWLOCK, ZERO),
    ROLE(pthread_cond_wait, WAIT, CONDITION, ZERO),
    ROLE(pthread_cond_timedwait, WAIT, CONDITION, ZERO),
    ROLE(pthread_cond_clockwait, WAIT, CONDITION, ZERO),
    ROLE(pthread_cond_signal, RELEASE, CONDITION, ZERO),
    ROLE(pthread_cond_broadcast, RELEASE, CONDITION, ZERO),
    ROLE(pthread_cond_init, INIT, CONDITION, ZERO),
    ROLE(pthread_cond_destroy, DESTROY, CONDITION, ZERO),
    ROLE(pthread_barrier_wait, ACQUIRE, BARRIER, NOT_POSITIVE), /* PTHREAD_BARRIER_SERIAL_THREAD is negative */
    ROLE(pthread_barrier_init, INIT, BARRIER, ZERO),
    ROLE(pthread_barrier_destroy, DESTROY, BARRIER, ZERO),
    ROLE(pthread_once, ONCE, ONCE, ZERO),
    ROLE(sem_wait, ACQUIRE, SEMAPHORE, ZERO),
    ROLE(sem_timedwait, ACQUIRE, SEMAPHORE, ZERO),
    ROLE(sem_clockwait, ACQUIRE, SEMAPHORE, ZERO),
    ROLE(sem_trywait, TRY, SEMAPHORE, ZERO),
    ROLE(sem_post, RELEASE, SEMAPHORE, ZERO),
    ROLE(sem_init, INIT, SEMAPHORE, ZERO),
    ROLE(sem_destroy, DESTROY, SEMAPHORE, ZERO),
    ROLE(mtx_lock, ACQUIRE, MUTEX, C11),
    ROLE(mtx_timedlock, ACQUIRE, MUTEX, C11),
    ROLE(mtx_trylock, TRY, MUTEX, C11),
    ROLE(mtx_unlock, RELEASE, MUTEX, C11),
    ROLE(mtx_init, INIT_C11, MUTEX, C11),
    ROLE(mtx_destroy, DESTROY, MUTEX, ANY),
    ROLE(cnd_wait, WAIT, CONDITION, C11),
    ROLE(cnd_timedwait, WAIT, CONDITION, C11),
    ROLE(cnd_signal, RELEASE, CONDITION, C11),
    ROLE(cnd_broadcast, RELEASE, CONDITION, C11),
    ROLE(cnd_init, INIT, CONDITION, C11),
    ROLE(cnd_destroy, DESTROY, CONDITION, ANY),
    ROLE(call_once, ONCE, ONCE, ANY),
    /* Of FreeRTOS, by which its mutexes and semaphores are made. */
    ROLE(xQueueSemaphoreTake, TAKE, SEMAPHORE, TRUE),
    ROLE(xQueueTakeMutexRecursive, TAKE, RECURSIVE, TRUE),
    ROLE(xQueueReceiveFromISR, TRY, SEMAPHORE, TRUE),
    ROLE(xQueueGenericSend, RELEASE, SEMAPHORE, TRUE),
    ROLE(xQueueGiveMutexRecursive, RELEASE, RECURSIVE, TRUE),
    ROLE(xQueueGiveFromISR, RELEASE, SEMAPHORE, TRUE),
    ROLE(xQueueCreateMutex, CREATE_MUTEX, MUTEX, TRUE),
    ROLE(xQueueCreateMutexStatic, CREATE_MUTEX, MUTEX, TRUE),
    ROLE(xQueueCreateCountingSemaphore, CREATE, SEMAPHORE, TRUE),
    ROLE(xQueueCreateCountingSemaphoreStatic, CREATE, SEMAPHORE, TRUE),
    ROLE(xQueueGenericCreate, CREATE_QUEUE, QUEUE, TRUE),
    ROLE(xQueueGenericCreateStatic, CREATE_QUEUE, QUEUE, TRUE),
    ROLE(vQueueDelete, DESTROY, SEMAPHORE, ANY),
    ROLE(acquire, ACQUIRE, USER, ANY),
    ROLE(try, TRY, USER, TRUE),
    ROLE(release, RELEASE, USER, ANY),
};

const struct gnomon_lock_role *gnomon_lock_role_at(size_t index) {
    return index < sizeof roles / sizeof *roles ? &roles[index] : NULL;
}

const struct gnomon_lock_role *gnomon_lock_role_named(const char *name) {
    const struct gnomon_lock_role *role;
    for (size_t i = 0; (role = gnomon_lock_role_at(i)); i++)
        if (!strcmp(role->name, name))
            return role;
    return NULL;
}

bool gnomon_lock_role_good(const struct gnomon_lock_role *role, uint32_t value) {
    switch (role->good) {
    case GNOMON_RESULT_ZERO:
        return value == 0;
    case GNOMON_RESULT_NOT_POSITIVE:
        return (int32_t)value <= 0;
    case GNOMON_RESULT_C11:
        return value == TARGET_THRD_SUCCESS;
    case GNOMON_RESULT_TRUE:
        return value != 0;
    default:
        return true;
    }
}

bool gnomon_lock_role_waited(const struct gnomon_lock_role *role, uint32_t value) {
    const uint32_t timed_out = role->good == GNOMON_RESULT_C11 ? TARGET_THRD_TIMEDOUT : TARGET_ETIMEDOUT;
    return value == timed_out || gnomon_lock_role_good(role, value);
}
