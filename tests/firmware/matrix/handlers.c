/* SPDX-License-Identifier: Apache-2.0 */
/* Nested interrupts: the software interrupt's handler enables the timer interrupt. Naked functions have no hooks.
 *
 * - > main 1
 * main > raise 3
 * - > [interrupt 3] 3
 * [interrupt 3] > gnomon_software_interrupt 3
 * gnomon_software_interrupt > work 6
 * - > [interrupt 7] 3
 * [interrupt 7] > gnomon_timer_interrupt 3
 * gnomon_timer_interrupt > work 3
 * main|gnomon_software_interrupt > gnomon_interrupts_on 4 ?
 * main|gnomon_software_interrupt > gnomon_interrupts_off 4 ?
 * main > gnomon_irq_enable 2 ?
 * near gnomon_software_interrupt gnomon_timer_interrupt
 * unhooked naked
 */
#include <gnomon.h>
#include <gnomon/registers.h>

#include "matrix.h"

volatile int sink;

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

KEEP static void work(int n) {
    for (int i = 0; i < n; i++)
        sink += n;
}

__attribute__((naked, noinline)) int naked(int x);
int naked(__attribute__((unused)) int x) {
    __asm__ volatile("addi a0, a0, 2\n\tret");
}

/* Saves the state that another trap would overwrite, and enables interrupts. */
GNOMON_INTERRUPT void gnomon_software_interrupt(void) {
    uint32_t epc, status;
    REGISTER(GNOMON_TIMER_MSIP) = 0;
    work(1);
    __asm__ volatile("csrr %0, mepc\n\tcsrr %1, mstatus" : "=r"(epc), "=r"(status));
    gnomon_timer_alarm(0);
    gnomon_interrupts_on();
    __asm__ volatile("nop\n\tnop\n\tnop\n\tnop");
    (void)gnomon_interrupts_off();
    __asm__ volatile("csrw mepc, %0\n\tcsrw mstatus, %1" ::"r"(epc), "r"(status));
    work(2);
}
GNOMON_INTERRUPT void gnomon_timer_interrupt(void) {
    gnomon_timer_alarm(UINT64_MAX);
    work(4);
}

KEEP static void raise(void) {
    REGISTER(GNOMON_TIMER_MSIP) = 1;
    __asm__ volatile("nop\n\tnop\n\tnop\n\tnop");
}

int main(void) {
    gnomon_timer_alarm(UINT64_MAX);
    gnomon_irq_enable(GNOMON_IRQ_TIMER);
    gnomon_irq_enable(GNOMON_IRQ_SOFTWARE);
    gnomon_interrupts_on();
    for (int i = 0; i < 3; i++)
        raise();
    (void)gnomon_interrupts_off();
    return sink == 3 * (1 + 4 + 16) && naked(1) == 3 ? 0 : 1;
}
