/* SPDX-License-Identifier: Apache-2.0 */
/* Records in memory: declarations that records.c, records_graph.c and records_file.c share. */
#ifndef GNOMON_RUNTIME_RECORDS_STATE_H
#define GNOMON_RUNTIME_RECORDS_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gnomon.h>
#include <gnomon_records.h>

#include "records.h"

#define RECORDS_LEVELS 8 /* most nested interrupts */

#define MARK_SP UINT32_MAX  /* sp of the frame below the calls of a thread or an interrupt */
#define TRAP_SP 0xFFFFFFF0u /* sp of an interrupt function's frame; no exit has this sp */
#define WIDE 1u /* flag in a frame's sp: entered before mcycleh counted, so `entered_high` is valid and needed */

struct arc;

struct record {
    uint32_t calls, calls_high; /* in units of 1 and 2^31 */
    uint32_t total, total_high;
    uint64_t callees; /* total of what its calls called, without its own recursion */
    uint32_t number;
    uint32_t array; /* index of the struct array */
#if GNOMON_RECORDS_GRAPH
    struct arc *arcs; /* arcs from its callers */
    uint32_t unused[23];
    uint32_t lengths[GNOMON_RECORDS_BUCKETS]; /* number of calls of 2^n cycles and more; saturates */
#endif
};

/* A pair of caller and callee. */
struct arc {
    struct arc *next;           /* next arc of the same callee */
    struct record *caller;      /* &outside[]: code without hooks */
    uint32_t calls, calls_high; /* in units of 1 and 2^31 */
    uint64_t total, self;       /* cycles of the callee in these calls */
};

/* The records of the program or of a module. A module's records stay when it is unloaded. */
struct array {
    struct array *next; /* the program's array is the last in the list */
    uint32_t index;     /* 0: the program */
    uint32_t functions;
    uint32_t ends[2]; /* [0] outside interrupts, [1] in interrupts; the record of slot -1 - n ends n records below */
    uint8_t key[GNOMON_RECORDS_KEY_BYTES];
};

struct frame {
    struct record *record;
    uint32_t sp;
    uint32_t entered; /* low word of the time of entry */
    uint32_t saved;   /* the record's total at entry; while suspended, the growth by its own recursion */
    uint32_t entered_high;
    uint32_t wraps; /* how often the total has wrapped in recursion since the entry */
#if GNOMON_RECORDS_GRAPH
    struct arc *arc;
    uint32_t unused;
    uint64_t arc_saved; /* the arc's total at entry; no meaning while suspended */
    uint64_t callees;   /* cycles of its callees */
#endif
};

/* A thread or an interrupt: its frames, and a clock that runs while the context runs. */
struct context {
    struct frame *base, *top, *limit;
    uint64_t away;    /* the clock is mcycle minus `away` */
    uint64_t own;     /* the clock when the context was left */
    uint64_t high_at; /* the clock when mcycleh was last seen to have counted */
};

/* Memory for objects of one size. */
struct pool {
    char *at, *end;
};

/* The fields that the hooks use come last: the linker's relaxation does not reach the first few hundred bytes from gp
 * down. */
struct state {
    bool began;
    unsigned level;
    unsigned thread, pending; /* pending: 1 + the number of the thread to change to */
    struct array *arrays;
    uint32_t dropped, dropped_other, lost_traps;
    uint64_t interrupt_cycles;
    uint64_t trap_began[RECORDS_LEVELS + 1];
    struct context levels[RECORDS_LEVELS + 1]; /* entry 0 is not used: level 0 is the thread */
    struct record *unprofiled;                 /* array of two */
    struct pool pool;
    /* Used by records.S: */
    struct frame *top;   /* the first free frame */
    struct frame *limit; /* a call needs a frame below this one */
    uint32_t high;       /* value of mcycleh for which the times in frames are valid */
    uint32_t away;       /* the running context's clock is mcycle minus `away` */
    uint32_t end;        /* end of the program's array that is in use */
    uint32_t resume;     /* address to which an interrupted hook returns */
    uint32_t place;      /* offset in a module's ends of the array that is in use */

    uint32_t left; /* number of calls that longjmp left */
};

extern struct state __gnomon_records;
extern struct array __gnomon_records_program;
extern struct context __gnomon_records_threads[GNOMON_RECORDS_THREADS];

static struct state *const s = &__gnomon_records;
static struct array *const program = &__gnomon_records_program;
static struct context *const threads = __gnomon_records_threads;

static inline struct context *context(void) {
    return s->level ? &s->levels[s->level] : &threads[s->thread];
}

extern char __gnomon_func_total[], __gnomon_near[]; /* the values are the addresses of the symbols */

/* The compiler assumes that an address is not 0, so the address is hidden from it. */
static inline uint32_t value_of(const char *symbol) {
    uint32_t value;
    __asm__("" : "=r"(value) : "0"(symbol));
    return value;
}

static inline uint32_t function_total(void) {
    return value_of(__gnomon_func_total);
}

/* True if there are interrupt functions with hooks. */
static inline bool has_interrupts(void) {
    return value_of(__gnomon_near) != 0;
}

/* The record of a function's number, or NULL. */
static inline struct record *record_of(const struct array *array, unsigned interrupt, uint32_t number) {
#if GNOMON_RECORDS_POINTERS
    return ((struct record **)(uintptr_t)array->ends[interrupt])[-1 - (int32_t)number];
#else
    return (struct record *)(uintptr_t)array->ends[interrupt] - 1 - number;
#endif
}

static inline uint64_t entered_at(const struct frame *frame, uint64_t own) {
    return frame->sp & WIDE ? (uint64_t)frame->entered_high << 32 | frame->entered
                            : own - (uint32_t)((uint32_t)own - frame->entered);
}

/* ---- records.c ---- */

/* Memory that is all zeros and is never freed, or NULL. */
void *__gnomon_records_take(size_t bytes);
void *__gnomon_records_from_pool(struct pool *pool, size_t each);

/* Returns mcycle. */
uint64_t __gnomon_records_now(void);

/* Ends all open calls. Returns the sum of the cycles of all threads. */
uint64_t __gnomon_records_close(uint64_t now);

/* ---- records_graph.c: arcs and durations of calls ---- */

#if GNOMON_RECORDS_GRAPH
void __gnomon_records_open_arc(struct frame *frame); /* the frame below is the caller's */
void __gnomon_records_close_arc(struct frame *frame, uint64_t took);
void __gnomon_records_suspend_arc(struct frame *frame);
void __gnomon_records_resume_arc(struct frame *frame);
void __gnomon_records_carry_arcs(struct record *record); /* moves calls out of the low words */
uint32_t __gnomon_records_arcless(void);                 /* calls for whose arcs there was no memory */
#else
#define __gnomon_records_open_arc(frame) ((void)(frame))
#define __gnomon_records_close_arc(frame, took) ((void)(took))
#define __gnomon_records_suspend_arc(frame) ((void)(frame))
#define __gnomon_records_resume_arc(frame) ((void)(frame))
#define __gnomon_records_carry_arcs(record) ((void)(record))
#define __gnomon_records_arcless() 0
#endif

#if GNOMON_RECORDS_TRACE
#define TRACE(what, value, now)                                                                                        \
    do {                                                                                                               \
        GNOMON_SEND(TRACE_LOW, now);                                                                                   \
        GNOMON_SEND(TRACE_HIGH, (now) >> 32);                                                                          \
        GNOMON_SEND(TRACE_##what, value);                                                                              \
    } while (0)
#else
#define TRACE(what, value, now) ((void)(value), (void)(now))
#endif

#endif
