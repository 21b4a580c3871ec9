/* SPDX-License-Identifier: Apache-2.0 */
/* Lock functions that do nothing: each returns the number that the test sets before. The test of the messages needs no
 * more, and reaches every result this way. */
#ifndef STAND_IN_H
#define STAND_IN_H

#ifdef __cplusplus
extern "C" {
#endif

extern int stand_in_result;
extern int stand_in_type; /* of a mutex: what pthread_mutexattr_gettype says */

#define ONE(name) int name(void *a);
#define TWO(name) int name(void *a, const void *b);
#define ONES(do)                                                                                                       \
    do                                                                                                                 \
    (pthread_mutex_destroy) do(                                                                                        \
        pthread_mutex_lock) do(pthread_mutex_trylock) do(pthread_mutex_unlock) do(pthread_spin_destroy) do(pthread_spin_lock) do(pthread_spin_trylock) do(pthread_spin_unlock) do(pthread_rwlock_destroy) do(pthread_rwlock_rdlock) do(pthread_rwlock_tryrdlock) do(pthread_rwlock_wrlock) do(pthread_rwlock_trywrlock) do(pthread_rwlock_unlock) do(pthread_cond_destroy) do(pthread_cond_signal) do(pthread_cond_broadcast) do(pthread_barrier_destroy) do(pthread_barrier_wait) do(sem_destroy) do(sem_wait) do(sem_trywait) do(sem_post)
#define TWOS(do)                                                                                                       \
    do                                                                                                                 \
    (pthread_mutex_init) do(pthread_mutex_timedlock) do(pthread_rwlock_init) do(pthread_rwlock_timedrdlock) do(        \
        pthread_rwlock_timedwrlock) do(pthread_cond_init) do(sem_timedwait)
ONES(ONE)
TWOS(TWO)
int pthread_mutex_clocklock(void *a, unsigned long clock, const void *b);
int pthread_rwlock_clockrdlock(void *a, unsigned long clock, const void *b);
int pthread_rwlock_clockwrlock(void *a, unsigned long clock, const void *b);
int sem_clockwait(void *a, unsigned long clock, const void *b);
int pthread_spin_init(void *a, int shared);
int pthread_cond_wait(void *a, void *b);
int pthread_cond_timedwait(void *a, void *b, const void *c);
int pthread_cond_clockwait(void *a, void *b, unsigned long clock, const void *c);
int pthread_barrier_init(void *a, const void *b, unsigned count);
int pthread_once(void *a, void (*f)(void));
int sem_init(void *a, int shared, unsigned value);
int pthread_mutexattr_gettype(const void *a, int *type);

#ifdef __cplusplus
}
#endif

#endif
