/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for Zephyr's kernel.h: the part of its documented interface that gnomon_zephyr.c and threads.c use. The
 * structures are our own; kernel.c has the functions. */
#ifndef ZEPHYR_KERNEL_H
#define ZEPHYR_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int64_t ticks;
} k_timeout_t;
#define K_NO_WAIT ((k_timeout_t){0})
#define K_FOREVER ((k_timeout_t){-1})
#define K_TIMEOUT_EQ(a, b) ((a).ticks == (b).ticks)

struct k_thread {
    uint32_t sp; /* must come first */
    const char *name;
    const void *waits_for;
    int result;
    void (*entry)(void *argument);
    void *argument;
    bool ready;
    _Alignas(16) unsigned char stack[2048];
};
typedef struct k_thread *k_tid_t;
struct k_mutex {
    struct k_thread *owner;
    unsigned count;
};
struct k_sem {
    unsigned count, limit;
};
struct k_msgq {
    unsigned used, most;
    int messages[4];
};
struct k_condvar {
    int unused;
};
struct k_event {
    uint32_t events;
};

k_tid_t k_sched_current_thread_query(void);
const char *k_thread_name_get(k_tid_t thread);
int k_thread_name_set(k_tid_t thread, const char *name);
k_tid_t k_thread_create(struct k_thread *thread, void (*entry)(void *argument), void *argument);
void k_thread_abort(k_tid_t thread);
void k_yield(void);

int k_mutex_init(struct k_mutex *mutex);
int k_mutex_lock(struct k_mutex *mutex, k_timeout_t timeout);
int k_mutex_unlock(struct k_mutex *mutex);
int k_sem_init(struct k_sem *sem, unsigned count, unsigned limit);
int k_sem_take(struct k_sem *sem, k_timeout_t timeout);
void k_sem_give(struct k_sem *sem);
int k_condvar_init(struct k_condvar *condvar);
int k_condvar_wait(struct k_condvar *condvar, struct k_mutex *mutex, k_timeout_t timeout);
int k_condvar_signal(struct k_condvar *condvar);
void k_event_init(struct k_event *event);
uint32_t k_event_wait(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout);
uint32_t k_event_post(struct k_event *event, uint32_t events);
void k_msgq_init(struct k_msgq *msgq, unsigned most);
int k_msgq_put(struct k_msgq *msgq, const int *message, k_timeout_t timeout);
int k_msgq_get(struct k_msgq *msgq, int *message, k_timeout_t timeout);

#endif
