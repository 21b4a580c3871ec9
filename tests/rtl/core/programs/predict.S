/* SPDX-License-Identifier: Apache-2.0 */
/* What jumps and branches cost with the branch predictor, first and later times: the table of docs/core.md. As timing.S; only
 * for the core with PREDICT. */
#include "macros.h"
#define COST(cycles, ...) .balign 4; sw zero, -68(zero); __VA_ARGS__; sw zero, -4 - 4 * (64 + cycles)(zero)
PROLOGUE
    .balign 4
    .option push
    .option norvc
    /* The predictor is cleared behind the reset: nothing is predicted before, or learnt of what branches do. */
    li a0, 4200
1:  addi a0, a0, -1
    bnez a0, 1b
    /* A loop of 2: 1 + 6 x 2, and a bubble for the first three branches, which are looked up before the first is learnt; the last
     * is not taken, as none expected: 2. */
    COST(18, li a1, 6; 1: addi a1, a1, -1; bnez a1, 1b)
    /* Calls and returns: 1 + 4 x 8; the first time 1 bubble for the call, 2 for the return, 1 for the branch; at the end 2. */
    COST(39, li a1, 4; 1: jal ra, target; addi a1, a1, -1; bnez a1, 1b)
    .option pop
    /* Compressed, with a branch that lies across two words: 1 + 8 x 3, twice a bubble, 2, and a nop. */
    .balign 4
    COST(30, c.li a1, 8; 1: c.addi a1, -1; c.nop; bltu zero, a1, 1b; c.nop)
    .balign 4
    .option norvc
    /* A branch that is taken every other time, when that is known: 2 + 20 x 9.5 + 1, a bubble for the call and 2 for the
     * end of the loop. */
    li a2, 60
    jal ra, alternate
    COST(196, li a2, 20; jal ra, alternate)
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
    EPILOGUE
