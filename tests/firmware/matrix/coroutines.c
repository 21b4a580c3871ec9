/* SPDX-License-Identifier: Apache-2.0 */
/* Two coroutines on stacks of their own, switched by hand. The message that announces the running one is sent
 * where the stack changes, after the hooks of a sibling call. The oracle knows no threads, so it is not compared.
 *
 * oracle none
 * open worker yield
 * - > main 1
 * main > resume 6
 * - > worker 2
 * worker > step 6
 * worker > yield 6
 * unhooked switch_stacks
 */
#include <stdint.h>

#include "matrix.h"

volatile int sink;

enum { COROUTINES = 2, STACK_WORDS = 512, SAVED = 13 };
static uint32_t stacks[COROUTINES][STACK_WORDS] __attribute__((aligned(16)));
static uint32_t *tops[COROUTINES + 1]; /* main's is the first */
static int running;

/* Saves the callee-saved registers on the stack, switches to the other stack, and restores them. */
__attribute__((naked, noinline)) void switch_stacks(uint32_t **from, uint32_t *to, int thread);
void switch_stacks(__attribute__((unused)) uint32_t **from, __attribute__((unused)) uint32_t *to,
                   __attribute__((unused)) int thread) {
    __asm__ volatile(
        "addi sp, sp, -64\n\t"
        "sw ra, 0(sp)\n\tsw s0, 4(sp)\n\tsw s1, 8(sp)\n\tsw s2, 12(sp)\n\tsw s3, 16(sp)\n\t"
        "sw s4, 20(sp)\n\tsw s5, 24(sp)\n\tsw s6, 28(sp)\n\tsw s7, 32(sp)\n\tsw s8, 36(sp)\n\t"
        "sw s9, 40(sp)\n\tsw s10, 44(sp)\n\tsw s11, 48(sp)\n\tsw sp, 0(a0)\n\tmv sp, a1\n\tsw a2, -8(zero)\n\t"
        "lw ra, 0(sp)\n\tlw s0, 4(sp)\n\tlw s1, 8(sp)\n\tlw s2, 12(sp)\n\tlw s3, 16(sp)\n\t"
        "lw s4, 20(sp)\n\tlw s5, 24(sp)\n\tlw s6, 28(sp)\n\tlw s7, 32(sp)\n\tlw s8, 36(sp)\n\t"
        "lw s9, 40(sp)\n\tlw s10, 44(sp)\n\tlw s11, 48(sp)\n\taddi sp, sp, 64\n\tret");
}

KEEP static void step(int who) {
    sink += who;
}
KEEP static void yield(void) {
    const int who = running;
    running = 0;
    switch_stacks(&tops[who], tops[0], 0);
    sink++;
}
KEEP static void worker(void) {
    for (;;) {
        step(running);
        yield();
    }
}
KEEP static void resume(int who) {
    running = who;
    switch_stacks(&tops[0], tops[who], who);
}

int main(void) {
    for (int i = 1; i <= COROUTINES; i++) {
        tops[i] = &stacks[i - 1][STACK_WORDS - 16];
        tops[i][0] = (uint32_t)(uintptr_t)worker;
    }
    for (int round = 0; round < 3; round++)
        for (int i = 1; i <= COROUTINES; i++)
            resume(i);
    return sink == 9 + 4 ? 0 : 1;
}
