/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions, barriers, once, semaphores. */
#include "locks/wrap.h"

#define CONDITION __gnomon_lock_index(condition, GNOMON_LOCK_CONDITION, caller)

WRAPPED(int, pthread_cond_init, void *condition, const void *attributes) {
    INITIALIZES(condition, GNOMON_LOCK_CONDITION, __real_pthread_cond_init(condition, attributes));
}
WRAPPED(int, pthread_cond_destroy, void *condition) {
    DESTROYS(condition, __real_pthread_cond_destroy(condition));
}
WRAPPED(int, pthread_cond_signal, void *condition) {
    GIVES_UP(CONDITION, __real_pthread_cond_signal(condition));
}
WRAPPED(int, pthread_cond_broadcast, void *condition) {
    GIVES_UP(CONDITION, __real_pthread_cond_broadcast(condition));
}

#define WAITS(call) WAITS_AS(, call)

WRAPPED(int, pthread_cond_wait, void *condition, void *mutex) {
    WAITS(__real_pthread_cond_wait(condition, mutex));
}
WRAPPED(int, pthread_cond_timedwait, void *condition, void *mutex, const void *until) {
    WAITS(__real_pthread_cond_timedwait(condition, mutex, until));
}
WRAPPED(int, pthread_cond_clockwait, void *condition, void *mutex, unsigned long clock, const void *until) {
    WAITS(__real_pthread_cond_clockwait(condition, mutex, clock, until));
}

WRAPPED(int, pthread_barrier_init, void *barrier, const void *attributes, unsigned count) {
    INITIALIZES(barrier, GNOMON_LOCK_BARRIER, __real_pthread_barrier_init(barrier, attributes, count));
}
WRAPPED(int, pthread_barrier_destroy, void *barrier) {
    DESTROYS(barrier, __real_pthread_barrier_destroy(barrier));
}
/* Returns 0 or, to one of the threads, PTHREAD_BARRIER_SERIAL_THREAD, which is negative; an error is positive. */
WRAPPED(int, pthread_barrier_wait, void *barrier) {
    const uint32_t caller = CALLER, index = __gnomon_lock_index(barrier, GNOMON_LOCK_BARRIER, caller);
    __gnomon_lock_send(GNOMON_LOCKS_REQUEST, index, caller);
    const int result = __real_pthread_barrier_wait(barrier);
    __gnomon_lock_send(result > 0 ? GNOMON_LOCKS_REFUSED : GNOMON_LOCKS_ACQUIRED, index, caller);
    return result;
}

WRAPPED(int, pthread_once, void *once, void (*function)(void)) {
    WAITS_FOR(__gnomon_lock_index(once, GNOMON_LOCK_ONCE, caller), __real_pthread_once(once, function));
}

#define SEMAPHORE __gnomon_lock_index(semaphore, GNOMON_LOCK_SEMAPHORE, caller)

WRAPPED(int, sem_init, void *semaphore, int shared, unsigned value) {
    INITIALIZES(semaphore, GNOMON_LOCK_SEMAPHORE, __real_sem_init(semaphore, shared, value));
}
WRAPPED(int, sem_destroy, void *semaphore) {
    DESTROYS(semaphore, __real_sem_destroy(semaphore));
}
WRAPPED(int, sem_wait, void *semaphore) {
    WAITS_FOR(SEMAPHORE, __real_sem_wait(semaphore));
}
WRAPPED(int, sem_timedwait, void *semaphore, const void *until) {
    WAITS_FOR(SEMAPHORE, __real_sem_timedwait(semaphore, until));
}
WRAPPED(int, sem_clockwait, void *semaphore, unsigned long clock, const void *until) {
    WAITS_FOR(SEMAPHORE, __real_sem_clockwait(semaphore, clock, until));
}
WRAPPED(int, sem_trywait, void *semaphore) {
    TRIES(SEMAPHORE, __real_sem_trywait(semaphore));
}
WRAPPED(int, sem_post, void *semaphore) {
    GIVES_UP(SEMAPHORE, __real_sem_post(semaphore));
}
