/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cc/cc_locks.h"

#include <stddef.h>

const char *const cc_lock_functions[] = {
    "__gnomon_wait",
    "__gnomon_kernel_end",
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_mutex_clocklock",
    "pthread_mutex_unlock",
    "pthread_spin_init",
    "pthread_spin_destroy",
    "pthread_spin_lock",
    "pthread_spin_trylock",
    "pthread_spin_unlock",
    "pthread_rwlock_init",
    "pthread_rwlock_destroy",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_clockrdlock",
    "pthread_rwlock_wrlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_clockwrlock",
    "pthread_rwlock_unlock",
    "pthread_cond_init",
    "pthread_cond_destroy",
    "pthread_cond_wait",
    "pthread_cond_timedwait",
    "pthread_cond_clockwait",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
    "pthread_barrier_init",
    "pthread_barrier_destroy",
    "pthread_barrier_wait",
    "pthread_once",
    "mtx_init",
    "mtx_lock",
    "mtx_timedlock",
    "mtx_trylock",
    "mtx_unlock",
    "cnd_init",
    "cnd_wait",
    "cnd_timedwait",
    "cnd_signal",
    "cnd_broadcast",
    "call_once",
    "sem_init",
    "sem_destroy",
    "sem_wait",
    "sem_trywait",
    "sem_timedwait",
    "sem_clockwait",
    "sem_post",
    NULL,
};

const char *const cc_heap_functions[] = {
    "malloc",       "calloc",    "realloc",           "memalign", "aligned_alloc", "posix_memalign", "pvPortMalloc",
    "pvPortCalloc", "vPortFree", "__libc_init_array", "sbrk",     "exit",          "_exit",          NULL,
};

/* The message THREAD comes within these functions. Their enter would count for one thread and their exit for another.
 */
const char *const cc_freertos_flags[] = {
    "-fplugin-arg-gnomon-exclude=vTaskSwitchContext",
    "-fplugin-arg-gnomon-exclude=xPortStartScheduler",
    NULL,
};
