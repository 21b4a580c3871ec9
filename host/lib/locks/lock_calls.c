/* SPDX-License-Identifier: Apache-2.0 */
/* A call is open from its ENTER to its EXIT. What the device sends after an ENTER: the return address, the second and
 * the first argument; after the EXIT of a function that returned: its result. All come in the cycle of the ENTER or
 * EXIT.
 *
 * Of calls within a lock function only the outermost one counts: the others are how the library does it. Those of a
 * trap and of a function that pthread_once calls count.
 *
 * After a loss of messages, the thread that runs is not known until the next THREAD. */
#include "lib/locks/lock_calls.h"

#include <stdlib.h>

#include "lib/profile/profile_map.h"

enum { MOST_OPEN = 64, MOST_EVENTS = 8, ALL_VALUES = 3, UNKNOWN_THREAD = 0xFFFF };

struct call {
    const struct gnomon_lock_role *role; /* NULL: a trap */
    uint32_t number;
    bool counts;     /* it is not within another lock function */
    bool broken;     /* values are missing */
    unsigned values; /* that came so far */
    uint32_t caller, second, first;
    unsigned lock, mutex; /* indices; 0: none */
};

struct stack {
    unsigned count;
    struct call calls[MOST_OPEN];
};

struct gnomon_lock_calls {
    const struct gnomon_watch *watch;
    struct gnomon_lock_tables *tables;
    struct profile_map locks; /* addresses; `entries`: the index of each lock in the table, 0: none */
    uint16_t *entries;
    size_t room;
    struct profile_map attributes; /* addresses of mutex attributes; `types`: the kind of each */
    uint8_t *types;
    size_t type_room;
    unsigned next_lock;
    bool mutexes_made;                   /* functions that create mutexes of FreeRTOS are watched */
    size_t kinds_unknown;                /* locks of FreeRTOS whose creation was not seen */
    uint16_t writers[GNOMON_LOCKS_MOST]; /* of a read-write lock: 1 plus the thread that has it for writing, 0: none */
    struct stack *stacks[GNOMON_THREADS_MOST];
    bool switched;            /* there was a THREAD message */
    bool lost_thread;         /* it is not known which thread runs */
    bool skipped;             /* calls meanwhile */
    struct call ended;        /* its EXIT came, its result may follow; role NULL: none */
    struct gnomon_event exit; /* that EXIT */
    unsigned count, given;
    struct gnomon_event events[MOST_EVENTS];
};

struct gnomon_lock_calls *gnomon_lock_calls_new(const struct gnomon_watch *watch, struct gnomon_lock_tables *tables) {
    struct gnomon_lock_calls *calls = calloc(1, sizeof *calls);
    if (!calls)
        return NULL;
    calls->watch = watch;
    calls->tables = tables;
    tables->known = true;
    for (size_t i = 0; i < watch->count; i++)
        calls->mutexes_made |= watch->roles[i]->call == GNOMON_CALL_CREATE_MUTEX;
    calls->next_lock = 1;
    for (unsigned i = 1; i < GNOMON_LOCKS_MOST; i++) /* messages of the program itself have these */
        if (tables->locks[i].state != GNOMON_LOCK_UNUSED)
            calls->next_lock = i + 1;
    /* It is not known when a thread blocks, and so neither who keeps whom from running. */
    for (unsigned i = 0; i < GNOMON_THREADS_MOST; i++)
        tables->threads[i].least_priority = tables->threads[i].most_priority = 0;
    return calls;
}

void gnomon_lock_calls_free(struct gnomon_lock_calls *calls) {
    if (!calls)
        return;
    for (unsigned i = 0; i < GNOMON_THREADS_MOST; i++)
        free(calls->stacks[i]);
    profile_map_free(&calls->locks);
    profile_map_free(&calls->attributes);
    free(calls->entries);
    free(calls->types);
    free(calls);
}

/* ---- The table of locks ---- */

/* An index of each key, with an item of `size` bytes, all zeros if new. NULL: out of memory. */
static void *item_of(struct profile_map *map, void **items, size_t *room, size_t size, uint32_t key) {
    const uint32_t index = profile_map_find(map, key);
    if (index == PROFILE_MAP_NONE)
        return NULL;
    if (index >= *room) {
        const size_t more = 2 * (size_t)index + 64;
        char *grown = realloc(*items, more * size);
        if (!grown)
            return NULL;
        for (size_t i = *room * size; i < more * size; i++)
            grown[i] = 0;
        *items = grown;
        *room = more;
    }
    return (char *)*items + index * size;
}

static bool has_two(enum gnomon_lock_kind kind) {
    return kind == GNOMON_LOCK_RWLOCK || kind == GNOMON_LOCK_RWLOCK_READ;
}

static void enter_lock(struct gnomon_lock_calls *calls, unsigned lock, enum gnomon_lock_kind kind, uint32_t address,
                       uint32_t caller) {
    struct gnomon_table_lock *entry = &calls->tables->locks[lock];
    entry->kind = kind;
    entry->state = GNOMON_LOCK_LIVE;
    entry->address = address;
    entry->caller = caller;
}

/* The index of the lock at this address; a new one if there is none, or it was destroyed. 0: out of memory. */
static unsigned lock_at(struct gnomon_lock_calls *calls, uint32_t address, enum gnomon_lock_kind kind,
                        uint32_t caller) {
    uint16_t *index = item_of(&calls->locks, (void **)&calls->entries, &calls->room, sizeof *index, address);
    if (!index)
        return 0;
    if (*index && calls->tables->locks[*index].state != GNOMON_LOCK_DESTROYED)
        return *index;
    if (has_two(kind))
        calls->next_lock += calls->next_lock % 2;
    if (calls->next_lock + has_two(kind) >= GNOMON_LOCKS_LOCK_OTHER) {
        calls->tables->locks_refused++;
        return GNOMON_LOCKS_LOCK_OTHER;
    }
    *index = (uint16_t)calls->next_lock;
    calls->next_lock += has_two(kind) ? 2 : 1;
    enter_lock(calls, *index, has_two(kind) ? GNOMON_LOCK_RWLOCK : kind, address, caller);
    if (has_two(kind))
        enter_lock(calls, *index + 1u, GNOMON_LOCK_RWLOCK_READ, address, caller);
    return *index;
}

static bool set_type(struct gnomon_lock_calls *calls, uint32_t attributes, uint32_t type) {
    enum { RECURSIVE = 1, ERRORCHECK = 2 }; /* of pthread.h */
    uint8_t *kind = item_of(&calls->attributes, (void **)&calls->types, &calls->type_room, sizeof *kind, attributes);
    if (kind)
        *kind = type == RECURSIVE    ? GNOMON_LOCK_RECURSIVE
                : type == ERRORCHECK ? GNOMON_LOCK_ERRORCHECK
                                     : GNOMON_LOCK_MUTEX;
    return kind;
}

static bool creates(const struct gnomon_lock_role *role) {
    return role->call >= GNOMON_CALL_CREATE;
}

static bool makes(const struct gnomon_lock_role *role) {
    return role->call == GNOMON_CALL_INIT || role->call == GNOMON_CALL_INIT_C11 || creates(role);
}

/* Does the call say itself what kind of lock it is? A semaphore of FreeRTOS may be a mutex. */
static bool knows_kind(const struct gnomon_lock_role *role) {
    return makes(role) || role->good != GNOMON_RESULT_TRUE || role->kind != GNOMON_LOCK_SEMAPHORE;
}

/* The kind of a lock that is initialized. */
static enum gnomon_lock_kind kind_of(struct gnomon_lock_calls *calls, const struct call *call) {
    enum { C11_RECURSIVE = 2, FREERTOS_RECURSIVE = 4 }; /* of threads.h and queue.h */
    if (call->role->call == GNOMON_CALL_CREATE_MUTEX)
        return call->first == FREERTOS_RECURSIVE ? GNOMON_LOCK_RECURSIVE : GNOMON_LOCK_MUTEX;
    if (call->role->call == GNOMON_CALL_CREATE_QUEUE)
        return call->second ? GNOMON_LOCK_QUEUE : GNOMON_LOCK_SEMAPHORE;
    if (call->role->call == GNOMON_CALL_INIT_C11)
        return call->second & C11_RECURSIVE ? GNOMON_LOCK_RECURSIVE : call->role->kind;
    if (call->role->kind != GNOMON_LOCK_MUTEX || !call->second)
        return call->role->kind;
    const uint8_t *kind =
        item_of(&calls->attributes, (void **)&calls->types, &calls->type_room, sizeof *kind, call->second);
    return kind && *kind ? *kind : GNOMON_LOCK_MUTEX;
}

/* ---- Messages ---- */

static void give(struct gnomon_lock_calls *calls, const struct gnomon_event *event) {
    if (calls->count < MOST_EVENTS)
        calls->events[calls->count++] = *event;
}

static unsigned thread_of(const struct gnomon_event *event) {
    return event->thread < GNOMON_LOCKS_THREAD_OTHER ? event->thread : GNOMON_LOCKS_THREAD_OTHER;
}

/* A message in the name of a call, at the time of `event`. */
static void tell(struct gnomon_lock_calls *calls, const struct gnomon_event *event, uint32_t what, unsigned lock,
                 uint32_t caller) {
    const uint32_t address = GNOMON_LOCKS_MESSAGE(what, thread_of(event), lock);
    struct gnomon_event message = *event;
    message.type = GNOMON_EVENT_LOCK;
    message.number = GNOMON_LOCK_WRITE | GNOMON_LOCK_DATA | (what >> 24 & 1 ? GNOMON_LOCK_SEGMENT : 0);
    message.value = address;
    message.data = caller;
    give(calls, &message);
}

/* A message of a call is missing here, because a loss has taken a part of the call. */
static void miss(struct gnomon_lock_calls *calls, const struct gnomon_event *event) {
    struct gnomon_event loss = *event;
    loss.type = GNOMON_EVENT_LOST;
    loss.lost = (struct gnomon_event_lost){.others = 1};
    give(calls, &loss);
}

/* A read-write lock does not say which side it gives up: the write side, if this thread has it. */
static void choose_side(struct gnomon_lock_calls *calls, struct call *call, unsigned thread) {
    uint16_t *writer = &calls->writers[call->lock];
    if (call->role->call != GNOMON_CALL_RELEASE) {
        call->lock += call->role->kind == GNOMON_LOCK_RWLOCK_READ;
        return;
    }
    if (*writer == UNKNOWN_THREAD)
        call->broken = true;
    else
        call->lock += *writer != thread + 1;
}

/* Its arguments have come. False: out of memory. */
static bool begin(struct gnomon_lock_calls *calls, struct call *call, const struct gnomon_event *event) {
    const struct gnomon_lock_role *role = call->role;
    if (!call->counts || role->call == GNOMON_CALL_SET_TYPE || creates(role))
        return true;
    const unsigned before = calls->next_lock,
                   lock = lock_at(calls, call->first, makes(role) ? kind_of(calls, call) : role->kind, call->caller);
    calls->kinds_unknown += calls->next_lock != before && !knows_kind(role);
    const bool waits = role->call == GNOMON_CALL_WAIT;
    const unsigned mutex = waits ? lock_at(calls, call->second, GNOMON_LOCK_MUTEX, call->caller) : 0;
    if (!lock || (waits && !mutex))
        return false;
    call->lock = lock;
    call->mutex = mutex;
    if (makes(role) || role->call == GNOMON_CALL_DESTROY)
        return true;
    if (calls->tables->locks[lock].kind == GNOMON_LOCK_QUEUE) { /* its functions do not tell all that they wait for */
        call->counts = false;
        return true;
    }
    if (has_two(role->kind) && lock != GNOMON_LOCKS_LOCK_OTHER)
        choose_side(calls, call, thread_of(event));
    if (call->broken) {
        miss(calls, event);
        return true;
    }
    if (role->call == GNOMON_CALL_RELEASE)
        tell(calls, event, GNOMON_LOCKS_RELEASED, call->lock, call->caller);
    else if (role->call != GNOMON_CALL_TRY && (role->call != GNOMON_CALL_TAKE || call->second))
        tell(calls, event, GNOMON_LOCKS_REQUEST, call->lock, call->caller);
    if (waits)
        tell(calls, event, GNOMON_LOCKS_RELEASED, call->mutex, call->caller);
    return true;
}

static void note_owner(struct gnomon_lock_calls *calls, const struct call *call, unsigned thread) {
    const enum gnomon_lock_kind kind = call->role->kind;
    if (kind == GNOMON_LOCK_RWLOCK)
        calls->writers[call->lock] = (uint16_t)(thread + 1);
    if (kind == GNOMON_LOCK_RWLOCK_READ && call->lock != GNOMON_LOCKS_LOCK_OTHER)
        calls->writers[call->lock - 1] = 0;
}

static void end_wait(struct gnomon_lock_calls *calls, const struct call *call, const struct gnomon_event *event,
                     bool good, bool waited) {
    tell(calls, event, waited ? GNOMON_LOCKS_ACQUIRED : GNOMON_LOCKS_REFUSED, call->mutex, call->caller);
    tell(calls, event, good ? GNOMON_LOCKS_ACQUIRED : GNOMON_LOCKS_REFUSED, call->lock, call->caller);
}

/* A mutex is made as a queue of one item without bytes, like a binary semaphore. If no function that does this for
 * mutexes is watched, the compiler may have inlined it. False: out of memory. */
static bool create(struct gnomon_lock_calls *calls, const struct call *call, uint32_t address) {
    const unsigned before = calls->next_lock;
    if (!lock_at(calls, address, kind_of(calls, call), call->caller))
        return false;
    calls->kinds_unknown += calls->next_lock != before && call->role->call == GNOMON_CALL_CREATE_QUEUE &&
                            call->first == 1 && !call->second && !calls->mutexes_made;
    return true;
}

/* The call has ended at the time of `event`, and returned `value`, or did not return. False: out of memory. */
static bool finish(struct gnomon_lock_calls *calls, const struct call *call, const struct gnomon_event *event,
                   bool returned, uint32_t value) {
    const struct gnomon_lock_role *role = call->role;
    const bool good = returned && gnomon_lock_role_good(role, value);
    if (!call->counts)
        return true;
    if (call->broken || call->values < ALL_VALUES) {
        miss(calls, event);
        return true;
    }
    switch (role->call) {
    case GNOMON_CALL_SET_TYPE:
        return !good || set_type(calls, call->first, call->second);
    case GNOMON_CALL_INIT:
    case GNOMON_CALL_INIT_C11:
        break;
    case GNOMON_CALL_CREATE:
    case GNOMON_CALL_CREATE_MUTEX:
    case GNOMON_CALL_CREATE_QUEUE:
        return !good || create(calls, call, value);
    case GNOMON_CALL_DESTROY:
        if (good && call->lock != GNOMON_LOCKS_LOCK_OTHER) {
            calls->tables->locks[call->lock].state = GNOMON_LOCK_DESTROYED;
            if (has_two(role->kind))
                calls->tables->locks[call->lock + 1].state = GNOMON_LOCK_DESTROYED;
        }
        break;
    case GNOMON_CALL_RELEASE:
        if (good && role->kind == GNOMON_LOCK_RWLOCK && calls->writers[call->lock] == thread_of(event) + 1)
            calls->writers[call->lock] = 0;
        if (returned && !good)
            tell(calls, event, GNOMON_LOCKS_REFUSED, call->lock, call->caller);
        break;
    case GNOMON_CALL_WAIT:
        end_wait(calls, call, event, good, returned && gnomon_lock_role_waited(role, value));
        break;
    default:
        if (good)
            note_owner(calls, call, thread_of(event));
        tell(calls, event, good ? GNOMON_LOCKS_ACQUIRED : GNOMON_LOCKS_REFUSED, call->lock, call->caller);
    }
    return true;
}

/* ---- Events ---- */

static struct stack *stack_of(struct gnomon_lock_calls *calls, const struct gnomon_event *event) {
    struct stack **stack = &calls->stacks[thread_of(event)];
    if (!*stack)
        *stack = calloc(1, sizeof **stack);
    return *stack;
}

static void forget_calls(struct gnomon_lock_calls *calls) {
    for (unsigned i = 0; i < GNOMON_THREADS_MOST; i++)
        if (calls->stacks[i])
            calls->stacks[i]->count = 0;
    for (unsigned i = 0; i < GNOMON_LOCKS_MOST; i++)
        calls->writers[i] = UNKNOWN_THREAD;
    calls->ended.role = NULL;
}

static const struct gnomon_lock_role *role_of(const struct gnomon_lock_calls *calls, uint32_t number) {
    const uint32_t index = number - calls->watch->first;
    return number >= calls->watch->first && index < calls->watch->count ? calls->watch->roles[index] : NULL;
}

static struct call *push(struct stack *stack) {
    if (stack->count == MOST_OPEN) /* traps that were never left */
        stack->count = 0;
    struct call *call = &stack->calls[stack->count++];
    *call = (struct call){0};
    return call;
}

/* A lock function that jumps to another, as the last thing it does, returns what that one returns: the call goes on. */
static bool goes_on(const struct gnomon_lock_calls *calls, const struct gnomon_event *event) {
    return calls->ended.role && calls->exit.cycle == event->cycle && calls->exit.thread == event->thread;
}

static bool enter(struct gnomon_lock_calls *calls, const struct gnomon_event *event,
                  const struct gnomon_lock_role *role) {
    struct stack *stack = stack_of(calls, event);
    if (!stack)
        return false;
    const struct call *around = stack->count ? &stack->calls[stack->count - 1] : NULL;
    const bool inside = around && around->role && around->role->call != GNOMON_CALL_ONCE;
    struct call *call = push(stack);
    if (goes_on(calls, event))
        *call = calls->ended;
    else
        *call = (struct call){.role = role, .counts = !inside};
    call->number = event->number;
    calls->ended.role = NULL;
    return true;
}

/* Takes the calls off the stack that the EXIT ends. */
static void leave(struct gnomon_lock_calls *calls, const struct gnomon_event *event) {
    struct stack *stack = stack_of(calls, event);
    unsigned at = stack ? stack->count : 0;
    while (at > 0 && stack->calls[at - 1].role && stack->calls[at - 1].number != event->number)
        at--;
    if (!at || !stack->calls[at - 1].role) {
        miss(calls, event);
        return;
    }
    calls->ended = stack->calls[at - 1];
    calls->exit = *event;
    stack->count = at - 1;
}

static bool take_value(struct gnomon_lock_calls *calls, const struct gnomon_event *event) {
    if (calls->ended.role) {
        const struct call call = calls->ended;
        calls->ended.role = NULL;
        return finish(calls, &call, &calls->exit, true, event->value);
    }
    struct stack *stack = stack_of(calls, event);
    struct call *call = stack && stack->count ? &stack->calls[stack->count - 1] : NULL;
    if (!call || !call->role || call->broken || call->values == ALL_VALUES)
        return stack;
    uint32_t *const values[ALL_VALUES] = {&call->caller, &call->second, &call->first};
    *values[call->values++] = event->value;
    return call->values < ALL_VALUES || begin(calls, call, event);
}

static void take_trap(struct gnomon_lock_calls *calls, const struct gnomon_event *event) {
    struct stack *stack = stack_of(calls, event);
    unsigned at = stack ? stack->count : 0;
    if (stack && event->type == GNOMON_EVENT_TRAP_ENTER)
        push(stack);
    if (event->type == GNOMON_EVENT_TRAP_ENTER)
        return;
    while (at > 0 && stack->calls[at - 1].role)
        at--;
    if (at > 0)
        stack->count = at - 1;
}

/* All that is missing counts as messages: a call is several. */
static void take_loss(struct gnomon_lock_calls *calls, struct gnomon_event *event) {
    const uint64_t messages = event->lost.others;
    struct stack *stack = stack_of(calls, event);
    calls->ended.role = NULL;
    event->lost.others += event->lost.enters + event->lost.exits;
    if (!messages)
        return;
    if (calls->switched) {
        forget_calls(calls);
        calls->lost_thread = true;
    } else if (stack && stack->count) {
        stack->calls[stack->count - 1].broken = stack->calls[stack->count - 1].values < ALL_VALUES;
    }
}

/* What came since the loss was left out, so the loss lasts until now. */
static void find_thread(struct gnomon_lock_calls *calls, const struct gnomon_event *event) {
    if (calls->lost_thread && calls->skipped)
        miss(calls, event);
    calls->lost_thread = calls->skipped = false;
    calls->switched = true;
}

static bool is_value(const struct gnomon_event *event) {
    return event->type == GNOMON_EVENT_CHANNEL && event->number == GNOMON_CHANNEL_REGISTER;
}

/* Events of the calls themselves. */
static bool take_call(struct gnomon_lock_calls *calls, const struct gnomon_event *event) {
    const bool enters = event->type == GNOMON_EVENT_ENTER, exits = event->type == GNOMON_EVENT_EXIT;
    const struct gnomon_lock_role *role = enters || exits ? role_of(calls, event->number) : NULL;
    const bool trap = event->type == GNOMON_EVENT_TRAP_ENTER || event->type == GNOMON_EVENT_TRAP_LEAVE;
    if (!role && !trap && !is_value(event))
        return true;
    if (calls->lost_thread) {
        calls->skipped = true;
        return true;
    }
    if (trap)
        take_trap(calls, event);
    else if (exits)
        leave(calls, event);
    else
        return enters ? enter(calls, event, role) : take_value(calls, event);
    return true;
}

/* A call whose result does not follow has not returned: longjmp, or the end of its thread. */
static bool end_unreturned(struct gnomon_lock_calls *calls, const struct gnomon_event *event) {
    const bool follows = is_value(event) ||
                         (event->type == GNOMON_EVENT_ENTER && goes_on(calls, event) && role_of(calls, event->number));
    if (!calls->ended.role || follows || event->type == GNOMON_EVENT_LOST || event->type == GNOMON_EVENT_LOCK ||
        event->type == GNOMON_EVENT_ACCESS)
        return true;
    const struct call call = calls->ended;
    calls->ended.role = NULL;
    return finish(calls, &call, &calls->exit, false, 0);
}

bool gnomon_lock_calls_take(struct gnomon_lock_calls *calls, const struct gnomon_event *event) {
    struct gnomon_event own = *event;
    calls->count = calls->given = 0;
    if (!end_unreturned(calls, event))
        return false;
    if (event->type == GNOMON_EVENT_LOST)
        take_loss(calls, &own);
    if (event->type == GNOMON_EVENT_CHANNEL && event->number == GNOMON_CHANNEL_THREAD)
        find_thread(calls, event);
    if (event->type == GNOMON_EVENT_GAP || event->type == GNOMON_EVENT_DAMAGE) {
        forget_calls(calls);
        calls->lost_thread = false; /* the next frame says it */
    }
    give(calls, &own);
    return take_call(calls, event);
}

bool gnomon_lock_calls_next(struct gnomon_lock_calls *calls, struct gnomon_event *event) {
    if (calls->given == calls->count)
        return false;
    *event = calls->events[calls->given++];
    return true;
}

bool gnomon_lock_calls_know_threads(const struct gnomon_lock_calls *calls) {
    return calls->switched;
}

size_t gnomon_lock_calls_kinds_unknown(const struct gnomon_lock_calls *calls) {
    return calls->kinds_unknown;
}
