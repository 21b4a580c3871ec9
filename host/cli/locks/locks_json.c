/* SPDX-License-Identifier: Apache-2.0 */
/* The account of locks as JSON for programs (docs/guide/locks.md). */
#include <string.h>

#include "cli/locks/locks.h"
#include "lib/util/json_text.h"

static void set_count(json_t *object, const char *key, uint64_t value) {
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

static void set_text(json_t *object, const char *key, const char *text) {
    json_object_set_new(object, key, gnomon_json_text(text && *text ? text : NULL));
}

static void set_lock(const struct locks *locks, json_t *object, const char *key, unsigned lock) {
    char text[GNOMON_LOCK_NAME_BYTES], number[32];
    snprintf(number, sizeof number, "%s_index", key);
    set_text(object, key, gnomon_lock_name(&locks->run.names, lock, text));
    set_count(object, number, lock);
}

static void set_thread(const struct locks *locks, json_t *object, const char *key, int thread) {
    char text[GNOMON_LOCK_NAME_BYTES], number[32];
    snprintf(number, sizeof number, "%s_index", key);
    if (thread < 0) {
        json_object_set_new(object, key, json_null());
        return;
    }
    set_text(object, key, gnomon_thread_name(&locks->run.names, (uint32_t)thread, text));
    set_count(object, number, (uint64_t)thread);
}

/* {"address", "function", "file", "line"}, or null if it is not known. */
static json_t *caller_json(const struct locks *locks, uint32_t caller) {
    struct gnomon_code code;
    struct gnomon_line line;
    if (!caller)
        return json_null();
    json_t *object = json_object();
    gnomon_lock_caller(&locks->run.names, caller, &code, &line);
    set_count(object, "address", caller);
    cli_json_name(object, "function", code.function);
    if (line.line) {
        set_text(object, "file", line.file);
        set_count(object, "line", line.line);
    }
    return object;
}

static void set_caller(const struct locks *locks, json_t *object, const char *key, uint32_t caller) {
    json_object_set_new(object, key, caller_json(locks, caller));
}

static void set_stack(const struct locks *locks, json_t *object, const char *key,
                      const struct gnomon_lock_stack *stack) {
    json_t *list = json_array();
    for (unsigned i = 0; i < stack->count; i++) {
        struct gnomon_name name;
        gnomon_name_of(&name, &locks->analysis, stack->ids[i]);
        json_array_append_new(list, gnomon_json_text(name.text));
    }
    json_object_set_new(object, key, list);
}

static json_t *sum_json(const struct gnomon_lock_sum *sum) {
    return json_pack("{s:I, s:I, s:I}", "count", (json_int_t)sum->count, "cycles", (json_int_t)sum->total, "max",
                     (json_int_t)sum->max);
}

/* Of a run on two harts. */
static void set_hart(const struct locks *locks, json_t *object, const char *key, unsigned hart) {
    if (gnomon_analysis_of_both(&locks->analysis))
        set_count(object, key, hart);
}

static void set_counts(const struct locks *locks, json_t *object, const struct gnomon_lock_counts *counts) {
    set_count(object, "requests", counts->requests);
    set_count(object, "contended", counts->contended);
    if (gnomon_analysis_of_both(&locks->analysis))
        set_count(object, "contended_across_harts", counts->across);
    set_count(object, "uncontended", counts->uncontended);
    set_count(object, "acquisitions", counts->acquisitions);
    set_count(object, "refused", counts->refused);
    set_count(object, "releases", counts->releases);
}

static json_t *times_json(const struct gnomon_lock_times *times) {
    json_t *object = json_object(), *list = json_array();
    set_count(object, "count", times->count);
    set_count(object, "cycles", times->total);
    if (times->count) {
        set_count(object, "min", times->min);
        set_count(object, "max", times->max);
        json_object_set_new(object, "mean", json_real((double)times->total / (double)times->count));
        set_count(object, "p50", gnomon_lock_times_percentile(times, 50));
        set_count(object, "p90", gnomon_lock_times_percentile(times, 90));
        set_count(object, "p99", gnomon_lock_times_percentile(times, 99));
    }
    for (unsigned i = 0; i < GNOMON_TIMES_OCTAVES; i++) {
        const uint64_t count = gnomon_lock_times_octave(times, i);
        if (count)
            json_array_append_new(list, json_pack("{s:I, s:I}", "from", i ? (json_int_t)(UINT64_C(1) << i) : 0, "count",
                                                  (json_int_t)count));
    }
    json_object_set_new(object, "histogram", list);
    return object;
}

static json_t *hold_json(const struct locks *locks, const struct gnomon_lock_hold *hold) {
    json_t *object = json_object();
    set_count(object, "from", hold->from);
    set_count(object, "cycles", hold->cycles);
    set_thread(locks, object, "thread", (int)hold->thread);
    set_caller(locks, object, "acquired_by", hold->acquired_by);
    set_caller(locks, object, "released_by", hold->released_by);
    set_hart(locks, object, "hart", hold->hart);
    set_hart(locks, object, "released_on_hart", hold->released_on);
    set_stack(locks, object, "stack", &hold->stack);
    return object;
}

enum part { OF_THREAD, OF_CALLER, OF_HART };

static json_t *part_json(const struct locks *locks, const struct gnomon_lock_part *part, enum part of) {
    json_t *object = json_object();
    if (of == OF_THREAD)
        set_thread(locks, object, "thread", (int)part->thread);
    else if (of == OF_CALLER)
        set_caller(locks, object, "caller", part->caller);
    else
        set_count(object, "hart", part->hart);
    set_counts(locks, object, &part->counts);
    json_object_set_new(object, "hold", sum_json(&part->counts.hold));
    json_object_set_new(object, "wait", sum_json(&part->counts.wait));
    return object;
}

static bool is_shown(const struct locks *locks, const struct gnomon_lock_part *part) {
    const char *thread = locks->values->thread;
    return !thread || gnomon_thread_is(&locks->run.names, part->thread, thread);
}

static void set_convoys(json_t *object, const struct gnomon_lock_figures *figures) {
    if (!figures->convoys && !figures->open_convoy_acquisitions)
        return;
    json_t *open = json_null();
    if (figures->open_convoy_acquisitions)
        open = json_pack("{s:I, s:I, s:I}", "acquisitions", (json_int_t)figures->open_convoy_acquisitions, "from",
                         (json_int_t)figures->open_convoy_from, "cycles", (json_int_t)figures->open_convoy_cycles);
    json_object_set_new(object, "convoys",
                        json_pack("{s:I, s:I, s:I, s:I, s:o}", "count", (json_int_t)figures->convoys, "acquisitions",
                                  (json_int_t)figures->convoy_acquisitions, "from", (json_int_t)figures->convoy_from,
                                  "cycles", (json_int_t)figures->convoy_cycles, "open", open));
}

static json_t *lock_json(const struct locks *locks, const struct gnomon_lock_figures *figures) {
    const struct gnomon_lock_results *results = locks->run.results;
    const struct gnomon_table_lock *entry = &locks->run.tables.locks[figures->lock];
    json_t *object = json_object(), *longest = json_array(), *threads = json_array(), *callers = json_array(),
           *harts = json_array();
    char text[GNOMON_LOCK_NAME_BYTES];
    set_count(object, "index", figures->lock);
    set_text(object, "name", gnomon_lock_name(&locks->run.names, figures->lock, text));
    set_text(object, "kind", gnomon_lock_kind_name(figures->kind));
    if (entry->state != GNOMON_LOCK_UNUSED) {
        set_count(object, "address", entry->address);
        set_caller(locks, object, "registered_by", entry->caller);
        json_object_set_new(object, "destroyed", json_boolean(entry->state == GNOMON_LOCK_DESTROYED));
    }
    set_counts(locks, object, &figures->counts);
    set_count(object, "tries", figures->tries);
    set_count(object, "recursive", figures->recursive);
    set_count(object, "holds_unknown", figures->holds_unknown);
    set_count(object, "waits_unknown", figures->waits_unknown);
    set_count(object, "contended_unknown", figures->contended_unknown);
    set_count(object, "most_waiting", figures->most_waiting);
    json_object_set_new(object, "exact", json_boolean(!locks_unsure(figures)));
    json_object_set_new(object, "hold", times_json(&figures->hold));
    json_object_set_new(object, "wait", times_json(&figures->wait));
    set_convoys(object, figures);
    for (unsigned i = 0; i < figures->longest_count; i++)
        json_array_append_new(longest, hold_json(locks, &figures->longest[i]));
    for (size_t i = 0; i < results->by_thread_count; i++)
        if (results->by_thread[i]->lock == figures->lock && is_shown(locks, results->by_thread[i]))
            json_array_append_new(threads, part_json(locks, results->by_thread[i], OF_THREAD));
    for (size_t i = 0; i < results->by_caller_count; i++)
        if (results->by_caller[i]->lock == figures->lock)
            json_array_append_new(callers, part_json(locks, results->by_caller[i], OF_CALLER));
    for (size_t i = 0; i < results->by_hart_count; i++)
        if (results->by_hart[i]->lock == figures->lock)
            json_array_append_new(harts, part_json(locks, results->by_hart[i], OF_HART));
    json_object_set_new(object, "longest_holds", longest);
    json_object_set_new(object, "by_hart", harts);
    json_object_set_new(object, "by_thread", threads);
    json_object_set_new(object, "by_caller", callers);
    return object;
}

static json_t *order_json(const struct locks *locks, const struct gnomon_lock_order *order) {
    json_t *object = json_object(), *guards = json_array();
    set_lock(locks, object, "first", order->from);
    set_lock(locks, object, "second", order->to);
    set_count(object, "count", order->count);
    json_object_set_new(object, "several_threads", json_boolean(order->several));
    set_thread(locks, object, "thread", (int)order->thread);
    set_hart(locks, object, "hart", order->hart);
    set_count(object, "cycle", order->cycle);
    set_caller(locks, object, "first_caller", order->from_caller);
    set_caller(locks, object, "second_caller", order->to_caller);
    set_stack(locks, object, "first_stack", &order->from_stack);
    set_stack(locks, object, "second_stack", &order->to_stack);
    for (size_t i = 0; i < order->guard_count; i++)
        json_array_append_new(guards, json_integer(order->guards[i]));
    json_object_set_new(object, "guards", guards);
    return object;
}

static json_t *circle_json(const struct locks *locks, const struct gnomon_lock_circle *circle) {
    json_t *list = json_array();
    for (size_t i = 0; i < circle->count; i++)
        json_array_append_new(list, order_json(locks, circle->orders[i]));
    return json_pack("{s:o, s:b, s:o}", "orders", list, "one_thread", (int)circle->one_thread, "guard",
                     circle->guard ? json_integer(circle->guard) : json_null());
}

static json_t *blocked_json(const struct locks *locks, const struct gnomon_lock_blocked *blocked) {
    json_t *object = sum_json(&blocked->wait);
    set_lock(locks, object, "held", blocked->held);
    if (blocked->waited)
        set_lock(locks, object, "waited", blocked->waited);
    else
        json_object_set_new(object, "waited", json_null());
    set_thread(locks, object, "thread", (int)blocked->thread);
    set_count(object, "cycle", blocked->cycle);
    set_caller(locks, object, "caller", blocked->caller);
    set_caller(locks, object, "held_caller", blocked->held_caller);
    return object;
}

static void set_prioritized(const struct locks *locks, json_t *object, const char *key, unsigned thread) {
    const struct gnomon_table_thread *entry = &locks->run.tables.threads[thread];
    char priority[32];
    snprintf(priority, sizeof priority, "%s_priority", key);
    set_thread(locks, object, key, (int)thread);
    json_object_set_new(
        object, priority,
        json_pack("[I, I]", (json_int_t)entry->least_priority - 1, (json_int_t)entry->most_priority - 1));
}

static json_t *inversion_json(const struct locks *locks, const struct gnomon_lock_inversion *inversion) {
    json_t *object = sum_json(&inversion->lost);
    set_prioritized(locks, object, "waiter", inversion->waiter);
    set_prioritized(locks, object, "owner", inversion->owner);
    set_prioritized(locks, object, "middle", inversion->middle);
    set_lock(locks, object, "lock", inversion->lock);
    set_lock(locks, object, "has", inversion->has);
    set_count(object, "cycle", inversion->cycle);
    set_caller(locks, object, "waiter_caller", inversion->waiter_caller);
    set_caller(locks, object, "owner_caller", inversion->owner_caller);
    return object;
}

static json_t *misuse_json(const struct locks *locks, const struct gnomon_lock_misuse *misuse) {
    json_t *object = json_object();
    set_text(object, "what", gnomon_lock_misuse_name(misuse->kind));
    set_lock(locks, object, "lock", misuse->lock);
    if (misuse->kind >= GNOMON_MISUSE_DESTROY_FAILED) { /* the program noticed it: it is not known when */
        set_caller(locks, object, "initialized_by", misuse->caller);
        return object;
    }
    set_thread(locks, object, "thread", (int)misuse->thread);
    set_hart(locks, object, "hart", misuse->hart);
    set_thread(locks, object, "owner", misuse->owner);
    set_count(object, "count", misuse->count);
    set_count(object, "cycle", misuse->cycle);
    set_caller(locks, object, "caller", misuse->caller);
    return object;
}

static json_t *waiting_json(const struct locks *locks, const struct gnomon_lock_waiting *waiting) {
    json_t *object = json_object();
    set_thread(locks, object, "thread", (int)waiting->thread);
    set_hart(locks, object, "hart", waiting->hart);
    set_lock(locks, object, "lock", waiting->lock);
    set_count(object, "since", waiting->since);
    set_caller(locks, object, "caller", waiting->caller);
    set_thread(locks, object, "owner", waiting->owner);
    json_object_set_new(object, "deadlock", waiting->deadlock < 0 ? json_null() : json_integer(waiting->deadlock));
    return object;
}

static json_t *held_json(const struct locks *locks, const struct gnomon_lock_held *held) {
    json_t *object = json_object();
    set_thread(locks, object, "thread", (int)held->thread);
    set_hart(locks, object, "hart", held->hart);
    set_lock(locks, object, "lock", held->lock);
    set_count(object, "since", held->since);
    set_caller(locks, object, "caller", held->caller);
    return object;
}

static void set_problems(const struct locks *locks, json_t *root) {
    const struct gnomon_lock_results *results = locks->run.results;
    json_t *orders = json_array(), *circles = json_array(), *blocked = json_array(), *inversions = json_array(),
           *misuses = json_array(), *waiting = json_array(), *held = json_array();
    for (size_t i = 0; i < results->order_count; i++)
        json_array_append_new(orders, order_json(locks, results->orders[i]));
    for (size_t i = 0; i < results->circle_count; i++)
        json_array_append_new(circles, circle_json(locks, &results->circles[i]));
    for (size_t i = 0; i < results->blocked_count; i++)
        json_array_append_new(blocked, blocked_json(locks, results->blocked[i]));
    for (size_t i = 0; i < results->inversion_count; i++)
        json_array_append_new(inversions, inversion_json(locks, results->inversions[i]));
    for (size_t i = 0; i < results->misuse_count; i++)
        json_array_append_new(misuses, misuse_json(locks, results->misuses[i]));
    for (size_t i = 0; i < results->waiting_count; i++)
        json_array_append_new(waiting, waiting_json(locks, &results->waiting[i]));
    for (size_t i = 0; i < results->held_count; i++)
        json_array_append_new(held, held_json(locks, &results->held[i]));
    json_object_set_new(root, "orders", orders);
    json_object_set_new(root, "circles", circles);
    json_object_set_new(root, "circles_complete", json_boolean(!results->circles_cut));
    json_object_set_new(root, "held_while_waiting", blocked);
    json_object_set_new(root, "priority_inversions", inversions);
    json_object_set_new(root, "misuse", misuses);
    json_object_set_new(root, "waiting_at_end", waiting);
    json_object_set_new(root, "held_at_end", held);
    set_count(root, "deadlocks", results->deadlocks);
}

int locks_json(const struct locks *locks) {
    const struct gnomon_analysis *analysis = &locks->analysis;
    const struct gnomon_lock_tables *tables = &locks->run.tables;
    json_t *root = json_object(), *list = json_array();
    set_text(root, "program", analysis->elf_path);
    set_text(root, "device", analysis->device);
    set_count(root, "clock_hz", analysis->clock_hz);
    set_count(root, "cycles", locks->cycles);
    set_count(root, "harts", gnomon_analysis_of_both(analysis) ? 2 : 1);
    set_count(root, "messages", locks->run.results->messages);
    set_count(root, "lost_messages", locks->exactness.lost_events);
    set_count(root, "locks_refused", tables->locks_refused);
    set_count(root, "threads_refused", tables->threads_refused);
    json_t *worth = gnomon_exactness_json(&locks->exactness);
    json_object_update(root, worth);
    json_decref(worth);
    for (size_t i = 0; i < locks->row_count; i++)
        json_array_append_new(list, lock_json(locks, locks->rows[i].figures));
    json_object_set_new(root, "locks", list);
    set_problems(locks, root);
    json_dumpf(root, stdout, JSON_INDENT(1));
    fputc('\n', stdout);
    json_decref(root);
    return cli_pager_end(locks->context, stdout);
}
