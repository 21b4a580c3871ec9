/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of the kernel beside this file that use each kind of lock, with contention, time-outs, wrong use and a lock
 * order both ways. */
#include <errno.h>
#include <gnomon_locks.h>
#include <stdio.h>
#include <stdlib.h>
#include <zephyr/kernel.h>

static struct k_thread left, right, mover, control;
static struct k_mutex first, second;
static struct k_sem sem;
static struct k_condvar condvar;
static struct k_event event;
static struct k_msgq msgq;
static unsigned ended;

static void same(int got, int want, int line) {
    if (got == want)
        return;
    printf("line %d: %d, not %d\n", line, got, want);
    exit(1);
}
#define SAME(got, want) same((int)(got), want, __LINE__)

__attribute__((noinline)) static void spin(int rounds) {
    for (volatile int i = 0; i < rounds; i++)
        ;
}

static void run_left(void *argument) {
    (void)argument;
    for (int i = 0; i < 3; i++) {
        SAME(k_mutex_lock(&first, K_FOREVER), 0);
        k_yield();
        SAME(k_mutex_lock(&second, K_FOREVER), 0);
        SAME(k_mutex_lock(&second, K_NO_WAIT), 0); /* again */
        spin(50);
        SAME(k_mutex_unlock(&second), 0);
        SAME(k_mutex_unlock(&second), 0);
        SAME(k_mutex_unlock(&first), 0);
    }
    SAME(k_condvar_wait(&condvar, (k_mutex_lock(&first, K_FOREVER), &first), K_FOREVER), 0);
    SAME(k_mutex_unlock(&first), 0);
    SAME(k_mutex_unlock(&first), -EINVAL); /* wrong use */
    ended++;
}
static void run_right(void *argument) {
    (void)argument;
    for (int i = 0; i < 3; i++) {
        SAME(k_mutex_lock(&first, K_FOREVER), 0); /* contended */
        spin(100);
        SAME(k_mutex_unlock(&first), 0);
    }
    SAME(k_sem_take(&sem, K_FOREVER), 0);
    SAME(k_sem_take(&sem, K_NO_WAIT), -EBUSY);
    SAME(k_sem_take(&sem, (k_timeout_t){5}), -EAGAIN);
    SAME(k_event_wait(&event, 1, false, K_FOREVER), 1);
    ended++;
}
static void run_mover(void *argument) {
    (void)argument;
    for (int i = 0; i < 4; i++)
        SAME(k_msgq_put(&msgq, &i, K_FOREVER), 0); /* the fourth waits for room */
    ended++;
}
static void run_control(void *argument) {
    (void)argument;
    int message;
    for (int i = 0; i < 12; i++)
        k_yield();
    SAME(k_msgq_put(&msgq, &message, K_NO_WAIT), -ENOMSG);
    for (int i = 0; i < 4; i++) {
        SAME(k_msgq_get(&msgq, &message, K_FOREVER), 0);
        SAME(message, i);
        k_yield();
    }
    SAME(k_msgq_get(&msgq, &message, K_NO_WAIT), -ENOMSG);
    SAME(k_mutex_lock(&second, K_FOREVER), 0); /* the other order */
    SAME(k_mutex_lock(&first, K_FOREVER), 0);
    SAME(k_mutex_unlock(&first), 0);
    SAME(k_mutex_unlock(&second), 0);
    SAME(k_condvar_signal(&condvar), 1);
    k_sem_give(&sem);
    SAME(k_sem_take(&sem, K_NO_WAIT), -EBUSY); /* the waiting thread has it */
    k_yield();
    k_yield();
    SAME(k_sem_take(&sem, (k_timeout_t){9}), -EAGAIN);
    SAME(k_event_post(&event, 1), 1);
    while (ended < 3)
        k_yield();
    printf("all ended\n");
    exit(0);
}

int main(void) {
    left.name = "left";
    mover.name = "mover";
    control.name = "control";
    k_mutex_init(&first);
    k_mutex_init(&second);
    k_sem_init(&sem, 0, 2);
    k_condvar_init(&condvar);
    k_event_init(&event);
    k_msgq_init(&msgq, 3);
    gnomon_lock_name(&sem, "the semaphore");
    k_thread_create(&left, run_left, NULL);
    k_thread_name_set(k_thread_create(&right, run_right, NULL), "right");
    k_thread_create(&mover, run_mover, NULL);
    k_thread_create(&control, run_control, NULL);
    k_yield();
    return 1;
}
