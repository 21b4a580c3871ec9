/* SPDX-License-Identifier: Apache-2.0 */
/* Self-modifying code: the store directly before fence.i, the new code directly after it. */
#include "macros.h"
PROLOGUE
    li s5, 40
    li s6, 0
    la a1, patch
1:  slli a2, s5, 20
    li t0, 0x00050513                /* addi a0, a0, imm */
    or a2, a2, t0
    li a0, 0
    sw a2, 0(a1)
    fence.i
    .balign 4
patch:
    .word 0x00000013
    add s6, s6, a0
    addi s5, s5, -1
    bnez s5, 1b
    CHECK(s6, 820)
    /* Compressed, in a routine. */
    la a1, routine
    li t0, 0x4515                    /* c.li a0, 5 */
    sh t0, 0(a1)
    fence.i
    jal routine
    CHECK(a0, 5)
    li t0, 0x4519                    /* c.li a0, 6 */
    sh t0, 0(a1)
    fence.i
    jal routine
    CHECK(a0, 6)
    fence
    fence rw, w
    fence.tso
    j pass
    .balign 4
routine:
    .half 0
    ret
EPILOGUE
