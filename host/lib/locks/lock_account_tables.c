/* SPDX-License-Identifier: Apache-2.0 */
/* The account's tables, what a loss does to them, and the results. */
#include <stdlib.h>
#include <string.h>

#include "lib/locks/lock_account_internal.h"
#include "lib/util/array.h"

/* ---- Kinds ---- */

enum gnomon_lock_class gnomon_lock_class_of(enum gnomon_lock_kind kind, unsigned lock) {
    if (lock == GNOMON_LOCKS_LOCK_OTHER)
        return GNOMON_CLASS_BEYOND;
    switch (kind) {
    case GNOMON_LOCK_RWLOCK_READ:
        return GNOMON_CLASS_SHARED;
    case GNOMON_LOCK_SEMAPHORE:
    case GNOMON_LOCK_QUEUE:
    case GNOMON_LOCK_CONDITION:
        return GNOMON_CLASS_COUNTED;
    case GNOMON_LOCK_BARRIER:
    case GNOMON_LOCK_ONCE:
        return GNOMON_CLASS_MEETING;
    default:
        return GNOMON_CLASS_OWNED;
    }
}

bool gnomon_lock_is_recursive(enum gnomon_lock_kind kind) {
    return kind == GNOMON_LOCK_NONE || kind == GNOMON_LOCK_RECURSIVE || kind == GNOMON_LOCK_CRITICAL;
}

const char *gnomon_lock_misuse_name(enum gnomon_lock_misuse_kind kind) {
    static const char *const names[] = {
        [GNOMON_MISUSE_NOT_OWNER] = "released-by-another",
        [GNOMON_MISUSE_FREE] = "released-free",
        [GNOMON_MISUSE_AGAIN] = "locked-again",
        [GNOMON_MISUSE_TWO] = "acquired-twice",
        [GNOMON_MISUSE_REFUSED] = "release-failed",
        [GNOMON_MISUSE_DESTROYED] = "destroyed-held",
        [GNOMON_MISUSE_FREED_HELD] = "freed-held",
        [GNOMON_MISUSE_ENDED] = "ended-held",
        [GNOMON_MISUSE_DESTROY_FAILED] = "destroy-failed",
        [GNOMON_MISUSE_USED_LATE] = "used-after-destroy",
        [GNOMON_MISUSE_INITIALIZED] = "initialized-again",
        [GNOMON_MISUSE_FREED] = "freed",
    };
    return names[kind];
}

static int partner_of(const struct gnomon_lock_tables *tables, unsigned lock) {
    const struct gnomon_table_lock *locks = tables->locks;
    if (locks[lock].kind == GNOMON_LOCK_RWLOCK && lock + 1 < GNOMON_LOCKS_LOCK_OTHER &&
        locks[lock + 1].kind == GNOMON_LOCK_RWLOCK_READ)
        return (int)lock + 1;
    if (locks[lock].kind == GNOMON_LOCK_RWLOCK_READ && lock > 0 && locks[lock - 1].kind == GNOMON_LOCK_RWLOCK)
        return (int)lock - 1;
    return NO_THREAD;
}

/* ---- Tables ---- */

void *account_item(struct account_table *table, uint64_t key, size_t size, bool *fresh) {
    const uint32_t known = table->map.count, index = profile_map_find(&table->map, key);
    *fresh = index == known;
    if (!*fresh)
        return index == PROFILE_MAP_NONE ? NULL : table->items[index];
    if (!gnomon_array_room(&table->items, &table->room, (size_t)index + 1, sizeof *table->items))
        return NULL;
    return table->items[index] = calloc(1, size);
}

static void free_table(struct account_table *table) {
    for (uint32_t i = 0; i < table->map.count && i < table->room; i++)
        free(table->items[i]);
    free(table->items);
    profile_map_free(&table->map);
}

/* After a loss: nothing is known of the lock. */
static void doubt_lock(struct account_lock *lock) {
    lock->hold_lost |= lock->owner >= 0;
    lock->owner = UNKNOWN;
    lock->maybe = NO_THREAD;
    memset(lock->holders, 0, sizeof lock->holders);
    lock->holders_unknown = true;
    lock->waiters = 0;
}

struct account_lock *account_lock(struct gnomon_lock_account *account, unsigned index) {
    struct account_lock *lock = account->locks[index];
    if (!lock) {
        const enum gnomon_lock_kind kind = account->tables->locks[index].kind;
        if (!(lock = account->locks[index] = calloc(1, sizeof *lock)))
            return NULL;
        *lock = (struct account_lock){
            .figures = {.lock = index, .kind = kind},
            .class = gnomon_lock_class_of(kind, index),
            .recursive = gnomon_lock_is_recursive(kind),
            .partner = partner_of(account->tables, index),
            .owner = NO_THREAD,
            .maybe = NO_THREAD,
            .clean_epoch = UINT64_MAX,
        };
    }
    if (lock->epoch != account->epoch) {
        lock->epoch = account->epoch;
        doubt_lock(lock);
    }
    return lock;
}

bool gnomon_lock_account_owner(struct gnomon_lock_account *account, unsigned lock, int *owner) {
    if (!account->locks[lock] || account->locks[lock]->class != GNOMON_CLASS_OWNED)
        return false;
    *owner = account_lock(account, lock)->owner;
    return true;
}

struct account_pair *account_pair(struct gnomon_lock_account *account, unsigned thread, unsigned index) {
    bool fresh;
    struct account_pair *pair = account_item(&account->pairs, (uint64_t)thread << 12 | index, sizeof *pair, &fresh);
    struct account_lock *lock = pair ? account_lock(account, index) : NULL;
    if (!lock)
        return NULL;
    pair->part.thread = thread;
    pair->part.lock = index;
    if (pair->epoch == account->epoch)
        return pair;
    pair->epoch = account->epoch;
    if (!account_commit(account, lock, pair))
        return NULL;
    pair->waited |= pair->waiting;
    pair->may_wait = true;
    pair->waiting = false;
    pair->may_hold = lock->class == GNOMON_CLASS_SHARED;
    pair->hold_lost |= pair->may_hold && pair->depth;
    pair->depth = 0;
    return pair;
}

struct gnomon_lock_part *account_site(struct gnomon_lock_account *account, unsigned lock, uint32_t caller) {
    bool fresh;
    struct gnomon_lock_part *site = account_item(&account->sites, (uint64_t)lock << 32 | caller, sizeof *site, &fresh);
    if (!site)
        return NULL;
    site->lock = lock;
    site->caller = caller;
    return site;
}

struct gnomon_lock_part *account_hart(struct gnomon_lock_account *account, unsigned lock, unsigned hart) {
    bool fresh;
    struct gnomon_lock_part *part = account_item(&account->harts, (uint64_t)hart << 12 | lock, sizeof *part, &fresh);
    if (!part)
        return NULL;
    part->lock = lock;
    part->hart = hart;
    return part;
}

struct account_thread *account_thread(struct gnomon_lock_account *account, unsigned index) {
    struct account_thread *thread = &account->threads[index];
    if (thread->epoch != account->epoch) {
        thread->count = 0;
        thread->wants = 0;
        thread->blocked = thread->sleeps = false;
        thread->requests = 0;
    }
    thread->epoch = account->epoch;
    return thread;
}

bool account_misuse(struct gnomon_lock_account *account, enum gnomon_lock_misuse_kind kind,
                    const struct gnomon_lock_message *message, int owner) {
    bool fresh;
    const uint64_t key = (uint64_t)kind << 20 | message->thread << 12 | message->lock;
    struct gnomon_lock_misuse *misuse = account_item(&account->misuses, key, sizeof *misuse, &fresh);
    if (!misuse)
        return false;
    if (fresh)
        *misuse = (struct gnomon_lock_misuse){.kind = kind,
                                              .lock = message->lock,
                                              .thread = message->thread,
                                              .owner = owner,
                                              .cycle = message->cycle,
                                              .caller = message->caller,
                                              .hart = message->hart};
    misuse->count++;
    return true;
}

/* ---- The end ---- */

/* The thread has the lock at the end: notes that the lock was destroyed or freed meanwhile, not before, and that the
 * thread has ended. What happened to a read-write lock is in the entry of its write side. */
static bool check_held(struct gnomon_lock_account *account, const struct account_pair *pair) {
    const struct account_lock *lock = account->locks[pair->part.lock];
    const bool reading = lock->class == GNOMON_CLASS_SHARED && lock->partner != NO_THREAD;
    const struct gnomon_table_lock *entry =
        &account->tables->locks[reading ? (unsigned)lock->partner : pair->part.lock];
    const struct gnomon_lock_message message = {.thread = pair->part.thread,
                                                .lock = pair->part.lock,
                                                .cycle = pair->since,
                                                .caller = pair->hold_caller,
                                                .hart = pair->hold_hart};
    const enum gnomon_lock_misuse_kind gone =
        entry->wrong & GNOMON_LOCK_WRONG_FREED ? GNOMON_MISUSE_FREED_HELD : GNOMON_MISUSE_DESTROYED;
    if (entry->state == GNOMON_LOCK_DESTROYED && !(entry->wrong & GNOMON_LOCK_WRONG_USE) &&
        !account_misuse(account, gone, &message, (int)pair->part.thread))
        return false;
    return !account->tables->threads[pair->part.thread].ended || entry->kind == GNOMON_LOCK_INTERRUPTS ||
           account_misuse(account, GNOMON_MISUSE_ENDED, &message, (int)pair->part.thread);
}

static bool end_pair(struct gnomon_lock_account *account, struct account_pair *pair) {
    struct gnomon_lock_results *results = &account->results;
    struct account_lock *lock = account_lock(account, pair->part.lock);
    int owner;
    if (!lock || !account_pair(account, pair->part.thread, pair->part.lock) || !account_commit(account, lock, pair))
        return false;
    lock->figures.waits_unknown += pair->waited;
    lock->figures.holds_unknown += pair->hold_lost;
    if (pair->waiting) {
        account_held_by_other(account, lock, pair->part.thread, &owner);
        account->waiting[results->waiting_count++] =
            (struct gnomon_lock_waiting){pair->part.thread,  pair->part.lock, pair->requested, pair->request_caller,
                                         pair->request_hart, owner,           NO_THREAD};
    }
    if (pair->depth) {
        account->held[results->held_count++] = (struct gnomon_lock_held){
            pair->part.thread, pair->part.lock, pair->since, pair->hold_caller, pair->hold_hart};
        return check_held(account, pair);
    }
    return true;
}

/* Takes the misuse that the program noticed itself. */
static bool take_noticed(struct gnomon_lock_account *account) {
    for (unsigned i = 0; i < GNOMON_LOCKS_MOST; i++)
        for (unsigned bit = 0; bit < 4; bit++) {
            const struct gnomon_table_lock *entry = &account->tables->locks[i];
            const struct gnomon_lock_message message = {.lock = i, .caller = entry->caller};
            const enum gnomon_lock_misuse_kind kind =
                (enum gnomon_lock_misuse_kind)(GNOMON_MISUSE_DESTROY_FAILED + bit);
            if (entry->wrong >> bit & 1 && !account_misuse(account, kind, &message, NO_THREAD))
                return false;
        }
    return true;
}

/* Lists the locks by index. False: out of memory. */
static bool list_locks(struct gnomon_lock_account *account) {
    struct gnomon_lock_results *results = &account->results;
    results->locks = calloc(GNOMON_LOCKS_MOST, sizeof *results->locks);
    for (unsigned i = 0; results->locks && i < GNOMON_LOCKS_MOST; i++) {
        struct account_lock *lock = account->locks[i];
        const struct gnomon_lock_counts *counts = lock ? &lock->figures.counts : NULL;
        if (!lock || !account_lock(account, i))
            continue;
        account_open_convoy(account, lock);
        lock->figures.holds_unknown += lock->class == GNOMON_CLASS_OWNED && lock->owner == UNKNOWN && lock->hold_lost;
        if (counts->requests + counts->acquisitions + counts->refused + counts->releases)
            results->locks[results->lock_count++] = &lock->figures;
    }
    return results->locks;
}

bool gnomon_lock_account_finish(struct gnomon_lock_account *account) {
    struct gnomon_lock_results *results = &account->results;
    if (!account_inversions_until(account, account->cycle))
        return false;
    const uint32_t pairs = account->pairs.map.count;
    for (unsigned hart = 0; hart < GNOMON_MAX_HARTS; hart++)
        account_end_loss(account, hart);
    account->waiting = calloc(pairs + 1, sizeof *account->waiting);
    account->held = calloc(pairs + 1, sizeof *account->held);
    if (!account->waiting || !account->held)
        return false;
    for (uint32_t i = 0; i < pairs; i++)
        if (!end_pair(account, account->pairs.items[i]))
            return false;
    if (!take_noticed(account) || !list_locks(account) || !account_find_circles(account) ||
        !account_find_deadlocks(account))
        return false;
    results->by_thread = (const struct gnomon_lock_part **)account->pairs.items;
    results->by_thread_count = account->pairs.map.count;
    results->by_caller = (const struct gnomon_lock_part **)account->sites.items;
    results->by_caller_count = account->sites.map.count;
    results->by_hart = (const struct gnomon_lock_part **)account->harts.items;
    results->by_hart_count = account->harts.map.count;
    results->orders = (const struct gnomon_lock_order **)account->orders.items;
    results->order_count = account->orders.map.count;
    results->blocked = (const struct gnomon_lock_blocked **)account->blocked.items;
    results->blocked_count = account->blocked.map.count;
    results->inversions = (const struct gnomon_lock_inversion **)account->inversions.items;
    results->inversion_count = account->inversions.map.count;
    results->misuses = (const struct gnomon_lock_misuse **)account->misuses.items;
    results->misuse_count = account->misuses.map.count;
    results->circles = account->circles;
    results->waiting = account->waiting;
    results->held = account->held;
    return true;
}

const struct gnomon_lock_results *gnomon_lock_account_results(const struct gnomon_lock_account *account) {
    return &account->results;
}

struct gnomon_lock_account *gnomon_lock_account_new(const struct gnomon_lock_tables *tables) {
    struct gnomon_lock_account *account = calloc(1, sizeof *account);
    if (!account)
        return NULL;
    account->tables = tables;
    for (unsigned hart = 0; hart < GNOMON_MAX_HARTS; hart++)
        account->running.threads[hart] = NO_THREAD;
    return account;
}

void gnomon_lock_account_free(struct gnomon_lock_account *account) {
    if (!account)
        return;
    for (unsigned i = 0; i < GNOMON_LOCKS_MOST; i++)
        if (account->locks[i]) {
            gnomon_lock_times_free(&account->locks[i]->figures.hold);
            gnomon_lock_times_free(&account->locks[i]->figures.wait);
            free(account->locks[i]);
        }
    for (unsigned i = 0; i < GNOMON_THREADS_MOST; i++)
        free(account->threads[i].held);
    for (uint32_t i = 0; i < account->orders.map.count && i < account->orders.room; i++)
        if (account->orders.items[i])
            free(((struct gnomon_lock_order *)account->orders.items[i])->guards);
    for (size_t i = 0; i < account->results.circle_count; i++)
        free(account->circles[i].orders);
    free_table(&account->pairs);
    free_table(&account->sites);
    free_table(&account->harts);
    free_table(&account->orders);
    free_table(&account->blocked);
    free_table(&account->inversions);
    free_table(&account->misuses);
    free(account->results.locks);
    free(account->circles);
    free(account->waiting);
    free(account->held);
    free(account);
}
