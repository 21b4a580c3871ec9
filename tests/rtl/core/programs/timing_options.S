/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of the instructions of A, Zba, Zbb and Zbs, checked as in timing.S. */
#include "macros.h"
#define COST(cycles, ...) .balign 4; sw zero, -68(zero); __VA_ARGS__; sw zero, -4 - 4 * (64 + cycles)(zero)
PROLOGUE
    .balign 4
    .option push
    .option norvc
    la s5, room
    addi s6, s5, 4
    li s7, 1000
    li s8, 7
    /* One cycle each, also for their use directly after them. */
    COST(6, sh1add a1, s7, s8; sh2add a1, a1, s8; sh3add a1, a1, s8; andn a1, a1, s8; orn a1, a1, s8; xnor a1, a1, s8)
    COST(6, min a1, s7, s8; max a1, a1, s8; minu a1, a1, s8; maxu a1, a1, s8; rol a1, a1, s8; ror a1, a1, s8)
    COST(6, rori a1, s7, 9; sext.b a1, a1; sext.h a1, a1; zext.h a1, a1; rev8 a1, a1; orc.b a1, a1)
    COST(8, bset a1, s7, s8; bclr a1, a1, s8; binv a1, a1, s8; bext a1, a1, s8; bseti a1, a1, 3; bclri a1, a1, 2; binvi a1, a1, 9; bexti a1, a1, 1)
    /* Counts: one cycle, one more for their use directly after them. */
    COST(3, clz a1, s7; ctz a2, s7; cpop a3, s7)
    COST(3, clz a1, s7; add a2, a1, a1)
    COST(3, ctz a1, s7; sb a1, 0(s5))
    COST(3, cpop a1, s7; nop; add a2, a1, a1)
    COST(6, clz a1, s7; ctz a1, a1; cpop a1, a1; nop)
    /* lr costs the same as a load; sc one more, whether it stores or not; amo two more; one more for the use
     * directly after it. */
    COST(1, lr.w a1, (s5))
    COST(3, lr.w a1, (s5); add a2, a1, a1)
    COST(3, lr.w a1, (s5); sc.w a2, s7, (s5))
    COST(2, sc.w a2, s7, (s5))
    COST(5, lr.w a1, (s5); sc.w a2, s7, (s5); add a2, a2, a2)
    COST(3, lr.w a1, (s5); sc.w a2, s7, (s6))
    COST(3, amoadd.w a1, s7, (s5))
    COST(5, amoadd.w a1, s7, (s5); add a2, a1, a1)
    COST(6, amoadd.w a1, s7, (s5); amomaxu.w a1, s7, (s6))
    COST(5, sw s8, 0(s5); amoswap.w a1, s7, (s5); lw a2, 0(s5))
    /* The bubbles of a jump pass during the wait for memory. */
    la t0, 1f
    COST(4, amoadd.w a1, s7, (s5); jr t0; nop; .balign 4; 1:)
    .option pop
    j pass
    EPILOGUE
    .bss
    .balign 4
room: .space 64
