/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads on stacks of their own; each ecall, and each software interrupt, switches to the other one. Argument
 * 1: "told": a message announces the running thread. */
#include <gnomon.h>
#include <stdint.h>
#include <string.h>

#define KEEP __attribute__((noinline))
#define WORDS 1024
#define SWITCHES 20

static uint32_t stack[WORDS] __attribute__((aligned(16)));
void *other_sp; /* stack of the thread that does not run: its return address, then the saved registers */
volatile uint32_t told, running, done;

/* Saves on the interrupted stack all registers that a call may change, and the callee-saved ones. */
__asm__(".align 2\n"
        ".globl switch_threads\n"
        "switch_threads:\n"
        "  addi sp, sp, -128\n"
        "  sw ra, 4(sp)\n  sw t0, 8(sp)\n  sw t1, 12(sp)\n  sw t2, 16(sp)\n  sw s0, 20(sp)\n  sw s1, 24(sp)\n"
        "  sw a0, 28(sp)\n  sw a1, 32(sp)\n  sw a2, 36(sp)\n  sw a3, 40(sp)\n  sw a4, 44(sp)\n  sw a5, 48(sp)\n"
        "  sw a6, 52(sp)\n  sw a7, 56(sp)\n  sw s2, 60(sp)\n  sw s3, 64(sp)\n  sw s4, 68(sp)\n  sw s5, 72(sp)\n"
        "  sw s6, 76(sp)\n  sw s7, 80(sp)\n  sw s8, 84(sp)\n  sw s9, 88(sp)\n  sw s10, 92(sp)\n  sw s11, 96(sp)\n"
        "  sw t3, 100(sp)\n  sw t4, 104(sp)\n  sw t5, 108(sp)\n  sw t6, 112(sp)\n"
        "  csrr t0, mcause\n"
        "  csrr t1, mepc\n"
        "  bltz t0, 1f\n"
        "  addi t1, t1, 4\n" /* the address after the ecall */
        "1: sw t1, 0(sp)\n"
        "  li t2, 0xF0001010\n" /* TIMER.MSIP */
        "  sw zero, 0(t2)\n"
        "  lui t0, %hi(other_sp)\n"
        "  lw t1, %lo(other_sp)(t0)\n"
        "  sw sp, %lo(other_sp)(t0)\n"
        "  mv sp, t1\n"
        "  lui t0, %hi(running)\n"
        "  lw t1, %lo(running)(t0)\n"
        "  xori t1, t1, 1\n"
        "  sw t1, %lo(running)(t0)\n"
        "  lui t0, %hi(told)\n"
        "  lw t0, %lo(told)(t0)\n"
        "  beqz t0, 2f\n"
        "  sw t1, -8(zero)\n" /* the message THREAD */
        "2: lw t1, 0(sp)\n"
        "  csrw mepc, t1\n"
        "  lw ra, 4(sp)\n  lw t0, 8(sp)\n  lw t1, 12(sp)\n  lw t2, 16(sp)\n  lw s0, 20(sp)\n  lw s1, 24(sp)\n"
        "  lw a0, 28(sp)\n  lw a1, 32(sp)\n  lw a2, 36(sp)\n  lw a3, 40(sp)\n  lw a4, 44(sp)\n  lw a5, 48(sp)\n"
        "  lw a6, 52(sp)\n  lw a7, 56(sp)\n  lw s2, 60(sp)\n  lw s3, 64(sp)\n  lw s4, 68(sp)\n  lw s5, 72(sp)\n"
        "  lw s6, 76(sp)\n  lw s7, 80(sp)\n  lw s8, 84(sp)\n  lw s9, 88(sp)\n  lw s10, 92(sp)\n  lw s11, 96(sp)\n"
        "  lw t3, 100(sp)\n  lw t4, 104(sp)\n  lw t5, 108(sp)\n  lw t6, 112(sp)\n"
        "  addi sp, sp, 128\n"
        "  mret\n");
extern char switch_threads[];

KEEP static void work(unsigned n) {
    for (volatile unsigned i = 0; i < n; i++)
        ;
}
/* Half of the switches are requested by ecall, half are interrupts. */
KEEP static void give_up(unsigned turn) {
    if (turn & 1)
        __asm__ volatile("ecall" ::: "memory");
    else
        *(volatile uint32_t *)0xF0001010 = 1;
    work(2);
}
KEEP static void second(void) {
    for (unsigned turn = 0;; turn++) {
        work(100);
        give_up(turn);
    }
}
KEEP static void first(void) {
    for (unsigned turn = 0; turn < SWITCHES; turn++) {
        work(10);
        give_up(turn);
    }
}

int main(int argc, char **argv) {
    told = argc > 1 && strcmp(argv[1], "told") == 0;
    uint32_t *sp = stack + WORDS - 32;
    sp[0] = (uint32_t)(uintptr_t)second;
    other_sp = sp;
    __asm__ volatile("csrw mtvec, %0\n  csrw mie, %1\n  csrsi mstatus, 8" ::"r"(switch_threads), "r"(8) : "memory");
    first();
    __asm__ volatile("csrci mstatus, 8" ::: "memory");
    return 0;
}
