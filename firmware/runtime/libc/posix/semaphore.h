/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores of POSIX without names (docs/guide/threads.md). sem_post may be called in interrupt handlers. */
#ifndef GNOMON_SEMAPHORE_H
#define GNOMON_SEMAPHORE_H

#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gnomon_thread;
typedef struct {
    struct gnomon_thread *waiters;
    unsigned value;
} sem_t;

#undef SEM_VALUE_MAX
#define SEM_VALUE_MAX 0x7FFFFFFF

int sem_init(sem_t *semaphore, int shared, unsigned value);
int sem_destroy(sem_t *semaphore);
int sem_wait(sem_t *semaphore);
int sem_trywait(sem_t *semaphore);
int sem_timedwait(sem_t *semaphore, const struct timespec *until);
int sem_post(sem_t *semaphore);
int sem_getvalue(sem_t *semaphore, int *value);

#ifdef __cplusplus
}
#endif

#endif
