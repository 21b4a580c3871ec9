/* SPDX-License-Identifier: Apache-2.0 */
/* The account of a run's locks: takes the events of a trace and keeps for each lock who asked for it, who had it and
 * for how long, in which order locks were taken, and what was wrong. docs/guide/locks.md says what each figure means.
 *
 * After a loss of messages the state of every lock is unknown. What depends on it is counted as unknown until messages
 * tell the state again. */
#ifndef GNOMON_LIB_LOCK_ACCOUNT_H
#define GNOMON_LIB_LOCK_ACCOUNT_H

#include "lib/locks/lock_message.h"
#include "lib/locks/lock_times.h"
#include "lib/locks/thread_set.h"
#include "lib/model/lock_tables.h"
#include "lib/trace/trace_decoder.h"

#define GNOMON_LOCK_LONGEST 5  /* longest holds that are kept for each lock */
#define GNOMON_LOCK_STACK 24   /* calls of a stack that are kept, the innermost ones */
#define GNOMON_CONVOY_LEAST 10 /* acquisitions that make a convoy */

/* What the owner of a lock is, depending on its kind. */
enum gnomon_lock_class {
    GNOMON_CLASS_OWNED,   /* one thread has it: mutexes, the write side of a read-write lock */
    GNOMON_CLASS_SHARED,  /* several threads have it: the read side */
    GNOMON_CLASS_COUNTED, /* it has no owner; threads post or signal it: semaphore, queue, condition */
    GNOMON_CLASS_MEETING, /* it has no owner: barrier, once */
    GNOMON_CLASS_BEYOND,  /* several locks without an entry of their own: only counts are kept */
};
enum gnomon_lock_class gnomon_lock_class_of(enum gnomon_lock_kind kind, unsigned lock);
/* May the thread that has it lock it again? */
bool gnomon_lock_is_recursive(enum gnomon_lock_kind kind);

struct gnomon_lock_sum {
    uint64_t count, total, max;
};

/* Figures of a lock, of a thread at a lock, of a call site at a lock, and of a hart at a lock. */
struct gnomon_lock_counts {
    uint64_t requests;     /* of functions that may wait */
    uint64_t contended;    /* answered requests that found the lock held by another, or had to wait */
    uint64_t across;       /* of those: it was acquired on another hart than the one that asked */
    uint64_t uncontended;  /* answered requests that did not */
    uint64_t acquisitions; /* with and without request, recursive ones included */
    uint64_t refused;      /* did not get it: a try failed, or the time was over */
    uint64_t releases;
    struct gnomon_lock_sum hold, wait; /* waits of contended requests */
};

struct gnomon_lock_stack {
    unsigned count;                  /* 0: the trace has no calls */
    uint32_t ids[GNOMON_LOCK_STACK]; /* of gnomon_profile, the innermost call first */
};

struct gnomon_lock_hold {
    uint64_t from, cycles;
    unsigned thread, hart, released_on; /* `hart`: on which it was acquired; `released_on`: a hart */
    uint32_t acquired_by, released_by;  /* callers; 0: not known */
    struct gnomon_lock_stack stack;     /* when it was acquired */
};

struct gnomon_lock_figures {
    unsigned lock;
    enum gnomon_lock_kind kind;
    struct gnomon_lock_counts counts;
    struct gnomon_lock_times hold, wait;
    uint64_t tries;             /* acquisitions and refusals without request */
    uint64_t recursive;         /* acquisitions by the thread that had it already */
    uint64_t holds_unknown;     /* holds whose beginning or end is missing */
    uint64_t waits_unknown;     /* requests whose answer is missing, and answers that may have had a request */
    uint64_t contended_unknown; /* requests of which it is not known whether another thread had it */
    uint64_t most_waiting;      /* threads that had asked for it, and had no answer, at one time */
    uint64_t convoys, convoy_acquisitions, convoy_from, convoy_cycles; /* number; the longest one */
    /* The one that has not ended at the end of the recording: acquisitions so far, 0 if there is none. */
    uint64_t open_convoy_acquisitions, open_convoy_from, open_convoy_cycles;
    struct gnomon_thread_set convoy_threads; /* in any of them */
    unsigned longest_count;
    struct gnomon_lock_hold longest[GNOMON_LOCK_LONGEST]; /* the longest first */
};

/* A thread, a call site or a hart at a lock. A hold counts for the hart on which it began. */
struct gnomon_lock_part {
    unsigned lock, thread; /* `thread`: of a thread's part */
    uint32_t caller;       /* of a call site's part; 0: not known */
    unsigned hart;         /* of a hart's part */
    struct gnomon_lock_counts counts;
};

/* Lock `to` was asked for while `from` was held. */
struct gnomon_lock_order {
    unsigned from, to;
    uint64_t count;
    bool several; /* by more than one thread */
    struct gnomon_thread_set threads;
    unsigned thread, hart; /* the rest is about the first time */
    uint64_t cycle;
    uint32_t from_caller, to_caller;
    struct gnomon_lock_stack from_stack, to_stack;
    unsigned *guards; /* locks that were held each time, without `from` */
    size_t guard_count;
};

/* A circle of orders: each one asks for the lock that the next one holds. */
struct gnomon_lock_circle {
    size_t count;
    const struct gnomon_lock_order **orders;
    bool one_thread; /* all by the same thread: it cannot block itself in this way */
    unsigned guard;  /* a lock that was held each time, so that it cannot block; 0: none */
};

/* A thread waited for `waited` (a semaphore, condition, queue or barrier) while it had `held`. */
struct gnomon_lock_blocked {
    unsigned held, waited; /* `waited` is 0: it slept, or waited for another thread */
    struct gnomon_lock_sum wait;
    struct gnomon_thread_set threads;
    unsigned thread; /* the rest is about the first time */
    uint64_t cycle;
    uint32_t caller, held_caller; /* that waited, 0 if it slept; that acquired `held` */
};

/* `waiter` waited for `lock`, and the thread that kept it waiting, `owner`, could have run: `middle`, whose priority is
 * between theirs, ran instead. */
struct gnomon_lock_inversion {
    unsigned waiter, owner, middle, lock;
    unsigned has; /* the lock that `owner` has; not `lock` if its owner waits itself, for this one or another */
    struct gnomon_lock_sum lost; /* of each wait, the cycles in which `middle` ran */
    uint64_t cycle;              /* the rest is about the first time: when `middle` began to run */
    uint32_t waiter_caller, owner_caller;
    uint64_t request, request_cycles; /* the present wait: since when, cycles so far */
};

enum gnomon_lock_misuse_kind {
    GNOMON_MISUSE_NOT_OWNER, /* released by a thread while another one had it */
    GNOMON_MISUSE_FREE,      /* released while no thread had it */
    GNOMON_MISUSE_AGAIN,     /* asked for by the thread that has it, and not recursive */
    GNOMON_MISUSE_TWO,       /* acquired while another thread had it */
    GNOMON_MISUSE_REFUSED,   /* the function that releases it failed */
    /* Seen at the end: cycle and caller are those of the acquisition. */
    GNOMON_MISUSE_DESTROYED,  /* destroyed while it was held */
    GNOMON_MISUSE_FREED_HELD, /* its memory was freed while it was held */
    GNOMON_MISUSE_ENDED,      /* the thread that had it ended */
    /* What the program noticed itself: the table of locks says that it happened, not when and how often. */
    GNOMON_MISUSE_DESTROY_FAILED, /* it was in use, so that it could not be destroyed */
    GNOMON_MISUSE_USED_LATE,      /* used after it was destroyed */
    GNOMON_MISUSE_INITIALIZED,    /* initialized again before it was destroyed */
    GNOMON_MISUSE_FREED,          /* its memory was freed before it was destroyed */
};
const char *gnomon_lock_misuse_name(enum gnomon_lock_misuse_kind kind);

struct gnomon_lock_misuse {
    enum gnomon_lock_misuse_kind kind;
    unsigned lock, thread;
    uint64_t count;
    int owner; /* the thread that had it; -1: none. This and the rest is about the first time */
    uint64_t cycle;
    uint32_t caller;
    unsigned hart; /* on which it happened */
};

/* A thread that waits at the end of the recording. */
struct gnomon_lock_waiting {
    unsigned thread, lock;
    uint64_t since;
    uint32_t caller;
    unsigned hart; /* on which it asked */
    int owner;     /* a thread that has the lock; -1: none, or not known */
    int deadlock;  /* number of the deadlock that it is part of, from 0; -1: none */
};

/* A thread that has a lock at the end of the recording. */
struct gnomon_lock_held {
    unsigned thread, lock;
    uint64_t since;
    uint32_t caller;
    unsigned hart; /* on which it was acquired */
};

struct gnomon_lock_account;

/* `tables` is borrowed. NULL: out of memory. */
struct gnomon_lock_account *gnomon_lock_account_new(const struct gnomon_lock_tables *tables);
void gnomon_lock_account_free(struct gnomon_lock_account *account);

/* A hold or a wait that counts in the figures, told when it is entered into the account: not always in the order of
 * time, because a release may still turn out to have failed. */
struct gnomon_lock_span {
    bool hold; /* false: a wait of a contended request */
    unsigned lock, thread, hart;
    uint32_t caller; /* that acquired it, or asked for it; 0: not known */
    uint64_t from, cycles;
};
/* Says who hears of them. Call it before the first event. */
typedef void gnomon_lock_listener(void *context, const struct gnomon_lock_span *span);
void gnomon_lock_account_listen(struct gnomon_lock_account *account, gnomon_lock_listener *listener, void *context);

/* Events of the hart's calls, the last one at `cycle`: in place of gnomon_lock_account_event for each of them. */
void gnomon_lock_account_calls(struct gnomon_lock_account *account, unsigned hart, uint64_t cycle);

/* Takes the next event, of any type. `stack`: the calls that are open in the running thread. False: out of memory. */
bool gnomon_lock_account_event(struct gnomon_lock_account *account, const struct gnomon_event *event,
                               const struct gnomon_lock_stack *stack);
/* Who has an owned lock after the last event that was taken: a thread's index, GNOMON_LOCK_FREE or
 * GNOMON_LOCK_NOT_KNOWN. False: no message was about the lock, or it is of a kind that several threads can have. */
#define GNOMON_LOCK_FREE (-1)
#define GNOMON_LOCK_NOT_KNOWN (-2)
bool gnomon_lock_account_owner(struct gnomon_lock_account *account, unsigned lock, int *owner);
/* Ends the account after the last event. False: out of memory. */
bool gnomon_lock_account_finish(struct gnomon_lock_account *account);

/* The results live as long as the account; valid after gnomon_lock_account_finish. */
struct gnomon_lock_results {
    uint64_t messages;
    size_t lock_count, by_thread_count, by_caller_count, by_hart_count, order_count, circle_count, blocked_count,
        inversion_count, misuse_count, waiting_count, held_count;
    const struct gnomon_lock_figures **locks; /* by index */
    const struct gnomon_lock_part **by_thread, **by_caller, **by_hart;
    const struct gnomon_lock_order **orders;
    const struct gnomon_lock_circle *circles;
    bool circles_cut; /* there are more circles than are listed */
    const struct gnomon_lock_blocked **blocked;
    const struct gnomon_lock_inversion **inversions;
    const struct gnomon_lock_misuse **misuses;
    const struct gnomon_lock_waiting *waiting;
    const struct gnomon_lock_held *held;
    unsigned deadlocks;
};
const struct gnomon_lock_results *gnomon_lock_account_results(const struct gnomon_lock_account *account);

#endif
