/* SPDX-License-Identifier: Apache-2.0 */
/* What the known lock functions do: for programs whose calls of them are watched, because they send no messages. */
#ifndef GNOMON_LIB_LOCK_FUNCTIONS_H
#define GNOMON_LIB_LOCK_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gnomon/locks.h"

/* What a call does with the lock that is its first argument. */
enum gnomon_lock_call {
    GNOMON_CALL_ACQUIRE,  /* may wait for it */
    GNOMON_CALL_TAKE,     /* the second argument: how long it may wait; 0: a try */
    GNOMON_CALL_TRY,      /* does not wait */
    GNOMON_CALL_RELEASE,  /* gives it up, posts or signals it */
    GNOMON_CALL_WAIT,     /* waits for a condition; the second argument is its mutex */
    GNOMON_CALL_ONCE,     /* waits for it, or calls a function of the program */
    GNOMON_CALL_INIT,     /* the second argument: attributes */
    GNOMON_CALL_INIT_C11, /* the second argument: the type of mutex */
    GNOMON_CALL_DESTROY,
    GNOMON_CALL_SET_TYPE, /* the first argument: attributes of a mutex; the second: its type */
    /* FreeRTOS: they return the lock, or 0. */
    GNOMON_CALL_CREATE,
    GNOMON_CALL_CREATE_MUTEX, /* the first argument: the type of mutex */
    GNOMON_CALL_CREATE_QUEUE, /* the second argument: bytes of an item; 0: a semaphore */
};

enum gnomon_lock_result {
    GNOMON_RESULT_ZERO,
    GNOMON_RESULT_NOT_POSITIVE,
    GNOMON_RESULT_C11, /* thrd_success */
    GNOMON_RESULT_TRUE,
    GNOMON_RESULT_ANY,
};

struct gnomon_lock_role {
    const char *name; /* of the function; or acquire, try, release, for functions of the program */
    enum gnomon_lock_call call;
    enum gnomon_lock_kind kind;   /* of the lock, if nothing else says more */
    enum gnomon_lock_result good; /* the result of a call that did what it should */
};

/* NULL: there is none of that name. */
const struct gnomon_lock_role *gnomon_lock_role_named(const char *name);
/* Goes through all; NULL after the last. */
const struct gnomon_lock_role *gnomon_lock_role_at(size_t index);

/* Did the call that returned `value` do what it should? */
bool gnomon_lock_role_good(const struct gnomon_lock_role *role, uint32_t value);
/* Of a wait for a condition: has the thread the mutex again? Else it never gave it up. */
bool gnomon_lock_role_waited(const struct gnomon_lock_role *role, uint32_t value);

#endif
