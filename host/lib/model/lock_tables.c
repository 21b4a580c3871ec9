/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/model/lock_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/elf/symbols.h"
#include "lib/util/json_text.h"

static const char *const kinds[GNOMON_LOCK_KINDS] = {
    [GNOMON_LOCK_NONE] = "unknown",
    [GNOMON_LOCK_MUTEX] = "mutex",
    [GNOMON_LOCK_RECURSIVE] = "recursive",
    [GNOMON_LOCK_ERRORCHECK] = "errorcheck",
    [GNOMON_LOCK_SPIN] = "spin",
    [GNOMON_LOCK_SEMAPHORE] = "semaphore",
    [GNOMON_LOCK_RWLOCK] = "rwlock",
    [GNOMON_LOCK_RWLOCK_READ] = "rwlock-read",
    [GNOMON_LOCK_CONDITION] = "condition",
    [GNOMON_LOCK_BARRIER] = "barrier",
    [GNOMON_LOCK_ONCE] = "once",
    [GNOMON_LOCK_CRITICAL] = "critical",
    [GNOMON_LOCK_QUEUE] = "queue",
    [GNOMON_LOCK_USER] = "user",
    [GNOMON_LOCK_INTERRUPTS] = "interrupts",
};

const char *gnomon_lock_kind_name(enum gnomon_lock_kind kind) {
    return kinds[kind < GNOMON_LOCK_KINDS ? kind : GNOMON_LOCK_NONE];
}

static enum gnomon_lock_kind kind_named(const char *name) {
    for (unsigned i = 0; name && i < GNOMON_LOCK_KINDS; i++)
        if (!strcmp(kinds[i], name))
            return (enum gnomon_lock_kind)i;
    return GNOMON_LOCK_KINDS;
}

const char *gnomon_hart_name(unsigned hart, char text[GNOMON_THREAD_NAME_BYTES]) {
    snprintf(text, GNOMON_THREAD_NAME_BYTES, "hart %u", hart);
    return text;
}

const char *gnomon_table_thread_name(const struct gnomon_lock_tables *tables, const struct gnomon_symbols *symbols,
                                     uint32_t thread, char text[GNOMON_THREAD_NAME_BYTES]) {
    static const struct gnomon_table_thread none;
    const struct gnomon_table_thread *entry = thread < GNOMON_THREADS_MOST ? &tables->threads[thread] : &none;
    const struct gnomon_function *function = entry->start && symbols ? gnomon_symbols_at(symbols, entry->start) : NULL;
    if (thread == GNOMON_LOCKS_THREAD_OTHER && tables->known)
        snprintf(text, GNOMON_THREAD_NAME_BYTES, "[threads without an entry]");
    else if (entry->name && *entry->name)
        snprintf(text, GNOMON_THREAD_NAME_BYTES, "%.255s", entry->name);
    else if (function)
        snprintf(text, GNOMON_THREAD_NAME_BYTES, "%.240s", function->name);
    else if (entry->known && thread == 0)
        snprintf(text, GNOMON_THREAD_NAME_BYTES, "main");
    else
        snprintf(text, GNOMON_THREAD_NAME_BYTES, "thread %" PRIu32, thread);
    return text;
}

/* ---- Writing ---- */

static json_t *name_json(const char *name) {
    return name ? gnomon_json_text(name) : json_null();
}

json_t *gnomon_lock_tables_json(const struct gnomon_lock_tables *tables) {
    json_t *threads = json_array(), *ended = json_array(), *priorities = json_array(), *locks = json_array();
    for (unsigned i = 0; i < GNOMON_THREADS_MOST; i++) {
        const struct gnomon_table_thread *thread = &tables->threads[i];
        if (thread->known)
            json_array_append_new(threads,
                                  json_pack("[i, o, I]", (int)i, name_json(thread->name), (json_int_t)thread->start));
        if (thread->ended)
            json_array_append_new(ended, json_integer((json_int_t)i));
        if (thread->least_priority)
            json_array_append_new(priorities, json_pack("[i, i, i]", (int)i, (int)thread->least_priority - 1,
                                                        (int)thread->most_priority - 1));
    }
    for (unsigned i = 0; i < GNOMON_LOCKS_MOST; i++) {
        const struct gnomon_table_lock *lock = &tables->locks[i];
        json_t *entry = NULL;
        if (lock->state == GNOMON_LOCK_UNUSED)
            continue;
        json_array_append_new(locks, entry = json_pack("[i, s, I, o, I, i]", (int)i, gnomon_lock_kind_name(lock->kind),
                                                       (json_int_t)lock->address, name_json(lock->name),
                                                       (json_int_t)lock->caller, (int)lock->state));
        if (lock->wrong)
            json_array_append_new(entry, json_integer((json_int_t)lock->wrong));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:I, s:I}", "threads", threads, "ended", ended, "priorities", priorities,
                     "locks", locks, "threads_refused", (json_int_t)tables->threads_refused, "locks_refused",
                     (json_int_t)tables->locks_refused);
}

/* ---- Reading ---- */

static enum gnomon_status nonsense(const char *what, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_FORMAT, "the names of threads and locks in the file make no sense: %s", what);
    return gnomon_remedy(error, GNOMON_ERR_FORMAT, "record again");
}

static bool word_of(const json_t *json, uint32_t most, uint32_t *value) {
    json_int_t number = json_integer_value(json);
    *value = (uint32_t)number;
    return json_is_integer(json) && number >= 0 && number <= (json_int_t)most;
}

/* False: neither a text nor null, or out of memory. *name is NULL for null. */
static bool name_of(const json_t *json, char **name) {
    *name = json_is_string(json) ? gnomon_json_text_read(json) : NULL;
    return json_is_null(json) || *name;
}

static bool parse_thread(const json_t *json, struct gnomon_lock_tables *tables) {
    uint32_t index, start;
    if (json_array_size(json) != 3 || !word_of(json_array_get(json, 0), GNOMON_THREADS_MOST - 1, &index) ||
        tables->threads[index].known || !word_of(json_array_get(json, 2), UINT32_MAX, &start))
        return false;
    tables->threads[index].known = true;
    tables->threads[index].start = start;
    return name_of(json_array_get(json, 1), &tables->threads[index].name);
}

static bool parse_ended(const json_t *json, struct gnomon_lock_tables *tables) {
    uint32_t index;
    if (!word_of(json, GNOMON_THREADS_MOST - 1, &index) || !tables->threads[index].known)
        return false;
    tables->threads[index].ended = true;
    return true;
}

static bool parse_priority(const json_t *json, struct gnomon_lock_tables *tables) {
    uint32_t index, least, most;
    if (json_array_size(json) != 3 || !word_of(json_array_get(json, 0), GNOMON_THREADS_MOST - 1, &index) ||
        tables->threads[index].least_priority || !word_of(json_array_get(json, 1), UINT8_MAX - 1, &least) ||
        !word_of(json_array_get(json, 2), UINT8_MAX - 1, &most) || least > most)
        return false;
    tables->threads[index].least_priority = least + 1;
    tables->threads[index].most_priority = most + 1;
    return true;
}

static bool parse_lock(const json_t *json, struct gnomon_lock_tables *tables) {
    uint32_t index, address, caller, state, wrong = 0;
    const enum gnomon_lock_kind kind = kind_named(json_string_value(json_array_get(json, 1)));
    const size_t size = json_array_size(json);
    if (size < 6 || size > 7 || (size > 6 && !word_of(json_array_get(json, 6), UINT8_MAX, &wrong)) ||
        !word_of(json_array_get(json, 0), GNOMON_LOCKS_MOST - 1, &index) || kind == GNOMON_LOCK_KINDS ||
        tables->locks[index].state != GNOMON_LOCK_UNUSED || !word_of(json_array_get(json, 2), UINT32_MAX, &address) ||
        !word_of(json_array_get(json, 4), UINT32_MAX, &caller) ||
        !word_of(json_array_get(json, 5), GNOMON_LOCK_DESTROYED, &state) || state == GNOMON_LOCK_UNUSED)
        return false;
    tables->locks[index].kind = kind;
    tables->locks[index].state = (enum gnomon_lock_state)state;
    tables->locks[index].address = address;
    tables->locks[index].caller = caller;
    tables->locks[index].wrong = wrong;
    return name_of(json_array_get(json, 3), &tables->locks[index].name);
}

enum gnomon_status gnomon_lock_tables_parse(const json_t *json, struct gnomon_lock_tables *tables,
                                            struct gnomon_error *error) {
    *tables = (struct gnomon_lock_tables){0};
    if (!json)
        return GNOMON_OK;
    const json_t *threads = json_object_get(json, "threads"), *ended = json_object_get(json, "ended"),
                 *priorities = json_object_get(json, "priorities"), *locks = json_object_get(json, "locks");
    if (!json_is_array(threads) || !json_is_array(locks) ||
        !word_of(json_object_get(json, "threads_refused"), UINT32_MAX, &tables->threads_refused) ||
        !word_of(json_object_get(json, "locks_refused"), UINT32_MAX, &tables->locks_refused))
        return nonsense("a part is missing", error);
    for (size_t i = 0; i < json_array_size(threads); i++)
        if (!parse_thread(json_array_get(threads, i), tables))
            return nonsense("a thread", error);
    for (size_t i = 0; i < json_array_size(ended); i++) /* older files have no such array, and no priorities */
        if (!parse_ended(json_array_get(ended, i), tables))
            return nonsense("a thread that has ended", error);
    for (size_t i = 0; i < json_array_size(priorities); i++)
        if (!parse_priority(json_array_get(priorities, i), tables))
            return nonsense("a priority", error);
    for (size_t i = 0; i < json_array_size(locks); i++)
        if (!parse_lock(json_array_get(locks, i), tables))
            return nonsense("a lock", error);
    tables->known = true;
    return GNOMON_OK;
}

void gnomon_lock_tables_free(struct gnomon_lock_tables *tables) {
    for (unsigned i = 0; i < GNOMON_THREADS_MOST; i++)
        free(tables->threads[i].name);
    for (unsigned i = 0; i < GNOMON_LOCKS_MOST; i++)
        free(tables->locks[i].name);
    *tables = (struct gnomon_lock_tables){0};
}
