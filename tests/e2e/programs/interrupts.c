/* SPDX-License-Identifier: Apache-2.0 */
/* Recursion, callbacks from a library that is not profiled, sibling calls and switch tables; a timer interrupt with
 * a call tree of its own interrupts all of them every PERIOD cycles (argument 1; 0: no interrupts). */
#include <gnomon.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))

static volatile unsigned ticks;
static unsigned period;

KEEP static unsigned collatz(unsigned n) {
    unsigned steps = 0;
    while (n != 1 && steps < 40) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

GNOMON_INTERRUPT void gnomon_timer_interrupt(void) {
    (void)collatz(ticks++ | 1);
    gnomon_timer_alarm(gnomon_timer_now() + period);
}

KEEP static unsigned fibonacci(unsigned n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

KEEP static int odd(unsigned n);
KEEP static int even(unsigned n) {
    if (n == 0)
        return 1;
    return odd(n - 1);
}
KEEP static int odd(unsigned n) {
    if (n == 0)
        return 0;
    return even(n - 1);
}

KEEP static int by_value(const void *left, const void *right) {
    const unsigned a = *(const unsigned *)left, b = *(const unsigned *)right;
    return (a > b) - (a < b);
}

KEEP static unsigned classify(unsigned n) {
    switch (n % 7) {
    case 0:
        return collatz(n + 1);
    case 1:
        return n * 3;
    case 2:
        return n ^ 0x55;
    case 3:
        return n << 3;
    case 4:
        return fibonacci(5);
    case 5:
        return n / 5;
    default:
        return ~n;
    }
}

int main(int argc, char **argv) {
    static unsigned values[200];
    unsigned sum = 0;
    period = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 0;
    if (period != 0) {
        gnomon_timer_alarm(gnomon_timer_now() + period);
        gnomon_irq_enable(GNOMON_IRQ_TIMER);
        gnomon_interrupts_on();
    }
    for (unsigned i = 0; i < 200; i++)
        values[i] = classify(i * 2654435761u);
    qsort(values, 200, sizeof values[0], by_value);
    for (unsigned i = 0; i < 200; i++)
        sum = sum * 31 + values[i] + (unsigned)even(i % 20);
    sum += fibonacci(12);
    if (period != 0)
        (void)gnomon_interrupts_off();
    printf("sum %08x, interrupts %s\n", sum, ticks != 0 ? "seen" : "off");
    return 0;
}
