/* SPDX-License-Identifier: Apache-2.0 */
/* A tiny kernel that calls the tracing callbacks in the order in which Zephyr's documentation has them. Threads run
 * until they wait or yield. A wait with a timeout other than K_FOREVER ends without success when no thread is ready. */
#include <errno.h>
#include <stdlib.h>
#include <zephyr/tracing/tracing.h>

enum { MOST = 16 };
static struct k_thread start, *threads[MOST] = {&start}, *current = &start;
static unsigned count = 1, last;

/* Saves the callee-saved registers, and goes on where the other thread stopped. */
void switch_stacks(uint32_t *from, uint32_t to);
__asm__(".text\n.globl switch_stacks\n.type switch_stacks, @function\nswitch_stacks:\n"
        "addi sp,sp,-64\nsw ra,0(sp)\nsw s0,4(sp)\nsw s1,8(sp)\nsw s2,12(sp)\nsw s3,16(sp)\nsw s4,20(sp)\n"
        "sw s5,24(sp)\nsw s6,28(sp)\nsw s7,32(sp)\nsw s8,36(sp)\nsw s9,40(sp)\nsw s10,44(sp)\nsw s11,48(sp)\n"
        "sw sp,0(a0)\nmv sp,a1\n"
        "lw ra,0(sp)\nlw s0,4(sp)\nlw s1,8(sp)\nlw s2,12(sp)\nlw s3,16(sp)\nlw s4,20(sp)\n"
        "lw s5,24(sp)\nlw s6,28(sp)\nlw s7,32(sp)\nlw s8,36(sp)\nlw s9,40(sp)\nlw s10,44(sp)\nlw s11,48(sp)\n"
        "addi sp,sp,64\nret\n.size switch_stacks, . - switch_stacks\n");

k_tid_t k_sched_current_thread_query(void) {
    return current;
}
const char *k_thread_name_get(k_tid_t thread) {
    return thread->name;
}
int k_thread_name_set(k_tid_t thread, const char *name) {
    thread->name = name;
    sys_trace_thread_name_set_user(thread);
    return 0;
}

/* A thread that waits for a time, or NULL: its time is over now. */
static struct k_thread *time_out(void) {
    for (unsigned i = 1; i < count; i++)
        if (threads[i]->result == -EAGAIN) {
            threads[i]->ready = true;
            return threads[i];
        }
    return NULL;
}
static struct k_thread *next_ready(void) {
    for (unsigned i = 1; i <= count; i++) {
        const unsigned at = (last + i) % count;
        if (threads[at]->ready) {
            last = at;
            return threads[at];
        }
    }
    return time_out();
}
/* This function and `begin` have no hooks: the thread changes within them. */
__attribute__((noinline)) static void switch_to(struct k_thread *to) {
    struct k_thread *from = current;
    current = to;
    switch_stacks(&from->sp, to->sp);
    sys_trace_thread_switched_in_user();
}
static void swap(void) {
    struct k_thread *to = next_ready();
    if (!to)
        abort();
    if (to != current)
        switch_to(to);
}
static void begin(void) {
    sys_trace_thread_switched_in_user();
    current->entry(current->argument);
    k_thread_abort(current);
}

k_tid_t k_thread_create(struct k_thread *thread, void (*entry)(void *argument), void *argument) {
    thread->sp = (uint32_t)(uintptr_t)(thread->stack + sizeof thread->stack - 64);
    *(uint32_t *)(uintptr_t)thread->sp = (uint32_t)(uintptr_t)begin;
    thread->entry = entry;
    thread->argument = argument;
    thread->ready = true;
    threads[count++] = thread;
    sys_trace_thread_create_user(thread);
    return thread;
}
void k_thread_abort(k_tid_t thread) {
    sys_trace_thread_abort_user(thread);
    thread->ready = false;
    if (thread == current)
        swap();
}
void k_yield(void) {
    swap();
}

static int wait_for(const void *object, k_timeout_t timeout) {
    current->waits_for = object;
    current->ready = false;
    current->result = K_TIMEOUT_EQ(timeout, K_FOREVER) ? 0 : -EAGAIN;
    swap();
    current->waits_for = NULL;
    const int result = current->result;
    current->result = 0;
    return result;
}
static struct k_thread *wake(const void *object) {
    for (unsigned i = 0; i < count; i++)
        if (threads[i]->waits_for == object && !threads[i]->ready) {
            threads[i]->ready = true;
            threads[i]->result = 0;
            return threads[i];
        }
    return NULL;
}

int k_mutex_init(struct k_mutex *mutex) {
    *mutex = (struct k_mutex){0};
    sys_trace_k_mutex_init_user(mutex, 0);
    return 0;
}
int k_mutex_lock(struct k_mutex *mutex, k_timeout_t timeout) {
    int result = 0;
    sys_trace_k_mutex_lock_enter_user(mutex, timeout);
    if (!mutex->count || mutex->owner == current) {
        mutex->count++;
        mutex->owner = current;
    } else if (K_TIMEOUT_EQ(timeout, K_NO_WAIT)) {
        result = -EBUSY;
    } else {
        result = wait_for(mutex, timeout);
    }
    sys_trace_k_mutex_lock_exit_user(mutex, timeout, result);
    return result;
}
int k_mutex_unlock(struct k_mutex *mutex) {
    sys_trace_k_mutex_unlock_enter_user(mutex);
    const int result = !mutex->count ? -EINVAL : mutex->owner != current ? -EPERM : 0;
    if (!result && --mutex->count == 0) {
        mutex->owner = wake(mutex);
        mutex->count = mutex->owner != NULL;
    }
    sys_trace_k_mutex_unlock_exit_user(mutex, result);
    return result;
}

int k_sem_init(struct k_sem *sem, unsigned first, unsigned limit) {
    *sem = (struct k_sem){first, limit};
    sys_trace_k_sem_init_user(sem, 0);
    return 0;
}
int k_sem_take(struct k_sem *sem, k_timeout_t timeout) {
    int result = 0;
    sys_trace_k_sem_take_enter_user(sem, timeout);
    if (sem->count)
        sem->count--;
    else
        result = K_TIMEOUT_EQ(timeout, K_NO_WAIT) ? -EBUSY : wait_for(sem, timeout);
    sys_trace_k_sem_take_exit_user(sem, timeout, result);
    return result;
}
void k_sem_give(struct k_sem *sem) {
    sys_trace_k_sem_give_enter_user(sem);
    if (!wake(sem))
        sem->count += sem->count < sem->limit;
}

int k_condvar_init(struct k_condvar *condvar) {
    sys_trace_k_condvar_init_user(condvar, 0);
    return 0;
}
int k_condvar_wait(struct k_condvar *condvar, struct k_mutex *mutex, k_timeout_t timeout) {
    sys_trace_k_condvar_wait_enter_user(condvar, timeout);
    k_mutex_unlock(mutex);
    const int result = wait_for(condvar, timeout);
    sys_trace_k_condvar_wait_exit_user(condvar, timeout, result);
    k_mutex_lock(mutex, K_FOREVER);
    return result;
}
int k_condvar_signal(struct k_condvar *condvar) {
    sys_trace_k_condvar_signal_enter_user(condvar);
    return wake(condvar) != NULL;
}

void k_event_init(struct k_event *event) {
    event->events = 0;
    sys_trace_k_event_init_user(event);
}
uint32_t k_event_wait(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout) {
    sys_trace_k_event_wait_enter_user(event, events, reset, timeout);
    if (!(event->events & events) && !K_TIMEOUT_EQ(timeout, K_NO_WAIT))
        wait_for(event, timeout);
    const uint32_t matched = event->events & events;
    sys_trace_k_event_wait_exit_user(event, events, (int)matched);
    return matched;
}
uint32_t k_event_post(struct k_event *event, uint32_t events) {
    sys_trace_k_event_post_enter_user(event, events, events);
    event->events |= events;
    while (wake(event))
        ;
    return event->events;
}

void k_msgq_init(struct k_msgq *msgq, unsigned most) {
    *msgq = (struct k_msgq){.most = most};
    sys_trace_k_msgq_init_user(msgq);
}
int k_msgq_put(struct k_msgq *msgq, const int *message, k_timeout_t timeout) {
    int result = 0;
    if (msgq->used == msgq->most && !K_TIMEOUT_EQ(timeout, K_NO_WAIT)) {
        sys_trace_k_msgq_put_blocking_user(msgq, timeout);
        result = wait_for(&msgq->most, timeout);
    } else if (msgq->used == msgq->most) {
        result = -ENOMSG;
    }
    if (!result)
        msgq->messages[msgq->used++] = *message;
    sys_trace_k_msgq_put_exit_user(msgq, timeout, result);
    if (!result)
        wake(&msgq->used);
    return result;
}
int k_msgq_get(struct k_msgq *msgq, int *message, k_timeout_t timeout) {
    int result = 0;
    sys_trace_k_msgq_get_enter_user(msgq, timeout);
    if (!msgq->used)
        result = K_TIMEOUT_EQ(timeout, K_NO_WAIT) ? -ENOMSG : wait_for(&msgq->used, timeout);
    if (!result) {
        *message = msgq->messages[0];
        msgq->used--;
        for (unsigned i = 0; i < msgq->used; i++)
            msgq->messages[i] = msgq->messages[i + 1];
        wake(&msgq->most);
    }
    sys_trace_k_msgq_get_exit_user(msgq, timeout, result);
    return result;
}
