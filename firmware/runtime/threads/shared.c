/* SPDX-License-Identifier: Apache-2.0 */
/* The attribute "shared between processes" of locks. There is one process, so it changes nothing. */
#include <errno.h>

#include "threads/kernel.h"

#define SHARED(kind)                                                                                                   \
    int pthread_##kind##attr_setpshared(pthread_##kind##attr_t *attr, int shared) {                                    \
        if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)                                     \
            return EINVAL;                                                                                             \
        attr->shared = (unsigned char)shared;                                                                          \
        return 0;                                                                                                      \
    }                                                                                                                  \
    int pthread_##kind##attr_getpshared(const pthread_##kind##attr_t *attr, int *shared) {                             \
        *shared = attr->shared;                                                                                        \
        return 0;                                                                                                      \
    }

SHARED(mutex)
SHARED(cond)
SHARED(rwlock)
SHARED(barrier)
