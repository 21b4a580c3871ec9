/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of jumps and branches with the branch predictor, on the first and later executions: the table of
 * docs/internals/core.md, checked as in timing.S. Only for the core with PREDICT. */
#include "macros.h"
#define COST(cycles, ...) .balign 4; sw zero, -68(zero); __VA_ARGS__; sw zero, -4 - 4 * (64 + cycles)(zero)
PROLOGUE
    .balign 4
    .option push
    .option norvc
    /* The predictor clears itself after the reset. Before that it neither predicts nor learns. */
    li a0, 4200
1:  addi a0, a0, -1
    bnez a0, 1b
    /* A loop of 2 instructions: 1 + 6 x 2, and a bubble for the first three branches, which are looked up before the
     * first one is learnt; the last branch is not taken, against its prediction: 2. */
    COST(18, li a1, 6; 1: addi a1, a1, -1; bnez a1, 1b)
    /* Calls and returns: 1 + 4 x 8; the first time 1 bubble for the call, 2 for the return, 1 for the branch; 2 at
     * the end. */
    COST(39, li a1, 4; 1: jal ra, target; addi a1, a1, -1; bnez a1, 1b)
    /* Two calls of one function: only the return stack knows the target of each return. 1 + 4 x 14; a bubble for
     * each call and the branch the first time, 2 at the end; 2 more for the first return through the other link
     * register. */
    COST(64, li a1, 4; 1: jal t0, target_t0; jal t0, target_t0; addi a1, a1, -1; bnez a1, 1b)
    COST(62, li a1, 4; 1: jal ra, target; jal ra, target; addi a1, a1, -1; bnez a1, 1b)
    /* A nested call. */
    COST(56, li a1, 4; 1: jal ra, outer; addi a1, a1, -1; bnez a1, 1b)
    /* Calls through a register, and a jump through a register that is no return: a bubble for the loop's branch the
     * first three times. */
    COST(40, la a3, target; li a1, 4; 1: jalr ra, 0(a3); addi a1, a1, -1; bnez a1, 1b)
    COST(26, la a3, 2f; li a1, 4; 1: jalr zero, 0(a3); nop; 2: nop; addi a1, a1, -1; bnez a1, 1b)
    /* A loop of 4, four times: each exit is mispredicted and makes the prediction of the next entry wrong, because
     * an unknown history predicts the last outcome: 1 + 4 x 19, two bubbles at each exit and at each entry except
     * the first, and one for each branch the first times. */
    COST(95, li a1, 4; 1: li a2, 4; 2: nop; nop; addi a2, a2, -1; bnez a2, 2b; addi a1, a1, -1; bnez a1, 1b)
    /* A forward branch that is taken once: 2 bubbles then, 2 the next time, when the predictor expects it again, and
     * none later. 2 + 4 x 8 - 1, and 3 for the loop. */
    COST(40, li a1, 4; li a2, 4; 1: nop; nop; beq a1, a2, 2f; nop; 2: nop; nop; addi a1, a1, -1; bnez a1, 1b)
    .option pop
    /* Compressed, with a branch across two words: 1 + 8 x 3, two bubbles, 2, and a nop. */
    .balign 4
    COST(30, c.li a1, 8; 1: c.addi a1, -1; c.nop; bltu zero, a1, 1b; c.nop)
    .balign 4
    .option norvc
    /* A branch that is taken every other time, after the predictor has learnt it: 2 + 20 x 9.5 + 1, a bubble for the
     * call, and 2 each for the end of the loop and for the branch after it. */
    li a2, 60
    jal ra, alternate
    COST(198, li a2, 20; jal ra, alternate)
    j pass
alternate:
    andi a3, a2, 1
    nop
    nop
    nop
    nop
    bnez a3, 1f
    nop
1:  addi a2, a2, -1
    nop
    bnez a2, alternate
    ret
target:
    nop
    nop
    nop
    nop
    ret
target_t0:
    nop
    nop
    nop
    nop
    jr t0
outer:
    mv s9, ra
    jal ra, target
    mv ra, s9
    ret
    EPILOGUE
