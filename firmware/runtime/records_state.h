/* SPDX-License-Identifier: Apache-2.0 */
/* Records in memory: what records.c, records_graph.c and records_file.c share. */
#ifndef GNOMON_RUNTIME_RECORDS_STATE_H
#define GNOMON_RUNTIME_RECORDS_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gnomon.h>
#include <gnomon_records.h>

#include "records.h"

#define RECORDS_LEVELS 8 /* interrupts within each other */

#define MARK_SP UINT32_MAX  /* of the frame below a thread's or interrupt's calls */
#define TRAP_SP 0xFFFFFFF0u /* of an interrupt function: no exit is its */
#define WIDE 1u             /* in a frame's sp: entered before mcycleh counted, so that `entered` alone does not do */

struct arc;

struct record {
    uint32_t calls, calls_high; /* in units of 1 and 2^31 */
    uint32_t total, total_high;
    uint64_t callees; /* what its calls called; its own recursion does not count */
    uint32_t number;
    uint32_t array; /* whose: struct array */
#if GNOMON_RECORDS_GRAPH
    struct arc *arcs; /* from who called it */
    uint32_t unused[23];
    uint32_t lengths[GNOMON_RECORDS_BUCKETS]; /* calls of 2^n cycles and more; stay at their largest value */
#endif
};

/* A pair of caller and callee. */
struct arc {
    struct arc *next;           /* of the same callee */
    struct record *caller;      /* &outside[]: nobody who has hooks */
    uint32_t calls, calls_high; /* in units of 1 and 2^31 */
    uint64_t total, self;       /* of the callee, in these calls */
};

/* The records of the program, or of a module; they stay when it is unloaded. */
struct array {
    struct array *next; /* the program's is the last */
    uint32_t index;     /* 0: the program's */
    uint32_t functions;
    uint32_t ends[2]; /* outside and in interrupts: the record of the slot at -1 - n ends n records below */
    uint8_t key[GNOMON_RECORDS_KEY_BYTES];
};

struct frame {
    struct record *record;
    uint32_t sp;
    uint32_t entered; /* low word */
    uint32_t saved;   /* the record's total then; while suspended, what its own recursion took */
    uint32_t entered_high;
    uint32_t wraps; /* how often the total wrapped since, in recursion */
#if GNOMON_RECORDS_GRAPH
    struct arc *arc;
    uint32_t unused;
    uint64_t arc_saved; /* the arc's total then; while suspended, of no meaning */
    uint64_t callees;   /* cycles of what it called */
#endif
};

/* A thread, or an interrupt: frames, and a clock that runs while it does. */
struct context {
    struct frame *base, *top, *limit;
    uint64_t away;    /* mcycle less this is its clock */
    uint64_t own;     /* the clock when it was left */
    uint64_t high_at; /* the clock when mcycleh was last seen to count */
};

/* Memory for things of one size. */
struct pool {
    char *at, *end;
};

/* What the hooks use stands last: the first few hundred bytes from gp down are not reached when the linker relaxes. */
struct state {
    bool began;
    unsigned level;
    unsigned thread, pending; /* 1 + the thread to change to */
    struct array *arrays;
    uint32_t dropped, dropped_other, lost_traps;
    uint64_t interrupt_cycles;
    uint64_t trap_began[RECORDS_LEVELS + 1];
    struct context levels[RECORDS_LEVELS + 1]; /* 0 is not used: that is the thread */
    struct record *outside;                    /* two */
    struct pool pool;
    /* records.S */
    struct frame *top;   /* the first free one */
    struct frame *limit; /* calls need one below */
    uint32_t high;       /* mcycleh of everything that is in `top` */
    uint32_t away;       /* mcycle less this is the running context's clock */
    uint32_t end;        /* of the program's array that is in use */
    uint32_t resume;     /* where the hook returns that an interrupt hit */
    uint32_t place;      /* offset of the end of a module's array that is in use */

    uint32_t left; /* calls that longjmp left */
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

extern char __gnomon_func_total[], __gnomon_near[]; /* their addresses are the values */

/* The compiler takes no address for 0. */
static inline uint32_t value_of(const char *symbol) {
    uint32_t value;
    __asm__("" : "=r"(value) : "0"(symbol));
    return value;
}

static inline uint32_t function_total(void) {
    return value_of(__gnomon_func_total);
}

/* Interrupt functions have hooks. */
static inline bool has_interrupts(void) {
    return value_of(__gnomon_near) != 0;
}

/* The record of a number, or NULL. */
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

/* Memory that is all zeros and stays, or NULL. */
void *__gnomon_records_take(size_t bytes);
void *__gnomon_records_from_pool(struct pool *pool, size_t each);

/* mcycle. */
uint64_t __gnomon_records_now(void);

/* Ends everything; returns the cycles of all threads. */
uint64_t __gnomon_records_close(uint64_t now);

/* ---- records_graph.c: who called whom, and how long calls took ---- */

#if GNOMON_RECORDS_GRAPH
void __gnomon_records_open_arc(struct frame *frame); /* the one below is its caller's */
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
