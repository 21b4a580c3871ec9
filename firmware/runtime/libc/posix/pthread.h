/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of POSIX, as the runtime has them (docs/guide/threads.md). */
#ifndef GNOMON_PTHREAD_H
#define GNOMON_PTHREAD_H

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#define GNOMON_RESTRICT
#else
#define GNOMON_RESTRICT restrict
#endif

struct gnomon_thread;

/* ---- Types. Static initialisers are all zero. ---- */

typedef unsigned long pthread_t;
typedef unsigned pthread_key_t;

typedef struct {
    void *stack; /* NULL: from the heap */
    size_t stack_size, guard_size;
    unsigned char detached, inherit, policy, priority;
} pthread_attr_t;

typedef struct {
    unsigned char type, protocol, shared;
} pthread_mutexattr_t;

typedef struct {
    struct gnomon_thread *owner, *waiters;
    void *next; /* mutex with priority inheritance that the owner holds, too */
    unsigned short count;
    unsigned char type, protocol;
} pthread_mutex_t;

typedef struct {
    unsigned char clock, shared;
} pthread_condattr_t;

typedef struct {
    struct gnomon_thread *waiters;
} pthread_cond_t;

typedef struct {
    unsigned char shared;
} pthread_rwlockattr_t;

typedef struct {
    struct gnomon_thread *writer, *waiters;
    unsigned readers;
} pthread_rwlock_t;

typedef struct {
    struct gnomon_thread *owner, *waiters;
} pthread_spinlock_t;

typedef struct {
    unsigned char shared;
} pthread_barrierattr_t;

typedef struct {
    struct gnomon_thread *waiters;
    unsigned count, arrived;
} pthread_barrier_t;

typedef struct {
    struct gnomon_thread *waiters;
    int state;
} pthread_once_t;

#define PTHREAD_MUTEX_INITIALIZER                                                                                      \
    { 0, 0, 0, 0, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE }
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP                                                                         \
    { 0, 0, 0, 0, PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE }
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP                                                                        \
    { 0, 0, 0, 0, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE }
#define PTHREAD_COND_INITIALIZER                                                                                       \
    { 0 }
#define PTHREAD_RWLOCK_INITIALIZER                                                                                     \
    { 0, 0, 0 }
#define PTHREAD_ONCE_INIT                                                                                              \
    { 0, 0 }

/* Macros: programs ask for them with #ifdef. */
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_INHERIT_SCHED 0
#define PTHREAD_EXPLICIT_SCHED 1
#define PTHREAD_SCOPE_SYSTEM 0
#define PTHREAD_SCOPE_PROCESS 1
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_DEFAULT PTHREAD_MUTEX_NORMAL
#define PTHREAD_PRIO_NONE 0
#define PTHREAD_PRIO_INHERIT 1
#define PTHREAD_PRIO_PROTECT 2 /* refused: ENOTSUP */
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#define PTHREAD_CANCEL_DEFERRED 0
#define PTHREAD_CANCEL_ASYNCHRONOUS 1
#define PTHREAD_CANCELED ((void *)-1)
#undef PTHREAD_STACK_MIN
#define PTHREAD_STACK_MIN 1024
#undef PTHREAD_KEYS_MAX
#define PTHREAD_KEYS_MAX 128
#undef PTHREAD_DESTRUCTOR_ITERATIONS
#define PTHREAD_DESTRUCTOR_ITERATIONS 4

/* ---- Threads ---- */

/* Microseconds that a thread runs while others of its priority wait. A program can define this variable; it is 1000
 * otherwise. */
extern const unsigned gnomon_threads_slice;

/* With --gnomon-harts: the number of harts that threads use, of those that the device has. A program can define it, as
 * 1. Without a definition it is 2. */
extern const unsigned gnomon_threads_harts;

/* On which harts a thread may run; a new thread may run where its creator may. Each has a bit in a cpu_set_t (sched.h).
 */
int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set);
int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set);

int pthread_create(pthread_t *GNOMON_RESTRICT thread, const pthread_attr_t *GNOMON_RESTRICT attr,
                   void *(*start)(void *), void *GNOMON_RESTRICT argument);
int pthread_join(pthread_t thread, void **result);
int pthread_detach(pthread_t thread);
void pthread_exit(void *result) __attribute__((noreturn));
pthread_t pthread_self(void);
int pthread_equal(pthread_t a, pthread_t b);
int pthread_setname_np(pthread_t thread, const char *name);
int pthread_getname_np(pthread_t thread, char *name, size_t size);
int pthread_getschedparam(pthread_t thread, int *GNOMON_RESTRICT policy, struct sched_param *GNOMON_RESTRICT param);
int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *param);
int pthread_setschedprio(pthread_t thread, int priority);
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

int pthread_attr_init(pthread_attr_t *attr);
int pthread_attr_destroy(pthread_attr_t *attr);
int pthread_attr_setdetachstate(pthread_attr_t *attr, int state);
int pthread_attr_getdetachstate(const pthread_attr_t *attr, int *state);
int pthread_attr_setstacksize(pthread_attr_t *attr, size_t size);
int pthread_attr_getstacksize(const pthread_attr_t *GNOMON_RESTRICT attr, size_t *GNOMON_RESTRICT size);
int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t size);
int pthread_attr_getstack(const pthread_attr_t *GNOMON_RESTRICT attr, void **GNOMON_RESTRICT stack,
                          size_t *GNOMON_RESTRICT size);
int pthread_attr_setguardsize(pthread_attr_t *attr, size_t size);
int pthread_attr_getguardsize(const pthread_attr_t *GNOMON_RESTRICT attr, size_t *GNOMON_RESTRICT size);
int pthread_attr_setinheritsched(pthread_attr_t *attr, int inherit);
int pthread_attr_getinheritsched(const pthread_attr_t *GNOMON_RESTRICT attr, int *GNOMON_RESTRICT inherit);
int pthread_attr_setschedpolicy(pthread_attr_t *attr, int policy);
int pthread_attr_getschedpolicy(const pthread_attr_t *GNOMON_RESTRICT attr, int *GNOMON_RESTRICT policy);
int pthread_attr_setschedparam(pthread_attr_t *GNOMON_RESTRICT attr, const struct sched_param *GNOMON_RESTRICT param);
int pthread_attr_getschedparam(const pthread_attr_t *GNOMON_RESTRICT attr, struct sched_param *GNOMON_RESTRICT param);
int pthread_attr_setscope(pthread_attr_t *attr, int scope);
int pthread_attr_getscope(const pthread_attr_t *GNOMON_RESTRICT attr, int *GNOMON_RESTRICT scope);

/* There is no cancellation: pthread_cancel returns ENOSYS. */
int pthread_cancel(pthread_t thread);
int pthread_setcancelstate(int state, int *old);
int pthread_setcanceltype(int type, int *old);
void pthread_testcancel(void);

struct gnomon_cleanup {
    void (*routine)(void *);
    void *argument;
    struct gnomon_cleanup *below;
};
void gnomon_cleanup_push(struct gnomon_cleanup *cleanup);
void gnomon_cleanup_pop(struct gnomon_cleanup *cleanup, int execute);
#define pthread_cleanup_push(function, value)                                                                          \
    do {                                                                                                               \
        struct gnomon_cleanup gnomon_cleanup = {(function), (value), 0};                                               \
        gnomon_cleanup_push(&gnomon_cleanup);
#define pthread_cleanup_pop(execute)                                                                                   \
    gnomon_cleanup_pop(&gnomon_cleanup, (execute));                                                                    \
    }                                                                                                                  \
    while (0)

/* ---- Locks ---- */

int pthread_mutex_init(pthread_mutex_t *GNOMON_RESTRICT mutex, const pthread_mutexattr_t *GNOMON_RESTRICT attr);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_trylock(pthread_mutex_t *mutex);
int pthread_mutex_timedlock(pthread_mutex_t *GNOMON_RESTRICT mutex, const struct timespec *GNOMON_RESTRICT until);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_mutexattr_init(pthread_mutexattr_t *attr);
int pthread_mutexattr_destroy(pthread_mutexattr_t *attr);
int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int type);
int pthread_mutexattr_gettype(const pthread_mutexattr_t *GNOMON_RESTRICT attr, int *GNOMON_RESTRICT type);
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attr, int protocol);
int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *GNOMON_RESTRICT attr, int *GNOMON_RESTRICT protocol);
int pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int shared);
int pthread_mutexattr_getpshared(const pthread_mutexattr_t *GNOMON_RESTRICT attr, int *GNOMON_RESTRICT shared);

int pthread_cond_init(pthread_cond_t *GNOMON_RESTRICT cond, const pthread_condattr_t *GNOMON_RESTRICT attr);
int pthread_cond_destroy(pthread_cond_t *cond);
int pthread_cond_wait(pthread_cond_t *GNOMON_RESTRICT cond, pthread_mutex_t *GNOMON_RESTRICT mutex);
int pthread_cond_timedwait(pthread_cond_t *GNOMON_RESTRICT cond, pthread_mutex_t *GNOMON_RESTRICT mutex,
                           const struct timespec *GNOMON_RESTRICT until);
int pthread_cond_signal(pthread_cond_t *cond);
int pthread_cond_broadcast(pthread_cond_t *cond);
int pthread_condattr_init(pthread_condattr_t *attr);
int pthread_condattr_destroy(pthread_condattr_t *attr);
int pthread_condattr_setclock(pthread_condattr_t *attr, clockid_t clock);
int pthread_condattr_getclock(const pthread_condattr_t *GNOMON_RESTRICT attr, clockid_t *GNOMON_RESTRICT clock);
int pthread_condattr_setpshared(pthread_condattr_t *attr, int shared);
int pthread_condattr_getpshared(const pthread_condattr_t *GNOMON_RESTRICT attr, int *GNOMON_RESTRICT shared);

int pthread_rwlock_init(pthread_rwlock_t *GNOMON_RESTRICT lock, const pthread_rwlockattr_t *GNOMON_RESTRICT attr);
int pthread_rwlock_destroy(pthread_rwlock_t *lock);
int pthread_rwlock_rdlock(pthread_rwlock_t *lock);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock);
int pthread_rwlock_timedrdlock(pthread_rwlock_t *GNOMON_RESTRICT lock, const struct timespec *GNOMON_RESTRICT until);
int pthread_rwlock_wrlock(pthread_rwlock_t *lock);
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock);
int pthread_rwlock_timedwrlock(pthread_rwlock_t *GNOMON_RESTRICT lock, const struct timespec *GNOMON_RESTRICT until);
int pthread_rwlock_unlock(pthread_rwlock_t *lock);
int pthread_rwlockattr_init(pthread_rwlockattr_t *attr);
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attr);
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attr, int shared);
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *GNOMON_RESTRICT attr, int *GNOMON_RESTRICT shared);

int pthread_spin_init(pthread_spinlock_t *lock, int shared);
int pthread_spin_destroy(pthread_spinlock_t *lock);
int pthread_spin_lock(pthread_spinlock_t *lock);
int pthread_spin_trylock(pthread_spinlock_t *lock);
int pthread_spin_unlock(pthread_spinlock_t *lock);

int pthread_barrier_init(pthread_barrier_t *GNOMON_RESTRICT barrier, const pthread_barrierattr_t *GNOMON_RESTRICT attr,
                         unsigned count);
int pthread_barrier_destroy(pthread_barrier_t *barrier);
int pthread_barrier_wait(pthread_barrier_t *barrier);
int pthread_barrierattr_init(pthread_barrierattr_t *attr);
int pthread_barrierattr_destroy(pthread_barrierattr_t *attr);
int pthread_barrierattr_setpshared(pthread_barrierattr_t *attr, int shared);
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *GNOMON_RESTRICT attr, int *GNOMON_RESTRICT shared);

/* ---- Once, and data of each thread ---- */

int pthread_once(pthread_once_t *once, void (*routine)(void));
int pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
int pthread_key_delete(pthread_key_t key);
void *pthread_getspecific(pthread_key_t key);
int pthread_setspecific(pthread_key_t key, const void *value);

#undef GNOMON_RESTRICT
#ifdef __cplusplus
}
#endif

#endif
