/* SPDX-License-Identifier: Apache-2.0 */
/* Policies and priorities. SCHED_OTHER has the lowest priority, 0, and takes turns. SCHED_FIFO and SCHED_RR have 1 to
 * 32; threads of SCHED_RR take turns with those of their priority. */
#include <errno.h>
#include <unistd.h>

#include "internal.h"
#include "threads/kernel.h"

static bool valid(int policy, int priority) {
    return policy == SCHED_OTHER ? priority == 0 : priority > 0 && priority < PRIORITIES;
}

static bool known(int policy) {
    return policy == SCHED_OTHER || policy == SCHED_FIFO || policy == SCHED_RR;
}

int sched_yield(void) {
    const uint32_t before = kernel_enter();
    __gnomon_kernel_yield();
    kernel_leave(before);
    return 0;
}

int sched_get_priority_max(int policy) {
    if (known(policy))
        return policy == SCHED_OTHER ? 0 : PRIORITIES - 1;
    errno = EINVAL;
    return -1;
}

int sched_get_priority_min(int policy) {
    if (known(policy))
        return policy == SCHED_OTHER ? 0 : 1;
    errno = EINVAL;
    return -1;
}

int sched_rr_get_interval(pid_t pid, struct timespec *interval) {
    if (pid != 0 && pid != getpid()) {
        errno = ESRCH;
        return -1;
    }
    *interval = (struct timespec){gnomon_threads_slice / 1000000, (long)(gnomon_threads_slice % 1000000) * 1000};
    return 0;
}

int pthread_getschedparam(pthread_t handle, int *policy, struct sched_param *param) {
    const uint32_t before = kernel_enter();
    const struct gnomon_thread *thread = __gnomon_thread_find(handle);
    if (thread) {
        *policy = thread->policy;
        param->sched_priority = thread->base_priority;
    }
    kernel_leave(before);
    return thread ? 0 : ESRCH;
}

static int set(pthread_t handle, const int *policy, int priority) {
    const uint32_t before = kernel_enter();
    struct gnomon_thread *thread = __gnomon_thread_find(handle);
    const int error = !thread ? ESRCH : !valid(policy ? *policy : thread->policy, priority) ? EINVAL : 0;
    if (!error) {
        if (policy)
            thread->policy = (uint8_t)*policy;
        thread->base_priority = (uint8_t)priority;
        __gnomon_table_priority(thread->index, (unsigned)priority);
        __gnomon_mutex_inherit(thread);
    }
    kernel_leave(before);
    return error;
}

int pthread_setschedparam(pthread_t handle, int policy, const struct sched_param *param) {
    return known(policy) ? set(handle, &policy, param->sched_priority) : EINVAL;
}

int pthread_setschedprio(pthread_t handle, int priority) {
    return set(handle, NULL, priority);
}

/* ---- Attributes of threads that are created ---- */

int pthread_attr_setinheritsched(pthread_attr_t *attr, int inherit) {
    if (inherit != PTHREAD_INHERIT_SCHED && inherit != PTHREAD_EXPLICIT_SCHED)
        return EINVAL;
    attr->inherit = (unsigned char)inherit;
    return 0;
}

int pthread_attr_getinheritsched(const pthread_attr_t *attr, int *inherit) {
    *inherit = attr->inherit;
    return 0;
}

/* The priority becomes one of the policy's, so that either of the two can be set first. */
int pthread_attr_setschedpolicy(pthread_attr_t *attr, int policy) {
    if (!known(policy))
        return EINVAL;
    attr->policy = (unsigned char)policy;
    if (!valid(policy, attr->priority))
        attr->priority = policy == SCHED_OTHER ? 0 : 1;
    return 0;
}

int pthread_attr_getschedpolicy(const pthread_attr_t *attr, int *policy) {
    *policy = attr->policy;
    return 0;
}

int pthread_attr_setschedparam(pthread_attr_t *attr, const struct sched_param *param) {
    if (!valid(attr->policy, param->sched_priority))
        return EINVAL;
    attr->priority = (unsigned char)param->sched_priority;
    return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *attr, struct sched_param *param) {
    *param = (struct sched_param){.sched_priority = attr->priority};
    return 0;
}

int pthread_attr_setscope(pthread_attr_t *attr, int scope) {
    (void)attr;
    return scope == PTHREAD_SCOPE_SYSTEM ? 0 : scope == PTHREAD_SCOPE_PROCESS ? ENOTSUP : EINVAL;
}

int pthread_attr_getscope(const pthread_attr_t *attr, int *scope) {
    (void)attr;
    *scope = PTHREAD_SCOPE_SYSTEM;
    return 0;
}
