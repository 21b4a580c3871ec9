/* SPDX-License-Identifier: Apache-2.0 */
/* Exercises all filters: U mode and M mode, threads, a timer interrupt every PERIOD cycles (argument 1; 0: none),
 * loops, tables, bytes and halfwords, wfi, divisions; no atomics. If argument 2 is nonzero, waits for the counter
 * interrupts that the host enables, and counts them. */
#include <gnomon.h>
#include <gnomon_pmu.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))

static volatile unsigned ticks, overflows;
static unsigned period;

GNOMON_INTERRUPT void gnomon_timer_interrupt(void) {
    ticks++;
    gnomon_timer_alarm(gnomon_timer_now() + period);
}

GNOMON_INTERRUPT void gnomon_counter_interrupt(void) {
    gnomon_counter_acknowledge();
    overflows++;
}

volatile uint8_t bytes[64];
volatile uint16_t halves[64];
volatile uint32_t words[64];

KEEP unsigned mix(unsigned n) {
    unsigned sum = 1;
    for (unsigned i = 0; i < n; i++) {
        bytes[i & 63] += (uint8_t)i;
        halves[(i * 7) & 63] ^= (uint16_t)sum;
        words[(i * 3) & 63] += bytes[(i + 1) & 63] + halves[i & 63];
        sum = sum * 31 + words[i & 63];
        if (sum & 4)
            sum /= 3;
    }
    return sum;
}

/* Branches on values that were just loaded, which the core resolves late. */
KEEP void late(unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        if (bytes[i * 29 & 63] & 1)
            words[0]++;
        else
            halves[0]++;
    }
}

KEEP unsigned collatz(unsigned n) {
    unsigned steps = 0;
    while (n != 1 && steps < 60) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

/* Runs in U mode from gnomon_user until its ecall. U mode may access all memory. */
static unsigned user_result;
uint32_t kernel_sp;

KEEP void user_work(void) {
    user_result += mix(40) + collatz(27);
    __asm__ volatile("ecall");
}

/* gnomon_exception ends U mode: execution continues after the call that entered it. */
__asm__(".text\n"
        ".globl gnomon_exception\n"
        "gnomon_exception:\n"
        "  la t0, kernel_sp\n"
        "  lw sp, 0(t0)\n"
        "  li t0, 0x1880\n" /* to M mode, interrupts on */
        "  csrs mstatus, t0\n"
        "  la t0, 1f\n"
        "  csrw mepc, t0\n"
        "  mret\n"
        ".type enter_user, @function\n"
        "enter_user:\n"
        "  addi sp, sp, -32\n"
        "  sw ra, 0(sp)\n"
        "  sw s0, 4(sp)\n"
        "  sw s1, 8(sp)\n"
        "  sw s2, 12(sp)\n"
        "  sw s3, 16(sp)\n"
        "  sw s4, 20(sp)\n"
        "  csrci mstatus, 8\n" /* protects mepc from interrupts */
        "  la t0, kernel_sp\n"
        "  sw sp, 0(t0)\n"
        "  li t0, 0x1800\n"
        "  csrc mstatus, t0\n"
        "  li t0, 0x80\n"
        "  csrs mstatus, t0\n"
        "  la t0, user_work\n"
        "  csrw mepc, t0\n"
        "  mret\n"
        "1: lw ra, 0(sp)\n"
        "  lw s0, 4(sp)\n"
        "  lw s1, 8(sp)\n"
        "  lw s2, 12(sp)\n"
        "  lw s3, 16(sp)\n"
        "  lw s4, 20(sp)\n"
        "  addi sp, sp, 32\n"
        "  ret\n"
        ".size enter_user, . - enter_user\n");

void enter_user(void);

int main(int argc, char **argv) {
    unsigned sum = 0;
    period = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 0;
    if (argc > 2)
        gnomon_irq_enable(GNOMON_IRQ_COUNTER);
    if (period != 0) {
        gnomon_timer_alarm(gnomon_timer_now() + period);
        gnomon_irq_enable(GNOMON_IRQ_TIMER);
    }
    gnomon_interrupts_on();
    for (unsigned round = 0; round < 12; round++) {
        GNOMON_SEND(1, round % 5 == 4 ? 300 : round % 5);
        sum += collatz(round * 7919 + 3) + mix(round * 5);
        late(round * 20);
        if (round % 3 == 1)
            enter_user();
        if (period != 0 && round % 4 == 2)
            gnomon_wait_for_interrupt();
        GNOMON_MARK(0, round);
    }
    GNOMON_SEND(1, 0);
    (void)gnomon_interrupts_off();
    printf("sum %08x, %s, %u overflows\n", sum + user_result, ticks ? "ticks" : "none", overflows);
    return 0;
}
