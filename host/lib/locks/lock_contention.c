/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/locks/lock_contention.h"

#include <assert.h>
#include <stdlib.h>

#include "lib/profile/call_sites.h"
#include "lib/util/array.h"

struct gnomon_contention {
    struct gnomon_contention_results results;
    struct gnomon_lock_tables tables; /* nothing is known */
    struct gnomon_lock_account *account;
    struct call_sites sites;      /* of struct gnomon_contention_site */
    struct profile_map asked_map; /* of a thread and a lock */
    uint32_t *asked;              /* the site of the latest request */
    size_t asked_room;
    struct profile_map lock_map;
    struct gnomon_contention_lock *locks; /* without their owners */
    size_t lock_room;
    bool no_memory;
};

/* ---- Sites ---- */

static_assert(offsetof(struct gnomon_contention_site, parent) == offsetof(struct call_site, parent) &&
                  offsetof(struct gnomon_contention_site, id) == offsetof(struct call_site, id),
              "a site begins with a call site");

/* PROFILE_MAP_NONE: out of memory. */
static uint32_t site_of(struct gnomon_contention *contention, const struct gnomon_lock_stack *stack) {
    return call_sites_find(&contention->sites, stack->ids, stack->count);
}

/* ---- Requests and waits ---- */

/* The site of the latest request of the thread for the lock. NULL: out of memory. */
static uint32_t *asked_by(struct gnomon_contention *contention, unsigned thread, unsigned lock) {
    const uint32_t before = contention->asked_map.count;
    const uint32_t index = profile_map_find(&contention->asked_map, (uint64_t)thread << 32 | lock);
    if (index == PROFILE_MAP_NONE ||
        !gnomon_array_room(&contention->asked, &contention->asked_room, index + (size_t)1, sizeof *contention->asked))
        return NULL;
    if (index == before)
        contention->asked[index] = PROFILE_MAP_NONE;
    return &contention->asked[index];
}

/* NULL: out of memory. */
static struct gnomon_contention_lock *find_lock(struct gnomon_contention *contention, unsigned lock) {
    const uint32_t before = contention->lock_map.count, index = profile_map_find(&contention->lock_map, lock);
    if (index == PROFILE_MAP_NONE ||
        !gnomon_array_room(&contention->locks, &contention->lock_room, index + (size_t)1, sizeof *contention->locks))
        return NULL;
    if (index == before)
        contention->locks[index] = (struct gnomon_contention_lock){.lock = lock};
    return &contention->locks[index];
}

/* False: out of memory. */
static bool note_lock(struct gnomon_contention *contention, const struct gnomon_lock_message *message) {
    struct gnomon_contention_lock *lock = find_lock(contention, message->lock);
    if (lock && !lock->caller)
        lock->caller = message->caller;
    return lock;
}

static void on_span(void *context, const struct gnomon_lock_span *span) {
    struct gnomon_contention *contention = context;
    struct gnomon_contention_lock *lock = find_lock(contention, span->lock);
    if (span->hold && lock) {
        lock->holds++;
        lock->held_cycles += span->cycles;
        return;
    }
    const uint32_t *asked = asked_by(contention, span->thread, span->lock);
    if (!lock || !asked || *asked == PROFILE_MAP_NONE) {
        contention->no_memory = true; /* the account tells only of waits whose request has come */
        return;
    }
    lock->waits++;
    lock->cycles += span->cycles;
    struct gnomon_contention_site *site = (struct gnomon_contention_site *)contention->sites.list + *asked;
    site->waits++;
    site->cycles += span->cycles;
}

struct gnomon_contention *gnomon_contention_new(void) {
    struct gnomon_contention *contention = calloc(1, sizeof *contention);
    if (!contention)
        return NULL;
    contention->sites.size = sizeof(struct gnomon_contention_site);
    contention->account = gnomon_lock_account_new(&contention->tables);
    if (!contention->account) {
        free(contention);
        return NULL;
    }
    gnomon_lock_account_listen(contention->account, on_span, contention);
    return contention;
}

void gnomon_contention_free(struct gnomon_contention *contention) {
    if (!contention)
        return;
    gnomon_lock_account_free(contention->account);
    call_sites_free(&contention->sites);
    profile_map_free(&contention->asked_map);
    profile_map_free(&contention->lock_map);
    free(contention->locks);
    free(contention->asked);
    free(contention);
}

bool gnomon_contention_asks(const struct gnomon_event *event) {
    return event->type == GNOMON_EVENT_LOCK && gnomon_lock_message_of(event).action == GNOMON_LOCK_REQUEST;
}

bool gnomon_contention_event(struct gnomon_contention *contention, const struct gnomon_event *event,
                             const struct gnomon_lock_stack *stack) {
    if (event->type == GNOMON_EVENT_LOCK) {
        const struct gnomon_lock_message message = gnomon_lock_message_of(event);
        contention->results.messages++;
        if (message.lock != GNOMON_LOCKS_LOCK_NONE && !note_lock(contention, &message))
            return false;
        if (message.action == GNOMON_LOCK_REQUEST) {
            uint32_t *asked = asked_by(contention, message.thread, message.lock);
            if (!asked || (*asked = site_of(contention, stack)) == PROFILE_MAP_NONE)
                return false;
        }
    }
    return gnomon_lock_account_event(contention->account, event, stack) && !contention->no_memory;
}

/* ---- Results ---- */

bool gnomon_contention_finish(struct gnomon_contention *contention) {
    return gnomon_lock_account_finish(contention->account) && !contention->no_memory;
}

void gnomon_contention_kinds(struct gnomon_contention *contention, const struct gnomon_lock_tables *tables) {
    size_t others = 0;
    for (uint32_t i = 0; i < contention->lock_map.count; i++) {
        const unsigned lock = contention->locks[i].lock;
        const enum gnomon_lock_kind kind = tables->locks[lock].kind;
        const bool owned = gnomon_lock_class_of(kind, lock) == GNOMON_CLASS_OWNED && kind != GNOMON_LOCK_RWLOCK;
        others += !owned;
    }
    contention->results.kinds_known = true;
    contention->results.others = others;
}

const struct gnomon_contention_results *gnomon_contention_results(struct gnomon_contention *contention) {
    contention->results.site_count = contention->sites.count;
    contention->results.sites = contention->sites.list;
    return &contention->results;
}

bool gnomon_contention_locks_now(struct gnomon_contention *contention, struct gnomon_contention_locks *locks) {
    locks->count = contention->lock_map.count;
    locks->list = calloc(locks->count + 1, sizeof *locks->list);
    if (!locks->list)
        return false;
    for (size_t i = 0; i < locks->count; i++) {
        struct gnomon_contention_lock *lock = &locks->list[i];
        *lock = contention->locks[i];
        if (!gnomon_lock_account_owner(contention->account, lock->lock, &lock->owner))
            lock->owner = GNOMON_LOCK_NOT_KNOWN;
    }
    return true;
}
