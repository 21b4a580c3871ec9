/* SPDX-License-Identifier: Apache-2.0 */
#include "stand_in.h"

int stand_in_result, stand_in_type;

#define DEFINE_ONE(name)                                                                                               \
    int name(void *a) {                                                                                                \
        (void)a;                                                                                                       \
        return stand_in_result;                                                                                        \
    }
#define DEFINE_TWO(name)                                                                                               \
    int name(void *a, const void *b) {                                                                                 \
        (void)a;                                                                                                       \
        (void)b;                                                                                                       \
        return stand_in_result;                                                                                        \
    }
ONES(DEFINE_ONE)
TWOS(DEFINE_TWO)

#define CLOCKED(name)                                                                                                  \
    int name(void *a, unsigned long clock, const void *b) {                                                            \
        (void)a;                                                                                                       \
        (void)b;                                                                                                       \
        return clock == 7 ? stand_in_result : -1000;                                                                   \
    }
CLOCKED(pthread_mutex_clocklock)
CLOCKED(pthread_rwlock_clockrdlock)
CLOCKED(pthread_rwlock_clockwrlock)
CLOCKED(sem_clockwait)

int pthread_spin_init(void *a, int shared) {
    (void)a;
    return shared ? -1000 : stand_in_result;
}
int pthread_cond_wait(void *a, void *b) {
    (void)a;
    (void)b;
    return stand_in_result;
}
int pthread_cond_timedwait(void *a, void *b, const void *c) {
    (void)c;
    return pthread_cond_wait(a, b);
}
int pthread_cond_clockwait(void *a, void *b, unsigned long clock, const void *c) {
    (void)c;
    return clock == 7 ? pthread_cond_wait(a, b) : -1000;
}
int pthread_barrier_init(void *a, const void *b, unsigned count) {
    (void)a;
    (void)b;
    return count == 3 ? stand_in_result : -1000;
}
int pthread_once(void *a, void (*f)(void)) {
    (void)a;
    f();
    return stand_in_result;
}
int sem_init(void *a, int shared, unsigned value) {
    (void)a;
    return !shared && value == 5 ? stand_in_result : -1000;
}
int pthread_mutexattr_gettype(const void *a, int *type) {
    (void)a;
    *type = stand_in_type;
    return 0;
}
