/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel of the threads layer: who runs, who waits, until when. One lock protects all of it, and the state of every
 * mutex, condition, semaphore and so on (kernel_enter). */
#ifndef GNOMON_THREADS_KERNEL_H
#define GNOMON_THREADS_KERNEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gnomon.h>
#include <gnomon/locks.h>

#include "harts/exclusive.h"

enum {
    PRIORITIES = 33, /* 0: SCHED_OTHER; 1 to 32: SCHED_FIFO and SCHED_RR */
    NAME_BYTES = 16,
    IDLE_INDEX = 1, /* index of the time in which hart 0 idles, then of hart 1; index 0 is the thread that runs main */
    ALL_HARTS = (1 << HARTS) - 1,
};
#define FOREVER UINT64_MAX
#define GUARD_WORD 0x57A6C0DEu

enum thread_state { RUNNING, READY, WAITING, ENDED };

struct gnomon_thread {
    /* switch.S knows these three. */
    uint32_t *sp;    /* while it does not run */
    void *tls;       /* its value of tp */
    uint32_t *limit; /* where its stack ends, for the device */

    uint32_t index;                                 /* in the thread table, or GNOMON_LOCKS_THREAD_OTHER */
    uint8_t state, policy, priority, base_priority; /* priority: with what it inherits */
    bool detached;
    uint8_t affinity; /* with two harts: bit n: may run on hart n */
    uint8_t hart;     /* with two harts: where it runs, or where its time-out is */
    int result_of_wait;
    struct gnomon_thread *next;   /* in the queue in which it is: of ready threads, or of waiting ones */
    struct gnomon_thread **queue; /* the queue in which it waits */
    struct gnomon_thread *later;  /* thread whose time-out comes next */
    uint64_t until;               /* its time-out; FOREVER: none */

    pthread_mutex_t *held;        /* mutexes with priority inheritance that it has */
    pthread_mutex_t *wanted;      /* mutex for which it waits */
    struct gnomon_thread *joiner; /* a queue of at most one thread */
    struct gnomon_thread *others; /* list of all threads */
    void *block;                  /* its memory; NULL: main's */
    uint32_t *stack;              /* lowest word, GUARD_WORD; NULL: main's stack */
    void *(*start)(void *);
    void *argument, *result;
    struct gnomon_cleanup *cleanup;
    void **values; /* of keys; NULL: it has set none */
    _Alignas(4) char name[NAME_BYTES];
};

struct gnomon_hart {
    struct gnomon_thread *current; /* while the hart is idle: the thread that ran last, or the idler */
    bool resched;                  /* another thread should run */
    bool idle;
    uint64_t slice_end;           /* FOREVER: no other thread waits for its turn */
    uint64_t alarm;               /* when the timer interrupts */
    struct gnomon_thread *timers; /* threads with a time-out that began to wait here */

    /* With two harts. */
    int8_t level;                /* priority of the thread that it runs, or that it is to take; NO_LEVEL: it idles */
    uint32_t enabled;            /* interrupts of the program for which it idles */
    struct gnomon_thread *idler; /* has the stack on which the hart idles; NULL: hart 1 does not run, hart 0 idles on
                                  * the stack of the thread that waited last */
};
enum { NO_LEVEL = -1 };
extern struct gnomon_hart __gnomon_harts[HARTS];
extern struct gnomon_thread __gnomon_main_thread, *__gnomon_all_threads;

static inline unsigned hart_number(void) {
    uint32_t number = 0;
    if (HARTS > 1)
        __asm__ volatile("csrr %0, mhartid" : "=r"(number));
    return number;
}

/* The hart that executes this. In the kernel: outside of it, the thread may be on another hart at the next instruction.
 */
static inline struct gnomon_hart *here(void) {
    return &__gnomon_harts[hart_number()];
}

/* The thread that executes this. With two harts each thread has a pointer to itself, which is right on every hart. */
extern _Thread_local struct gnomon_thread *__gnomon_self;
extern _Thread_local uint32_t __gnomon_thread_index; /* its index (locks/tables.c) */
static inline struct gnomon_thread *current(void) {
    return HARTS > 1 ? __gnomon_self : __gnomon_harts[0].current;
}

/* ---- The kernel lock (harts/exclusive.h). It is held across a switch: the thread that runs then gives it up. ---- */

extern gnomon_hart_lock __gnomon_kernel_lock;
void __gnomon_kernel_resched(uint32_t before);

static inline uint32_t kernel_enter(void) {
    return gnomon_exclusive_enter(&__gnomon_kernel_lock);
}

/* If another thread should run, it runs now. If interrupts were off before (in an interrupt handler), it runs as soon
 * as they are on. */
static inline void kernel_leave(uint32_t before) {
    if (here()->resched)
        __gnomon_kernel_resched(before);
    gnomon_exclusive_leave(&__gnomon_kernel_lock, before);
}

/* Interrupts are off already, or stay off. */
static inline void kernel_lock(void) {
    gnomon_hart_lock_take(&__gnomon_kernel_lock);
}
static inline void kernel_unlock(void) {
    gnomon_hart_lock_give(&__gnomon_kernel_lock);
}

/* ---- In the kernel: the lock is held before and after ---- */

/* The current thread waits in a queue, which is in order of priority, until __gnomon_wake or until a time of the timer.
 * Returns what __gnomon_wake was given, or ETIMEDOUT. */
int __gnomon_wait(struct gnomon_thread **queue, uint64_t until);
void __gnomon_wake(struct gnomon_thread *thread, int result);
/* Puts a waiting thread into another queue, or into the same queue again by its priority. */
void __gnomon_requeue(struct gnomon_thread *thread, struct gnomon_thread **queue);
void __gnomon_set_priority(struct gnomon_thread *thread, unsigned priority);
void __gnomon_kernel_yield(void);
_Noreturn void __gnomon_kernel_end(void);

/* ---- Between the files of this folder ---- */

/* Prepares traps and the timer. In the kernel. */
void __gnomon_kernel_start(void);
bool __gnomon_kernel_started(void);

/* A new thread, or one that waited, is ready. In the kernel. */
void __gnomon_make_ready(struct gnomon_thread *thread);

/* Memory for a thread, with stack and thread-local data, or NULL. Outside of the kernel. */
struct gnomon_thread *__gnomon_thread_allocate(const pthread_attr_t *attr);
/* The thread is to begin at an instruction, with a pointer to itself in s0. */
void __gnomon_thread_prepare(struct gnomon_thread *thread, const char *begin);
/* The thread has this index in the thread table. */
void __gnomon_thread_number(struct gnomon_thread *thread, uint32_t index);
/* Makes threads preemptive and, with two harts, starts hart 1. Outside of the kernel. */
void __gnomon_threads_start(void);

/* With two harts (harts.c, kernel.c). */
void __gnomon_harts_prepare(void); /* outside of the kernel */
void __gnomon_harts_start(void);   /* in the kernel */
void __gnomon_hart_kick(const struct gnomon_hart *hart, bool raised);
void __gnomon_hart_alarm(const struct gnomon_hart *hart, uint64_t when);
_Noreturn void __gnomon_hart_idles(struct gnomon_hart *hart);
void __gnomon_set_affinity(struct gnomon_thread *thread, unsigned harts);

/* A time of the timer from a time of the clocks; FOREVER if NULL. Returns EINVAL if it is none. */
int __gnomon_deadline(const struct timespec *time, uint64_t *until);

/* The thread of that handle, or NULL if there is none (any more). In the kernel. */
struct gnomon_thread *__gnomon_thread_find(pthread_t handle);

/* Mutexes, in the kernel. */
int __gnomon_mutex_take(pthread_mutex_t *mutex, bool wait, uint64_t until);
int __gnomon_mutex_give(pthread_mutex_t *mutex);
/* The priority of a thread from its own and what it inherits; and so on for the thread for which it waits. */
void __gnomon_mutex_inherit(struct gnomon_thread *thread);

/* Runs the destructors of the current thread's keys. */
void __gnomon_keys_end(void) __attribute__((weak));

/* The thread table (table.c). Take an index outside of the kernel. */
uint32_t __gnomon_table_take(struct gnomon_thread *thread);
void __gnomon_table_name(struct gnomon_thread *thread);
void __gnomon_table_priority(uint32_t index, unsigned priority);                      /* in the kernel */
void __gnomon_table_state(uint32_t index, enum gnomon_thread_state state, bool gone); /* in the kernel */

/* Locks of the runtime itself and of libc, outside of the kernel. */
void __gnomon_threads_lock(void);
void __gnomon_threads_unlock(void);

/* switch.S */
void __gnomon_switch(struct gnomon_thread *from, struct gnomon_thread *to);
extern const char __gnomon_thread_begin[], __gnomon_threads_vectors[];
extern const char __gnomon_idler_begin[], __gnomon_second_begin[]; /* with two harts */
_Noreturn void __gnomon_thread_main(struct gnomon_thread *thread);
void __gnomon_preempt(void);

#endif
