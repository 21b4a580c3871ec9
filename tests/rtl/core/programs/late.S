/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of the use of a load or product with the second ALU (LATE): the table of docs/internals/core.md, checked as
 * in timing.S. Each operation must give the same result in the second ALU as in X. Only for the core with LATE. */
#include "macros.h"
#define COST(cycles, ...) .balign 4; sw zero, -68(zero); __VA_ARGS__; sw zero, -4 - 4 * (64 + cycles)(zero)
/* Both operands of OP, one after the other, come from the load just before. */
#define SAME(op, value) \
    li a2, value; lw a1, 0(s5); op a3, a1, a2; mv a4, a1; nop; op a5, a4, a2; CHECK_REG(a3, a5); \
    sw a2, 4(s5); li a4, value; lw a2, 4(s5); op a3, a1, a2; nop; nop; op a5, a1, a4; CHECK_REG(a3, a5)
#define BRANCHES(op, value) \
    li a2, value; nop; li a4, 0; lw a1, 0(s5); op a1, a2, 1f; li a4, 1; 1: \
    li a5, 0; nop; op a1, a2, 1f; li a5, 1; 1: CHECK_REG(a4, a5)
PROLOGUE
    .balign 4
    .option push
    .option norvc
    la s5, room
    li s7, 1000
    li s8, 7
    sw s5, 16(s5)
    li a0, 0x80000123
    sw a0, 0(s5)
    /* The use of a load or product costs nothing, also in long chains. */
    COST(2, lw a1, 0(s5); add a2, a1, a1)
    COST(4, lw a1, 0(s5); add a2, a1, a1; sub a3, a2, a1; sll a4, a3, a2)
    COST(2, mul a1, s7, s8; add a2, a1, a1)
    COST(4, lw a1, 0(s5); lw a2, 4(s5); mul a3, a1, s7; nop)
    /* Operands that still wait: addresses, stored values, operands of multiply and divide, targets of jalr. */
    COST(3, lw a1, 16(s5); lw a2, 0(a1))
    COST(3, lw a1, 0(s5); sw a1, 4(s5))
    COST(3, lw a1, 0(s5); mul a2, a1, a1)
    COST(4, lw a1, 0(s5); add a2, a1, a1; sw a2, 4(s5))
    /* A branch costs nothing if it is predicted correctly, else one cycle more than other branches. */
    COST(2, lw a1, 0(s5); beqz a1, 1f; 1:)
    COST(5, lw a1, 0(s5); bnez a1, 1f; nop; 1:)
    COST(3, lw a1, 0(s5); add a2, a1, a1; beqz a2, 1f; 1:)
    COST(4, lw a1, 0(s5); beqz a1, 1f; 1: lw a1, 0(s5); beqz a1, 1f; 1:)
    /* Instructions on the wrong path of a branch have no effect: stores, CSRs, traps, divisions. */
    sw zero, 8(s5)
    csrw mscratch, zero
    li a4, 0
    COST(5, lw a1, 0(s5); bnez a1, 1f; sw a1, 8(s5); 1:)
    COST(5, lw a1, 0(s5); bnez a1, 1f; csrw mscratch, a1; 1:)
    COST(5, lw a1, 0(s5); bnez a1, 1f; ecall; 1:)
    COST(5, lw a1, 0(s5); bnez a1, 1f; div a4, s7, s8; 1:)
    COST(5, lw a1, 0(s5); bnez a1, 1f; j fail; 1:)
    COST(5, lw a1, 0(s5); bnez a1, 1f; lw a4, 0(s5); 1:)
    COST(5, lw a1, 0(s5); bnez a1, 1f; wfi; 1:)
    CHECK(a4, 0)
    lw a1, 8(s5)
    CHECK(a1, 0)
    csrr a1, mscratch
    CHECK(a1, 0)
    SAME(add, 0x7fffffff)
    SAME(sub, 0x7fffffff)
    SAME(slt, 0x7fffffff)
    SAME(sltu, 0x7fffffff)
    SAME(slt, 0x80000123)
    SAME(xor, 0xa5a5a5a5)
    SAME(or, 0xa5a5a5a5)
    SAME(and, 0xa5a5a5a5)
    SAME(sll, 5)
    SAME(srl, 5)
    SAME(sra, 5)
    BRANCHES(beq, 0x80000123)
    BRANCHES(bne, 0x80000123)
    BRANCHES(blt, 0x7fffffff)
    BRANCHES(bge, 0x7fffffff)
    BRANCHES(bltu, 0x7fffffff)
    BRANCHES(bgeu, 0x80000124)
    .option pop
    j pass
    .balign 4
room:
    .space 64
    EPILOGUE
