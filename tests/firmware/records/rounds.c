/* SPDX-License-Identifier: Apache-2.0 */
/* The low word of mcycle wraps, by itself and in jumps of hours: in recursion, in leaves, in interrupts. Argument 1:
 * cycles between interrupts. */
#include <gnomon.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))

static volatile unsigned period, sum;

/* Only increases mcycle, in a single visible step. */
GNOMON_OFF __attribute__((always_inline)) static inline void leap(uint32_t rounds, uint32_t low) {
    uint32_t high;
    const uint32_t before = gnomon_interrupts_off();
    __asm__ volatile("csrr %0, mcycleh" : "=r"(high));
    __asm__ volatile("csrw mcycle, zero\n\tcsrw mcycleh, %0\n\tcsrw mcycle, %1" ::"r"(high + rounds), "r"(low));
    gnomon_interrupts_restore(before);
}

KEEP static void leaf(unsigned rounds, uint32_t low) {
    if (rounds)
        leap(rounds, low);
    sum++;
}
KEEP static void down(unsigned n) {
    sum++;
    if (n == 0)
        return;
    if (n == 4)
        leaf(1, 0xFFFFFF00u);
    if (n == 5)
        leaf(2, 5);
    down(n - 1);
    if (n == 6)
        leap(1, 0xFFFFFFC0u);
    down(n - 1);
}
/* Advances mcycle by 2^32 - `back`, so that the following calls carry sums of cycles over the end of their low
 * words. */
KEEP static void tick(uint32_t back) {
    if (back)
        leap(1, (uint32_t)gnomon_cycles() - back);
    sum++;
}
KEEP static void over_the_end(void) {
    tick(1000);
    for (unsigned i = 0; i < 40; i++)
        tick(0);
}
KEEP static void in_interrupt(void) {
    if (sum % 8 == 0)
        leap(1, 0xFFFFFF80u);
    leaf(0, 0);
}
GNOMON_INTERRUPT void gnomon_timer_interrupt(void) {
    in_interrupt();
    down(2);
    gnomon_timer_alarm(gnomon_timer_now() + period);
}

/* Runs before the first hook. */
__attribute__((constructor(101))) GNOMON_OFF static void early(void) {
    leap(3, 0xFFFFF000u);
}

int main(int argc, char **argv) {
    period = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 0;
    if (period) {
        gnomon_timer_alarm(gnomon_timer_now() + period);
        gnomon_irq_enable(GNOMON_IRQ_TIMER);
        gnomon_interrupts_on();
    }
    for (unsigned i = 0; i < 300; i++)
        leaf(i % 32 == 31, 0xFFFFFFF0u - i);
    down(6);
    tick(3000); /* so that another step carries the sum of all callers over its end */
    over_the_end();
    leaf(2, 77);
    gnomon_interrupts_off();
    printf("%u\n", sum > 0);
    return 0;
}
