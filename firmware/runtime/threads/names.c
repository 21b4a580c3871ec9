/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "threads/kernel.h"

int pthread_setname_np(pthread_t handle, const char *name) {
    const size_t length = strlen(name);
    if (length >= NAME_BYTES)
        return ERANGE;
    const uint32_t before = kernel_enter();
    struct gnomon_thread *thread = __gnomon_thread_find(handle);
    if (thread)
        strcpy(thread->name, name);
    kernel_leave(before);
    if (thread)
        __gnomon_table_name(thread);
    return thread ? 0 : ESRCH;
}

int pthread_getname_np(pthread_t handle, char *name, size_t size) {
    const uint32_t before = kernel_enter();
    const struct gnomon_thread *thread = __gnomon_thread_find(handle);
    const int error = !thread ? ESRCH : strlen(thread->name) >= size ? ERANGE : 0;
    if (!error)
        strcpy(name, thread->name);
    kernel_leave(before);
    return error;
}
