/* SPDX-License-Identifier: Apache-2.0 */
/* Who runs: ready queues, waiting, time-outs, time slices. All threads switch in `schedule`, outside of traps: a timer
 * interrupt returns to code that calls __gnomon_preempt as if the thread itself had called it (switch.S). So each trap
 * ends in the thread that it interrupted, and the profiler's figures of calls and traps stay exact. */
#include <errno.h>
#include <unistd.h>

#include "internal.h"
#include "threads/kernel.h"

#define MIE_TIMER (1u << GNOMON_IRQ_TIMER)

extern char __tls_base[];
struct gnomon_thread __gnomon_main_thread = {.tls = __tls_base, .until = FOREVER, .name = "main"};
struct gnomon_thread *__gnomon_all_threads = &__gnomon_main_thread;
struct gnomon_hart __gnomon_harts[HARTS] = {{.current = &__gnomon_main_thread, .slice_end = FOREVER, .alarm = FOREVER}};

static struct { struct gnomon_thread *first, *last; } ready[PRIORITIES];
static uint32_t ready_levels; /* bit n: a thread of priority n + 1 is ready */
static struct gnomon_thread *timers;
static uint32_t slice_cycles;

/* With --gnomon-records. */
void gnomon_records_thread(unsigned number) __attribute__((weak));

extern uint32_t __gnomon_thread; /* index of the thread that runs (table.c) */

static void tell(uint32_t index) {
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
    __gnomon_main_thread.limit = (uint32_t *)gnomon_stack_limit(heap_end);
    if (current() == &__gnomon_main_thread)
        GNOMON_REG(GNOMON_SYSCTL_STACK_LIMIT) = (uint32_t)(uintptr_t)__gnomon_main_thread.limit;
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

static struct gnomon_thread *take_ready(void) {
    const unsigned priority = highest_level();
    struct gnomon_thread *thread = ready[priority].first;
    if (thread) {
        ready[priority].first = thread->next;
        unmark_level(priority);
    }
    return thread;
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

/* ---- Time ---- */

static void set_alarm(struct gnomon_hart *hart) {
    uint64_t when = timers ? timers->until : FOREVER;
    if (hart->slice_end < when)
        when = hart->slice_end;
    if (when != hart->alarm) {
        hart->alarm = when;
        gnomon_timer_alarm(when);
    }
}

/* Limits the time of the running thread if others of its priority are ready. */
static void start_slice(struct gnomon_hart *hart) {
    const struct gnomon_thread *thread = hart->current;
    if (thread->policy != SCHED_FIFO && ready[thread->priority].first)
        hart->slice_end = gnomon_timer_now() + slice_cycles;
}

static void add_timer(struct gnomon_thread *thread, uint64_t until) {
    struct gnomon_thread **at = &timers;
    thread->until = until;
    if (until == FOREVER)
        return;
    while (*at && (*at)->until <= until)
        at = &(*at)->later;
    thread->later = *at;
    *at = thread;
}

static void remove_timer(struct gnomon_thread *thread) {
    struct gnomon_thread **at = &timers;
    if (thread->until == FOREVER)
        return;
    while (*at != thread)
        at = &(*at)->later;
    *at = thread->later;
    thread->until = FOREVER;
}

static void expire(uint64_t now) {
    while (timers && timers->until <= now)
        __gnomon_wake(timers, ETIMEDOUT);
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
}

/* ---- Switching ---- */

/* Interrupt handlers of the program run meanwhile; the timer's does not. */
static void let_handlers_run(void) {
    gnomon_irq_disable(GNOMON_IRQ_TIMER);
    gnomon_interrupts_on();
    gnomon_interrupts_off();
    gnomon_irq_enable(GNOMON_IRQ_TIMER);
}

static uint32_t enabled_interrupts(void) {
    uint32_t enabled;
    __asm__ volatile("csrr %0, mie" : "=r"(enabled));
    return enabled & ~MIE_TIMER;
}

static struct gnomon_thread *idle(struct gnomon_hart *hart) {
    struct gnomon_thread *thread;
    tell(IDLE_INDEX);
    if (!__gnomon_kernel_started())
        __gnomon_kernel_start();
    hart->idle = true;
    hart->slice_end = FOREVER;
    for (;;) {
        if (timers)
            expire(gnomon_timer_now());
        thread = take_ready();
        if (thread)
            break;
        const uint32_t enabled = enabled_interrupts();
        if (!timers && !enabled)
            __gnomon_threads_die(GNOMON_CRASH_DEADLOCK, STATUS_DEADLOCK, 0);
        set_alarm(hart);
        gnomon_wait_for_interrupt();
        if (enabled)
            let_handlers_run();
    }
    hart->idle = false;
    return thread;
}

static void schedule(void) {
    struct gnomon_hart *hart = here();
    struct gnomon_thread *from = hart->current, *to = take_ready();
    const bool idles = !to;
    check_stack(from);
    if (idles)
        to = idle(hart);
    hart->resched = false;
    hart->current = to;
    to->state = RUNNING;
    hart->slice_end = FOREVER;
    start_slice(hart);
    set_alarm(hart);
    if (to != from || idles)
        tell(to->index);
    if (to != from) {
        __gnomon_crash.value = (uint32_t)(uintptr_t)to->name;
        __gnomon_switch(from, to);
    }
}

void __gnomon_make_ready(struct gnomon_thread *thread) {
    struct gnomon_hart *hart = here();
    append(thread);
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
        gnomon_timer_alarm(0);
    }
}

/* The timer has interrupted the current thread. */
void __gnomon_preempt(void) {
    struct gnomon_hart *hart = here();
    const uint64_t now = gnomon_timer_now();
    hart->alarm = 0; /* of no other thread */
    expire(now);
    if (hart->slice_end <= now) {
        append(hart->current);
        schedule();
    } else if (hart->resched) {
        prepend(hart->current);
        schedule();
    } else {
        set_alarm(hart);
    }
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

void __gnomon_set_priority(struct gnomon_thread *thread, unsigned priority) {
    struct gnomon_hart *hart = here();
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
    else if (thread == hart->current && highest_level() > priority)
        hart->resched = true;
}
