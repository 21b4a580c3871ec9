/* SPDX-License-Identifier: Apache-2.0 */
/* Where threads waited for locks, by call path and by lock, and how long they had them, from the messages alone: for a
 * program that runs. Of what
 * kind a lock is says a table in the program's memory, which can be read only at the end; until then each counts as a
 * mutex. */
#ifndef GNOMON_LIB_LOCK_CONTENTION_H
#define GNOMON_LIB_LOCK_CONTENTION_H

#include "lib/locks/lock_account.h"
#include "lib/profile/profile_map.h"

struct gnomon_contention_site {
    uint32_t parent;        /* index of the site without its innermost function; PROFILE_MAP_NONE: the outermost */
    uint32_t id;            /* of a profile; GNOMON_PROFILE_UNPROFILED: the calls are not known */
    uint64_t waits, cycles; /* of requests of this path that found the lock held, and have been answered */
};

/* A lock's waits and holds that have ended. A hold is counted when its thread uses the lock again, or at the end: until
 * then the release may turn out to have failed. */
struct gnomon_contention_lock {
    unsigned lock;
    uint32_t caller; /* of the first message that tells it; 0: not known */
    uint64_t waits, cycles;
    uint64_t holds, held_cycles;
    int owner; /* now: a thread's index, GNOMON_LOCK_FREE or GNOMON_LOCK_NOT_KNOWN */
};
struct gnomon_contention_locks {
    size_t count;
    struct gnomon_contention_lock *list; /* owned; in the order of their first messages */
};

struct gnomon_contention_results {
    uint64_t messages;
    bool kinds_known;
    size_t
        others; /* with `kinds_known`: locks that are not had by one thread alone, whose waits are not counted right */
    size_t site_count;
    const struct gnomon_contention_site *sites;
};

struct gnomon_contention;

struct gnomon_contention *gnomon_contention_new(void); /* NULL: out of memory */
void gnomon_contention_free(struct gnomon_contention *contention);

/* Is it a request? Then gnomon_contention_event needs the stack. */
bool gnomon_contention_asks(const struct gnomon_event *event);
/* Takes the next event, of any type. False: out of memory. */
bool gnomon_contention_event(struct gnomon_contention *contention, const struct gnomon_event *event,
                             const struct gnomon_lock_stack *stack);
/* After the last event: counts the holds whose release can fail no more. False: out of memory. */
bool gnomon_contention_finish(struct gnomon_contention *contention);
/* At the end: tells of what kinds the locks were. */
void gnomon_contention_kinds(struct gnomon_contention *contention, const struct gnomon_lock_tables *tables);
/* What there is so far; it lives until the next event. */
const struct gnomon_contention_results *gnomon_contention_results(struct gnomon_contention *contention);
/* The locks so far. The caller frees the list. False: out of memory. */
bool gnomon_contention_locks_now(struct gnomon_contention *contention, struct gnomon_contention_locks *locks);

#endif
