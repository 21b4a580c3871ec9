/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the account share. Only lock_account*.c use this header. */
#ifndef GNOMON_LIB_LOCK_ACCOUNT_INTERNAL_H
#define GNOMON_LIB_LOCK_ACCOUNT_INTERNAL_H

#include "lib/locks/lock_account.h"
#include "lib/profile/profile_map.h"

#define NO_THREAD GNOMON_LOCK_FREE
#define UNKNOWN GNOMON_LOCK_NOT_KNOWN

/* A table of structures that stay where they are, by key. */
struct account_table {
    struct profile_map map;
    size_t room;
    void **items;
};

/* A released hold is entered into the account with the next message of the same thread and lock: if that message says
 * that the release failed, the hold goes on. */
struct account_release {
    /* UNKNOWN: it ended a hold whose beginning is not known; OTHER: it ended no hold */
    enum { RELEASE_NONE, RELEASE_HOLD, RELEASE_NESTED, RELEASE_UNKNOWN, RELEASE_OTHER } kind;
    unsigned owner; /* whose hold it ended */
    struct gnomon_lock_hold hold;
    uint32_t caller;
    unsigned sent_on; /* a hart */
    uint64_t message; /* number of the release among the lock's messages */
    bool wrong;       /* it was reported already */
    bool hold_lost;   /* of UNKNOWN: of the lock, or of the pair, before it */
};

/* A thread at a lock. */
struct account_pair {
    struct gnomon_lock_part part; /* the first member */
    uint64_t epoch;

    bool waiting;
    uint64_t requested;
    uint32_t request_caller;
    unsigned request_hart;
    bool across;     /* of the request: contended, and the first that was in its way acquired it on another hart */
    int contended;   /* of the request: another thread has had it since then: 0, 1, or UNKNOWN */
    uint64_t others; /* posts, or requests of others, when it asked */
    bool may_wait;   /* after a loss: its next answer may belong to a request */
    bool waited;     /* after a loss: it waited when messages were lost */

    uint32_t depth; /* of its hold; 0: it has none */
    bool may_hold;  /* after a loss, of a shared lock: it may have it */
    bool hold_lost; /* after a loss, of a shared lock: it had it when messages were lost */
    uint64_t since;
    uint32_t hold_caller;
    unsigned hold_hart;
    struct gnomon_lock_stack stack;
    struct account_release release;
};

struct account_lock {
    struct gnomon_lock_figures figures; /* the first member */
    enum gnomon_lock_class class;
    bool recursive;
    int partner; /* the other side of a read-write lock; NO_THREAD: it has none */
    uint64_t epoch;
    int owner; /* of an owned lock: a thread, NO_THREAD or UNKNOWN */
    int maybe; /* owner is UNKNOWN and the lock is recursive: the only thread that acquired it since; NO_THREAD: none */
    bool hold_lost;                             /* with UNKNOWN: a hold of unknown length has begun or was open */
    uint64_t holders[GNOMON_THREADS_MOST / 64]; /* of a shared lock: a bit for each thread that has it for sure */
    bool holders_unknown;                       /* others may have it, too */
    uint64_t clean_epoch; /* of a shared lock: a writer had it since this epoch began, so there are no old readers */
    uint64_t waiters, posts, requests, messages;
    uint64_t crowd_from, crowd_acquisitions; /* since there is always a thread that waits */
    struct gnomon_thread_set crowd_threads;  /* that asked for it or acquired it since then */
    int crowd_thread; /* the first that acquired it; UNKNOWN: more than one; NO_THREAD: none yet */
};

struct account_thread {
    uint64_t epoch;
    size_t count, room;
    unsigned *held;    /* locks, in the order in which it acquired them */
    unsigned wants;    /* an owned or shared lock for which it waits; 0: none */
    bool blocked;      /* it said so, and has not run since */
    unsigned requests; /* without an answer yet */
    bool sleeps;       /* it blocked without a request: it sleeps, or waits for another thread */
    uint64_t sleeps_since;
};

/* Who runs, and which threads wait for owned or shared locks. */
struct account_running {
    int threads[GNOMON_MAX_HARTS]; /* NO_THREAD before the first; UNKNOWN after a loss */
    uint64_t since;                /* the cycles before are in the account of inversions */
    size_t waiting;
    uint8_t waits[GNOMON_THREADS_MOST];
};

/* What is known of MIE and MPIE of mstatus. */
struct account_interrupts {
    bool used;    /* the trace has messages about them */
    bool unknown; /* after a loss, until the next message */
    bool ever_on;
    bool mie, mpie;
    bool off;        /* interrupts are switched off, not only by a trap */
    unsigned thread; /* that ran when they were switched off */
    unsigned traps;  /* open */
};

struct gnomon_lock_account {
    struct account_interrupts interrupts;
    const struct gnomon_lock_tables *tables;
    uint64_t epoch;                  /* number of losses so far */
    uint64_t cycle;                  /* of the last event */
    bool doubtful[GNOMON_MAX_HARTS]; /* messages of that hart are missing from its last event on */
    bool learnt;                     /* the last message came while the other hart was doubtful */
    struct account_lock *locks[GNOMON_LOCKS_MOST];
    struct account_thread threads[GNOMON_THREADS_MOST];
    struct account_running running;
    struct account_table pairs, sites, harts, orders, blocked, inversions, misuses;
    struct gnomon_lock_results results;
    struct gnomon_lock_waiting *waiting;
    struct gnomon_lock_held *held;
    struct gnomon_lock_circle *circles;
};

/* The item of that key, a new one of `size` bytes if there is none; *fresh: it is new, all zeros. NULL: out of memory.
 */
void *account_item(struct account_table *table, uint64_t key, size_t size, bool *fresh);

/* The parts of the account, with their states of the present epoch. NULL: out of memory. */
struct account_lock *account_lock(struct gnomon_lock_account *account, unsigned lock);
struct account_pair *account_pair(struct gnomon_lock_account *account, unsigned thread, unsigned lock);
struct gnomon_lock_part *account_site(struct gnomon_lock_account *account, unsigned lock, uint32_t caller);
struct gnomon_lock_part *account_hart(struct gnomon_lock_account *account, unsigned lock, unsigned hart);
struct account_thread *account_thread(struct gnomon_lock_account *account, unsigned thread);

/* Messages of the hart are not missing any more, or there are no more: what was learnt in the meantime from those of
 * the other hart is not known to be so. */
void account_end_loss(struct gnomon_lock_account *account, unsigned hart);
/* Takes a lock message. False: out of memory. */
bool account_message(struct gnomon_lock_account *account, const struct gnomon_lock_message *message,
                     const struct gnomon_lock_stack *stack);
/* Follows the interrupts through events of any type, and makes messages of lock 0. False: out of memory. */
bool account_interrupts(struct gnomon_lock_account *account, const struct gnomon_event *event,
                        const struct gnomon_lock_stack *stack);

/* At the end: notes the convoy at the lock that has not ended. */
void account_open_convoy(const struct gnomon_lock_account *account, struct account_lock *lock);
/* Enters a hold whose release did not fail. False: out of memory. */
bool account_commit(struct gnomon_lock_account *account, struct account_lock *lock, struct account_pair *pair);

/* Is the lock held by another thread than `thread`: 0, 1, or UNKNOWN? *owner: one that has it, or NO_THREAD. */
int account_held_by_other(struct gnomon_lock_account *account, const struct account_lock *lock, unsigned thread,
                          int *owner);

bool account_misuse(struct gnomon_lock_account *account, enum gnomon_lock_misuse_kind kind,
                    const struct gnomon_lock_message *message, int owner);

/* Notes in which order locks are taken; called when the thread asks for a lock. */
bool account_order(struct gnomon_lock_account *account, const struct account_lock *lock,
                   const struct gnomon_lock_message *message, const struct gnomon_lock_stack *stack);
/* Notes the locks that the thread had while it waited for this one from `since` on. */
bool account_blocked(struct gnomon_lock_account *account, const struct account_lock *lock,
                     const struct gnomon_lock_message *message, uint64_t since);
/* The thread blocks; it runs again. */
void account_blocks(struct gnomon_lock_account *account, const struct gnomon_lock_message *message);
bool account_runs_again(struct gnomon_lock_account *account, unsigned thread, uint64_t cycle);
/* Priority inversion (lock_inversion.c). Each is called before the account changes in another way, at that cycle;
 * false: out of memory. */
bool account_runs(struct gnomon_lock_account *account, unsigned hart, int thread, uint64_t cycle);
bool account_inversions_until(struct gnomon_lock_account *account, uint64_t cycle);
void account_inversions_forget(struct gnomon_lock_account *account, unsigned hart);
/* The thread waits for a lock; it has its answer. */
void account_wants(struct gnomon_lock_account *account, unsigned thread, const struct account_lock *lock);
void account_answered(struct gnomon_lock_account *account, unsigned thread, const struct account_lock *lock);

/* Finds circles in the orders, and deadlocks among the threads that wait. False: out of memory. */
bool account_find_circles(struct gnomon_lock_account *account);
bool account_find_deadlocks(struct gnomon_lock_account *account);

#endif
