/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of each instruction and hazard, with memories that answer in the next cycle: the table of
 * docs/internals/core.md. The bench compares the distance of the marks' retirements with the argument of COST (marks
 * not counted). */
#include "macros.h"
#define COST(cycles, ...) .balign 4; sw zero, -68(zero); __VA_ARGS__; sw zero, -4 - 4 * (64 + cycles)(zero)
PROLOGUE
    .balign 4
    .option push
    .option norvc
    la s5, room
    la s6, target
    li s7, 1000
    li s8, 7
    li s9, 0x1234567
    li s10, 100000
    li s11, 255
    li a0, 3
    sw s5, 16(s5)
    sw zero, 0(s5)
    /* One cycle each, dependent or not; also the message store. */
    COST(0, )
    COST(4, add a1, a0, a0; sub a2, a1, a0; sll a3, a2, a1; slt a4, a3, a2)
    COST(3, lui a1, 1; auipc a2, 0; xori a3, a2, 1)
    COST(2, sb ra, -200(zero); sb sp, -200(zero))
    COST(1, fence)
    /* Loads and stores: one cycle each, back to back; one more for the use of a load directly after it. */
    COST(4, lw a1, 0(s5); lw a2, 4(s5); sw a1, 8(s5); sw a2, 12(s5))
    COST(3, lw a1, 0(s5); add a2, a1, a1)
    COST(3, lw a1, 0(s5); nop; add a2, a1, a1)
    COST(3, lw a1, 0(s5); sw a1, 4(s5))
    COST(3, lw a1, 16(s5); lw a2, 0(a1))
    COST(3, sw a1, 0(s5); lw a1, 0(s5); nop)
    /* Branches: not taken forwards 1, backwards 3; taken backwards 2, forwards 3. Jumps 2, jalr 3. */
    COST(1, beq s7, s8, 1f; 1:)
    COST(3, beq s7, s8, fail)
    COST(8, li a1, 2; 1: addi a1, a1, -1; bnez a1, 1b)
    COST(3, beq s7, s7, 1f; nop; .balign 4; 1:)
    COST(6, j 2f; .balign 4; 1: j 3f; 2: beq zero, zero, 1b; 3: )
    COST(2, j 1f; nop; .balign 4; 1:)
    COST(6, jal ra, target)
    COST(7, jalr ra, 0(s6))
    /* A taken branch waits for its operand, and its bubble passes in the same cycles. */
    COST(7, j 2f; 1: j 3f; 2: lw a1, 16(s5); bnez a1, 1b; 3:)
    COST(15, li a1, 2; sw a1, 0(s5); 1: lw a1, 0(s5); addi a1, a1, -1; sw a1, 0(s5); bnez a1, 1b)
    /* The bubble of a jump also passes while X is busy, for any time. An instruction that only resembles a CSR
     * instruction does not wait. */
    COST(35, div a1, s9, s8; j 1f; nop; .balign 4; 1:)
    COST(6, csrr a1, mcycle; j 1f; nop; .balign 4; 1:)
    COST(2, addi a1, a0, 0x300; nop)
    /* Multiply takes one cycle, one more for its use directly after it; divide 34, 8 less for each leading zero byte
     * of the dividend. */
    COST(2, mul a1, s7, s8; mulhu a2, s7, s8)
    COST(3, mul a1, s7, s8; add a2, a1, a1)
    COST(34, div a1, s9, s8)
    COST(26, div a1, s10, s8)
    COST(18, div a1, s7, s8)
    COST(10, div a1, s11, s8)
    COST(11, li a1, -255; rem a1, a1, s8)
    COST(34, divu a1, s11, zero)
    COST(35, rem a1, s9, s8; add a1, a1, a1)
    /* CSRs: one cycle, one more after a CSR write; CSRs that mask interrupts three; counters five. */
    COST(1, csrr a1, mscratch)
    COST(2, csrr a2, mepc; csrw mscratch, a1)
    COST(3, csrw mscratch, a1; csrr a1, mepc)
    COST(3, csrsi mstatus, 0)
    COST(5, csrr a1, mcycle)
    COST(10, csrr a1, mcycle; csrr a2, minstret)
    /* Trap and return: 5 for the ecall, 5 for the mret, 5 in the handler. */
    WANT(1f)
    COST(15, ecall; 1:)
    /* fence.i after an instruction, with a flush that is done at once. */
    COST(4, fence.i)
    .option pop
    /* Compressed: a target in the upper halfword that needs a second word costs one cycle more. */
    .balign 4
    COST(2, c.nop; c.nop)
    .option norvc
    COST(5, j 1f; .half 1; 1: .half 0x0513, 0x0015; .half 1)
    .option rvc
    j pass
    .balign 4
target:
    .option norvc
    nop
    ret
    EPILOGUE
    .bss
room: .space 64
