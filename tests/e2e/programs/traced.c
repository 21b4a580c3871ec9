/* SPDX-License-Identifier: Apache-2.0 */
/* Calls within, between and outside of two ranges of functions; from mark 1 to mark 2 only calls in the ranges of
 * argument 1 (bits 0 and 1; 0: all) are events; with recursion, a callback, and a timer interrupt. Arguments 2 to 5:
 * limits of the ranges. */
#include <gnomon.h>
#include <gnomon_pmu.h>
#include <stdlib.h>

#define KEEP __attribute__((noipa))

static volatile unsigned ticks;

KEEP unsigned within_0(unsigned n) {
    return n < 2 ? n : within_0(n - 1) + within_0(n - 2);
}

KEEP unsigned outside(unsigned n, unsigned (*callback)(unsigned)) {
    return callback(n) + within_0(3);
}

KEEP unsigned within_1(unsigned n) {
    return n == 0 ? within_0(4) : outside(n - 1, within_1) + 1;
}

GNOMON_INTERRUPT void gnomon_timer_interrupt(void) {
    ticks += within_0(2);
    gnomon_timer_alarm(gnomon_timer_now() + 900);
}

int main(int argc, char **argv) {
    unsigned sum = 0;
    if (argc != 6)
        return 2;
    for (int i = 0; i < 2; i++)
        gnomon_range_set((unsigned)i, (const void *)strtoul(argv[2 + 2 * i], NULL, 16),
                         (const void *)strtoul(argv[3 + 2 * i], NULL, 16));
    gnomon_trace_ranges((uint32_t)argv[1][0] & 3); /* takes the same time for each digit */
    gnomon_timer_alarm(gnomon_timer_now() + 900);
    gnomon_irq_enable(GNOMON_IRQ_TIMER);
    GNOMON_MARK(1, 0);
    gnomon_interrupts_on();
    for (unsigned i = 0; i < 6; i++)
        sum += within_1(i) + outside(i, within_0);
    (void)gnomon_interrupts_off();
    GNOMON_MARK(2, 0);
    gnomon_trace_ranges(0);
    return ticks != 0 && sum == 0;
}
