/* SPDX-License-Identifier: Apache-2.0 */
/* Linked with any program: runs a timer interrupt from before main to the end, so that the program is profiled with
 * interrupts on. */
#include <gnomon.h>

enum { PERIOD = 10007 };

static volatile unsigned ticks;

__attribute__((noinline)) static void tick(void) {
    ticks++;
}

GNOMON_INTERRUPT void gnomon_timer_interrupt(void) {
    tick();
    gnomon_timer_alarm(gnomon_timer_now() + PERIOD);
}

__attribute__((constructor)) static void start(void) {
    gnomon_timer_alarm(gnomon_timer_now() + PERIOD);
    gnomon_irq_enable(GNOMON_IRQ_TIMER);
    gnomon_interrupts_on();
}
