/* SPDX-License-Identifier: Apache-2.0 */
/* In which order locks are taken; circles in these orders; threads that block each other at the end. */
#include <stdlib.h>
#include <string.h>

#include "lib/locks/lock_account_internal.h"
#include "lib/util/array.h"

#define MOST_CIRCLES 1000              /* a program with more has one mistake in many places */
#define MOST_STEPS (UINT64_C(1) << 28) /* of all searches, so that a hostile file cannot take hours */

/* ---- Orders ---- */

/* Keeps of the guards those that the thread has this time, too. */
static void narrow_guards(struct gnomon_lock_order *order, const struct account_thread *thread) {
    size_t kept = 0;
    for (size_t i = 0; i < order->guard_count; i++)
        for (size_t j = 0; j < thread->count; j++)
            if (thread->held[j] == order->guards[i]) {
                order->guards[kept++] = order->guards[i];
                break;
            }
    order->guard_count = kept;
}

static bool begin_order(struct gnomon_lock_account *account, struct gnomon_lock_order *order, unsigned held,
                        const struct account_thread *thread, const struct gnomon_lock_message *message,
                        const struct gnomon_lock_stack *stack) {
    const struct account_pair *pair = account_pair(account, message->thread, held);
    unsigned *guards = calloc(thread->count, sizeof *guards);
    if (!pair || !guards) {
        free(guards);
        return false;
    }
    *order = (struct gnomon_lock_order){
        .from = held,
        .to = message->lock,
        .thread = message->thread,
        .hart = message->hart,
        .cycle = message->cycle,
        .from_caller = pair->hold_caller,
        .to_caller = message->caller,
        .from_stack = pair->stack,
        .to_stack = *stack,
        .guards = guards,
    };
    for (size_t i = 0; i < thread->count; i++)
        if (thread->held[i] != held && thread->held[i] != message->lock)
            guards[order->guard_count++] = thread->held[i];
    return true;
}

bool account_order(struct gnomon_lock_account *account, const struct account_lock *lock,
                   const struct gnomon_lock_message *message, const struct gnomon_lock_stack *stack) {
    struct account_thread *thread = account_thread(account, message->thread);
    if (lock->class != GNOMON_CLASS_OWNED && lock->class != GNOMON_CLASS_SHARED)
        return true;
    for (size_t i = 0; i < thread->count; i++) {
        bool fresh;
        const unsigned held = thread->held[i];
        if (held == message->lock || (int)held == lock->partner)
            continue;
        struct gnomon_lock_order *order =
            account_item(&account->orders, (uint64_t)held << 12 | message->lock, sizeof *order, &fresh);
        if (!order || (fresh && !begin_order(account, order, held, thread, message, stack)))
            return false;
        if (!fresh)
            narrow_guards(order, thread);
        order->count++;
        gnomon_thread_set_add(&order->threads, message->thread);
        order->several |= order->thread != message->thread;
    }
    return true;
}

/* `message` ended the wait. */
static bool note_blocked(struct gnomon_lock_account *account, const struct gnomon_lock_message *message,
                         uint64_t since) {
    const struct account_thread *thread = account_thread(account, message->thread);
    for (size_t i = 0; i < thread->count; i++) {
        bool fresh;
        const struct account_pair *pair = account_pair(account, message->thread, thread->held[i]);
        if (!pair || pair->since > since)
            continue;
        struct gnomon_lock_blocked *blocked =
            account_item(&account->blocked, (uint64_t)thread->held[i] << 12 | message->lock, sizeof *blocked, &fresh);
        if (!blocked)
            return false;
        if (fresh)
            *blocked = (struct gnomon_lock_blocked){.held = thread->held[i],
                                                    .waited = message->lock,
                                                    .thread = message->thread,
                                                    .cycle = since,
                                                    .caller = message->caller,
                                                    .held_caller = pair->hold_caller};
        const uint64_t cycles = message->cycle - since;
        gnomon_thread_set_add(&blocked->threads, message->thread);
        blocked->wait.count++;
        blocked->wait.total += cycles;
        if (cycles > blocked->wait.max)
            blocked->wait.max = cycles;
    }
    return true;
}

bool account_blocked(struct gnomon_lock_account *account, const struct account_lock *lock,
                     const struct gnomon_lock_message *message, uint64_t since) {
    return (lock->class != GNOMON_CLASS_COUNTED && lock->figures.kind != GNOMON_LOCK_BARRIER) ||
           note_blocked(account, message, since);
}

/* Threads that share an index cannot be told apart, so it is not known which one runs again. */
void account_blocks(struct gnomon_lock_account *account, const struct gnomon_lock_message *message) {
    struct account_thread *thread = account_thread(account, message->thread);
    thread->blocked = true;
    thread->sleeps = !thread->requests && message->thread != GNOMON_LOCKS_THREAD_OTHER;
    thread->sleeps_since = message->cycle;
}

bool account_runs_again(struct gnomon_lock_account *account, unsigned index, uint64_t cycle) {
    struct account_thread *thread = account_thread(account, index);
    const bool slept = thread->sleeps;
    const struct gnomon_lock_message woken = {.thread = index, .lock = GNOMON_LOCKS_LOCK_NONE, .cycle = cycle};
    thread->blocked = thread->sleeps = false;
    return !slept || note_blocked(account, &woken, thread->sleeps_since);
}

/* ---- Circles ---- */

/* The orders as a graph: `next` of an order are those that begin with a lock which its `to` can be blocked by. */
struct graph {
    size_t count;
    struct gnomon_lock_order **orders;   /* sorted by `from` */
    size_t first[GNOMON_LOCKS_MOST + 1]; /* of each lock */
    size_t *before, *queue;              /* of a search: the order from which one was reached, plus 1 */
    uint64_t steps;
    struct profile_map listed; /* circles, by the sum of their orders' hashes */
};

static int by_from(const void *a, const void *b) {
    const struct gnomon_lock_order *left = *(struct gnomon_lock_order *const *)a,
                                   *right = *(struct gnomon_lock_order *const *)b;
    if (left->from != right->from)
        return left->from < right->from ? -1 : 1;
    return left->to < right->to ? -1 : left->to > right->to;
}

/* Can a thread that asks for `wanted` be blocked by one that has `held`? Readers do not block each other. */
static bool blocks(const struct gnomon_lock_account *account, unsigned held, unsigned wanted) {
    const struct account_lock *lock = account->locks[wanted];
    if (held == wanted)
        return lock->class == GNOMON_CLASS_OWNED;
    return lock->partner == (int)held;
}

static bool visit(const struct gnomon_lock_account *account, struct graph *graph, size_t from, unsigned held,
                  size_t goal, size_t *filled) {
    for (size_t i = graph->first[held]; i < graph->first[held + 1]; i++) {
        if (!blocks(account, held, graph->orders[from]->to) || (graph->before[i] && i != goal))
            continue;
        if (i == goal) {
            graph->before[goal] = from + 1;
            return true;
        }
        graph->before[i] = from + 1;
        graph->queue[(*filled)++] = i;
    }
    return false;
}

/* Searches the shortest way from order `start` back to itself. The way is in `before`. */
static bool find_circle(const struct gnomon_lock_account *account, struct graph *graph, size_t start) {
    size_t filled = 0, done = 0;
    memset(graph->before, 0, graph->count * sizeof *graph->before);
    graph->steps += graph->count;
    graph->queue[filled++] = start;
    while (done < filled) {
        const size_t at = graph->queue[done++];
        const unsigned to = graph->orders[at]->to;
        const int partner = account->locks[to]->partner;
        if (visit(account, graph, at, to, start, &filled) ||
            (partner != NO_THREAD && visit(account, graph, at, (unsigned)partner, start, &filled)))
            return true;
    }
    return false;
}

static bool is_guarded(const struct gnomon_lock_circle *circle, unsigned guard) {
    for (size_t i = 0; i < circle->count; i++) {
        bool found = false;
        for (size_t j = 0; j < circle->orders[i]->guard_count; j++)
            found |= circle->orders[i]->guards[j] == guard;
        if (!found)
            return false;
    }
    return true;
}

static void judge_circle(struct gnomon_lock_circle *circle) {
    const struct gnomon_lock_order *first = circle->orders[0];
    circle->one_thread = true;
    for (size_t i = 0; i < circle->count; i++)
        circle->one_thread &= !circle->orders[i]->several && circle->orders[i]->thread == first->thread;
    for (size_t i = 0; i < first->guard_count && !circle->guard; i++)
        if (is_guarded(circle, first->guards[i]))
            circle->guard = first->guards[i];
}

/* Spreads a number over 64 bits, so that sums of different sets differ (the last step of splitmix64). */
static uint64_t spread(uint64_t number) {
    number = (number ^ number >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    number = (number ^ number >> 27) * UINT64_C(0x94D049BB133111EB);
    return number ^ number >> 31;
}

/* Each order in a circle finds a shortest one that it is part of; equal ones are listed once. */
static bool is_listed(struct graph *graph, size_t start) {
    uint64_t sum = 0;
    size_t at = start;
    do {
        sum += spread((uint64_t)at + UINT64_C(0x9E3779B97F4A7C15));
        at = graph->before[at] - 1;
    } while (at != start);
    const uint32_t known = graph->listed.count;
    return profile_map_find(&graph->listed, sum) != known;
}

static bool list_circle(struct gnomon_lock_account *account, const struct graph *graph, size_t start, size_t *room) {
    size_t count = 1;
    for (size_t at = graph->before[start] - 1; at != start; at = graph->before[at] - 1)
        count++;
    struct gnomon_lock_circle circle = {.count = count, .orders = calloc(count, sizeof *circle.orders)};
    if (!circle.orders ||
        !gnomon_array_room(&account->circles, room, account->results.circle_count + 1, sizeof *account->circles)) {
        free(circle.orders);
        return false;
    }
    for (size_t at = start; count-- > 0; at = graph->before[at] - 1)
        circle.orders[(count + 1) % circle.count] = graph->orders[at];
    judge_circle(&circle);
    account->circles[account->results.circle_count++] = circle;
    return true;
}

static bool search_circles(struct gnomon_lock_account *account, struct graph *graph) {
    size_t room = 0;
    for (size_t start = 0; start < graph->count; start++) {
        if (account->results.circle_count == MOST_CIRCLES || graph->steps > MOST_STEPS) {
            account->results.circles_cut = true;
            return true;
        }
        if (!find_circle(account, graph, start) || is_listed(graph, start))
            continue;
        if (!list_circle(account, graph, start, &room))
            return false;
    }
    return true;
}

bool account_find_circles(struct gnomon_lock_account *account) {
    struct graph *graph = calloc(1, sizeof *graph);
    if (!graph)
        return false;
    const size_t count = graph->count = account->orders.map.count;
    graph->orders = calloc(count + 1, sizeof *graph->orders);
    graph->before = calloc(count + 1, sizeof *graph->before);
    graph->queue = calloc(count + 1, sizeof *graph->queue);
    bool good = graph->orders && graph->before && graph->queue;
    if (good && count) {
        memcpy(graph->orders, account->orders.items, count * sizeof *graph->orders);
        qsort(graph->orders, count, sizeof *graph->orders, by_from);
        for (size_t i = 0, lock = 0; lock <= GNOMON_LOCKS_MOST; lock++) {
            while (i < count && graph->orders[i]->from < lock)
                i++;
            graph->first[lock] = i;
        }
        good = search_circles(account, graph);
    }
    free(graph->orders);
    free(graph->before);
    free(graph->queue);
    profile_map_free(&graph->listed);
    free(graph);
    return good;
}

/* ---- Deadlocks ---- */

/* Who waits for whom at the end: at most one lock for each thread. */
struct waits {
    struct gnomon_lock_account *account;
    struct gnomon_lock_waiting *of[GNOMON_THREADS_MOST]; /* NULL: it waits for no lock */
    bool seen[GNOMON_THREADS_MOST];
    unsigned path[GNOMON_THREADS_MOST];
};

/* Has the thread a lock for which `wanted` has to wait? */
static bool thread_blocks(const struct waits *waits, unsigned thread, unsigned wanted) {
    for (size_t i = 0; i < waits->account->results.held_count; i++) {
        const struct gnomon_lock_held *held = &waits->account->held[i];
        if (held->thread == thread && blocks(waits->account, held->lock, wanted))
            return true;
    }
    return false;
}

/* Searches a way from `thread` to `goal`, depth first. Returns its length in threads; 0: there is none. */
static unsigned find_way(struct waits *waits, unsigned thread, unsigned goal, unsigned depth) {
    waits->path[depth] = thread;
    waits->seen[thread] = true;
    if (!waits->of[thread])
        return 0;
    if (thread_blocks(waits, goal, waits->of[thread]->lock))
        return depth + 1;
    for (unsigned next = goal + 1; next < GNOMON_LOCKS_THREAD_OTHER; next++)
        if (!waits->seen[next] && waits->of[next] && thread_blocks(waits, next, waits->of[thread]->lock)) {
            const unsigned length = find_way(waits, next, goal, depth + 1);
            if (length)
                return length;
        }
    return 0;
}

/* A thread waits for at most one lock with an owner: what it asked for last. */
static void take_waiting(struct waits *waits, struct gnomon_lock_waiting *waiting) {
    const enum gnomon_lock_class class = waits->account->locks[waiting->lock]->class;
    struct gnomon_lock_waiting **place = &waits->of[waiting->thread];
    if ((class == GNOMON_CLASS_OWNED || class == GNOMON_CLASS_SHARED) && (!*place || (*place)->since < waiting->since))
        *place = waiting;
}

bool account_find_deadlocks(struct gnomon_lock_account *account) {
    struct waits *waits = calloc(1, sizeof *waits);
    if (!waits)
        return false;
    waits->account = account;
    for (size_t i = 0; i < account->results.waiting_count; i++)
        take_waiting(waits, &account->waiting[i]);
    for (unsigned thread = 0; thread < GNOMON_LOCKS_THREAD_OTHER; thread++) {
        if (!waits->of[thread] || waits->of[thread]->deadlock != NO_THREAD)
            continue;
        memset(waits->seen, 0, sizeof waits->seen);
        const unsigned length = find_way(waits, thread, thread, 0);
        for (unsigned i = 0; i < length; i++)
            waits->of[waits->path[i]]->deadlock = (int)account->results.deadlocks;
        account->results.deadlocks += length > 0;
    }
    free(waits);
    return true;
}
