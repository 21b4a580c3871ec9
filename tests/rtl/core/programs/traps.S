/* SPDX-License-Identifier: Apache-2.0 */
/* Every exception: cause, mepc, mtval, mstatus. Neither the instruction nor the ones after it have an effect. */
#include "macros.h"
PROLOGUE
    /* Environment call, breakpoint. */
    WANT(1f)
    .option norvc
    li a0, 7
t1: ecall
    li a0, 8
1:  TRAPPED(11, t1, 0)
    CHECK(a0, 7)
    csrr a1, mstatus
    andi a1, a1, 0x88                /* csr.S and user.S check MPP */
    CHECK(a1, 0x80)
    csrsi mstatus, 8
    WANT(1f)
t2: ebreak
    FAIL
1:  TRAPPED(3, t2, 0)
    csrr a1, mstatus
    andi a1, a1, 0x88
    CHECK(a1, 0x88)
    .option rvc
    WANT(1f)
t3: c.ebreak
    FAIL
1:  TRAPPED(3, t3, 0)
    csrci mstatus, 8
    CHECK(s3, 3)

    /* Misaligned loads and stores. */
    la a2, words
    li a3, 0x5a5a
    WANT(1f)
t4: lw a3, 2(a2)
    li a3, 0
1:  CHECK(s0, 4)
    CHECK_ADDR(s1, t4)
    addi t0, a2, 2
    CHECK_REG(s2, t0)
    CHECK(a3, 0x5a5a)
    WANT(1f)
t5: lhu a3, 1(a2)
1:  CHECK(s0, 4)
    addi t0, a2, 1
    CHECK_REG(s2, t0)
    CHECK(a3, 0x5a5a)
    WANT(1f)
t6_: sw a3, 3(a2)
1:  CHECK(s0, 6)
    CHECK_ADDR(s1, t6_)
    addi t0, a2, 3
    CHECK_REG(s2, t0)
    WANT(1f)
    sh a3, 5(a2)
1:  CHECK(s0, 6)
    lw t0, 0(a2)
    CHECK(t0, 0x11223344)
    lw t0, 4(a2)
    CHECK(t0, 0x55667788)

    /* Bus errors are precise: the store after them does not execute. */
    li a4, 0x20000010
    WANT(1f)
t7: lw a3, 8(a4)
    sw zero, 0(a2)
1:  TRAPPED(5, t7, 0x20000018)
    CHECK(a3, 0x5a5a)
    lw t0, 0(a2)
    CHECK(t0, 0x11223344)
    WANT(1f)
t8: sb a3, 1(a4)
    sw zero, 0(a2)
1:  TRAPPED(7, t8, 0x20000011)
    lw t0, 0(a2)
    CHECK(t0, 0x11223344)
    WANT(1f)
t8b: lbu a3, 0(zero)
    sw zero, 0(a2)
1:  TRAPPED(5, t8b, 0)
    /* A value in M that an error makes invalid is not forwarded. */
    li a5, 77
    WANT(1f)
    lw a5, 0(a4)
    addi a6, a5, 1
1:  addi a6, a5, 1
    CHECK(a6, 78)
    /* The message window: stores pass, loads fail. */
    csrr a7, mstatus
    sb a3, -100(zero)
    sh a3, -100(zero)
    sw a3, -100(zero)
    li a5, 0xfff00000                /* the beginning of the window, and the word before it */
    sb a3, 0(a5)
    sw a3, 4(a5)
    WANT(1f)
    sb a3, -1(a5)
1:  CHECK(s0, 7)
    CHECK(s2, 0xffefffff)
    WANT(1f)
    lw a3, 4(a5)
1:  CHECK(s0, 5)
    CHECK(s2, 0xfff00004)
    WANT(1f)
t9: lw a3, -100(zero)
    sw zero, 0(a2)
1:  TRAPPED(5, t9, 0xffffff9c)
    WANT(1f)
    lb a3, -1(zero)
1:  CHECK(s0, 5)
    WANT(1f)
    sh a3, -99(zero)
1:  CHECK(s0, 6)
    CHECK(s2, 0xffffff9d)

    /* Fetch errors: in the first and in the second half of an instruction. */
    li a4, 0x20000000
    WANT(1f)
    jr a4
1:  CHECK(s0, 1)
    CHECK(s1, 0x20000000)
    CHECK(s2, 0x20000000)
    la t0, edge
    li t1, 0x1000fffe
    li t2, 0x0013                    /* the lower half of an addi */
    sh t2, 0(t1)
    fence.i
    WANT(1f)
    jr t1
1:  CHECK(s0, 1)
    CHECK(s1, 0x1000fffe)
    CHECK(s2, 0x10010000)
    li t2, 0x0001                    /* c.nop: the next instruction fails */
    sh t2, 0(t1)
    fence.i
    WANT(1f)
    jr t1
1:  CHECK(s0, 1)
    CHECK(s1, 0x10010000)
    CHECK(s2, 0x10010000)
    /* Jumps clear bit 0 of the target. */
    la t0, 2f
    addi t0, t0, 1
    jalr ra, 0(t0)
edge: FAIL
2:  CHECK_ADDR(ra, edge)

    /* A trap right after a taken branch, a load, a division. */
    li a0, 100
    li a1, 7
    lw a2, words
    WANT(1f)
    div a0, a0, a1
    ecall
1:  CHECK(a0, 14)
    CHECK(s0, 11)
    WANT(1f)
    j 3f
    nop
3:  ecall
1:  CHECK_ADDR(s1, 3b)
    /* A division after a trap does not disturb a later one. */
    li a0, 1000
    li a1, 3
    WANT(1f)
    ecall
    div a2, a0, a1
1:  li a0, 90
    div a2, a0, a1
    CHECK(a2, 30)
    /* A CSR write after an access fault does not happen. */
    csrwi mscratch, 5
    li a4, 0x20000000
    WANT(1f)
    lw a3, 0(a4)
    csrwi mscratch, 6
1:  csrr t0, mscratch
    CHECK(t0, 5)
    WANT(1f)
    lw a3, 0(a4)
    csrwi mie, 8
1:  csrr t0, mie
    CHECK(t0, 0)
    j pass
    .balign 4
words:
    .word 0x11223344, 0x55667788
EPILOGUE
