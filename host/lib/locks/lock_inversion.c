/* SPDX-License-Identifier: Apache-2.0 */
/* Priority inversion: while a thread waits, the thread that has the lock is ready, but one of middle priority runs.
 * Between two messages nothing of this changes, so each such stretch of cycles belongs to one running thread; if both
 * harts run one of middle priority, to the one with the lower priority, which the owner should replace. */
#include "lib/locks/lock_account_internal.h"

static const struct gnomon_table_thread *priorities_of(const struct gnomon_lock_account *account, int thread) {
    return &account->tables->threads[thread];
}

/* The thread that keeps `thread` waiting and is not blocked itself; *has: the lock that it has. NO_THREAD: none. */
static int root_of(struct gnomon_lock_account *account, unsigned thread, unsigned *has) {
    for (unsigned step = 0; step < GNOMON_THREADS_MOST; step++) { /* more steps: a deadlock */
        int owner;
        const unsigned wants = account_thread(account, thread)->wants;
        const struct account_lock *lock = wants ? account_lock(account, wants) : NULL;
        if (!lock || account_held_by_other(account, lock, thread, &owner) != 1)
            return NO_THREAD;
        *has = wants;
        thread = (unsigned)owner;
        if (!account_thread(account, thread)->blocked)
            return owner;
    }
    return NO_THREAD;
}

/* The highest priority for whose sake the thread runs: its own, or that of one that waits for it. */
static uint32_t sake_of(struct gnomon_lock_account *account, int thread) {
    const struct account_running *running = &account->running;
    uint32_t most = priorities_of(account, thread)->most_priority;
    for (size_t i = 0; i < running->waiting; i++) {
        unsigned has;
        const uint32_t other = priorities_of(account, running->waits[i])->most_priority;
        if (other > most && root_of(account, running->waits[i], &has) == thread)
            most = other;
    }
    return most;
}

static bool add_inversion(struct gnomon_lock_account *account, unsigned waiter, int owner, int middle, unsigned has,
                          uint64_t cycles) {
    bool fresh;
    const unsigned lock = account_thread(account, waiter)->wants;
    const uint64_t key = (uint64_t)waiter << 28 | (uint64_t)owner << 20 | (uint64_t)middle << 12 | lock;
    const struct account_pair *wait = account_pair(account, waiter, lock),
                              *hold = account_pair(account, (unsigned)owner, has);
    struct gnomon_lock_inversion *inversion = account_item(&account->inversions, key, sizeof *inversion, &fresh);
    if (!inversion || !wait || !hold)
        return false;
    if (fresh)
        *inversion = (struct gnomon_lock_inversion){.waiter = waiter,
                                                    .owner = (unsigned)owner,
                                                    .middle = (unsigned)middle,
                                                    .lock = lock,
                                                    .has = has,
                                                    .cycle = account->running.since,
                                                    .waiter_caller = wait->request_caller,
                                                    .owner_caller = hold->hold_caller};
    if (fresh || inversion->request != wait->requested) {
        inversion->lost.count++;
        inversion->request = wait->requested;
        inversion->request_cycles = 0;
    }
    inversion->request_cycles += cycles;
    inversion->lost.total += cycles;
    if (inversion->request_cycles > inversion->lost.max)
        inversion->lost.max = inversion->request_cycles;
    return true;
}

/* Of the running threads, the one that the owner of what `waiter` waits for should replace, or NO_THREAD. */
static int middle_of(struct gnomon_lock_account *account, unsigned waiter, int owner,
                     const uint32_t sakes[GNOMON_MAX_HARTS]) {
    const int *threads = account->running.threads;
    const uint32_t low = priorities_of(account, owner)->most_priority;
    const uint32_t high = priorities_of(account, (int)waiter)->least_priority;
    int middle = NO_THREAD;
    for (unsigned hart = 0; hart < GNOMON_MAX_HARTS; hart++) {
        if (threads[hart] == owner)
            return NO_THREAD;
        const uint32_t own = threads[hart] >= 0 ? priorities_of(account, threads[hart])->least_priority : 0;
        if (low && low < own && sakes[hart] < high &&
            (middle == NO_THREAD || own < priorities_of(account, middle)->least_priority))
            middle = threads[hart];
    }
    return middle;
}

bool account_inversions_until(struct gnomon_lock_account *account, uint64_t cycle) {
    struct account_running *running = &account->running;
    if (cycle <= running->since)
        return true;
    uint32_t sakes[GNOMON_MAX_HARTS] = {0};
    bool known = running->waiting > 0;
    for (unsigned hart = 0; known && hart < GNOMON_MAX_HARTS; hart++) {
        known = running->threads[hart] != UNKNOWN;
        if (running->threads[hart] >= 0)
            sakes[hart] = sake_of(account, running->threads[hart]);
    }
    for (size_t i = 0; known && i < running->waiting; i++) {
        unsigned has;
        const unsigned waiter = running->waits[i];
        const int owner = root_of(account, waiter, &has);
        const int middle = owner >= 0 ? middle_of(account, waiter, owner, sakes) : NO_THREAD;
        if (middle >= 0 && !add_inversion(account, waiter, owner, middle, has, cycle - running->since))
            return false;
    }
    running->since = cycle;
    return true;
}

bool account_runs(struct gnomon_lock_account *account, unsigned hart, int thread, uint64_t cycle) {
    if (!account_inversions_until(account, cycle))
        return false;
    /* A hart that runs no thread yet has a number beyond them. */
    account->running.threads[hart] = thread < (int)GNOMON_THREADS_MOST ? thread : NO_THREAD;
    return account->running.threads[hart] < 0 || account_runs_again(account, (unsigned)thread, cycle);
}

void account_inversions_forget(struct gnomon_lock_account *account, unsigned hart) {
    account->running.threads[hart] = UNKNOWN;
    account->running.waiting = 0;
}

void account_wants(struct gnomon_lock_account *account, unsigned thread, const struct account_lock *lock) {
    struct account_running *running = &account->running;
    struct account_thread *waiter = account_thread(account, thread);
    if (lock->class != GNOMON_CLASS_OWNED && lock->class != GNOMON_CLASS_SHARED)
        return;
    if (!waiter->wants)
        running->waits[running->waiting++] = (uint8_t)thread;
    waiter->wants = lock->figures.lock;
}

void account_answered(struct gnomon_lock_account *account, unsigned thread, const struct account_lock *lock) {
    struct account_running *running = &account->running;
    struct account_thread *waiter = account_thread(account, thread);
    if (waiter->wants != lock->figures.lock)
        return;
    waiter->wants = 0;
    for (size_t i = 0; i < running->waiting; i++)
        if (running->waits[i] == thread) {
            running->waits[i] = running->waits[--running->waiting];
            return;
        }
}
