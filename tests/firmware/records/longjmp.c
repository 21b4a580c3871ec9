/* SPDX-License-Identifier: Apache-2.0 */
/* longjmp out of several calls, repeatedly, more often than there is room for calls that never return; with other
 * calls in between at the same depth of the stack. Argument 1: cycles between interrupts. */
#include <gnomon.h>
#include <gnomon_records.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))

unsigned gnomon_records_depth = 40;

static jmp_buf back;
static volatile unsigned period, sum, ticks;

KEEP static void add(unsigned n) {
    sum += n;
}
KEEP static __attribute__((noreturn)) void jump(unsigned n) {
    add(n);
    longjmp(back, 1);
}
KEEP static void climb(unsigned n, unsigned depth) {
    if (depth == 0 && sum != 1)
        jump(n);
    if (depth != 0)
        climb(n, depth - 1);
    add(1);
}
KEEP static void once(unsigned n) {
    volatile unsigned depth = n % 5;
    if (setjmp(back) == 0)
        climb(n, depth);
    add(depth);
}
/* Does not return between its jumps. */
KEEP static void often(unsigned rounds) {
    volatile unsigned n = 0;
    if (setjmp(back) != 0)
        add(2);
    if (n++ < rounds)
        climb(n, n % 3);
}

KEEP static void tick(void) {
    add(0);
    ticks++;
}
GNOMON_INTERRUPT void gnomon_timer_interrupt(void) {
    tick();
    gnomon_timer_alarm(gnomon_timer_now() + period);
}

int main(int argc, char **argv) {
    period = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 0;
    if (period) {
        gnomon_timer_alarm(gnomon_timer_now() + period);
        gnomon_irq_enable(GNOMON_IRQ_TIMER);
        gnomon_interrupts_on();
    }
    for (unsigned i = 0; i < 50; i++)
        once(i);
    often(100);
    gnomon_interrupts_off();
    printf("%u %s\n", sum > 0, ticks ? "interrupts" : "none");
    exit(0);
}
