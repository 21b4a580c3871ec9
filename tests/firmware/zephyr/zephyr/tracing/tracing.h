/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for Zephyr's tracing.h with CONFIG_TRACING_USER: the callbacks, with their documented parameters. */
#ifndef ZEPHYR_TRACING_H
#define ZEPHYR_TRACING_H

#include <zephyr/kernel.h>

void sys_trace_thread_create_user(struct k_thread *thread);
void sys_trace_thread_abort_user(struct k_thread *thread);
void sys_trace_thread_name_set_user(struct k_thread *thread);
void sys_trace_thread_switched_in_user(void);
void sys_trace_k_mutex_init_user(struct k_mutex *mutex, int ret);
void sys_trace_k_mutex_lock_enter_user(struct k_mutex *mutex, k_timeout_t timeout);
void sys_trace_k_mutex_lock_exit_user(struct k_mutex *mutex, k_timeout_t timeout, int ret);
void sys_trace_k_mutex_unlock_enter_user(struct k_mutex *mutex);
void sys_trace_k_mutex_unlock_exit_user(struct k_mutex *mutex, int ret);
void sys_trace_k_sem_init_user(struct k_sem *sem, int ret);
void sys_trace_k_sem_give_enter_user(struct k_sem *sem);
void sys_trace_k_sem_take_enter_user(struct k_sem *sem, k_timeout_t timeout);
void sys_trace_k_sem_take_exit_user(struct k_sem *sem, k_timeout_t timeout, int ret);
void sys_trace_k_condvar_init_user(struct k_condvar *condvar, int ret);
void sys_trace_k_condvar_signal_enter_user(struct k_condvar *condvar);
void sys_trace_k_condvar_broadcast_enter_user(struct k_condvar *condvar);
void sys_trace_k_condvar_wait_enter_user(struct k_condvar *condvar, k_timeout_t timeout);
void sys_trace_k_condvar_wait_exit_user(struct k_condvar *condvar, k_timeout_t timeout, int ret);
void sys_trace_k_event_init_user(struct k_event *event);
void sys_trace_k_event_post_enter_user(struct k_event *event, uint32_t events, uint32_t events_mask);
void sys_trace_k_event_wait_enter_user(struct k_event *event, uint32_t events, uint32_t options, k_timeout_t timeout);
void sys_trace_k_event_wait_exit_user(struct k_event *event, uint32_t events, int ret);
void sys_trace_k_msgq_init_user(struct k_msgq *msgq);
void sys_trace_k_msgq_get_enter_user(struct k_msgq *msgq, k_timeout_t timeout);
void sys_trace_k_msgq_get_exit_user(struct k_msgq *msgq, k_timeout_t timeout, int ret);
void sys_trace_k_msgq_put_blocking_user(struct k_msgq *msgq, k_timeout_t timeout);
void sys_trace_k_msgq_put_exit_user(struct k_msgq *msgq, k_timeout_t timeout, int ret);
void sys_trace_k_msgq_put_front_blocking_user(struct k_msgq *msgq, k_timeout_t timeout);
void sys_trace_k_msgq_put_front_exit_user(struct k_msgq *msgq, k_timeout_t timeout, int ret);

#endif
