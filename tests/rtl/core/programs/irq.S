/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupts: each source, masks, priority, vectors, wfi, and the exact time of a trap. */
#include "macros.h"
PROLOGUE
    li a0, IRQ
    li a1, IRQ_LATER
    li a7, 0x10888
    /* mip shows each line in its own bit. */
.macro SHOWS lines, bits
    li t0, \lines
    sw t0, 0(a0)
    nop
    nop
    csrr t1, mip
    CHECK(t1, \bits)
.endm
    SHOWS 1, 8
    SHOWS 2, 0x80
    SHOWS 4, 0x800
    SHOWS 8, 0x10000
    SHOWS 15, 0x10888
    sw zero, 0(a0)
    nop
    nop
    csrr t1, mip
    CHECK(t1, 0)

    /* Each source, vectored. The vectors count in s5. */
    la t0, vectors
    ori t0, t0, 1
    csrw mtvec, t0
    csrw mie, a7
    csrsi mstatus, 8
.macro ONE lines, cause
    li s5, 0
    li t0, \lines
    sw t0, 0(a0)
    nop
    nop
    nop
    nop
    nop
    nop
    li gp, 1000 + \cause
    li t6, \cause
    bne s5, t6, fail
    csrr t1, mcause
    li t6, 0x80000000 + \cause
    bne t1, t6, fail
.endm
    ONE 1, 3
    ONE 2, 7
    ONE 4, 11
    ONE 8, 16
    /* Priority: all lines are high; the handler clears the highest. */
    ONE 12, 11
    ONE 10, 7
    ONE 3, 3
    ONE 15, 11
    /* Exceptions go to the base. */
    WANT(1f)
    ecall
1:  CHECK(s5, 100)
    CHECK(s0, 11)

    /* Masked by mie, then by mstatus; taken directly after the instruction that unmasks it. */
    la t0, direct
    csrw mtvec, t0
    csrci mstatus, 8
    csrw mie, zero
    li s5, 0
    li t0, 2
    sw t0, 0(a0)
    csrsi mstatus, 8
    nop
    nop
    nop
    nop
    CHECK(s5, 0)
    csrci mstatus, 8
    csrw mie, a7
    nop
    nop
    CHECK(s5, 0)
    csrsi mstatus, 8
at1: nop
    CHECK(s5, 1)
    CHECK_ADDR(s1, at1)
    CHECK(s0, 0x80000007)
    csrr t1, mstatus
    andi t1, t1, 0x88
    CHECK(t1, 0x88)
    csrw mie, zero
    sw t0, 0(a0)
    nop
    nop
    csrw mie, a7
at2: nop
    CHECK(s5, 2)
    CHECK_ADDR(s1, at2)
    /* Not taken after an instruction that masks it. */
    li t0, 0x302
    sw t0, 0(a1)
    csrci mstatus, 8
    nop
    nop
    nop
    nop
    nop
    nop
    CHECK(s5, 2)
    /* mret enables the interrupt again. */
    la t1, at3
    csrw mepc, t1
    csrsi mstatus, 0x80 >> 3 & 0
    li t1, 0x1880
    csrs mstatus, t1
    mret
    FAIL
at3: nop
    CHECK(s5, 3)
    CHECK_ADDR(s1, at3)

    /* wfi: ends without a trap if MIE is off, and with a trap directly after it if MIE is on. */
    csrci mstatus, 8
    li t0, 0x2802
    sw t0, 0(a1)
    csrr t1, mcycle
    wfi
    csrr t2, mcycle
    sub t2, t2, t1
    li gp, __LINE__
    li t6, 25
    bltu t2, t6, fail
    CHECK(s5, 3)
    sw zero, 0(a0)
    csrsi mstatus, 8
    li t0, 0x2808
    sw t0, 0(a1)
    wfi
at4: nop
    CHECK(s5, 4)
    CHECK_ADDR(s1, at4)
    CHECK(s0, 0x80000010)
    /* A pending interrupt that mie disables does not end wfi. */
    li t0, 0x80
    csrw mie, t0
    li t0, 4
    sw t0, 0(a0)
    li t0, 0x3002
    sw t0, 0(a1)
    csrr t1, mcycle
    wfi
at5: csrr t2, mcycle
    CHECK_ADDR(s1, at5)
    CHECK(s5, 5)
    CHECK(s0, 0x80000007)

    /* An interrupt at every place of a loop with divisions, loads, stores and branches: the result of the loop is
     * right. */
    csrw mie, a7
    li s6, 1
2:  slli t0, s6, 8
    ori t0, t0, 1
    li s5, 0
    li s7, 0
    li s8, 5
    la s9, scratch
    sw t0, 0(a1)
3:  sw s7, 0(s9)
    lw t1, 0(s9)
    addi t1, t1, 7
    li t2, 3
    mul t1, t1, t2
    divu t1, t1, t2
    mv s7, t1
    addi s8, s8, -1
    bnez s8, 3b
    csrr t3, mscratch
    csrw mscratch, s7
    csrr t3, mscratch
    CHECK(s7, 35)
    CHECK(t3, 35)
4:  li t6, 1
    bne s5, t6, 4b
    addi s6, s6, 1
    li t0, 150
    bne s6, t0, 2b
    j pass

    .balign 128
vectors:
    .option push
    .option norvc
    j exception
    .rept 2
    j fail
    .endr
    j v3
    .rept 3
    j fail
    .endr
    j v7
    .rept 3
    j fail
    .endr
    j v11
    .rept 4
    j fail
    .endr
    j v16
    .option pop
v3: li s5, 3
    j off
v7: li s5, 7
    j off
v11: li s5, 11
    j off
v16: li s5, 16
off: sw zero, 0(a0)
    csrr s1, mepc
    nop                              /* until mip shows the change */
    nop
    mret
exception:
    li s5, 100
    j handler
    .balign 4
direct:
    addi s5, s5, 1
    csrr s0, mcause
    csrr s1, mepc
    sw zero, 0(a0)
    nop
    nop
    mret
EPILOGUE
    .bss
scratch: .space 16
