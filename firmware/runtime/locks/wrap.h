/* SPDX-License-Identifier: Apache-2.0 */
/* What wrappers of lock functions have in common. gnomon cc --gnomon-locks links with --wrap=FUNCTION for each function
 * of cc_lock_functions in host/cli/cc/cc_locks.c. A lock is a pointer to anything here, so the wrappers fit any
 * pthread.h. */
#ifndef GNOMON_RUNTIME_WRAP_H
#define GNOMON_RUNTIME_WRAP_H

#include <errno.h>
#include <stdint.h>

#include "internal.h"
#include "locks/locks_internal.h"

/* Body of a function that may wait: asks for the lock, and has it if the call returns 0. AS converts the result. */
#define WAITS_FOR_AS(as, index, call)                                                                                  \
    const uint32_t caller = CALLER, lock_index = (index);                                                              \
    __gnomon_lock_send(GNOMON_LOCKS_REQUEST, lock_index, caller);                                                      \
    const int result = (call);                                                                                         \
    __gnomon_lock_send(result ? GNOMON_LOCKS_REFUSED : GNOMON_LOCKS_ACQUIRED, lock_index, caller);                     \
    return as(result)
#define WAITS_FOR(index, call) WAITS_FOR_AS(, index, call)

/* Body of a function that does not wait. */
#define TRIES_AS(as, index, call)                                                                                      \
    const uint32_t caller = CALLER, lock_index = (index);                                                              \
    const int result = (call);                                                                                         \
    __gnomon_lock_send(result ? GNOMON_LOCKS_REFUSED : GNOMON_LOCKS_ACQUIRED, lock_index, caller);                     \
    return as(result)
#define TRIES(index, call) TRIES_AS(, index, call)

/* Body of a function that gives the lock up. The message comes first, so that it precedes that of the next owner. */
#define GIVES_UP_AS(as, index, call)                                                                                   \
    const uint32_t caller = CALLER, lock_index = (index);                                                              \
    __gnomon_lock_send(GNOMON_LOCKS_RELEASED, lock_index, caller);                                                     \
    const int result = (call);                                                                                         \
    if (result)                                                                                                        \
        __gnomon_lock_send(GNOMON_LOCKS_REFUSED, lock_index, caller);                                                  \
    return as(result)
#define GIVES_UP(index, call) GIVES_UP_AS(, index, call)

/* A wait for a condition gives the mutex up and has it again when it returns, also after a time-out. After any other
 * error the thread has kept the mutex, if it ever had it. */
static inline void begin_wait(uint32_t condition, uint32_t mutex, uint32_t caller) {
    __gnomon_lock_send(GNOMON_LOCKS_REQUEST, condition, caller);
    __gnomon_lock_send(GNOMON_LOCKS_RELEASED, mutex, caller);
}
static inline int end_wait(uint32_t condition, uint32_t mutex, uint32_t caller, int result) {
    const bool waited = !result || result == ETIMEDOUT;
    __gnomon_lock_send(waited ? GNOMON_LOCKS_ACQUIRED : GNOMON_LOCKS_REFUSED, mutex, caller);
    __gnomon_lock_send(result ? GNOMON_LOCKS_REFUSED : GNOMON_LOCKS_ACQUIRED, condition, caller);
    return result;
}
#define WAITS_AS(as, call)                                                                                             \
    const uint32_t caller = CALLER, index = __gnomon_lock_index(condition, GNOMON_LOCK_CONDITION, caller);             \
    const uint32_t mutex_index = __gnomon_lock_index(mutex, GNOMON_LOCK_MUTEX, caller);                                \
    begin_wait(index, mutex_index, caller);                                                                            \
    return as(end_wait(index, mutex_index, caller, call))

#define INITIALIZES(lock, kind, call)                                                                                  \
    const int result = (call);                                                                                         \
    if (!result)                                                                                                       \
        __gnomon_lock_add(lock, kind, CALLER);                                                                         \
    return result

#define DESTROYS(lock, call)                                                                                           \
    const int result = (call);                                                                                         \
    __gnomon_lock_destroy(lock, !result);                                                                              \
    return result

#endif
