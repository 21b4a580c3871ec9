/* SPDX-License-Identifier: Apache-2.0 */
/* The account of the locks, as far as the page shows it: docs/guide/locks.md says what each figure means. */
#include "lib/ui/ui_internal.h"
#include "lib/util/json_text.h"

static void set_count(json_t *object, const char *key, uint64_t value) {
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

static json_t *lock_name(const struct gnomon_lock_run *run, unsigned lock) {
    char text[GNOMON_LOCK_NAME_BYTES];
    return gnomon_json_text(gnomon_lock_name(&run->names, lock, text));
}

static json_t *thread_name(const struct gnomon_lock_run *run, int thread) {
    char text[GNOMON_LOCK_NAME_BYTES];
    return thread < 0 ? json_null() : gnomon_json_text(gnomon_thread_name(&run->names, (uint32_t)thread, text));
}

static json_t *caller_name(const struct gnomon_lock_run *run, uint32_t caller) {
    char text[GNOMON_LOCK_NAME_BYTES];
    return gnomon_json_text(gnomon_lock_caller_text(&run->names, caller, text));
}

static void set_counts(json_t *object, const struct gnomon_lock_counts *counts) {
    set_count(object, "requests", counts->requests);
    set_count(object, "contended", counts->contended);
    set_count(object, "across", counts->across);
    set_count(object, "acquisitions", counts->acquisitions);
    set_count(object, "refused", counts->refused);
    set_count(object, "hold_cycles", counts->hold.total);
    set_count(object, "hold_max", counts->hold.max);
    set_count(object, "wait_cycles", counts->wait.total);
    set_count(object, "wait_max", counts->wait.max);
}

/* Numbers of durations from 2^i cycles on. */
static json_t *octaves(const struct gnomon_lock_times *times) {
    json_t *list = json_array();
    for (unsigned i = 0; i < GNOMON_TIMES_OCTAVES; i++)
        json_array_append_new(list, json_integer((json_int_t)gnomon_lock_times_octave(times, i)));
    return list;
}

static json_t *locks_json(const struct gnomon_lock_run *run) {
    json_t *list = json_array();
    for (size_t i = 0; i < run->results->lock_count; i++) {
        const struct gnomon_lock_figures *figures = run->results->locks[i];
        json_t *lock = json_object();
        json_object_set_new(lock, "name", lock_name(run, figures->lock));
        json_object_set_new(lock, "kind", json_string(gnomon_lock_kind_name(figures->kind)));
        set_count(lock, "lock", figures->lock);
        set_counts(lock, &figures->counts);
        set_count(lock, "most_waiting", figures->most_waiting);
        set_count(lock, "unknown", figures->holds_unknown + figures->waits_unknown + figures->contended_unknown);
        json_object_set_new(lock, "hold", octaves(&figures->hold));
        json_object_set_new(lock, "wait", octaves(&figures->wait));
        json_array_append_new(list, lock);
    }
    return list;
}

static json_t *parts_json(const struct gnomon_lock_run *run, const struct gnomon_lock_part **parts, size_t count,
                          bool by_thread) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *part = json_object();
        set_count(part, "lock", parts[i]->lock);
        json_object_set_new(part, "name",
                            by_thread ? thread_name(run, (int)parts[i]->thread) : caller_name(run, parts[i]->caller));
        set_counts(part, &parts[i]->counts);
        json_array_append_new(list, part);
    }
    return list;
}

static json_t *orders_json(const struct gnomon_lock_run *run) {
    json_t *list = json_array();
    for (size_t i = 0; i < run->results->order_count; i++) {
        const struct gnomon_lock_order *order = run->results->orders[i];
        json_t *one = json_object();
        json_object_set_new(one, "from", lock_name(run, order->from));
        json_object_set_new(one, "to", lock_name(run, order->to));
        json_object_set_new(one, "where", caller_name(run, order->to_caller));
        set_count(one, "count", order->count);
        json_array_append_new(list, one);
    }
    return list;
}

/* What gnomon locks lists as problems, a sentence each. */
static void add_circles(const struct gnomon_lock_run *run, json_t *list) {
    for (size_t i = 0; i < run->results->circle_count; i++) {
        const struct gnomon_lock_circle *circle = &run->results->circles[i];
        json_t *names = json_array(), *one = json_object();
        for (size_t at = 0; at < circle->count; at++)
            json_array_append_new(names, lock_name(run, circle->orders[at]->from));
        json_object_set_new(one, "kind", json_string("circle"));
        json_object_set_new(one, "locks", names);
        json_object_set_new(one, "harmless", json_boolean(circle->one_thread || circle->guard));
        json_array_append_new(list, one);
    }
}

static void add_misuses(const struct gnomon_lock_run *run, json_t *list) {
    for (size_t i = 0; i < run->results->misuse_count; i++) {
        const struct gnomon_lock_misuse *misuse = run->results->misuses[i];
        json_t *one = json_object();
        json_object_set_new(one, "kind", json_string(gnomon_lock_misuse_name(misuse->kind)));
        json_object_set_new(one, "locks", json_pack("[o]", lock_name(run, misuse->lock)));
        json_object_set_new(one, "thread", thread_name(run, (int)misuse->thread));
        json_object_set_new(one, "where", caller_name(run, misuse->caller));
        set_count(one, "count", misuse->count);
        set_count(one, "cycle", misuse->cycle);
        json_array_append_new(list, one);
    }
}

static void add_waiting(const struct gnomon_lock_run *run, json_t *list) {
    for (size_t i = 0; i < run->results->waiting_count; i++) {
        const struct gnomon_lock_waiting *waiting = &run->results->waiting[i];
        json_t *one = json_object();
        json_object_set_new(one, "kind", json_string(waiting->deadlock >= 0 ? "deadlock" : "waits at the end"));
        json_object_set_new(one, "locks", json_pack("[o]", lock_name(run, waiting->lock)));
        json_object_set_new(one, "thread", thread_name(run, (int)waiting->thread));
        json_object_set_new(one, "owner", thread_name(run, waiting->owner));
        json_object_set_new(one, "where", caller_name(run, waiting->caller));
        set_count(one, "cycle", waiting->since);
        json_array_append_new(list, one);
    }
}

static void add_inversions(const struct gnomon_lock_run *run, json_t *list) {
    for (size_t i = 0; i < run->results->inversion_count; i++) {
        const struct gnomon_lock_inversion *inversion = run->results->inversions[i];
        json_t *one = json_object();
        json_object_set_new(one, "kind", json_string("priority inversion"));
        json_object_set_new(one, "locks", json_pack("[o]", lock_name(run, inversion->lock)));
        json_object_set_new(one, "thread", thread_name(run, (int)inversion->waiter));
        json_object_set_new(one, "owner", thread_name(run, (int)inversion->owner));
        json_object_set_new(one, "where", caller_name(run, inversion->waiter_caller));
        set_count(one, "count", inversion->lost.count);
        set_count(one, "cycle", inversion->cycle);
        json_array_append_new(list, one);
    }
}

json_t *ui_locks(const struct gnomon_lock_run *run, const struct gnomon_analysis *analysis) {
    const struct gnomon_lock_results *results = run->results;
    struct gnomon_exactness exactness;
    json_t *json = json_object(), *problems = json_array();
    gnomon_lock_run_exactness(run, analysis, &exactness);
    add_circles(run, problems);
    add_inversions(run, problems);
    add_misuses(run, problems);
    add_waiting(run, problems);
    json_object_set_new(json, "exactness", ui_exactness(&exactness));
    json_object_set_new(json, "locks", locks_json(run));
    json_object_set_new(json, "by_thread", parts_json(run, results->by_thread, results->by_thread_count, true));
    json_object_set_new(json, "by_caller", parts_json(run, results->by_caller, results->by_caller_count, false));
    json_object_set_new(json, "orders", orders_json(run));
    json_object_set_new(json, "problems", problems);
    return json;
}
