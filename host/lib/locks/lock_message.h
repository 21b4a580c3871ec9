/* SPDX-License-Identifier: Apache-2.0 */
/* A lock message of the trace: which thread did what with which lock (docs/reference/address-map.md, "Lock segments").
 */
#ifndef GNOMON_LIB_LOCK_MESSAGE_H
#define GNOMON_LIB_LOCK_MESSAGE_H

#include "lib/trace/trace_decoder.h"

enum gnomon_lock_action {
    GNOMON_LOCK_REQUEST,  /* the thread asks for the lock, and may wait from here on */
    GNOMON_LOCK_ACQUIRED, /* the thread has it */
    GNOMON_LOCK_REFUSED,  /* the thread did not get it; after RELEASED: it could not give it up */
    GNOMON_LOCK_RELEASED, /* the thread gives it up, posts or signals it */
};

struct gnomon_lock_message {
    enum gnomon_lock_action action;
    unsigned thread, lock; /* indices in the program's tables */
    uint32_t caller;       /* return address of the lock function's call; 0: not known */
    uint64_t cycle;
    unsigned hart; /* that sent it */
};

/* `event` is of type LOCK. */
struct gnomon_lock_message gnomon_lock_message_of(const struct gnomon_event *event);

/* "request", "acquired", "refused", "released" */
const char *gnomon_lock_action_name(enum gnomon_lock_action action);

#endif
