/* SPDX-License-Identifier: Apache-2.0 */
/* A run long enough for many epochs: recursion, a timer interrupt with calls of its own, and threads (announced by
 * messages only), one of which never continues. Argument 1: rounds. */
#include <gnomon.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))

enum { PERIOD = 3001, THREADS = 3 };

static volatile unsigned ticks, sum;

KEEP static void idle(unsigned rounds) {
    for (unsigned i = 0; i < rounds; i++)
        sum += i;
}

KEEP static void handle(unsigned n) {
    idle(200 + n % 100); /* long enough for some epochs to end within it */
}
GNOMON_INTERRUPT void gnomon_timer_interrupt(void) {
    handle(ticks++);
    gnomon_timer_alarm(gnomon_timer_now() + PERIOD);
}

KEEP static unsigned walk(unsigned n, unsigned depth) {
    idle(n & 31);
    return depth == 0 ? n : walk(n * 5 + 1, depth - 1) + (n & 1 ? walk(n / 3, depth - 1) : 0);
}

/* Never returns in its own thread. */
KEEP static void stuck(void) {
    GNOMON_THREAD(THREADS);
    idle(7);
    GNOMON_THREAD(0);
}

int main(int argc, char **argv) {
    const unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 100;
    gnomon_timer_alarm(gnomon_timer_now() + PERIOD);
    gnomon_irq_enable(GNOMON_IRQ_TIMER);
    gnomon_interrupts_on();
    GNOMON_THREAD(THREADS);
    stuck();
    for (unsigned i = 0; i < rounds; i++) {
        GNOMON_THREAD(i % THREADS);
        sum += walk(i, i % 11);
    }
    GNOMON_THREAD(0);
    (void)gnomon_interrupts_off();
    printf("sum %08x\n", sum);
    return 0;
}
