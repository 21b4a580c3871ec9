/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupts that must wait: a timer asks at equal distances, and the program switches interrupts off for longer and
 * longer times; a software interrupt that comes in the handler of the timer; one that is withdrawn. */
#include <gnomon.h>
#include <gnomon/registers.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PERIOD = 1009 };

static volatile unsigned ticks, messages;
static uint64_t next;

static volatile uint32_t *const msip = (volatile uint32_t *)(uintptr_t)GNOMON_TIMER_MSIP;

GNOMON_INTERRUPT void gnomon_timer_interrupt(void) {
    ticks++;
    next += PERIOD;
    gnomon_timer_alarm(next);
    if (ticks % 5 == 0)
        *msip = 1;
}

GNOMON_INTERRUPT void gnomon_software_interrupt(void) {
    messages++;
    *msip = 0;
}

__attribute__((noinline)) static void spend(unsigned rounds) {
    for (volatile unsigned i = 0; i < rounds; i++)
        ;
}

/* Argument: the number of rounds. */
int main(int argc, char **argv) {
    const unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 60;
    next = gnomon_timer_now() + PERIOD;
    gnomon_timer_alarm(next);
    gnomon_irq_enable(GNOMON_IRQ_TIMER);
    gnomon_irq_enable(GNOMON_IRQ_SOFTWARE);
    gnomon_interrupts_on();
    for (unsigned i = 0; i < rounds; i++) {
        const uint32_t before = gnomon_interrupts_off();
        spend(i % 60);
        *msip = 1;
        spend(2);
        if (i % 3 == 0)
            *msip = 0;
        gnomon_interrupts_restore(before);
        spend(40);
    }
    (void)gnomon_interrupts_off();
    printf("%u ticks, %u messages\n", ticks, messages);
    return 0;
}
