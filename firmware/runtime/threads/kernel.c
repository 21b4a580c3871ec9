/* SPDX-License-Identifier: Apache-2.0 */
/* Who runs: ready queues, waiting, time-outs, time slices. All threads switch in `schedule`, outside of traps: a timer
 * interrupt returns to code that calls __gnomon_preempt as if the thread itself had called it (switch.S). So each trap
 * ends in the thread that it interrupted, and the profiler's figures of calls and traps stay exact. */
#include <errno.h>
#include <unistd.h>

#include "internal.h"
#include "threads/kernel.h"

#define MIE_OWN (1u << GNOMON_IRQ_TIMER | (HARTS > 1 ? 1u << GNOMON_IRQ_SOFTWARE : 0))

extern char __tls_base[];
struct gnomon_thread __gnomon_main_thread = {
    .tls = __tls_base, .affinity = ALL_HARTS, .until = FOREVER, .name = "main"};
struct gnomon_thread *__gnomon_all_threads = &__gnomon_main_thread;
struct gnomon_hart __gnomon_harts[HARTS] = {{.current = &__gnomon_main_thread, .slice_end = FOREVER, .alarm = FOREVER}};
#if GNOMON_HARTS > 1
_Thread_local struct gnomon_thread *__gnomon_self = &__gnomon_main_thread;
#endif
gnomon_hart_lock __gnomon_kernel_lock;

static struct { struct gnomon_thread *first, *last; } ready[PRIORITIES];
static uint32_t ready_levels; /* bit n: a thread of priority n + 1 is ready */
static uint32_t slice_cycles;

/* With --gnomon-records. */
void gnomon_records_thread(unsigned number) __attribute__((weak));

extern uint32_t __gnomon_thread; /* index of the thread that runs (locks/tables.c) */

static void tell(uint32_t index) {
    if (HARTS == 1)
        __gnomon_thread = index;
    if (gnomon_records_thread)
        gnomon_records_thread(index);
    GNOMON_SEND(GNOMON_CHANNEL_THREAD, index);
}

/* ---- The end of a program that cannot go on ---- */

_Noreturn void __gnomon_kernel_die(enum gnomon_param_crash_kind kind, uint32_t status, uint32_t value);
void __gnomon_threads_die(enum gnomon_param_crash_kind kind, uint32_t status, uint32_t value);

/* Saves the caller's registers first, for the walk up the stack. */
__attribute__((naked, no_instrument_function)) void __gnomon_threads_die(enum gnomon_param_crash_kind kind,
                                                                         uint32_t status, uint32_t value) {
    (void)kind;
    (void)status;
    (void)value;
    __asm__("call t1, __gnomon_crash_here\n\ttail __gnomon_kernel_die");
}

void __gnomon_kernel_die(enum gnomon_param_crash_kind kind, uint32_t status, uint32_t value) {
    __gnomon_crash_tell(kind, 0, value);
    kernel_unlock();
    _exit((int)status);
}

enum {
    STATUS_DEADLOCK = GNOMON_STATUS_SIGNAL + 6 /* SIGABRT */,
    STATUS_STACK = GNOMON_STATUS_SIGNAL + 11 /* SIGSEGV */
};

static void check_stack(const struct gnomon_thread *thread) {
    if (thread->stack && (*thread->stack != GUARD_WORD || (uint32_t *)__builtin_frame_address(0) < thread->stack))
        __gnomon_threads_die(GNOMON_CRASH_STACK, STATUS_STACK, (uint32_t)(uintptr_t)thread->name);
}

/* The device halts a program that leaves its stack. The host then reads the name of the thread. */
static void tell_host(const struct gnomon_thread *thread) {
    struct gnomon_param *param = __gnomon_param();
    __gnomon_crash.kind = GNOMON_CRASH_STACK;
    __gnomon_crash.value = (uint32_t)(uintptr_t)thread->name;
    if (param)
        param->crash = (uint32_t)(uintptr_t)&__gnomon_crash;
}

/* The heap has grown: the first thread's stack ends there. */
void __gnomon_guard_stack(uintptr_t heap_end) {
    const uint32_t before = HARTS > 1 ? kernel_enter() : 0; /* hart 0 may be about to switch */
    __gnomon_main_thread.limit = (uint32_t *)gnomon_stack_limit(heap_end);
    if (__gnomon_harts[0].current == &__gnomon_main_thread) /* only hart 0's stack is guarded */
        GNOMON_REG(GNOMON_SYSCTL_STACK_LIMIT) = (uint32_t)(uintptr_t)__gnomon_main_thread.limit;
    if (HARTS > 1)
        kernel_leave(before);
}

/* ---- Ready threads ---- */

static void mark_level(unsigned priority) {
    if (priority)
        ready_levels |= 1u << (priority - 1);
}

static void unmark_level(unsigned priority) {
    if (priority && !ready[priority].first)
        ready_levels &= ~(1u << (priority - 1));
}

static unsigned highest_level(void) {
    return ready_levels ? 32u - (unsigned)__builtin_clz(ready_levels) : 0;
}

static void append(struct gnomon_thread *thread) {
    const unsigned priority = thread->priority;
    thread->state = READY;
    thread->next = NULL;
    if (ready[priority].first)
        ready[priority].last->next = thread;
    else
        ready[priority].first = thread;
    ready[priority].last = thread;
    mark_level(priority);
}

static void prepend(struct gnomon_thread *thread) {
    const unsigned priority = thread->priority;
    thread->state = READY;
    thread->next = ready[priority].first;
    if (!thread->next)
        ready[priority].last = thread;
    ready[priority].first = thread;
    mark_level(priority);
}

static void remove_ready(struct gnomon_thread *thread) {
    const unsigned priority = thread->priority;
    struct gnomon_thread **at = &ready[priority].first, *before = NULL;
    for (; *at != thread; at = &(*at)->next)
        before = *at;
    *at = thread->next;
    if (ready[priority].last == thread)
        ready[priority].last = before;
    unmark_level(priority);
}

static bool may_run(const struct gnomon_thread *thread, const struct gnomon_hart *hart) {
    return HARTS == 1 || thread->affinity >> (hart - __gnomon_harts) & 1;
}

/* The first thread of the highest priority that has one for this hart. */
static struct gnomon_thread *first_for(const struct gnomon_hart *hart) {
    uint32_t levels = ready_levels;
    for (;;) {
        const unsigned priority = levels ? 32u - (unsigned)__builtin_clz(levels) : 0;
        struct gnomon_thread *thread = ready[priority].first;
        while (thread && !may_run(thread, hart))
            thread = thread->next;
        if (thread || !priority)
            return thread;
        levels &= ~(1u << (priority - 1));
    }
}

static struct gnomon_thread *take_ready(const struct gnomon_hart *hart) {
    const unsigned priority = highest_level();
    struct gnomon_thread *thread = ready[priority].first;
    if (HARTS > 1 && (!thread || !may_run(thread, hart))) {
        thread = first_for(hart);
        if (thread)
            remove_ready(thread);
    } else if (thread) {
        ready[priority].first = thread->next;
        unmark_level(priority);
    }
    return thread;
}

/* ---- Time ---- */

static void set_timer(const struct gnomon_hart *hart, uint64_t when) {
    if (HARTS > 1)
        __gnomon_hart_alarm(hart, when);
    else
        gnomon_timer_alarm(when);
}

/* Also for the other hart. */
static void set_alarm(struct gnomon_hart *hart) {
    uint64_t when = hart->timers ? hart->timers->until : FOREVER;
    if (hart->slice_end < when)
        when = hart->slice_end;
    if (HARTS > 1 && hart->resched) /* kernel_resched may have chosen this time */
        when = 0;
    if (when != hart->alarm) {
        hart->alarm = when;
        set_timer(hart, when);
    }
}

/* Limits the time of the running thread if others of its priority are ready. */
static void start_slice(struct gnomon_hart *hart) {
    const struct gnomon_thread *thread = hart->current;
    if (thread->policy != SCHED_FIFO && ready[thread->priority].first)
        hart->slice_end = gnomon_timer_now() + slice_cycles;
}

static void add_timer(struct gnomon_thread *thread, uint64_t until) {
    struct gnomon_thread **at = &here()->timers;
    thread->until = until;
    if (until == FOREVER)
        return;
    while (*at && (*at)->until <= until)
        at = &(*at)->later;
    thread->later = *at;
    *at = thread;
}

static void remove_timer(struct gnomon_thread *thread) {
    struct gnomon_thread **at = &__gnomon_harts[HARTS > 1 ? thread->hart : 0].timers;
    if (thread->until == FOREVER)
        return;
    while (*at != thread)
        at = &(*at)->later;
    *at = thread->later;
    thread->until = FOREVER;
}

static void expire(const struct gnomon_hart *hart, uint64_t now) {
    while (hart->timers && hart->timers->until <= now)
        __gnomon_wake(hart->timers, ETIMEDOUT);
}

bool __gnomon_kernel_started(void) {
    return slice_cycles != 0;
}

void __gnomon_kernel_start(void) {
    __asm__ volatile("csrw mtvec, %0" ::"r"((uintptr_t)__gnomon_threads_vectors | 1 /* vectored */));
    slice_cycles = (uint32_t)((uint64_t)GNOMON_REG(GNOMON_SYSCTL_CLOCK_HZ) * gnomon_threads_slice / 1000000u) + 1;
    tell_host(current());
    gnomon_timer_alarm(FOREVER);
    gnomon_irq_enable(GNOMON_IRQ_TIMER);
    if (HARTS > 1)
        gnomon_irq_enable(GNOMON_IRQ_SOFTWARE);
}

/* ---- Switching ---- */

/* Interrupt handlers of the program run meanwhile; those of this file do not. */
static void let_handlers_run(void) {
    gnomon_irq_disable(GNOMON_IRQ_TIMER);
    if (HARTS > 1)
        gnomon_irq_disable(GNOMON_IRQ_SOFTWARE);
    kernel_unlock();
    gnomon_interrupts_on();
    gnomon_interrupts_off();
    kernel_lock();
    gnomon_irq_enable(GNOMON_IRQ_TIMER);
    if (HARTS > 1)
        gnomon_irq_enable(GNOMON_IRQ_SOFTWARE);
}

static uint32_t enabled_interrupts(void) {
    uint32_t enabled;
    __asm__ volatile("csrr %0, mie" : "=r"(enabled));
    return enabled & ~MIE_OWN;
}

/* No hart runs a thread, and none will. */
static bool deadlocked(const struct gnomon_hart *hart, uint32_t enabled) {
    const struct gnomon_hart *other =
        HARTS > 1 && __gnomon_second_hart ? &__gnomon_harts[hart == __gnomon_harts] : NULL;
    if (hart->timers || enabled)
        return false;
    return !other || (other->idle && !other->timers && !other->enabled && !ready_levels && !ready[0].first);
}

static void wait_for_interrupt(struct gnomon_hart *hart, uint32_t enabled) {
    hart->enabled = enabled;
    kernel_unlock();
    gnomon_wait_for_interrupt(); /* not taken, but what was raised before ends it at once */
    kernel_lock();
    if (enabled)
        let_handlers_run();
}

static struct gnomon_thread *idle(struct gnomon_hart *hart) {
    struct gnomon_thread *thread;
    if (!__gnomon_kernel_started())
        __gnomon_kernel_start();
    hart->idle = true;
    hart->slice_end = FOREVER;
    for (;;) {
        hart->level = NO_LEVEL;
        if (HARTS > 1)
            __gnomon_hart_kick(hart, false);
        if (hart->timers)
            expire(hart, gnomon_timer_now());
        thread = take_ready(hart);
        if (thread)
            break;
        const uint32_t enabled = enabled_interrupts();
        if (deadlocked(hart, enabled))
            __gnomon_threads_die(GNOMON_CRASH_DEADLOCK, STATUS_DEADLOCK, 0);
        set_alarm(hart);
        wait_for_interrupt(hart, enabled);
    }
    hart->idle = false;
    return thread;
}

/* With two harts: a hart that should run the ready thread is told to. That is one that idles; otherwise the one whose
 * thread has the lowest priority, if that of the ready thread is higher; and if it is the same, they take turns. */
static void place(struct gnomon_thread *thread) {
    struct gnomon_hart *self = here(), *best = NULL;
    const unsigned count = __gnomon_second_hart ? HARTS : 1;
    for (unsigned i = 0; i < count; i++) {
        struct gnomon_hart *hart = &__gnomon_harts[i];
        if (may_run(thread, hart) &&
            (!best || hart->level < best->level || (hart->level == best->level && hart == self)))
            best = hart;
    }
    if (!best)
        return;
    if (best->level < (int)thread->priority) {
        best->level = (int8_t)thread->priority;
        best->resched = !best->idle;
        if (best != self)
            __gnomon_hart_kick(best, true);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        struct gnomon_hart *hart = &__gnomon_harts[i];
        if (may_run(thread, hart) && hart->level == (int)thread->priority && !hart->idle &&
            hart->slice_end == FOREVER) {
            start_slice(hart);
            set_alarm(hart);
        }
    }
}

/* `from` ran or, if the hart idles on its stack, waits. */
static void switch_to(struct gnomon_hart *hart, struct gnomon_thread *from, struct gnomon_thread *to, bool idled) {
    if (HARTS > 1 && hart->resched)
        __gnomon_hart_kick(hart, false);
    hart->resched = false;
    hart->current = to;
    to->state = RUNNING;
    hart->slice_end = FOREVER;
    if (HARTS > 1) {
        to->hart = (uint8_t)(hart - __gnomon_harts);
        hart->level = (int8_t)to->priority;
        if (from != to && from->state == READY)
            place(from);
    }
    start_slice(hart);
    set_alarm(hart);
    if (to != from || idled)
        tell(to->index);
    if (to != from) {
        if (HARTS == 1 || hart == __gnomon_harts)
            __gnomon_crash.value = (uint32_t)(uintptr_t)to->name;
        __gnomon_switch(from, to);
    }
}

static void schedule(void) {
    struct gnomon_hart *hart = here();
    struct gnomon_thread *from = hart->current, *to = take_ready(hart);
    const bool idles = !to;
    check_stack(from);
    if (HARTS > 1 && idles && hart->idler) {
        /* Here, so that the host shows the calls of the thread that waited last. */
        if (deadlocked(hart, enabled_interrupts()))
            __gnomon_threads_die(GNOMON_CRASH_DEADLOCK, STATUS_DEADLOCK, 0);
        to = hart->idler;
    } else if (idles) {
        tell(IDLE_INDEX);
        to = idle(hart);
    }
    switch_to(hart, from, to, idles);
}

#if GNOMON_HARTS > 1
void __gnomon_hart_idles(struct gnomon_hart *hart) {
    for (;;) {
        struct gnomon_thread *to = idle(hart);
        switch_to(hart, hart->idler, to, true);
    }
}

/* A hart that may not run its thread any more gives it up. */
void __gnomon_set_affinity(struct gnomon_thread *thread, unsigned harts) {
    struct gnomon_hart *hart = &__gnomon_harts[thread->hart];
    thread->affinity = (uint8_t)harts;
    if (thread->state == READY) {
        place(thread);
    } else if (thread->state == RUNNING && !may_run(thread, hart)) {
        hart->resched = true;
        if (hart != here())
            __gnomon_hart_kick(hart, true);
    }
}
#endif

void __gnomon_make_ready(struct gnomon_thread *thread) {
    struct gnomon_hart *hart = here();
    append(thread);
    if (HARTS > 1) {
        place(thread);
        return;
    }
    if (hart->idle)
        return;
    if (thread->priority > hart->current->priority) {
        hart->resched = true;
    } else if (thread->priority == hart->current->priority && hart->slice_end == FOREVER) {
        start_slice(hart);
        set_alarm(hart);
    }
}

void __gnomon_kernel_resched(uint32_t before) {
    struct gnomon_hart *hart = here();
    if (before) {
        prepend(hart->current);
        schedule();
    } else {
        hart->alarm = 0;
        set_timer(hart, 0);
    }
}

/* The timer, or the other hart, has interrupted the current thread. Interrupts are off. */
void __gnomon_preempt(void) {
    struct gnomon_hart *hart = here();
    kernel_lock();
    if (HARTS > 1)
        __gnomon_hart_kick(hart, false);
    const uint64_t now = gnomon_timer_now();
    hart->alarm = 0; /* of no other thread */
    expire(hart, now);
    if (hart->slice_end <= now) {
        append(hart->current);
        schedule();
    } else if (hart->resched) {
        prepend(hart->current);
        schedule();
    } else {
        set_alarm(hart);
    }
    kernel_unlock();
}

void __gnomon_kernel_yield(void) {
    append(current());
    schedule();
}

void __gnomon_kernel_end(void) {
    current()->state = ENDED;
    schedule();
    __builtin_unreachable();
}

/* ---- Waiting ---- */

static void enqueue(struct gnomon_thread *thread, struct gnomon_thread **queue) {
    struct gnomon_thread **at = queue;
    while (*at && (*at)->priority >= thread->priority)
        at = &(*at)->next;
    thread->next = *at;
    *at = thread;
    thread->queue = queue;
}

static void dequeue(struct gnomon_thread *thread) {
    struct gnomon_thread **at = thread->queue;
    while (*at != thread)
        at = &(*at)->next;
    *at = thread->next;
    thread->queue = NULL;
}

int __gnomon_wait(struct gnomon_thread **queue, uint64_t until) {
    struct gnomon_thread *thread = current();
    thread->state = WAITING;
    enqueue(thread, queue);
    add_timer(thread, until);
    schedule();
    return thread->result_of_wait;
}

void __gnomon_wake(struct gnomon_thread *thread, int result) {
    dequeue(thread);
    remove_timer(thread);
    thread->result_of_wait = result;
    __gnomon_make_ready(thread);
}

void __gnomon_requeue(struct gnomon_thread *thread, struct gnomon_thread **queue) {
    dequeue(thread);
    enqueue(thread, queue);
}

/* The running thread of a hart has another priority now. */
static void run_at_level(struct gnomon_hart *hart, unsigned priority) {
    if (hart->resched)
        return; /* its level is that of the thread to come */
    hart->level = (int8_t)priority;
    if (highest_level() > priority) {
        hart->resched = true;
        if (hart != here())
            __gnomon_hart_kick(hart, true);
    }
}

void __gnomon_set_priority(struct gnomon_thread *thread, unsigned priority) {
    struct gnomon_hart *hart = &__gnomon_harts[HARTS > 1 ? thread->hart : 0];
    if (thread->priority == priority)
        return;
    if (thread->state == READY) {
        remove_ready(thread);
        thread->priority = (uint8_t)priority;
        __gnomon_make_ready(thread);
        return;
    }
    thread->priority = (uint8_t)priority;
    if (thread->state == WAITING)
        __gnomon_requeue(thread, thread->queue);
    else if (HARTS > 1 && thread->state == RUNNING)
        run_at_level(hart, priority);
    else if (thread == hart->current && highest_level() > priority)
        hart->resched = true;
}
