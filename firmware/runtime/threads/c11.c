/* SPDX-License-Identifier: Apache-2.0 */
/* <threads.h> of C11, by POSIX threads. */
#include <errno.h>
#include <threads.h>

#include "threads/kernel.h"

static int result(int error) {
    switch (error) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ENOMEM:
        return thrd_nomem;
    case ETIMEDOUT:
        return thrd_timedout;
    default:
        return thrd_error;
    }
}

/* An int is returned in the register in which a pointer is. */
int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
    void *(*const function)(void *) = (void *(*)(void *))(void (*)(void))start;
    const int error = pthread_create(thread, NULL, function, argument);
    return error == EAGAIN ? thrd_nomem : result(error);
}

thrd_t thrd_current(void) {
    return pthread_self();
}

int thrd_detach(thrd_t thread) {
    return result(pthread_detach(thread));
}

int thrd_equal(thrd_t a, thrd_t b) {
    return a == b;
}

void thrd_exit(int status) {
    pthread_exit((void *)(intptr_t)status);
}

int thrd_join(thrd_t thread, int *status) {
    void *value;
    const int error = pthread_join(thread, &value);
    if (!error && status)
        *status = (int)(intptr_t)value;
    return result(error);
}

int thrd_sleep(const struct timespec *time, struct timespec *left) {
    return clock_nanosleep(CLOCK_MONOTONIC, 0, time, left) ? -2 : 0;
}

void thrd_yield(void) {
    sched_yield();
}

int mtx_init(mtx_t *mutex, int type) {
    const pthread_mutexattr_t attr = {.type = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL};
    return type & ~(mtx_plain | mtx_timed | mtx_recursive) ? thrd_error : result(pthread_mutex_init(mutex, &attr));
}

void mtx_destroy(mtx_t *mutex) {
    pthread_mutex_destroy(mutex);
}

int mtx_lock(mtx_t *mutex) {
    return result(pthread_mutex_lock(mutex));
}

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until) {
    return result(pthread_mutex_timedlock(mutex, until));
}

int mtx_trylock(mtx_t *mutex) {
    return result(pthread_mutex_trylock(mutex));
}

int mtx_unlock(mtx_t *mutex) {
    return result(pthread_mutex_unlock(mutex));
}

int cnd_init(cnd_t *cond) {
    return result(pthread_cond_init(cond, NULL));
}

void cnd_destroy(cnd_t *cond) {
    pthread_cond_destroy(cond);
}

int cnd_signal(cnd_t *cond) {
    return result(pthread_cond_signal(cond));
}

int cnd_broadcast(cnd_t *cond) {
    return result(pthread_cond_broadcast(cond));
}

int cnd_wait(cnd_t *cond, mtx_t *mutex) {
    return result(pthread_cond_wait(cond, mutex));
}

int cnd_timedwait(cnd_t *restrict cond, mtx_t *restrict mutex, const struct timespec *restrict until) {
    return result(pthread_cond_timedwait(cond, mutex, until));
}

int tss_create(tss_t *key, tss_dtor_t destructor) {
    return result(pthread_key_create(key, destructor));
}

void tss_delete(tss_t key) {
    pthread_key_delete(key);
}

void *tss_get(tss_t key) {
    return pthread_getspecific(key);
}

int tss_set(tss_t key, void *value) {
    return result(pthread_setspecific(key, value));
}

void call_once(once_flag *once, void (*routine)(void)) {
    pthread_once(once, routine);
}
