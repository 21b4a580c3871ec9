/* SPDX-License-Identifier: Apache-2.0 */
/* The locks of picolibc (malloc, streams, environment, ...) in programs with threads. In other programs, picolibc's own
 * empty functions are linked. */
#include <stdlib.h>
#include <sys/lock.h>

#include "threads/kernel.h"

struct __lock {
    pthread_mutex_t mutex;
};

struct __lock __lock___libc_recursive_mutex = {PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};

/* For streams without a lock of their own: the standard streams, and all if there was no memory. */
static struct __lock common = {PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};

static struct __lock own_lock = {PTHREAD_MUTEX_INITIALIZER};

static void take(struct __lock *lock) {
    const uint32_t before = kernel_enter();
    __gnomon_mutex_take(lock ? &lock->mutex : &common.mutex, true, FOREVER);
    kernel_leave(before);
}

static int try_to_take(struct __lock *lock) {
    const uint32_t before = kernel_enter();
    const int error = __gnomon_mutex_take(lock ? &lock->mutex : &common.mutex, false, FOREVER);
    kernel_leave(before);
    return !error;
}

static void give(struct __lock *lock) {
    const uint32_t before = kernel_enter();
    __gnomon_mutex_give(lock ? &lock->mutex : &common.mutex);
    kernel_leave(before);
}

static void make(_LOCK_T *lock, unsigned char type) {
    *lock = calloc(1, sizeof **lock);
    if (*lock)
        (*lock)->mutex.type = type;
}

void __retarget_lock_init(_LOCK_T *lock) {
    make(lock, PTHREAD_MUTEX_NORMAL);
}

void __retarget_lock_init_recursive(_LOCK_T *lock) {
    make(lock, PTHREAD_MUTEX_RECURSIVE);
}

void __retarget_lock_close(_LOCK_T lock) {
    free(lock);
}

void __retarget_lock_close_recursive(_LOCK_T lock) {
    free(lock);
}

void __retarget_lock_acquire(_LOCK_T lock) {
    take(lock);
}

void __retarget_lock_acquire_recursive(_LOCK_T lock) {
    take(lock);
}

int __retarget_lock_try_acquire(_LOCK_T lock) {
    return try_to_take(lock);
}

int __retarget_lock_try_acquire_recursive(_LOCK_T lock) {
    return try_to_take(lock);
}

void __retarget_lock_release(_LOCK_T lock) {
    give(lock);
}

void __retarget_lock_release_recursive(_LOCK_T lock) {
    give(lock);
}

void __gnomon_threads_lock(void) {
    take(&own_lock);
}

void __gnomon_threads_unlock(void) {
    give(&own_lock);
}
