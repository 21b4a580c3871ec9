/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with a program's locks, a sentence each. */
#include <stdlib.h>
#include <string.h>

#include "cli/locks/locks.h"
#include "cli/locks/locks_sentence.h"

#define MOST_SHOWN 8 /* sentences of one kind; --order and --json have all */

static void put(const struct locks *locks, FILE *stream, enum cli_style style, const struct sentence *sentence) {
    put_sentence(locks->context, stream, style, sentence, "  ");
}

static const char *times(uint64_t count, char text[CLI_COUNT_BYTES + 8]) {
    char digits[CLI_COUNT_BYTES];
    snprintf(text, CLI_COUNT_BYTES + 8, "%s time%s", cli_count(digits, count), count == 1 ? "" : "s");
    return text;
}
#define TIMES(count) times(count, (char[CLI_COUNT_BYTES + 8]){0})

/* Counts the sentences of one kind. */
struct shown {
    size_t count, left_out;
};

static bool may_show(struct shown *shown) {
    const bool may = shown->count < MOST_SHOWN;
    shown->count += may;
    shown->left_out += !may;
    return may;
}

static void put_left_out(FILE *stream, const struct shown *shown, const char *what) {
    if (shown->left_out)
        fprintf(stream, "  and %zu more %s; gnomon locks --json lists all\n", shown->left_out, what);
}

/* ---- Deadlocks ---- */

static const struct gnomon_lock_held *held_by(const struct locks *locks, int thread, unsigned lock) {
    const struct gnomon_lock_results *results = locks->run.results;
    for (size_t i = 0; thread >= 0 && i < results->held_count; i++)
        if (results->held[i].thread == (unsigned)thread && results->held[i].lock == lock)
            return &results->held[i];
    return NULL;
}

/* Does --thread select one of the threads? */
static bool of_thread(const struct locks *locks, const struct gnomon_thread_set *threads) {
    bool any = !locks->values->thread;
    for (unsigned i = 0; i < GNOMON_THREADS_MOST; i++)
        any |= gnomon_thread_set_has(threads, i) && gnomon_thread_set_has(&locks->threads, i);
    return any;
}

/* `other` may be negative: none. */
static bool of_either(const struct locks *locks, unsigned thread, int other) {
    struct gnomon_thread_set threads = {0};
    gnomon_thread_set_add(&threads, thread);
    if (other >= 0)
        gnomon_thread_set_add(&threads, (unsigned)other);
    return of_thread(locks, &threads);
}

static void say_waiting(const struct locks *locks, struct sentence *sentence,
                        const struct gnomon_lock_waiting *waiting) {
    const struct gnomon_lock_held *held = held_by(locks, waiting->owner, waiting->lock);
    const bool itself = waiting->owner < 0 && held_by(locks, (int)waiting->thread, waiting->lock);
    say(sentence, "%s waits for %s in %s since cycle %s", THREAD_NAME(waiting->thread), LOCK_NAME(waiting->lock),
        CALLER_NAME(waiting->caller), COUNT(waiting->since));
    if (itself)
        say(sentence, ", which it has itself");
    else if (waiting->owner >= 0)
        say(sentence, ", which %s has", THREAD_NAME((unsigned)waiting->owner));
    if (held)
        say(sentence, " since cycle %s from %s", COUNT(held->since), CALLER_NAME(held->caller));
}

static void put_deadlocks(const struct locks *locks, FILE *stream) {
    const struct gnomon_lock_results *results = locks->run.results;
    for (unsigned deadlock = 0; deadlock < results->deadlocks; deadlock++) {
        struct sentence sentence = {0};
        struct gnomon_thread_set threads = {0};
        say(&sentence, "DEADLOCK at the end of the recording: ");
        const char *comma = "";
        for (size_t i = 0; i < results->waiting_count; i++)
            if (results->waiting[i].deadlock == (int)deadlock) {
                say(&sentence, "%s", comma);
                say_waiting(locks, &sentence, &results->waiting[i]);
                gnomon_thread_set_add(&threads, results->waiting[i].thread);
                comma = "; ";
            }
        say(&sentence, ".");
        if (of_thread(locks, &threads))
            put(locks, stream, CLI_RED, &sentence);
    }
}

/* If the program did not end by itself, what each thread waited for may be the reason. */
static void put_waiting(const struct locks *locks, FILE *stream) {
    const struct gnomon_lock_results *results = locks->run.results;
    for (size_t i = 0; locks->exactness.end != GNOMON_RUN_ENDED && i < results->waiting_count; i++) {
        struct sentence sentence = {0};
        if (results->waiting[i].deadlock >= 0 ||
            !of_either(locks, results->waiting[i].thread, results->waiting[i].owner))
            continue;
        say(&sentence, "At the end ");
        say_waiting(locks, &sentence, &results->waiting[i]);
        say(&sentence, ".");
        put(locks, stream, CLI_YELLOW, &sentence);
    }
}

/* ---- Orders ---- */

static void say_order(const struct locks *locks, struct sentence *sentence, const struct gnomon_lock_order *order) {
    say(sentence, "%s then %s in %s (%s, by %s%s)", LOCK_NAME(order->from), LOCK_NAME(order->to),
        CALLER_NAME(order->to_caller), TIMES(order->count), THREAD_NAME(order->thread),
        order->several ? " and others" : "");
}

static bool concerns(const struct locks *locks, const struct gnomon_lock_circle *circle) {
    bool lock = false, thread = false;
    for (size_t i = 0; i < circle->count; i++) {
        lock |= locks_wanted(locks, circle->orders[i]->from);
        thread |= of_thread(locks, &circle->orders[i]->threads);
    }
    return lock && thread;
}

static void put_circles(const struct locks *locks, FILE *stream) {
    const struct gnomon_lock_results *results = locks->run.results;
    struct shown shown = {0};
    bool stacks = false;
    for (size_t i = 0; i < results->circle_count; i++) {
        const struct gnomon_lock_circle *circle = &results->circles[i];
        struct sentence sentence = {0};
        if (!concerns(locks, circle) || !may_show(&shown))
            continue;
        say(&sentence, circle->count > 2 ? "Lock order in a circle: " : "Lock order both ways: ");
        for (size_t j = 0; j < circle->count; j++) {
            say(&sentence, "%s", j ? "; " : "");
            say_order(locks, &sentence, circle->orders[j]);
            stacks |= circle->orders[j]->to_stack.count > 0;
        }
        if (circle->one_thread)
            say(&sentence, ". Only one thread does it, so nothing blocks yet.");
        else if (circle->guard)
            say(&sentence, ". %s is held each time, so nothing blocks as long as that stays so.",
                LOCK_NAME(circle->guard));
        else
            say(&sentence, ". Threads that do this at the same time block each other for ever.");
        if (stacks && !locks->values->order)
            say(&sentence, " gnomon locks --order shows the stacks.");
        put(locks, stream, circle->one_thread || circle->guard ? CLI_PLAIN : CLI_RED, &sentence);
    }
    put_left_out(stream, &shown, "circles");
    if (results->circles_cut)
        fprintf(stream, "There are more circles of locks than are shown.\n");
}

static int by_count(const void *a, const void *b) {
    const struct gnomon_lock_order *left = *(const struct gnomon_lock_order *const *)a,
                                   *right = *(const struct gnomon_lock_order *const *)b;
    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    if (left->from != right->from)
        return left->from < right->from ? -1 : 1;
    return left->to < right->to ? -1 : left->to > right->to;
}

/* Where a lock was acquired or asked for, and the calls that were open there. */
static void put_step(const struct locks *locks, FILE *stream, unsigned lock, const char *did, uint32_t caller,
                     const struct gnomon_lock_stack *stack) {
    struct sentence sentence = {0};
    say(&sentence, "    %s %s in %s", LOCK_NAME(lock), did, CALLER_NAME(caller));
    put_sentence(locks->context, stream, CLI_PLAIN, &sentence, "      ");
    locks_stack(locks, stream, stack);
}

static void put_order(const struct locks *locks, FILE *stream, const struct gnomon_lock_order *order) {
    struct sentence sentence = {0};
    char asked[CLI_COUNT_BYTES + 64];
    say_order(locks, &sentence, order);
    put(locks, stream, CLI_PLAIN, &sentence);
    snprintf(asked, sizeof asked, "asked for, first at cycle %s,", COUNT(order->cycle));
    put_step(locks, stream, order->from, "acquired", order->from_caller, &order->from_stack);
    put_step(locks, stream, order->to, asked, order->to_caller, &order->to_stack);
}

void locks_orders(const struct locks *locks, FILE *stream) {
    const struct gnomon_lock_results *results = locks->run.results;
    const struct gnomon_lock_order **orders = calloc(results->order_count + 1, sizeof *orders);
    if (!orders)
        return;
    for (size_t i = 0; i < results->order_count; i++)
        orders[i] = results->orders[i];
    qsort(orders, results->order_count, sizeof *orders, by_count);
    if (!results->order_count)
        fprintf(stream, "No lock was asked for while another one was held.\n");
    for (size_t i = 0; i < results->order_count; i++) {
        if ((locks_wanted(locks, orders[i]->from) || locks_wanted(locks, orders[i]->to)) &&
            of_thread(locks, &orders[i]->threads))
            put_order(locks, stream, orders[i]);
    }
    free(orders);
    put_circles(locks, stream);
    put_deadlocks(locks, stream);
}

/* ---- The rest ---- */

static void say_blocked(const struct locks *locks, struct sentence *sentence,
                        const struct gnomon_lock_blocked *blocked) {
    say(sentence, "%s was held while a thread ", LOCK_NAME(blocked->held));
    if (blocked->waited)
        say(sentence, "waited for %s", LOCK_NAME(blocked->waited));
    else
        say(sentence, "slept or waited for another thread");
    say(sentence, ": %s, %s cycles, at most %s; first by %s", TIMES(blocked->wait.count), COUNT(blocked->wait.total),
        COUNT(blocked->wait.max), THREAD_NAME(blocked->thread));
    if (blocked->waited)
        say(sentence, " in %s.", CALLER_NAME(blocked->caller));
    else
        say(sentence, ", which acquired it in %s.", CALLER_NAME(blocked->held_caller));
}

static void put_blocked(const struct locks *locks, FILE *stream) {
    const struct gnomon_lock_results *results = locks->run.results;
    struct shown shown = {0};
    for (size_t i = 0; i < results->blocked_count; i++) {
        const struct gnomon_lock_blocked *blocked = results->blocked[i];
        struct sentence sentence = {0};
        const bool wanted =
            locks_wanted(locks, blocked->held) || (blocked->waited && locks_wanted(locks, blocked->waited));
        if (!wanted || !of_thread(locks, &blocked->threads) || !may_show(&shown))
            continue;
        say_blocked(locks, &sentence, blocked);
        put(locks, stream, CLI_PLAIN, &sentence);
    }
    put_left_out(stream, &shown, "waits with a lock held");
}

/* A thread with its priority, or the range of its priorities. */
static void say_priority(const struct locks *locks, struct sentence *sentence, unsigned thread) {
    const struct gnomon_table_thread *entry = &locks->run.tables.threads[thread];
    say(sentence, "%s (priority %u", THREAD_NAME(thread), entry->least_priority - 1);
    if (entry->most_priority > entry->least_priority)
        say(sentence, " to %u", entry->most_priority - 1);
    say(sentence, ")");
}

static void put_inversions(const struct locks *locks, FILE *stream) {
    const struct gnomon_lock_results *results = locks->run.results;
    struct shown shown = {0};
    for (size_t i = 0; i < results->inversion_count; i++) {
        const struct gnomon_lock_inversion *inversion = results->inversions[i];
        struct sentence sentence = {0};
        if ((!locks_wanted(locks, inversion->lock) && !locks_wanted(locks, inversion->has)) ||
            (!of_either(locks, inversion->waiter, (int)inversion->owner) && !of_either(locks, inversion->middle, -1)) ||
            !may_show(&shown))
            continue;
        say(&sentence, "Priority inversion at %s: ", LOCK_NAME(inversion->lock));
        say_priority(locks, &sentence, inversion->waiter);
        say(&sentence, " waited in %s for ", CALLER_NAME(inversion->waiter_caller));
        say_priority(locks, &sentence, inversion->owner);
        if (inversion->has == inversion->lock)
            say(&sentence, ", which had it");
        else
            say(&sentence, ", which had %s, for which others waited in turn", LOCK_NAME(inversion->has));
        say(&sentence, " since %s, while ", CALLER_NAME(inversion->owner_caller));
        say_priority(locks, &sentence, inversion->middle);
        say(&sentence, " ran: %s, %s cycles lost, at most %s in one wait, first at cycle %s.",
            TIMES(inversion->lost.count), COUNT(inversion->lost.total), COUNT(inversion->lost.max),
            COUNT(inversion->cycle));
        put(locks, stream, CLI_RED, &sentence);
    }
    put_left_out(stream, &shown, "priority inversions");
}

static void put_ended_convoys(const struct locks *locks, FILE *stream, const struct gnomon_lock_figures *figures) {
    struct sentence sentence = {0};
    say(&sentence,
        "Convoy at %s, %s: in the longest one there was always a thread that waited, for %s cycles and %s "
        "acquisitions from cycle %s on.",
        LOCK_NAME(figures->lock), TIMES(figures->convoys), COUNT(figures->convoy_cycles),
        COUNT(figures->convoy_acquisitions), COUNT(figures->convoy_from));
    put(locks, stream, CLI_PLAIN, &sentence);
}

static void put_open_convoy(const struct locks *locks, FILE *stream, const struct gnomon_lock_figures *figures) {
    struct sentence sentence = {0};
    say(&sentence,
        "Convoy at %s that has not ended: from cycle %s to the end of the recording there was always a thread that "
        "waited, for %s cycles and %s acquisitions so far.",
        LOCK_NAME(figures->lock), COUNT(figures->open_convoy_from), COUNT(figures->open_convoy_cycles),
        COUNT(figures->open_convoy_acquisitions));
    put(locks, stream, CLI_PLAIN, &sentence);
}

static void put_convoys(const struct locks *locks, FILE *stream) {
    const struct gnomon_lock_results *results = locks->run.results;
    for (size_t i = 0; i < results->lock_count; i++) {
        const struct gnomon_lock_figures *figures = results->locks[i];
        if (!locks_wanted(locks, figures->lock) || !of_thread(locks, &figures->convoy_threads))
            continue;
        if (figures->convoys)
            put_ended_convoys(locks, stream, figures);
        if (figures->open_convoy_acquisitions)
            put_open_convoy(locks, stream, figures);
    }
}

/* What the program's table says of a lock. */
static const char *noticed(enum gnomon_lock_misuse_kind kind) {
    switch (kind) {
    case GNOMON_MISUSE_DESTROY_FAILED:
        return "could not be destroyed, because it was in use";
    case GNOMON_MISUSE_USED_LATE:
        return "was used after it was destroyed";
    case GNOMON_MISUSE_INITIALIZED:
        return "was initialized again before it was destroyed";
    default:
        return "was in memory that was freed before it was destroyed";
    }
}

/* What a thread had at the end, and where it had acquired it. */
static void put_had(const struct locks *locks, FILE *stream, const struct gnomon_lock_misuse *misuse) {
    struct sentence sentence = {0};
    const char *lock = LOCK_NAME(misuse->lock), *thread = THREAD_NAME(misuse->thread);
    if (misuse->kind == GNOMON_MISUSE_ENDED)
        say(&sentence, "%s ended while it had %s", thread, lock);
    else
        say(&sentence, "%s was %s while %s had it", lock,
            misuse->kind == GNOMON_MISUSE_DESTROYED ? "destroyed" : "in memory that was freed", thread);
    say(&sentence, ", acquired at cycle %s in %s.", COUNT(misuse->cycle), CALLER_NAME(misuse->caller));
    put(locks, stream, CLI_RED, &sentence);
}

static void put_misuse(const struct locks *locks, FILE *stream, const struct gnomon_lock_misuse *misuse) {
    struct sentence sentence = {0};
    const char *lock = LOCK_NAME(misuse->lock), *thread = THREAD_NAME(misuse->thread),
               *owner = misuse->owner >= 0 ? THREAD_NAME((unsigned)misuse->owner) : "another thread";
    switch (misuse->kind) {
    case GNOMON_MISUSE_NOT_OWNER:
        say(&sentence, "%s released %s, which %s had", thread, lock, owner);
        break;
    case GNOMON_MISUSE_FREE:
        say(&sentence, "%s released %s, which no thread had", thread, lock);
        break;
    case GNOMON_MISUSE_AGAIN:
        say(&sentence, "%s locked %s again while it had it, and it is not recursive", thread, lock);
        break;
    case GNOMON_MISUSE_TWO:
        say(&sentence, "%s acquired %s while %s had it: it does not exclude them", thread, lock, owner);
        break;
    case GNOMON_MISUSE_REFUSED:
        say(&sentence, "%s could not release %s: the function failed", thread, lock);
        break;
    case GNOMON_MISUSE_DESTROYED:
    case GNOMON_MISUSE_FREED_HELD:
    case GNOMON_MISUSE_ENDED:
        put_had(locks, stream, misuse);
        return;
    default:
        say(&sentence, "%s, initialized in %s, %s.", lock, CALLER_NAME(misuse->caller), noticed(misuse->kind));
        put(locks, stream, CLI_RED, &sentence);
        return;
    }
    say(&sentence, ": %s, first at cycle %s in %s.", TIMES(misuse->count), COUNT(misuse->cycle),
        CALLER_NAME(misuse->caller));
    put(locks, stream, CLI_RED, &sentence);
}

/* Of what the program noticed itself it is not known which thread did it. */
static bool does_misuse(const struct locks *locks, const struct gnomon_lock_misuse *misuse) {
    return !locks->values->thread ||
           (misuse->kind < GNOMON_MISUSE_DESTROY_FAILED && of_either(locks, misuse->thread, misuse->owner));
}

static void put_unknown(const struct locks *locks, FILE *stream) {
    const struct gnomon_lock_results *results = locks->run.results;
    uint64_t holds = 0, waits = 0, contended = 0;
    for (size_t i = 0; i < results->lock_count; i++) {
        holds += results->locks[i]->holds_unknown;
        waits += results->locks[i]->waits_unknown;
        contended += results->locks[i]->contended_unknown;
    }
    struct sentence sentence = {0};
    if (holds + waits + contended == 0)
        return;
    say(&sentence,
        "+: not all is known of these locks. Their figures leave out %s hold%s and %s wait%s whose beginning or end is "
        "missing, and %s request%s of which it is not known whether another thread had the lock.",
        COUNT(holds), holds == 1 ? "" : "s", COUNT(waits), waits == 1 ? "" : "s", COUNT(contended),
        contended == 1 ? "" : "s");
    put(locks, stream, CLI_PLAIN, &sentence);
}

/* Locks and threads for which the program's tables had no place share an index. */
static void put_refused(const struct locks *locks, FILE *stream) {
    const struct gnomon_lock_tables *tables = &locks->run.tables;
    struct sentence of_locks = {0}, of_threads = {0};
    if (tables->locks_refused) {
        say(&of_locks,
            "The program's table had no place for the locks of %s call%s: of these locks all together only the "
            "messages are counted. GNOMON_LOCKS_ROOM(n) in the program makes a larger table.",
            COUNT(tables->locks_refused), tables->locks_refused == 1 ? "" : "s");
        put(locks, stream, CLI_YELLOW, &of_locks);
    }
    if (tables->threads_refused) {
        say(&of_threads,
            "The program's table had no place for %s thread%s: their messages count for threads with the same index.",
            COUNT(tables->threads_refused), tables->threads_refused == 1 ? "" : "s");
        put(locks, stream, CLI_YELLOW, &of_threads);
    }
}

void locks_problems(const struct locks *locks, FILE *stream) {
    const struct gnomon_lock_results *results = locks->run.results;
    struct shown shown = {0};
    put_unknown(locks, stream);
    put_refused(locks, stream);
    put_deadlocks(locks, stream);
    put_waiting(locks, stream);
    put_circles(locks, stream);
    put_inversions(locks, stream);
    put_blocked(locks, stream);
    put_convoys(locks, stream);
    for (size_t i = 0; i < results->misuse_count; i++)
        if (locks_wanted(locks, results->misuses[i]->lock) && does_misuse(locks, results->misuses[i]) &&
            may_show(&shown))
            put_misuse(locks, stream, results->misuses[i]);
    put_left_out(stream, &shown, "kinds of misuse");
}
