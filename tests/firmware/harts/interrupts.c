/* SPDX-License-Identifier: Apache-2.0 */
/* Each hart has its own software interrupt, timer, counters and thread-local variables. Hart 1 ends the program. */
#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#include <gnomon.h>
#include <gnomon/registers.h>
#include <gnomon_harts.h>

#include "check.h"

#define REG(address) (*(volatile uint32_t *)(uintptr_t)(address))
enum { SOFTWARE = 1 << 3, TIMER = 1 << 7, STATUS = 42 };

static volatile uint32_t software[2], timer[2], stage;
static _Thread_local int own = 5;
static _Thread_local int zero;
static uint64_t cycles[2], instructions[2];
static char stack[8192] __attribute__((aligned(16)));

GNOMON_INTERRUPT void gnomon_software_interrupt(void) {
    unsigned hart = gnomon_hart();
    software[hart]++;
    gnomon_hart_interrupt(hart, 0);
}

GNOMON_INTERRUPT void gnomon_timer_interrupt(void) {
    unsigned hart = gnomon_hart();
    timer[hart]++;
    REG(hart == 0 ? GNOMON_TIMER_MTIMECMP_HI : GNOMON_TIMER_HART1_MTIMECMP_HI) = UINT32_MAX;
}

static void enable(void) {
    __asm__ volatile("csrs mie, %0\n\tcsrsi mstatus, 8" ::"r"(SOFTWARE | TIMER));
}

static void reach(uint32_t number) {
    while (stage < number)
        ;
}

static void other(void *argument) {
    CHECK(own == 5 && zero == 0 && &own != argument);
    own = 7;
    zero = 8;
    errno = 9;
    uint64_t before = gnomon_instructions();
    for (unsigned i = 0; i < 100; i++)
        __asm__ volatile("nop");
    instructions[1] = gnomon_instructions() - before;
    cycles[1] = gnomon_cycles();
    enable();
    stage = 1;
    reach(2); /* hart 0 has raised the interrupt */
    while (software[1] == 0)
        ;
    gnomon_hart_interrupt(0, 1);
    while (software[0] == 0)
        ;
    REG(GNOMON_TIMER_HART1_MTIMECMP_LO) = REG(GNOMON_TIMER_MTIME_LO) + 300;
    REG(GNOMON_TIMER_HART1_MTIMECMP_HI) = 0;
    while (timer[1] == 0)
        ;
    stage = 3;
    reach(4);
    CHECK(own == 7 && zero == 8 && errno == 9);
    GNOMON_SEND(GNOMON_CHANNEL_EXIT, check_failed ? 1 : STATUS);
    for (;;)
        ;
}

int main(void) {
    REG(GNOMON_TIMER_HART1_MTIMECMP_LO) = 17;
    CHECK(REG(GNOMON_TIMER_HART1_MTIMECMP_LO) == 17 && REG(GNOMON_TIMER_MTIMECMP_LO) == UINT32_MAX);
    CHECK(gnomon_hart_start(other, &own, stack, 16) == -1 && errno == EINVAL);
    CHECK(REG(GNOMON_SYSCTL_HART1_START) == 0);
    enable();
    CHECK(gnomon_hart_start(other, &own, stack, sizeof stack) == 0);
    CHECK(gnomon_hart_start(other, &own, stack, sizeof stack) == -1 && errno == EBUSY);
    CHECK(REG(GNOMON_SYSCTL_HART1_START) & 1);
    reach(1);
    CHECK(software[0] == 0 && software[1] == 0 && timer[0] == 0 && timer[1] == 0);
    CHECK(instructions[1] >= 100 && instructions[1] < 400);
    CHECK(cycles[1] <= gnomon_cycles() && gnomon_cycles() - cycles[1] < 10000);
    gnomon_hart_interrupt(1, 1);
    stage = 2;
    reach(3);
    CHECK(software[0] == 1 && software[1] == 1 && timer[0] == 0 && timer[1] == 1);
    gnomon_timer_alarm(gnomon_timer_now() + 300);
    while (timer[0] == 0)
        ;
    CHECK(timer[0] == 1 && timer[1] == 1);
    CHECK(own == 5 && zero == 0 && errno == EBUSY);
    printf("ready\n");
    fflush(stdout);
    stage = 4;
    for (;;) /* hart 1 ends the program */
        ;
}
