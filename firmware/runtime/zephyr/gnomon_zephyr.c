/* SPDX-License-Identifier: Apache-2.0 */
/* Zephyr's threads, mutexes, semaphores, condition variables, message queues and events as messages: the callbacks of
 * CONFIG_TRACING_USER. This file is compiled with the application; docs/guide/zephyr.md says how. An interrupt's calls
 * count for the thread that it interrupted. */
#include <zephyr/kernel.h>
#include <zephyr/tracing/tracing.h>

#include "locks/handles.h"
#include "locks/locks_internal.h"

/* Threads that wait for room in a message queue, by index. */
static bool waits_to_put[256];

/* The callbacks do not know what called Zephyr's function. In place of the caller stands one of two functions of this
 * file: a release that failed is told from a lock that was refused after a release by the caller. */
static void zephyr_asks(const volatile void *lock, enum gnomon_lock_kind kind, k_timeout_t timeout);
static void zephyr_releases(const volatile void *lock, enum gnomon_lock_kind kind);
#define ASKS ((uint32_t)(uintptr_t)zephyr_asks + 2)
#define RELEASES ((uint32_t)(uintptr_t)zephyr_releases + 2)

static void send(uint32_t what, const volatile void *lock, enum gnomon_lock_kind kind, uint32_t caller) {
    __gnomon_lock_send(what, __gnomon_lock_index(lock, kind, caller), caller);
}
/* Without a timeout the call does not wait. */
static void zephyr_asks(const volatile void *lock, enum gnomon_lock_kind kind, k_timeout_t timeout) {
    if (!K_TIMEOUT_EQ(timeout, K_NO_WAIT))
        send(GNOMON_LOCKS_REQUEST, lock, kind, ASKS);
}
static void zephyr_releases(const volatile void *lock, enum gnomon_lock_kind kind) {
    send(GNOMON_LOCKS_RELEASED, lock, kind, RELEASES);
}
static void gets(const volatile void *lock, enum gnomon_lock_kind kind, bool good) {
    send(good ? GNOMON_LOCKS_ACQUIRED : GNOMON_LOCKS_REFUSED, lock, kind, ASKS);
}
static void initialized(const volatile void *lock, enum gnomon_lock_kind kind, int error) {
    if (!error)
        __gnomon_lock_add(lock, kind, 0);
}

/* ---- Threads ---- */

/* Zephyr's main thread is one of its threads. What runs before them has index 0. */
static uint32_t add(struct k_thread *thread) {
    const uint32_t index = __gnomon_handle_add(thread, k_thread_name_get(thread), NULL);
    __gnomon_handle_threads[0].name = __gnomon_address("[start]");
    return index;
}
static uint32_t index_of(struct k_thread *thread) {
    const uint32_t index = __gnomon_handle_index(thread);
    return index == GNOMON_LOCKS_THREAD_OTHER && !__gnomon_locks.threads_refused ? add(thread) : index;
}
void sys_trace_thread_create_user(struct k_thread *thread) {
    const uint32_t before = __gnomon_locks_enter();
    add(thread);
    __gnomon_locks_leave(before);
}
void sys_trace_thread_name_set_user(struct k_thread *thread) {
    const uint32_t before = __gnomon_locks_enter();
    const uint32_t index = index_of(thread);
    if (index != GNOMON_LOCKS_THREAD_OTHER)
        __gnomon_handle_threads[index].name = __gnomon_address(k_thread_name_get(thread));
    __gnomon_locks_leave(before);
}
void sys_trace_thread_abort_user(struct k_thread *thread) {
    const uint32_t before = __gnomon_locks_enter();
    __gnomon_handle_ended(thread);
    __gnomon_locks_leave(before);
}
void sys_trace_thread_switched_in_user(void) {
    const uint32_t before = __gnomon_locks_enter();
    const uint32_t index = index_of(k_sched_current_thread_query());
    if (index != __gnomon_thread) {
        __gnomon_thread = index;
        GNOMON_SEND(GNOMON_CHANNEL_THREAD, index);
    }
    __gnomon_locks_leave(before);
}

/* ---- Mutexes: a thread may lock one again ---- */

void sys_trace_k_mutex_init_user(struct k_mutex *mutex, int error) {
    initialized(mutex, GNOMON_LOCK_RECURSIVE, error);
}
void sys_trace_k_mutex_lock_enter_user(struct k_mutex *mutex, k_timeout_t timeout) {
    zephyr_asks(mutex, GNOMON_LOCK_RECURSIVE, timeout);
}
void sys_trace_k_mutex_lock_exit_user(struct k_mutex *mutex, k_timeout_t timeout, int error) {
    (void)timeout;
    gets(mutex, GNOMON_LOCK_RECURSIVE, !error);
}
void sys_trace_k_mutex_unlock_enter_user(struct k_mutex *mutex) {
    zephyr_releases(mutex, GNOMON_LOCK_RECURSIVE);
}
void sys_trace_k_mutex_unlock_exit_user(struct k_mutex *mutex, int error) {
    if (error)
        send(GNOMON_LOCKS_REFUSED, mutex, GNOMON_LOCK_RECURSIVE, RELEASES);
}

/* ---- Semaphores ---- */

void sys_trace_k_sem_init_user(struct k_sem *sem, int error) {
    initialized(sem, GNOMON_LOCK_SEMAPHORE, error);
}
void sys_trace_k_sem_give_enter_user(struct k_sem *sem) {
    zephyr_releases(sem, GNOMON_LOCK_SEMAPHORE);
}
void sys_trace_k_sem_take_enter_user(struct k_sem *sem, k_timeout_t timeout) {
    zephyr_asks(sem, GNOMON_LOCK_SEMAPHORE, timeout);
}
void sys_trace_k_sem_take_exit_user(struct k_sem *sem, k_timeout_t timeout, int error) {
    (void)timeout;
    gets(sem, GNOMON_LOCK_SEMAPHORE, !error);
}

/* ---- Condition variables. Their functions unlock and lock the mutex by those above ---- */

void sys_trace_k_condvar_init_user(struct k_condvar *condvar, int error) {
    initialized(condvar, GNOMON_LOCK_CONDITION, error);
}
void sys_trace_k_condvar_signal_enter_user(struct k_condvar *condvar) {
    zephyr_releases(condvar, GNOMON_LOCK_CONDITION);
}
void sys_trace_k_condvar_broadcast_enter_user(struct k_condvar *condvar) {
    zephyr_releases(condvar, GNOMON_LOCK_CONDITION);
}
void sys_trace_k_condvar_wait_enter_user(struct k_condvar *condvar, k_timeout_t timeout) {
    (void)timeout;
    send(GNOMON_LOCKS_REQUEST, condvar, GNOMON_LOCK_CONDITION, ASKS);
}
void sys_trace_k_condvar_wait_exit_user(struct k_condvar *condvar, k_timeout_t timeout, int error) {
    (void)timeout;
    gets(condvar, GNOMON_LOCK_CONDITION, !error);
}

/* ---- Events: no bit set is a time-out ---- */

void sys_trace_k_event_init_user(struct k_event *event) {
    initialized(event, GNOMON_LOCK_CONDITION, 0);
}
void sys_trace_k_event_post_enter_user(struct k_event *event, uint32_t events, uint32_t mask) {
    (void)events;
    (void)mask;
    zephyr_releases(event, GNOMON_LOCK_CONDITION);
}
void sys_trace_k_event_wait_enter_user(struct k_event *event, uint32_t events, uint32_t options, k_timeout_t timeout) {
    (void)events;
    (void)options;
    zephyr_asks(event, GNOMON_LOCK_CONDITION, timeout);
}
void sys_trace_k_event_wait_exit_user(struct k_event *event, uint32_t events, int matched) {
    (void)events;
    gets(event, GNOMON_LOCK_CONDITION, matched != 0);
}

/* ---- Message queues: what the queue holds, and with the next index its room ---- */

static uint32_t queue_index(struct k_msgq *msgq) {
    return __gnomon_lock_index(msgq, GNOMON_LOCK_QUEUE, ASKS);
}
void sys_trace_k_msgq_init_user(struct k_msgq *msgq) {
    initialized(msgq, GNOMON_LOCK_QUEUE, 0);
}
void sys_trace_k_msgq_get_enter_user(struct k_msgq *msgq, k_timeout_t timeout) {
    zephyr_asks(msgq, GNOMON_LOCK_QUEUE, timeout);
}
void sys_trace_k_msgq_get_exit_user(struct k_msgq *msgq, k_timeout_t timeout, int error) {
    (void)timeout;
    gets(msgq, GNOMON_LOCK_QUEUE, !error);
}
void sys_trace_k_msgq_put_blocking_user(struct k_msgq *msgq, k_timeout_t timeout) {
    (void)timeout;
    waits_to_put[__gnomon_thread] = true;
    __gnomon_lock_send(GNOMON_LOCKS_REQUEST, queue_index(msgq) | 1, ASKS);
}
void sys_trace_k_msgq_put_exit_user(struct k_msgq *msgq, k_timeout_t timeout, int error) {
    (void)timeout;
    const uint32_t index = queue_index(msgq);
    if (waits_to_put[__gnomon_thread] || error)
        __gnomon_lock_send(error ? GNOMON_LOCKS_REFUSED : GNOMON_LOCKS_ACQUIRED, index | 1, ASKS);
    waits_to_put[__gnomon_thread] = false;
    if (!error)
        __gnomon_lock_send(GNOMON_LOCKS_RELEASED, index, RELEASES);
}
void sys_trace_k_msgq_put_front_blocking_user(struct k_msgq *msgq, k_timeout_t timeout) {
    sys_trace_k_msgq_put_blocking_user(msgq, timeout);
}
void sys_trace_k_msgq_put_front_exit_user(struct k_msgq *msgq, k_timeout_t timeout, int error) {
    sys_trace_k_msgq_put_exit_user(msgq, timeout, error);
}
