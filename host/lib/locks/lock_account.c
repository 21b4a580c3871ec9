/* SPDX-License-Identifier: Apache-2.0 */
/* From messages to holds, waits and misuse. */
#include <stdlib.h>
#include <string.h>

#include "lib/locks/lock_account_internal.h"
#include "lib/util/array.h"

/* ---- Time ---- */

static void add(struct gnomon_lock_sum *sum, uint64_t cycles) {
    sum->count++;
    sum->total += cycles;
    if (cycles > sum->max)
        sum->max = cycles;
}

static void keep_longest(struct gnomon_lock_figures *figures, const struct gnomon_lock_hold *hold) {
    unsigned at = figures->longest_count;
    while (at > 0 && figures->longest[at - 1].cycles < hold->cycles)
        at--;
    if (at == GNOMON_LOCK_LONGEST)
        return;
    if (figures->longest_count < GNOMON_LOCK_LONGEST)
        figures->longest_count++;
    memmove(&figures->longest[at + 1], &figures->longest[at],
            (figures->longest_count - at - 1) * sizeof figures->longest[0]);
    figures->longest[at] = *hold;
}

bool account_commit(struct gnomon_lock_account *account, struct account_lock *lock, struct account_pair *pair) {
    struct account_release *release = &pair->release;
    const struct gnomon_lock_hold *hold = &release->hold;
    const bool ends = release->kind == RELEASE_HOLD;
    release->kind = RELEASE_NONE;
    if (!ends)
        return true;
    struct account_pair *owner = account_pair(account, release->owner, lock->figures.lock);
    struct gnomon_lock_part *site = account_site(account, lock->figures.lock, hold->acquired_by),
                            *hart = account_hart(account, lock->figures.lock, hold->hart);
    if (!owner || !site || !hart || !gnomon_lock_times_add(&lock->figures.hold, hold->cycles))
        return false;
    add(&lock->figures.counts.hold, hold->cycles);
    add(&owner->part.counts.hold, hold->cycles);
    add(&site->counts.hold, hold->cycles);
    add(&hart->counts.hold, hold->cycles);
    keep_longest(&lock->figures, hold);
    return true;
}

/* Ends the hold of `owner`; the message of `pair` is its release. */
static void end_hold(struct gnomon_lock_account *account, struct account_pair *owner, struct account_pair *pair,
                     const struct gnomon_lock_message *message) {
    struct account_thread *thread = account_thread(account, owner->part.thread);
    pair->release = (struct account_release){
        .kind = RELEASE_HOLD,
        .owner = owner->part.thread,
        .hold = {.from = owner->since,
                 .cycles = message->cycle - owner->since,
                 .thread = owner->part.thread,
                 .hart = owner->hold_hart,
                 .released_on = message->hart,
                 .acquired_by = owner->hold_caller,
                 .released_by = message->caller,
                 .stack = owner->stack},
        .caller = message->caller,
    };
    owner->depth = 0;
    for (size_t i = thread->count; i-- > 0;)
        if (thread->held[i] == owner->part.lock) {
            memmove(&thread->held[i], &thread->held[i + 1], (thread->count - i - 1) * sizeof *thread->held);
            thread->count--;
            return;
        }
}

static bool begin_hold(struct gnomon_lock_account *account, struct account_pair *pair, uint64_t since, unsigned hart,
                       uint32_t caller, const struct gnomon_lock_stack *stack) {
    struct account_thread *thread = account_thread(account, pair->part.thread);
    pair->depth = 1;
    pair->since = since;
    pair->hold_hart = hart;
    pair->hold_caller = caller;
    pair->stack = *stack;
    if (!gnomon_array_room(&thread->held, &thread->room, thread->count + 1, sizeof *thread->held))
        return false;
    thread->held[thread->count++] = pair->part.lock;
    return true;
}

/* ---- Counts ---- */

/* Each message counts for the lock, for the thread, for the call site, and for the hart. */
enum { PARTS = 4 };

static bool parts_of(struct gnomon_lock_account *account, struct account_lock *lock, struct account_pair *pair,
                     uint32_t caller, unsigned hart, struct gnomon_lock_counts *all[PARTS]) {
    struct gnomon_lock_part *site = account_site(account, lock->figures.lock, caller),
                            *of_hart = account_hart(account, lock->figures.lock, hart);
    if (!site || !of_hart)
        return false;
    all[0] = &lock->figures.counts;
    all[1] = &pair->part.counts;
    all[2] = &site->counts;
    all[3] = &of_hart->counts;
    return true;
}

/* ---- Requests and their answers ---- */

static void set_holder(struct account_lock *lock, unsigned thread, bool holds) {
    const uint64_t bit = UINT64_C(1) << thread % 64;
    uint64_t *word = &lock->holders[thread / 64];
    *word = holds ? *word | bit : *word & ~bit;
}

/* A thread that has the shared lock, not `thread`; NO_THREAD: no other is known to have it. */
static int another_holder(const struct account_lock *lock, unsigned thread) {
    for (unsigned i = 0; i < GNOMON_THREADS_MOST / 64; i++) {
        uint64_t others = lock->holders[i];
        if (thread / 64 == i)
            others &= ~(UINT64_C(1) << thread % 64);
        if (others)
            return (int)(64 * i + (unsigned)__builtin_ctzll(others));
    }
    return NO_THREAD;
}

int account_held_by_other(struct gnomon_lock_account *account, const struct account_lock *lock, unsigned thread,
                          int *owner) {
    const struct account_lock *other =
        lock->partner == NO_THREAD ? NULL : account_lock(account, (unsigned)lock->partner);
    const struct account_lock *owned = lock->class == GNOMON_CLASS_OWNED ? lock : other, *shared = NULL;
    if (lock->class == GNOMON_CLASS_OWNED && other && other->class == GNOMON_CLASS_SHARED)
        shared = other;
    *owner = NO_THREAD;
    if (owned && owned->owner >= 0 && owned->owner != (int)thread) {
        *owner = owned->owner;
        return 1;
    }
    const int reader = shared ? another_holder(shared, thread) : NO_THREAD;
    if (reader != NO_THREAD) {
        *owner = reader;
        return 1;
    }
    return (owned && owned->owner == UNKNOWN) || (shared && shared->holders_unknown) ? UNKNOWN : 0;
}

static bool is_convoy(const struct account_lock *lock) {
    return lock->crowd_acquisitions >= GNOMON_CONVOY_LEAST && lock->crowd_thread == UNKNOWN;
}

static void leave_crowd(struct account_lock *lock, uint64_t cycle) {
    struct gnomon_lock_figures *figures = &lock->figures;
    lock->waiters -= lock->waiters > 0;
    if (lock->waiters || !is_convoy(lock))
        return;
    figures->convoys++;
    gnomon_thread_set_join(&figures->convoy_threads, &lock->crowd_threads);
    if (lock->crowd_acquisitions > figures->convoy_acquisitions) {
        figures->convoy_acquisitions = lock->crowd_acquisitions;
        figures->convoy_from = lock->crowd_from;
        figures->convoy_cycles = cycle - lock->crowd_from;
    }
}

void account_open_convoy(const struct gnomon_lock_account *account, struct account_lock *lock) {
    struct gnomon_lock_figures *figures = &lock->figures;
    if (!lock->waiters || !is_convoy(lock))
        return;
    gnomon_thread_set_join(&figures->convoy_threads, &lock->crowd_threads);
    figures->open_convoy_acquisitions = lock->crowd_acquisitions;
    figures->open_convoy_from = lock->crowd_from;
    figures->open_convoy_cycles = account->cycle - lock->crowd_from;
}

static void join_crowd(struct account_lock *lock, unsigned thread, uint64_t cycle) {
    if (lock->waiters++ == 0) {
        lock->crowd_from = cycle;
        lock->crowd_acquisitions = 0;
        lock->crowd_thread = NO_THREAD;
        lock->crowd_threads = (struct gnomon_thread_set){0};
    }
    gnomon_thread_set_add(&lock->crowd_threads, thread);
    if (lock->waiters > lock->figures.most_waiting)
        lock->figures.most_waiting = lock->waiters;
}

static void count_crowd(struct account_lock *lock, unsigned thread) {
    if (!lock->waiters || (lock->class != GNOMON_CLASS_OWNED && lock->class != GNOMON_CLASS_SHARED))
        return;
    lock->crowd_acquisitions++;
    gnomon_thread_set_add(&lock->crowd_threads, thread);
    if (lock->crowd_thread == NO_THREAD)
        lock->crowd_thread = (int)thread;
    else if (lock->crowd_thread != (int)thread)
        lock->crowd_thread = UNKNOWN;
}

/* Does the thread ask for what it has itself, and will wait for ever? */
static bool asks_again(struct gnomon_lock_account *account, const struct account_lock *lock, unsigned thread) {
    const struct account_lock *other =
        lock->partner == NO_THREAD ? NULL : account_lock(account, (unsigned)lock->partner);
    if (lock->class == GNOMON_CLASS_OWNED && !lock->recursive && lock->owner == (int)thread)
        return true;
    if (!other)
        return false;
    if (lock->class == GNOMON_CLASS_SHARED)
        return other->owner == (int)thread;
    const struct account_pair *reader = account_pair(account, thread, (unsigned)lock->partner);
    return reader && reader->depth > 0;
}

static bool count_request(struct gnomon_lock_account *account, struct account_lock *lock, struct account_pair *pair,
                          const struct gnomon_lock_message *message) {
    struct gnomon_lock_counts *all[PARTS];
    if (!parts_of(account, lock, pair, message->caller, message->hart, all))
        return false;
    lock->requests++;
    for (size_t i = 0; i < PARTS; i++)
        all[i]->requests++;
    return true;
}

/* Has another thread the lock that is asked for, and has it acquired it on another hart? */
static void find_owner(struct gnomon_lock_account *account, const struct account_lock *lock, struct account_pair *pair,
                       const struct gnomon_lock_message *message) {
    int owner;
    pair->contended = account_held_by_other(account, lock, message->thread, &owner);
    if (pair->contended != 1)
        return;
    const struct account_pair *other = account_pair(account, (unsigned)owner, message->lock), *aside = NULL;
    if (other && !other->depth && lock->partner != NO_THREAD)
        aside = account_pair(account, (unsigned)owner, (unsigned)lock->partner);
    pair->across = other && (aside ? aside : other)->hold_hart != message->hart;
}

/* A thread acquires the lock. Whoever asked for it, or for the other side of a read-write lock, has to wait, also if
 * the lock was free when it asked: an unlock can hand a lock over to a thread that has not run since. Readers do not
 * wait for readers. */
static bool overtake(struct gnomon_lock_account *account, const struct account_lock *lock,
                     const struct gnomon_lock_message *message) {
    const struct account_running *running = &account->running;
    for (size_t i = 0; i < running->waiting; i++) {
        const unsigned thread = running->waits[i], wants = account_thread(account, thread)->wants;
        const bool same = wants == lock->figures.lock && lock->class == GNOMON_CLASS_OWNED;
        if (thread == message->thread || (!same && (int)wants != lock->partner))
            continue;
        struct account_pair *pair = account_pair(account, thread, wants);
        if (!pair)
            return false;
        if (pair->contended != 1)
            pair->across = message->hart != pair->request_hart;
        pair->contended = 1;
    }
    return true;
}

/* Threads that share an index cannot be told apart, so their waits are not known. */
static bool request(struct gnomon_lock_account *account, struct account_lock *lock, struct account_pair *pair,
                    const struct gnomon_lock_message *message, const struct gnomon_lock_stack *stack) {
    if (pair->waiting || pair->waited)
        lock->figures.waits_unknown++;
    if (message->thread == GNOMON_LOCKS_THREAD_OTHER)
        return count_request(account, lock, pair, message);
    if (!pair->waiting)
        join_crowd(lock, message->thread, message->cycle);
    account_thread(account, message->thread)->requests += !pair->waiting;
    pair->waited = pair->may_wait = false;
    pair->waiting = true;
    account_wants(account, message->thread, lock);
    pair->requested = message->cycle;
    pair->request_caller = message->caller;
    pair->request_hart = message->hart;
    pair->across = false;
    if (!count_request(account, lock, pair, message))
        return false;
    if (lock->class == GNOMON_CLASS_OWNED || lock->class == GNOMON_CLASS_SHARED)
        find_owner(account, lock, pair, message);
    else if (lock->figures.kind == GNOMON_LOCK_ONCE)
        pair->contended = lock->waiters > 1;
    pair->others = lock->class == GNOMON_CLASS_COUNTED ? lock->posts : lock->requests;
    if (asks_again(account, lock, message->thread) &&
        !account_misuse(account, GNOMON_MISUSE_AGAIN, message, (int)message->thread))
        return false;
    return account_order(account, lock, message, stack);
}

/* The answer to a request, or to a try. */
static bool answer(struct gnomon_lock_account *account, struct account_lock *lock, struct account_pair *pair,
                   const struct gnomon_lock_message *message) {
    struct gnomon_lock_figures *figures = &lock->figures;
    if (!pair->waiting) {
        const bool unknown = pair->may_wait || message->thread == GNOMON_LOCKS_THREAD_OTHER;
        figures->waits_unknown += unknown;
        figures->tries += !unknown;
        pair->may_wait = pair->waited = false;
        return true;
    }
    pair->waiting = false;
    account_thread(account, message->thread)->requests--;
    account_answered(account, message->thread, lock);
    leave_crowd(lock, message->cycle);
    int contended = pair->contended;
    if (lock->class == GNOMON_CLASS_COUNTED)
        contended = lock->posts != pair->others || message->action == GNOMON_LOCK_REFUSED;
    else if (figures->kind == GNOMON_LOCK_BARRIER)
        contended = lock->requests != pair->others;
    figures->contended_unknown += contended == UNKNOWN;
    if (contended == UNKNOWN)
        return true;
    const uint64_t cycles = message->cycle - pair->requested;
    struct gnomon_lock_counts *all[PARTS];
    if (!parts_of(account, lock, pair, pair->request_caller, pair->request_hart, all) ||
        (contended && !gnomon_lock_times_add(&figures->wait, cycles)))
        return false;
    for (size_t i = 0; i < PARTS; i++) {
        all[i]->contended += contended == 1;
        all[i]->across += contended == 1 && pair->across;
        all[i]->uncontended += !contended;
        if (contended)
            add(&all[i]->wait, cycles);
    }
    return !contended || account_blocked(account, lock, message, pair->requested);
}

/* ---- Acquired ---- */

/* An owned lock of unknown state is acquired. *begins: with this a hold begins for sure. */
static void resolve(struct account_lock *lock, unsigned thread, bool *begins) {
    *begins = !lock->recursive || (lock->maybe != NO_THREAD && lock->maybe != (int)thread);
    if (*begins)
        lock->figures.holds_unknown += lock->hold_lost;
    lock->maybe = *begins ? NO_THREAD : (int)thread;
    lock->hold_lost = !*begins;
}

static bool acquire_owned(struct gnomon_lock_account *account, struct account_lock *lock, struct account_pair *pair,
                          const struct gnomon_lock_message *message, const struct gnomon_lock_stack *stack) {
    bool begins = true;
    if (lock->owner == (int)message->thread) {
        if (!lock->recursive)
            return account_misuse(account, GNOMON_MISUSE_AGAIN, message, lock->owner);
        lock->figures.recursive++;
        pair->depth++;
        return true;
    }
    if (lock->owner == UNKNOWN) {
        resolve(lock, message->thread, &begins);
    } else if (lock->owner != NO_THREAD) {
        struct account_pair *other = account_pair(account, (unsigned)lock->owner, message->lock);
        if (!other || !account_misuse(account, GNOMON_MISUSE_TWO, message, lock->owner))
            return false;
        struct account_release kept = pair->release;
        end_hold(account, other, pair, message);
        pair->release = kept;
        lock->figures.holds_unknown++;
    }
    if (lock->partner != NO_THREAD) {
        struct account_lock *readers = account_lock(account, (unsigned)lock->partner);
        if (!readers)
            return false;
        readers->holders_unknown = false;
        readers->clean_epoch = account->epoch;
    }
    if (!begins)
        return true;
    lock->owner = (int)message->thread;
    return begin_hold(account, pair, message->cycle, message->hart,
                      message->caller ? message->caller : pair->request_caller, stack);
}

static bool acquired(struct gnomon_lock_account *account, struct account_lock *lock, struct account_pair *pair,
                     const struct gnomon_lock_message *message, const struct gnomon_lock_stack *stack) {
    const uint32_t asked_by = pair->waiting ? pair->request_caller : 0;
    struct gnomon_lock_counts *all[PARTS];
    if (!parts_of(account, lock, pair, message->caller ? message->caller : asked_by, message->hart, all) ||
        !answer(account, lock, pair, message))
        return false;
    for (size_t i = 0; i < PARTS; i++)
        all[i]->acquisitions++;
    pair->request_caller = asked_by;
    count_crowd(lock, message->thread);
    if (!overtake(account, lock, message))
        return false;
    if (lock->class == GNOMON_CLASS_OWNED)
        return acquire_owned(account, lock, pair, message, stack);
    if (lock->class != GNOMON_CLASS_SHARED)
        return true;
    pair->may_hold = false;
    if (pair->depth) {
        pair->depth++;
        lock->figures.recursive++;
        return true;
    }
    lock->figures.holds_unknown += pair->hold_lost;
    pair->hold_lost = false;
    set_holder(lock, message->thread, true);
    return begin_hold(account, pair, message->cycle, message->hart, message->caller ? message->caller : asked_by,
                      stack);
}

/* ---- Released ---- */

static bool release_owned(struct gnomon_lock_account *account, struct account_lock *lock, struct account_pair *pair,
                          const struct gnomon_lock_message *message) {
    struct account_release *release = &pair->release;
    if (lock->owner == UNKNOWN && lock->recursive) {
        lock->hold_lost = true;
        return true;
    }
    if (lock->owner == UNKNOWN) {
        *release =
            (struct account_release){.kind = RELEASE_UNKNOWN, .caller = message->caller, .hold_lost = lock->hold_lost};
        lock->figures.holds_unknown++;
        lock->owner = NO_THREAD;
        lock->hold_lost = false;
        return true;
    }
    if (lock->owner == NO_THREAD) {
        *release = (struct account_release){.kind = RELEASE_OTHER, .caller = message->caller, .wrong = true};
        return account_misuse(account, GNOMON_MISUSE_FREE, message, NO_THREAD);
    }
    struct account_pair *owner = account_pair(account, (unsigned)lock->owner, message->lock);
    if (!owner)
        return false;
    const bool own = lock->owner == (int)message->thread;
    if (!own && !account_misuse(account, GNOMON_MISUSE_NOT_OWNER, message, lock->owner))
        return false;
    if (own && owner->depth > 1) {
        owner->depth--;
        *release = (struct account_release){.kind = RELEASE_NESTED, .caller = message->caller};
        return true;
    }
    end_hold(account, owner, pair, message);
    release->wrong = !own;
    lock->owner = NO_THREAD;
    return true;
}

static bool release_shared(struct gnomon_lock_account *account, struct account_lock *lock, struct account_pair *pair,
                           const struct gnomon_lock_message *message) {
    if (pair->depth > 1) {
        pair->depth--;
        pair->release = (struct account_release){.kind = RELEASE_NESTED, .caller = message->caller};
    } else if (pair->depth) {
        end_hold(account, pair, pair, message);
        set_holder(lock, message->thread, false);
    } else if (pair->may_hold && lock->clean_epoch != account->epoch) {
        pair->release =
            (struct account_release){.kind = RELEASE_UNKNOWN, .caller = message->caller, .hold_lost = pair->hold_lost};
        lock->figures.holds_unknown++;
        pair->may_hold = pair->hold_lost = false;
    } else {
        pair->release = (struct account_release){.kind = RELEASE_OTHER, .caller = message->caller, .wrong = true};
        const int holder = another_holder(lock, message->thread);
        return account_misuse(account, holder == NO_THREAD ? GNOMON_MISUSE_FREE : GNOMON_MISUSE_NOT_OWNER, message,
                              holder);
    }
    return true;
}

static bool released(struct gnomon_lock_account *account, struct account_lock *lock, struct account_pair *pair,
                     const struct gnomon_lock_message *message) {
    struct gnomon_lock_counts *all[PARTS];
    if (!parts_of(account, lock, pair, message->caller, message->hart, all))
        return false;
    if (lock->class == GNOMON_CLASS_OWNED || lock->class == GNOMON_CLASS_SHARED) { /* then it does not wait for it */
        lock->figures.waits_unknown += pair->waited;
        pair->waited = pair->may_wait = false;
    }
    lock->posts++;
    for (size_t i = 0; i < PARTS; i++)
        all[i]->releases++;
    bool good = true;
    if (lock->class == GNOMON_CLASS_OWNED)
        good = release_owned(account, lock, pair, message);
    else if (lock->class == GNOMON_CLASS_SHARED)
        good = release_shared(account, lock, pair, message);
    else
        pair->release =
            (struct account_release){.kind = RELEASE_OTHER, .caller = message->caller, .message = lock->messages};
    pair->release.sent_on = message->hart;
    return good;
}

/* ---- Refused ---- */

/* Says REFUSED that the release before it has failed? Its call is then the release's. Without callers it is a failed
 * release if a try could not have failed. */
static bool takes_back(struct gnomon_lock_account *account, const struct account_lock *lock,
                       const struct account_pair *pair, const struct gnomon_lock_message *message) {
    int owner;
    const struct account_release *release = &pair->release;
    if (release->kind == RELEASE_NONE || pair->waiting)
        return false;
    if (message->caller && release->caller)
        return message->caller == release->caller;
    if (lock->class == GNOMON_CLASS_COUNTED)
        return lock->messages == release->message + 1;
    return release->wrong || release->kind == RELEASE_NESTED ||
           (release->kind == RELEASE_HOLD && account_held_by_other(account, lock, message->thread, &owner) == 0);
}

/* The release of a hold whose beginning is not known has failed: all is as unknown as before. */
static void doubt_again(struct account_lock *lock, struct account_pair *pair, bool hold_lost) {
    if (lock->class == GNOMON_CLASS_SHARED) {
        pair->may_hold = true;
        pair->hold_lost = hold_lost;
    } else if (lock->owner == NO_THREAD) {
        lock->owner = UNKNOWN;
        lock->maybe = NO_THREAD;
        lock->hold_lost = hold_lost;
    }
    lock->figures.holds_unknown--;
}

/* The hold of `owner` goes on, unless another thread has it now. */
static bool take_back(struct gnomon_lock_account *account, struct account_lock *lock, struct account_pair *pair,
                      const struct gnomon_lock_message *message) {
    const struct account_release release = pair->release;
    struct gnomon_lock_counts *all[PARTS];
    pair->release.kind = RELEASE_NONE;
    if (!parts_of(account, lock, pair, release.caller, release.sent_on, all))
        return false;
    for (size_t i = 0; i < PARTS; i++)
        all[i]->releases--;
    if (!release.wrong && !account_misuse(account, GNOMON_MISUSE_REFUSED, message, NO_THREAD))
        return false;
    if (release.kind == RELEASE_NESTED && pair->depth)
        pair->depth++;
    if (release.kind == RELEASE_UNKNOWN)
        doubt_again(lock, pair, release.hold_lost);
    if (release.kind != RELEASE_HOLD)
        return true;
    struct account_pair *owner = account_pair(account, release.owner, message->lock);
    if (!owner || (lock->class == GNOMON_CLASS_OWNED && lock->owner != NO_THREAD) || owner->depth)
        return owner != NULL;
    if (lock->class == GNOMON_CLASS_OWNED)
        lock->owner = (int)release.owner;
    else
        set_holder(lock, release.owner, true);
    return begin_hold(account, owner, release.hold.from, release.hold.hart, release.hold.acquired_by,
                      &release.hold.stack);
}

static bool refused(struct gnomon_lock_account *account, struct account_lock *lock, struct account_pair *pair,
                    const struct gnomon_lock_message *message) {
    if (takes_back(account, lock, pair, message))
        return take_back(account, lock, pair, message);
    const uint32_t asked_by = pair->waiting ? pair->request_caller : 0;
    struct gnomon_lock_counts *all[PARTS];
    if (!parts_of(account, lock, pair, message->caller ? message->caller : asked_by, message->hart, all) ||
        !account_commit(account, lock, pair) || !answer(account, lock, pair, message))
        return false;
    for (size_t i = 0; i < PARTS; i++)
        all[i]->refused++;
    return true;
}

/* ---- Events ---- */

/* Of locks and threads that share an index, only the messages are counted. */
static bool count_only(struct gnomon_lock_account *account, struct account_lock *lock, struct account_pair *pair,
                       const struct gnomon_lock_message *message) {
    struct gnomon_lock_counts *all[PARTS];
    if (!parts_of(account, lock, pair, message->caller, message->hart, all))
        return false;
    for (size_t i = 0; i < PARTS; i++) {
        all[i]->requests += message->action == GNOMON_LOCK_REQUEST;
        all[i]->acquisitions += message->action == GNOMON_LOCK_ACQUIRED;
        all[i]->refused += message->action == GNOMON_LOCK_REFUSED;
        all[i]->releases += message->action == GNOMON_LOCK_RELEASED;
    }
    return true;
}

bool account_message(struct gnomon_lock_account *account, const struct gnomon_lock_message *message,
                     const struct gnomon_lock_stack *stack) {
    struct account_lock *lock = account_lock(account, message->lock);
    struct account_pair *pair = lock ? account_pair(account, message->thread, message->lock) : NULL;
    if (!pair)
        return false;
    account->results.messages++;
    lock->messages++;
    if (lock->class == GNOMON_CLASS_BEYOND)
        return count_only(account, lock, pair, message);
    if (message->action == GNOMON_LOCK_REFUSED)
        return refused(account, lock, pair, message);
    if (!account_commit(account, lock, pair))
        return false;
    switch (message->action) {
    case GNOMON_LOCK_REQUEST:
        return request(account, lock, pair, message, stack);
    case GNOMON_LOCK_ACQUIRED:
        return acquired(account, lock, pair, message, stack);
    default:
        return released(account, lock, pair, message);
    }
}
