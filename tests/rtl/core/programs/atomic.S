/* SPDX-License-Identifier: Apache-2.0 */
/* Reservations and their end, atomicity against another master, faults. insns.py checks the results of the
 * operations. */
#include "macros.h"
#define OTHER 0xF000000C
PROLOGUE
    .option norvc
    csrr a0, misa
    andi a0, a0, 1
    CHECK(a0, 1)
    la s5, room
    addi s6, s5, 4
    li s7, 77
    li s8, 88

    /* A pair of lr and sc; sc ends the reservation. */
    sw s7, 0(s5)
    sw s7, 4(s5)
    lr.w a0, (s5)
    sc.w a1, s8, (s5)
    CHECK_REG(a0, s7)
    CHECK(a1, 0)
    sc.w a1, s7, (s5)
    CHECK(a1, 1)
    lw a0, 0(s5)
    CHECK_REG(a0, s8)
    /* sc to another word fails and ends the reservation. */
    lr.w a0, (s5)
    sc.w a1, s8, (s6)
    sc.w a2, s7, (s5)
    CHECK(a1, 1)
    CHECK(a2, 1)
    lw a0, 0(s6)
    CHECK_REG(a0, s7)
    lw a0, 0(s5)
    CHECK_REG(a0, s8)
    /* Only the last lr counts. */
    lr.w a0, (s5)
    lr.w.aq a0, (s6)
    sc.w.rl a1, s8, (s6)
    CHECK(a1, 0)
    lr.w a0, (s5)
    lr.w a0, (s6)
    sc.w a1, s8, (s5)
    CHECK(a1, 1)
    /* The hart's own stores and atomic instructions keep the reservation, and so does a trap. */
    lr.w a0, (s5)
    sw s7, 0(s5)
    amoadd.w a2, s8, (s5)
    sb zero, 4(s5)
    WANT(1f)
    ecall
1:  sc.w a1, s8, (s5)
    CHECK(a1, 0)
    CHECK_REG(a2, s7)
    lw a0, 0(s5)
    CHECK_REG(a0, s8)
    /* Operations with one register in several places, and immediate use of the result. */
    mv a0, s5
    lr.w a0, (a0)
    CHECK_REG(a0, s8)
    mv a0, s5
    sc.w a0, s7, (a0)
    addi a0, a0, 5
    CHECK(a0, 5)
    lr.w zero, (s5)
    li a1, 9
    sc.w a1, a1, (s5)
    CHECK(a1, 0)
    lw a0, 0(s5)
    CHECK(a0, 9)
    lr.w a0, (s5)
    sc.w zero, s7, (s5)
    lw a0, 0(s5)
    CHECK_REG(a0, s7)
    mv a1, s5
    sw a1, 0(s5)
    amoswap.w a1, s8, (a1)
    lr.w a2, (a1)
    CHECK_REG(a1, s5)
    CHECK_REG(a2, s8)
    /* A failing lr makes no reservation. */
    li a4, 0x20000010
    lr.w a0, (s5)
    WANT(1f)
t0_: lr.w a0, (a4)
1:  TRAPPED(5, t0_, 0x20000010)
    sc.w a1, s7, (a4)
    CHECK(a1, 1)

    /* Faults: memory does not change, and the next instructions do not execute. */
    sw s7, 0(s5)
    li a3, 0x5a5a
    addi a2, s5, 2
    WANT(1f)
t1: lr.w a3, (a2)
1:  CHECK(s0, 4)
    CHECK_ADDR(s1, t1)
    CHECK_REG(s2, a2)
    lr.w a0, (s5)                    /* the word is reserved */
    WANT(1f)
t2: sc.w a3, s8, (a2)
1:  CHECK(s0, 6)
    CHECK_ADDR(s1, t2)
    CHECK_REG(s2, a2)
    addi a2, s5, 1
    WANT(1f)
t3_: amoor.w a3, s8, (a2)
    sw zero, 0(s5)
1:  CHECK(s0, 6)
    CHECK_ADDR(s1, t3_)
    CHECK_REG(s2, a2)
    WANT(1f)
t4: amoadd.w a3, s8, (a4)
    sw zero, 0(s5)
1:  TRAPPED(7, t4, 0x20000010)
    lw a0, 0(s5)
    CHECK_REG(a0, s7)
    CHECK(a3, 0x5a5a)
    li a2, -8
    WANT(1f)
t5: lr.w a3, (a2)
1:  TRAPPED(5, t5, -8)
    WANT(1f)
t6_: amoswap.w a3, s8, (a2)
    sw zero, 0(s5)
1:  TRAPPED(7, t6_, -8)
    CHECK(a3, 0x5a5a)
    CHECK(s3, 8)
    /* Without a reservation sc does not access memory and does not fault. */
    sc.w a0, s8, (a2)
    CHECK(a0, 1)
    sc.w a0, s8, (a4)
    CHECK(a0, 1)
    CHECK(s3, 8)
    /* A word that can be read but not written. */
    li a4, 0xF0000008
    WANT(1f)
t7: amoadd.w a3, s8, (a4)
    sw zero, 0(s5)
1:  TRAPPED(7, t7, 0xF0000008)
    lr.w a0, (a4)
    WANT(1f)
t8: sc.w a3, s8, (a4)
    sw zero, 0(s5)
1:  TRAPPED(7, t8, 0xF0000008)
    CHECK(a3, 0x5a5a)
    sc.w a3, s8, (a4)
    CHECK(a3, 1)
    lw a0, 0(s5)
    CHECK_REG(a0, s7)

    /* Another master adds to the upper half of a word, the hart to the lower half: no addition is lost. */
    li s9, OTHER
    sw zero, 0(s5)
    ori a0, s5, 1
    sw a0, 0(s9)
    li a1, 400
    li a3, 1
1:  amoadd.w a0, a3, (s5)
    addi a1, a1, -1
    bnez a1, 1b
    li a1, 200
    li a4, 0                         /* number of failed sc */
2:  lr.w a0, (s5)
    addi a0, a0, 1
    sc.w a2, a0, (s5)
    add a4, a4, a2
    bnez a2, 2b
    addi a1, a1, -1
    bnez a1, 2b
    /* The other master writes between lr and sc. */
    lr.w a0, (s5)
3:  lw a2, 0(s5)
    beq a2, a0, 3b
    sc.w a2, zero, (s5)
    CHECK(a2, 1)
    sw zero, 0(s9)
    lw a2, 0(s9)
    lw a0, 0(s5)
    slli a1, a0, 16
    srli a1, a1, 16
    CHECK(a1, 600)
    srli a0, a0, 16
    CHECK_REG(a0, a2)
    li t6, 20
    li gp, __LINE__
    bltu a2, t6, fail
    beqz a4, fail
    /* A write of the other master elsewhere does not matter. */
    ori a0, s6, 1
    sw a0, 0(s9)
    li a1, 100
4:  lr.w a0, (s5)
    addi a0, a0, 1
    sc.w a2, a0, (s5)
    CHECK(a2, 0)
    addi a1, a1, -1
    bnez a1, 4b
    sw zero, 0(s9)
    j pass
    EPILOGUE
    .bss
    .balign 4
room: .space 64
