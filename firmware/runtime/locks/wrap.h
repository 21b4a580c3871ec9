/* SPDX-License-Identifier: Apache-2.0 */
/* What wrappers of lock functions have in common. gnomon cc --gnomon-locks links with --wrap=FUNCTION for each function
 * of FUNCTIONS in host/cli/cc/cc_locks.c: the program's calls of FUNCTION go to __wrap_FUNCTION, which calls the real
 * one. A lock is a pointer to anything here, so the wrappers fit any pthread.h. */
#ifndef GNOMON_RUNTIME_WRAP_H
#define GNOMON_RUNTIME_WRAP_H

#include <errno.h>
#include <stdint.h>

#include "locks/locks_internal.h"

/* Declares the wrapper and the real function. */
#define WRAPPED(type, name, ...)                                                                                       \
    type __real_##name(__VA_ARGS__);                                                                                   \
    type __wrap_##name(__VA_ARGS__);                                                                                   \
    type __wrap_##name(__VA_ARGS__)

/* Body of a function that may wait: asks for the lock, and has it if the call returns 0. */
#define WAITS_FOR(index, call)                                                                                         \
    const uint32_t caller = CALLER, lock_index = (index);                                                              \
    __gnomon_lock_send(GNOMON_LOCKS_REQUEST, lock_index, caller);                                                      \
    const int result = (call);                                                                                         \
    __gnomon_lock_send(result ? GNOMON_LOCKS_REFUSED : GNOMON_LOCKS_ACQUIRED, lock_index, caller);                     \
    return result

/* Body of a function that does not wait. */
#define TRIES(index, call)                                                                                             \
    const uint32_t caller = CALLER, lock_index = (index);                                                              \
    const int result = (call);                                                                                         \
    __gnomon_lock_send(result ? GNOMON_LOCKS_REFUSED : GNOMON_LOCKS_ACQUIRED, lock_index, caller);                     \
    return result

/* Body of a function that gives the lock up. The message comes first, so that it precedes that of the next owner. */
#define GIVES_UP(index, call)                                                                                          \
    const uint32_t caller = CALLER, lock_index = (index);                                                              \
    __gnomon_lock_send(GNOMON_LOCKS_RELEASED, lock_index, caller);                                                     \
    const int result = (call);                                                                                         \
    if (result)                                                                                                        \
        __gnomon_lock_send(GNOMON_LOCKS_REFUSED, lock_index, caller);                                                  \
    return result

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
