/* SPDX-License-Identifier: Apache-2.0 */
/* The second hart, in the library of --gnomon-harts. Each hart idles on a stack of its own, because the stack of a
 * thread that waits may be in use on the other hart at any time. */
#include <stdlib.h>

#include "internal.h"
#include "threads/kernel.h"

enum { STACK_MOST = 4096 };

volatile uint32_t __gnomon_second_hart;

/* What hart 1 begins with (switch.S). */
struct gnomon_thread *__gnomon_second_idler;
static struct gnomon_thread *first_idler;

_Noreturn void __gnomon_idler_main(void);
_Noreturn void __gnomon_second_main(void);

void __gnomon_hart_kick(const struct gnomon_hart *hart, bool raised) {
    GNOMON_REG(hart == __gnomon_harts ? GNOMON_TIMER_MSIP : GNOMON_TIMER_HART1_MSIP) = raised;
}

void __gnomon_hart_alarm(const struct gnomon_hart *hart, uint64_t when) {
    if (hart == __gnomon_harts) {
        gnomon_timer_alarm(when);
        return;
    }
    /* In this order, as gnomon_timer_alarm. */
    GNOMON_REG(GNOMON_TIMER_HART1_MTIMECMP_HI) = UINT32_MAX;
    GNOMON_REG(GNOMON_TIMER_HART1_MTIMECMP_LO) = (uint32_t)when;
    GNOMON_REG(GNOMON_TIMER_HART1_MTIMECMP_HI) = (uint32_t)(when >> 32);
}

static unsigned harts_of_device(void) {
    return (GNOMON_REG(GNOMON_SYSCTL_CONFIG) & GNOMON_SYSCTL_CONFIG_HARTS) >> GNOMON_SYSCTL_CONFIG_HARTS_SHIFT;
}

static struct gnomon_thread *make_idler(unsigned hart) {
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    if (attr.stack_size > STACK_MOST)
        attr.stack_size = STACK_MOST;
    struct gnomon_thread *thread = __gnomon_thread_allocate(&attr);
    if (!thread)
        return NULL;
    thread->hart = (uint8_t)hart;
    __gnomon_thread_prepare(thread, __gnomon_idler_begin);
    __gnomon_thread_number(thread, IDLE_INDEX + hart);
    return thread;
}

/* Hart 1 stays unused if the program wants one hart, has started hart 1 itself, or has no memory. */
void __gnomon_harts_prepare(void) {
    if (gnomon_threads_harts < 2 || harts_of_device() < 2 || first_idler || GNOMON_REG(GNOMON_SYSCTL_HART1_START) & 1)
        return;
    struct gnomon_thread *first = make_idler(0), *second = make_idler(1);
    if (first && second) {
        first_idler = first;
        __gnomon_second_idler = second;
        return;
    }
    free(first ? first->block : NULL);
    free(second ? second->block : NULL);
}

void __gnomon_harts_start(void) {
    if (!first_idler)
        return;
    __gnomon_harts[0].idler = first_idler;
    __gnomon_harts[1] = (struct gnomon_hart){.current = __gnomon_second_idler,
                                             .idle = true,
                                             .level = NO_LEVEL,
                                             .idler = __gnomon_second_idler,
                                             .slice_end = FOREVER,
                                             .alarm = FOREVER};
    __gnomon_kernel_lock.taken[0] = 1; /* this hart has it */
    __gnomon_second_hart = 1;
    __asm__ volatile("fence" ::: "memory");
    GNOMON_REG(GNOMON_SYSCTL_HART1_START) = (uint32_t)(uintptr_t)__gnomon_second_begin;
}

/* Hart 0 idles for the first time. In the kernel. */
void __gnomon_idler_main(void) {
    __gnomon_hart_idles(&__gnomon_harts[0]);
}

/* Hart 1 begins. */
void __gnomon_second_main(void) {
    GNOMON_SEND(GNOMON_CHANNEL_THREAD, IDLE_INDEX + 1);
    gnomon_irq_enable(GNOMON_IRQ_TIMER);
    gnomon_irq_enable(GNOMON_IRQ_SOFTWARE);
    kernel_lock();
    __gnomon_hart_idles(&__gnomon_harts[1]);
}
