/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes and spin locks. */
#include "locks/wrap.h"

int pthread_mutexattr_gettype(const void *attributes, int *type) __attribute__((weak));

static enum gnomon_lock_kind kind_of(const void *attributes) {
    enum { RECURSIVE = 1, ERRORCHECK = 2 };
    int type = 0;
    if (!attributes || !pthread_mutexattr_gettype || pthread_mutexattr_gettype(attributes, &type))
        return GNOMON_LOCK_MUTEX;
    return type == RECURSIVE ? GNOMON_LOCK_RECURSIVE : type == ERRORCHECK ? GNOMON_LOCK_ERRORCHECK : GNOMON_LOCK_MUTEX;
}

#define MUTEX __gnomon_lock_index(mutex, GNOMON_LOCK_MUTEX, caller)

WRAPPED(int, pthread_mutex_init, void *mutex, const void *attributes) {
    INITIALIZES(mutex, kind_of(attributes), __real_pthread_mutex_init(mutex, attributes));
}
WRAPPED(int, pthread_mutex_destroy, void *mutex) {
    DESTROYS(mutex, __real_pthread_mutex_destroy(mutex));
}
WRAPPED(int, pthread_mutex_lock, void *mutex) {
    WAITS_FOR(MUTEX, __real_pthread_mutex_lock(mutex));
}
WRAPPED(int, pthread_mutex_timedlock, void *mutex, const void *until) {
    WAITS_FOR(MUTEX, __real_pthread_mutex_timedlock(mutex, until));
}
WRAPPED(int, pthread_mutex_clocklock, void *mutex, unsigned long clock, const void *until) {
    WAITS_FOR(MUTEX, __real_pthread_mutex_clocklock(mutex, clock, until));
}
WRAPPED(int, pthread_mutex_trylock, void *mutex) {
    TRIES(MUTEX, __real_pthread_mutex_trylock(mutex));
}
WRAPPED(int, pthread_mutex_unlock, void *mutex) {
    GIVES_UP(MUTEX, __real_pthread_mutex_unlock(mutex));
}

#define SPIN __gnomon_lock_index(spin, GNOMON_LOCK_SPIN, caller)

WRAPPED(int, pthread_spin_init, void *spin, int shared) {
    INITIALIZES(spin, GNOMON_LOCK_SPIN, __real_pthread_spin_init(spin, shared));
}
WRAPPED(int, pthread_spin_destroy, void *spin) {
    DESTROYS(spin, __real_pthread_spin_destroy(spin));
}
WRAPPED(int, pthread_spin_lock, void *spin) {
    WAITS_FOR(SPIN, __real_pthread_spin_lock(spin));
}
WRAPPED(int, pthread_spin_trylock, void *spin) {
    TRIES(SPIN, __real_pthread_spin_trylock(spin));
}
WRAPPED(int, pthread_spin_unlock, void *spin) {
    GIVES_UP(SPIN, __real_pthread_spin_unlock(spin));
}
