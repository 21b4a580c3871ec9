/* SPDX-License-Identifier: Apache-2.0 */
/* On which harts a thread may run. */
#include <errno.h>

#include "threads/kernel.h"

static unsigned harts(void) {
    return HARTS > 1 && __gnomon_second_hart ? ALL_HARTS : 1;
}

int pthread_setaffinity_np(pthread_t handle, size_t size, const cpu_set_t *set) {
    if (size < sizeof *set)
        return EINVAL;
    if (HARTS > 1)
        __gnomon_threads_start(); /* so that hart 1 can be chosen before there is a second thread */
    const uint32_t before = kernel_enter();
    struct gnomon_thread *thread = __gnomon_thread_find(handle);
    const int error = !thread ? ESRCH : set->bits & harts() ? 0 : EINVAL;
    if (!error && HARTS > 1)
        __gnomon_set_affinity(thread, set->bits & harts());
    kernel_leave(before);
    return error;
}

int pthread_getaffinity_np(pthread_t handle, size_t size, cpu_set_t *set) {
    if (size < sizeof *set)
        return EINVAL;
    const uint32_t before = kernel_enter();
    const struct gnomon_thread *thread = __gnomon_thread_find(handle);
    if (thread)
        set->bits = (HARTS > 1 ? thread->affinity : 1) & harts();
    kernel_leave(before);
    return thread ? 0 : ESRCH;
}

int sched_getcpu(void) {
    return (int)hart_number();
}
