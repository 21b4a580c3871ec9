/* SPDX-License-Identifier: Apache-2.0 */
/* Records in memory: the rare cases, which the hooks of records.S leave to C. No function here has hooks, and
 * everything except the start runs without interrupts. docs/guide/firmware.md says how the records are kept. */
#include <string.h>
#include <unistd.h>

#include <gnomon_module.h>

#include "internal.h"
#include "records_state.h"

enum {
    POOL = GNOMON_RECORDS_GRAPH ? 8 : 32,     /* number of things that are allocated at a time, */
    RESERVE = GNOMON_RECORDS_GRAPH ? 16 : 64, /* and number that is reserved for interrupts */
    THREAD_DEPTH = 512,
    LEAST_DEPTH = 256,
    MOST_DEPTH = 16384,
    RAM_PER_CALL = 512
};

__attribute__((weak)) unsigned gnomon_records_depth;
__attribute__((section(".sdata.gnomon"))) struct state __gnomon_records;
struct array __gnomon_records_program;
struct context __gnomon_records_threads[GNOMON_RECORDS_THREADS];
static struct record unprofiled[2];

_Static_assert(offsetof(struct state, top) == STATE_TOP && offsetof(struct state, limit) == STATE_LIMIT &&
                   offsetof(struct state, high) == STATE_HIGH && offsetof(struct state, away) == STATE_AWAY &&
                   offsetof(struct state, end) == STATE_END && offsetof(struct state, resume) == STATE_RESUME &&
                   offsetof(struct state, place) == STATE_PLACE,
               "records.h");
_Static_assert(offsetof(struct record, calls) == RECORD_CALLS && offsetof(struct record, total) == RECORD_TOTAL &&
                   offsetof(struct record, callees) == RECORD_CALLEES &&
                   sizeof(struct record) == 1 << RECORD_BYTES_LOG2,
               "records.h");
_Static_assert(offsetof(struct frame, record) == FRAME_RECORD && offsetof(struct frame, sp) == FRAME_SP &&
                   offsetof(struct frame, entered) == FRAME_ENTERED && offsetof(struct frame, saved) == FRAME_SAVED &&
                   sizeof(struct frame) == FRAME_BYTES,
               "records.h");

void __gnomon_records_enter_slow(uint32_t slot, uint32_t sp);
void __gnomon_records_enter_record_slow(struct record *record, uint32_t sp);
void __gnomon_records_enter_module_slow(uint32_t slot, uint32_t sp, const uint32_t ends[2]);
void __gnomon_records_enter_module(void); /* records.S; this and the next two have their own calling convention */
void __gnomon_records_leave(void);
void __gnomon_records_leave_kept(void);
void __gnomon_records_leave_slow(uint32_t sp);
void __gnomon_records_trap_begin(uint32_t slot, uint32_t began);
void __gnomon_records_trap_end(void);

void *__gnomon_records_take(size_t bytes) {
    void *memory = sbrk((ptrdiff_t)((bytes + 15) & ~(size_t)15));
    if (memory == (void *)-1)
        return NULL;
    return memset(memory, 0, bytes);
}

static bool prepare_frames(struct context *c, size_t depth) {
    c->base = __gnomon_records_take((depth + 2 * RECORDS_LEVELS) * sizeof *c->base);
    if (!c->base)
        return false;
    *c->base = (struct frame){.record = &s->unprofiled[0], .sp = MARK_SP};
    c->top = c->base + 1;
    c->limit = c->base + depth; /* frames above the limit are for interrupts */
    return true;
}

static void start_clock(struct context *c, uint64_t now, uint64_t own) {
    c->away = now - own;
    s->away = (uint32_t)c->away;
}

static void use_arrays(bool interrupt) {
    s->end = program->ends[interrupt];
    s->place = interrupt * sizeof *program->ends;
}

/* The array ends with the record of number 0. */
static uint32_t take_records(uint32_t functions) {
#if GNOMON_RECORDS_POINTERS
    const size_t each = sizeof(struct record *);
#else
    const size_t each = sizeof(struct record);
#endif
    char *records = __gnomon_records_take(functions * each);
    return records ? (uint32_t)(uintptr_t)(records + functions * each) : 0;
}

static bool take_array(struct array *array, uint32_t functions) {
    *array = (struct array){.next = s->arrays, .index = s->arrays ? s->arrays->index + 1 : 0, .functions = functions};
    array->ends[0] = take_records(functions);
    array->ends[1] = has_interrupts() ? take_records(functions) : array->ends[0];
    if (!array->ends[0] || !array->ends[1])
        return false;
    s->arrays = array;
    return true;
}

static _Noreturn void no_room(void) {
    static const char text[] = "gnomon: no memory for the records of the functions\n";
    __gnomon_console_write(text, sizeof text - 1);
    __gnomon_exit(1);
}

/* Runs before the first call. Allocates the arrays; the linker has counted the functions. */
static void begin(void) {
    if (s->began)
        return;
    s->began = true;
    s->unprofiled = unprofiled;
    uint32_t depth = GNOMON_REG(GNOMON_SYSCTL_RAM_BYTES) / RAM_PER_CALL;
    depth = depth < LEAST_DEPTH ? LEAST_DEPTH : depth > MOST_DEPTH ? MOST_DEPTH : depth;
    if (gnomon_records_depth)
        depth = gnomon_records_depth;
    if (!take_array(program, function_total()) || !prepare_frames(&threads[0], depth))
        no_room();
    use_arrays(false);
    s->top = threads[0].top;
    s->limit = threads[0].limit;
    const uint64_t now = gnomon_cycles();
    s->high = (uint32_t)(now >> 32);
    start_clock(&threads[0], now, 0);
    TRACE(BEGIN, 0, now);
}

/* Allocates records of functions that are called for the first time, and arcs. An interrupt may come while the heap is
 * being changed, so interrupts use only the reserve. */
void *__gnomon_records_from_pool(struct pool *pool, size_t each) {
    if (s->level == 0 && (size_t)(pool->end - pool->at) < RESERVE * each) {
        char *more = __gnomon_records_take((POOL + RESERVE) * each);
        if (more)
            *pool = (struct pool){more, more + (POOL + RESERVE) * each};
    }
    if (pool->at == pool->end)
        return NULL;
    pool->at += each;
    return pool->at - each;
}

static struct record *find_record(const struct array *array, uint32_t slot) {
    const uint32_t end = array->ends[s->place != 0];
#if GNOMON_RECORDS_POINTERS
    struct record **place = (struct record **)(uintptr_t)end + (int32_t)slot;
    if (!*place) {
        struct record *record = __gnomon_records_from_pool(&s->pool, sizeof *record);
        if (!record)
            return NULL;
        record->number = ~slot;
        record->array = array->index;
        *place = record;
    }
    return *place;
#else
    return (struct record *)(uintptr_t)end + (int32_t)slot;
#endif
}

/* Stores the full time of entry in frames that were entered before mcycleh last counted. Their entry was less than one
 * round of the low word after `high_at`. */
static void widen(struct context *c, uint64_t own) {
    for (struct frame *frame = c->base; frame < c->top; frame++)
        if (!(frame->sp & WIDE)) {
            const uint64_t entered = c->high_at + (uint32_t)(frame->entered - (uint32_t)c->high_at);
            frame->entered_high = (uint32_t)(entered >> 32);
            frame->sp |= WIDE;
        }
    c->high_at = own;
}

static void carry_calls(const struct array *array) {
    for (unsigned interrupt = 0; interrupt < 2; interrupt++)
        for (uint32_t number = 0; number < array->functions; number++) {
            struct record *record = record_of(array, interrupt, number);
            if (record) {
                record->calls_high += record->calls >> 31;
                record->calls &= INT32_MAX;
                __gnomon_records_carry_arcs(record);
            }
        }
}

/* Called when mcycleh has counted: widens all frames. Also moves the calls out of the low words, so that the hooks need
 * not check for overflow: one round has fewer than 2^31 calls. */
static void count_round(uint64_t now) {
    context()->top = s->top;
    context()->own = now - context()->away;
    for (unsigned level = 1; level <= s->level; level++)
        widen(&s->levels[level], s->levels[level].own);
    for (unsigned thread = 0; thread < GNOMON_RECORDS_THREADS; thread++)
        if (threads[thread].base)
            widen(&threads[thread], threads[thread].own);
    for (const struct array *array = s->arrays; array; array = array->next)
        carry_calls(array);
    s->high = (uint32_t)(now >> 32);
}

uint64_t __gnomon_records_now(void) {
    const uint64_t now = gnomon_cycles();
    if ((uint32_t)(now >> 32) != s->high)
        count_round(now);
    return now;
}

/* How much the record's total grew through recursion inside this frame. */
static uint64_t recursion_in(const struct frame *frame) {
    return ((uint64_t)frame->wraps << 32) + frame->record->total - frame->saved;
}

/* Ends the topmost call. */
static void close_top(uint64_t own) {
    struct frame *frame = --s->top;
    struct record *record = frame->record;
    const uint64_t took = own - entered_at(frame, own);
    record->callees -= recursion_in(frame);
    const uint64_t total = frame->saved + took;
    record->total = (uint32_t)total;
    if (total >> 32) {
        struct frame *outer = frame - 1;
        while (outer->sp != MARK_SP && outer->record != record)
            outer--;
        if (outer->sp != MARK_SP)
            outer->wraps += (uint32_t)(total >> 32);
        else
            record->total_high += (uint32_t)(total >> 32);
    }
    frame[-1].record->callees += took;
    frame->wraps = 0;
    __gnomon_records_close_arc(frame, took);
}

/* Ends the calls whose frames are below the stack pointer `sp`: longjmp has left them. */
static void close_dead(uint32_t sp, uint64_t own) {
    while ((s->top[-1].sp & ~WIDE) < (sp & ~WIDE)) {
        close_top(own);
        s->left++;
    }
}

static void open_call(struct record *record, uint32_t sp, uint64_t own) {
    record->calls++;
    *s->top = (struct frame){.record = record, .sp = sp, .entered = (uint32_t)own, .saved = record->total};
    __gnomon_records_open_arc(s->top);
    s->top++;
}

static bool make_room(uint32_t sp, uint64_t now) {
    if (s->top >= s->limit) {
        TRACE(DEAD, sp + 2 * WIDE, now);
        close_dead(sp + 2 * WIDE, now - context()->away);
    }
    return s->top < s->limit;
}

static void enter(struct record *record, uint32_t slot, uint32_t sp, uint64_t now) {
    if (!record) {
        TRACE(DROP, slot, now);
        s->dropped++;
        return;
    }
#if GNOMON_RECORDS_TRACE
    GNOMON_SEND(TRACE_SP, sp);
#endif
    TRACE(ENTER, slot, now);
    open_call(record, sp, now - context()->away);
}

void __gnomon_records_enter_slow(uint32_t slot, uint32_t sp) {
    begin();
    const uint64_t now = __gnomon_records_now();
    enter(make_room(sp, now) ? find_record(program, slot) : NULL, slot, sp, now);
}

/* No need to call begin: a module is loaded by a program whose arrays exist. */
void __gnomon_records_enter_record_slow(struct record *record, uint32_t sp) {
    const uint64_t now = __gnomon_records_now();
    enter(make_room(sp, now) ? record : NULL, (uint32_t)(uintptr_t)record, sp, now);
}

/* The first call of a module's function. The module finds its array by the array's ends. */
void __gnomon_records_enter_module_slow(uint32_t slot, uint32_t sp, const uint32_t ends[2]) {
    const struct array *array = s->arrays;
    while (array->ends[0] != ends[0])
        array = array->next;
    const uint64_t now = __gnomon_records_now();
    enter(make_room(sp, now) ? find_record(array, slot) : NULL, slot, sp, now);
}

/* If the top frame is above `sp`, it belongs to another call, and this call was dropped. */
void __gnomon_records_leave_slow(uint32_t sp) {
    const uint64_t now = __gnomon_records_now();
    const uint64_t own = now - context()->away;
    TRACE(LEAVE_SLOW, sp, now);
    close_dead(sp, own);
    if ((s->top[-1].sp & ~WIDE) == sp)
        close_top(own);
}

/* Takes the calls of a context that stops running out of the totals. Another context may call the same functions
 * meanwhile, and those calls are outermost calls there. */
static void suspend(struct context *c, uint64_t now) {
    c->own = now - c->away;
    c->top = s->top;
    for (struct frame *frame = c->top; --frame > c->base;) {
        const uint64_t inner = recursion_in(frame);
        frame->record->total = frame->saved;
        frame->saved = (uint32_t)inner;
        frame->wraps = (uint32_t)(inner >> 32);
        __gnomon_records_suspend_arc(frame);
    }
}

static void resume(struct context *c) {
    for (struct frame *frame = c->base; ++frame < c->top;) {
        const uint32_t saved = frame->record->total;
        frame->record->total = saved + frame->saved;
        frame->wraps += frame->record->total < saved;
        frame->saved = saved;
        __gnomon_records_resume_arc(frame);
    }
    s->top = c->top;
    s->limit = c->limit;
}

static void change_thread(unsigned thread, uint64_t now) {
    if (thread >= GNOMON_RECORDS_THREADS ||
        (!threads[thread].base && !prepare_frames(&threads[thread], THREAD_DEPTH))) {
        s->dropped_other++;
        return;
    }
    TRACE(THREAD, thread, now);
    suspend(context(), now);
    s->thread = thread;
    resume(context());
    start_clock(context(), now, context()->own);
}

void gnomon_records_thread(unsigned number) {
    const uint32_t before = gnomon_interrupts_off();
    begin();
    const uint64_t now = __gnomon_records_now();
    if (s->level || s->lost_traps)
        s->pending = number + 1;
    else if (number != s->thread)
        change_thread(number, now);
    gnomon_interrupts_restore(before);
}

/* The outermost interrupt uses the second array, so the interrupted code need not be suspended. */
void __gnomon_records_trap_begin(uint32_t slot, uint32_t began) {
    begin();
    uint64_t now = __gnomon_records_now();
    const uint64_t earlier = now - ((uint32_t)now - began); /* the time at which the hook began */
    if (earlier >> 32 == s->high)
        now = earlier;
    struct context *interrupted = context();
    struct record *record = NULL;
    if (s->lost_traps == 0 && s->level < RECORDS_LEVELS &&
        s->top + 2 <= threads[s->thread].limit + 2 * RECORDS_LEVELS) {
        use_arrays(true);
        record = find_record(program, slot);
    }
    if (!record) {
        use_arrays(s->level != 0);
        s->lost_traps++;
        s->dropped_other++;
        return;
    }
    TRACE(TRAP, slot, now);
    if (s->level)
        suspend(interrupted, now);
    interrupted->own = now - interrupted->away;
    interrupted->top = s->top;
    struct context *c = &s->levels[++s->level];
    *c = (struct context){
        .base = s->top, .limit = interrupted->limit, .away = interrupted->away, .high_at = interrupted->own};
    s->trap_began[s->level] = now;
    *s->top++ = (struct frame){.record = &s->unprofiled[1], .sp = MARK_SP};
    open_call(record, TRAP_SP, now - c->away);
}

static void end_trap(uint64_t now) {
    if (s->lost_traps) {
        s->lost_traps--;
        return;
    }
    TRACE(UNTRAP, 0, now);
    const struct context *c = context();
    while (s->top > c->base + 1)
        close_top(now - c->away);
    s->top = c->base;
    const uint64_t began = s->trap_began[s->level--];
    struct context *interrupted = context();
    if (s->level) {
        resume(interrupted);
    } else {
        use_arrays(false);
        s->interrupt_cycles += now - began;
    }
    start_clock(interrupted, now, interrupted->own);
    if (s->level == 0 && s->pending) {
        if (s->pending - 1 != s->thread)
            change_thread(s->pending - 1, now);
        s->pending = 0;
    }
}

void __gnomon_records_trap_end(void) {
    end_trap(__gnomon_records_now());
}

uint64_t __gnomon_records_close(uint64_t now) {
    uint64_t cycles = 0;
    while (s->level || s->lost_traps)
        end_trap(now);
    for (unsigned thread = 0; thread < GNOMON_RECORDS_THREADS; thread++) {
        if (!threads[thread].base)
            continue;
        if (thread != s->thread)
            change_thread(thread, now);
        const uint64_t own = now - context()->away;
        while (s->top > context()->base + 1)
            close_top(own);
        cycles += own;
    }
    return cycles;
}

/* ---- Modules ---- */

#if !GNOMON_RECORDS_TRACE /* with tracing, modules would send records instead of numbers */
bool __gnomon_records_adopt(const uint8_t *key, uint32_t functions, uint32_t ends[2]) {
    const uint32_t before = gnomon_interrupts_off();
    begin();
    struct array *array = s->arrays;
    while (array != program && (array->functions != functions || memcmp(array->key, key, sizeof array->key) != 0))
        array = array->next;
    bool good = array != program;
    if (!good && (array = __gnomon_records_take(sizeof *array)) && (good = take_array(array, functions)))
        memcpy(array->key, key, sizeof array->key);
    if (good)
        memcpy(ends, array->ends, sizeof array->ends);
    gnomon_interrupts_restore(before);
    return good;
}

GNOMON_EXPORT(__gnomon_records_enter_module);
GNOMON_EXPORT(__gnomon_records_leave);
GNOMON_EXPORT(__gnomon_records_leave_kept);
GNOMON_EXPORT(gnomon_records_thread);
#endif
