/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that call the same recursive functions and switch at every depth, and nested interrupts that call them,
 * too. Argument 1: cycles between interrupts; argument 2: also switch threads within the timer interrupt. */
#include <gnomon.h>
#include <gnomon/registers.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))

enum { THREADS = 4, STACK = 4096 };

static struct {
    uint32_t sp;
    _Alignas(16) unsigned char stack[STACK];
} threads[THREADS];
static unsigned current;
static volatile unsigned ticks, soft, period, nest;

/* Saves the callee-saved registers, and continues where the other thread stopped. */
void switch_stacks(uint32_t *from, uint32_t to);
__asm__(".text\n.globl switch_stacks\n.type switch_stacks, @function\nswitch_stacks:\n"
        "addi sp,sp,-64\nsw ra,0(sp)\nsw s0,4(sp)\nsw s1,8(sp)\nsw s2,12(sp)\nsw s3,16(sp)\nsw s4,20(sp)\n"
        "sw s5,24(sp)\nsw s6,28(sp)\nsw s7,32(sp)\nsw s8,36(sp)\nsw s9,40(sp)\nsw s10,44(sp)\nsw s11,48(sp)\n"
        "sw sp,0(a0)\nmv sp,a1\n"
        "lw ra,0(sp)\nlw s0,4(sp)\nlw s1,8(sp)\nlw s2,12(sp)\nlw s3,16(sp)\nlw s4,20(sp)\n"
        "lw s5,24(sp)\nlw s6,28(sp)\nlw s7,32(sp)\nlw s8,36(sp)\nlw s9,40(sp)\nlw s10,44(sp)\nlw s11,48(sp)\n"
        "addi sp,sp,64\nret\n.size switch_stacks, . - switch_stacks\n");

KEEP static void yield(void) {
    const unsigned from = current;
    current = (current + 1) % THREADS;
    const uint32_t before = gnomon_interrupts_off();
    GNOMON_THREAD(current);
    switch_stacks(&threads[from].sp, threads[current].sp);
    gnomon_interrupts_restore(before);
}

KEEP static unsigned leaf(unsigned n) {
    return n * 2654435761u >> 3;
}
KEEP static unsigned tree(unsigned n, unsigned depth) {
    if (depth == 0)
        return leaf(n);
    if (n % 3 == 0)
        yield();
    return tree(n + 1, depth - 1) + tree(n + 3, depth - 1);
}

GNOMON_INTERRUPT void gnomon_software_interrupt(void) {
    *(volatile uint32_t *)GNOMON_TIMER_MSIP = 0;
    soft += leaf(soft) > 0;
}
KEEP static unsigned in_interrupt(unsigned n) {
    if (n == 0)
        return leaf(n);
    if (n == 2 && nest) {
        *(volatile uint32_t *)GNOMON_TIMER_MSIP = 1;
        uint32_t mepc, mstatus;
        __asm__ volatile("csrr %0, mepc\n\tcsrr %1, mstatus" : "=r"(mepc), "=r"(mstatus));
        gnomon_irq_disable(GNOMON_IRQ_TIMER);
        gnomon_interrupts_on();
        n += leaf(n) & 0;
        gnomon_interrupts_off();
        gnomon_irq_enable(GNOMON_IRQ_TIMER);
        __asm__ volatile("csrw mepc, %0\n\tcsrw mstatus, %1" ::"r"(mepc), "r"(mstatus & ~8u));
    }
    return in_interrupt(n - 1);
}
GNOMON_INTERRUPT void gnomon_timer_interrupt(void) {
    ticks += in_interrupt(ticks % 4) != 1;
    gnomon_timer_alarm(gnomon_timer_now() + period);
}

KEEP static void body(void) {
    for (unsigned n = current;; n++)
        if (tree(n, 3) == 1)
            puts("never");
}
/* Start of a thread: interrupts are off. */
GNOMON_OFF static void start(void) {
    if (period)
        gnomon_interrupts_on();
    body();
}

int main(int argc, char **argv) {
    period = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 0;
    nest = argc > 2;
    for (unsigned i = 1; i < THREADS; i++) {
        threads[i].sp = (uint32_t)(uintptr_t)(threads[i].stack + STACK - 64);
        *(uint32_t *)(uintptr_t)threads[i].sp = (uint32_t)(uintptr_t)start;
    }
    if (period) {
        gnomon_timer_alarm(gnomon_timer_now() + period);
        gnomon_irq_enable(GNOMON_IRQ_TIMER);
        gnomon_irq_enable(GNOMON_IRQ_SOFTWARE);
        gnomon_interrupts_on();
    }
    unsigned sum = 0;
    for (unsigned i = 0; i < 30; i++)
        sum += tree(i, 4);
    gnomon_interrupts_off();
    printf("%08x %s %s\n", sum, ticks ? "interrupts" : "none", soft ? "nested" : "flat");
    return 0;
}
