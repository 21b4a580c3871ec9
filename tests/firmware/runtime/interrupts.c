/* SPDX-License-Identifier: Apache-2.0 */
/* Timer and software interrupts during calls of functions: they must not change any result of the program. */
#include <gnomon.h>
#include <gnomon/registers.h>

#include "check.h"

enum { PERIOD = 2000, TICKS = 50 };

static volatile int ticks, software, nested_calls;

__attribute__((noinline)) static void schedule(void) {
    nested_calls++;
    gnomon_timer_alarm(ticks < TICKS ? gnomon_timer_now() + PERIOD : UINT64_MAX);
}

GNOMON_INTERRUPT void gnomon_timer_interrupt(void) {
    ticks++;
    schedule();
}

GNOMON_INTERRUPT void gnomon_software_interrupt(void) {
    *(volatile uint32_t *)GNOMON_TIMER_MSIP = 0;
    software++;
}

__attribute__((noipa)) static uint32_t mix(uint32_t x) {
    return (x ^ (x >> 15)) * 0x2C1B3C6Du;
}

__attribute__((noipa)) static uint32_t work(int rounds) {
    uint32_t x = 1;
    for (int i = 0; i < rounds; i++)
        x = mix(x + (uint32_t)i) + (x << 3);
    return x;
}

int main(void) {
    const uint32_t expected = work(20000);
    gnomon_irq_enable(GNOMON_IRQ_TIMER);
    gnomon_irq_enable(GNOMON_IRQ_SOFTWARE);
    gnomon_timer_alarm(gnomon_timer_now() + PERIOD);
    gnomon_interrupts_on();

    CHECK(work(20000) == expected);
    CHECK(ticks > 10);
    while (ticks < TICKS)
        gnomon_wait_for_interrupt();
    CHECK(ticks == TICKS && nested_calls == TICKS);

    *(volatile uint32_t *)GNOMON_TIMER_MSIP = 1;
    while (!software)
        ;
    CHECK(software == 1);

    const uint32_t before = gnomon_interrupts_off();
    *(volatile uint32_t *)GNOMON_TIMER_MSIP = 1;
    CHECK(work(1000) != 0 && software == 1);
    gnomon_interrupts_restore(before);
    CHECK(work(1000) != 0 && software == 2);

    GNOMON_MARK(3, ticks);
    GNOMON_VALUE(0, software);
    gnomon_text("interrupts done");
    printf("interrupts: %d failed\n", check_failed);
    return check_failed;
}
