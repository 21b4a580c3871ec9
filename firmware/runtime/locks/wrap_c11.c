/* SPDX-License-Identifier: Apache-2.0 */
/* Locks of C11's threads.h. Its functions call those of pthread.h. These wrappers take their place, so that the caller
 * in the messages is the program's. */
#include <threads.h>

#include "locks/wrap.h"

int __real_pthread_mutex_lock(void *mutex);
int __real_pthread_mutex_timedlock(void *mutex, const void *until);
int __real_pthread_mutex_trylock(void *mutex);
int __real_pthread_mutex_unlock(void *mutex);
int __real_pthread_cond_wait(void *condition, void *mutex);
int __real_pthread_cond_timedwait(void *condition, void *mutex, const void *until);
int __real_pthread_cond_signal(void *condition);
int __real_pthread_cond_broadcast(void *condition);
int __real_pthread_once(void *once, void (*function)(void));

static int c11(int error) {
    return error == 0           ? thrd_success
           : error == EBUSY     ? thrd_busy
           : error == ETIMEDOUT ? thrd_timedout
           : error == ENOMEM    ? thrd_nomem
                                : thrd_error;
}

#define MUTEX __gnomon_lock_index(mutex, GNOMON_LOCK_MUTEX, caller)
#define CONDITION __gnomon_lock_index(condition, GNOMON_LOCK_CONDITION, caller)

/* These call the functions of pthread.h, whose wrappers have made the entry. */
static int initialized(int result, const void *lock, uint32_t caller) {
    struct gnomon_lock_entry *entry = &__gnomon_lock_table[__gnomon_lock_known(__gnomon_address(lock))];
    if (result == thrd_success && entry->state == GNOMON_LOCK_LIVE) /* else the table is full */
        entry->caller = caller;
    return result;
}

WRAPPED(int, mtx_init, mtx_t *mutex, int type) {
    return initialized(__real_mtx_init(mutex, type), mutex, CALLER);
}
WRAPPED(int, cnd_init, cnd_t *condition) {
    return initialized(__real_cnd_init(condition), condition, CALLER);
}
WRAPPED(int, mtx_lock, mtx_t *mutex) {
    WAITS_FOR_AS(c11, MUTEX, __real_pthread_mutex_lock(mutex));
}
WRAPPED(int, mtx_timedlock, mtx_t *mutex, const struct timespec *until) {
    WAITS_FOR_AS(c11, MUTEX, __real_pthread_mutex_timedlock(mutex, until));
}
WRAPPED(int, mtx_trylock, mtx_t *mutex) {
    TRIES_AS(c11, MUTEX, __real_pthread_mutex_trylock(mutex));
}
WRAPPED(int, mtx_unlock, mtx_t *mutex) {
    GIVES_UP_AS(c11, MUTEX, __real_pthread_mutex_unlock(mutex));
}
WRAPPED(int, cnd_wait, cnd_t *condition, mtx_t *mutex) {
    WAITS_AS(c11, __real_pthread_cond_wait(condition, mutex));
}
WRAPPED(int, cnd_timedwait, cnd_t *condition, mtx_t *mutex, const struct timespec *until) {
    WAITS_AS(c11, __real_pthread_cond_timedwait(condition, mutex, until));
}
WRAPPED(int, cnd_signal, cnd_t *condition) {
    GIVES_UP_AS(c11, CONDITION, __real_pthread_cond_signal(condition));
}
WRAPPED(int, cnd_broadcast, cnd_t *condition) {
    GIVES_UP_AS(c11, CONDITION, __real_pthread_cond_broadcast(condition));
}
WRAPPED(void, call_once, once_flag *once, void (*function)(void)) {
    const uint32_t caller = CALLER, index = __gnomon_lock_index(once, GNOMON_LOCK_ONCE, caller);
    __gnomon_lock_send(GNOMON_LOCKS_REQUEST, index, caller);
    const int result = __real_pthread_once(once, function);
    __gnomon_lock_send(result ? GNOMON_LOCKS_REFUSED : GNOMON_LOCKS_ACQUIRED, index, caller);
}
