/* SPDX-License-Identifier: Apache-2.0 */
/* CSR instructions, fixed fields, CSRs that do not exist, counters. */
#include "macros.h"
#define ILLEGAL(...) WANT(77f); li gp, __LINE__; li s0, 0; __VA_ARGS__; 77: li t6, 2; bne s0, t6, fail
PROLOGUE
    li a0, 0x12345678
    csrw mscratch, a0
    li a1, 0xff00ff00
    csrrs a2, mscratch, a1
    CHECK(a2, 0x12345678)
    csrrc a2, mscratch, a0
    CHECK(a2, 0xff34ff78)
    csrrwi a2, mscratch, 21
    CHECK(a2, 0xed00a900)
    csrrsi a2, mscratch, 10
    CHECK(a2, 21)
    csrrci a2, mscratch, 1
    CHECK(a2, 31)
    csrrs a2, mscratch, zero
    CHECK(a2, 30)
    mv a3, a2
    csrrw a3, mscratch, a3           /* same register */
    CHECK(a3, 30)
    /* Result and source are bypassed. */
    li a4, 3
    csrrw a4, mscratch, a4
    addi a4, a4, 1
    csrrw a4, mscratch, a4
    CHECK(a4, 3)
    csrr a4, mscratch
    CHECK(a4, 31)

    li a0, -1
    csrw mstatus, a0
    csrr a1, mstatus
    csrw mstatus, zero
    CHECK(a1, 0x1888)
    csrr a1, mstatus
    CHECK(a1, 0x1800)
    csrw misa, a0
    csrr a1, misa
    andi a1, a1, -2                  /* with or without A */
    CHECK(a1, 0x40001104)
    csrw mie, a0
    csrr a1, mie
    csrw mie, zero
    CHECK(a1, 0x10888)
    csrw mip, a0
    csrr a1, mip
    CHECK(a1, 0)
    csrw mepc, a0
    csrr a1, mepc
    CHECK(a1, 0xfffffffe)
    csrw mtval, a0
    csrr a1, mtval
    CHECK(a1, -1)
    li a2, 0x8000000b
    csrw mcause, a2
    csrr a1, mcause
    CHECK_REG(a1, a2)
    csrr a5, mtvec
    csrw mtvec, a0
    csrr a1, mtvec
    csrw mtvec, a5
    CHECK(a1, 0xffffff81)
    csrr a1, mvendorid
    CHECK(a1, 0)
    csrr a1, marchid
    CHECK(a1, 0)
    csrr a1, mimpid
    CHECK(a1, 0)
    csrr a1, mhartid
    CHECK(a1, 0)
    csrr a1, 0xf15
    CHECK(a1, 0)
    csrr a1, 0x310
    CHECK(a1, 0)

    /* CSRs that do not exist or are read-only. */
    ILLEGAL(csrr a1, 0x7b0)
    ILLEGAL(csrr a1, 0x7b1)
    ILLEGAL(csrw 0x7b2, a1)
    ILLEGAL(csrr a1, 0x000)
    ILLEGAL(csrr a1, 0x001)
    ILLEGAL(csrr a1, 0x100)
    ILLEGAL(csrr a1, 0x180)
    ILLEGAL(csrr a1, 0x302)
    ILLEGAL(csrr a1, 0x303)
    ILLEGAL(csrr a1, 0x306)
    ILLEGAL(csrr a1, 0x321)
    ILLEGAL(csrr a1, 0x322)
    ILLEGAL(csrr a1, 0x345)
    ILLEGAL(csrr a1, 0x3a0)
    ILLEGAL(csrr a1, 0x7a0)
    ILLEGAL(csrr a1, 0xb01)
    ILLEGAL(csrr a1, 0xb81)
    ILLEGAL(csrr a1, 0xb20)
    ILLEGAL(csrr a1, 0xc20)
    ILLEGAL(csrr a1, 0xf10)
    ILLEGAL(csrr a1, 0xfff)
    ILLEGAL(csrw mhartid, a1)
    ILLEGAL(csrrsi a1, mhartid, 1)
    ILLEGAL(csrw cycle, a1)
    ILLEGAL(csrrci a1, instret, 1)
    csrrsi a1, mhartid, 0
    csrrc a1, cycle, zero
    /* An illegal CSR instruction neither writes nor reads. */
    li a1, 99
    csrwi mscratch, 9
    ILLEGAL(csrrwi a1, 0xc00, 4)
    CHECK(a1, 99)

    /* Counters. */
    csrw minstret, zero
    csrr a0, minstret
    csrr a1, minstret
    CHECK(a0, 0)
    CHECK(a1, 1)
    li a0, 1000
    csrw minstret, a0
    nop
    nop
    csrrs a1, instret, zero
    CHECK(a1, 1002)
    csrw mcycleh, a0
    csrr a1, cycleh
    CHECK(a1, 1000)
    csrr a1, mcycle
    csrr a2, mcycle
    sub a2, a2, a1
    CHECK(a2, 5)
    li a0, 0xf0
    csrw mhpmevent3, a0
    csrrsi a1, mhpmevent3, 15
    CHECK(a1, 0xf0)
    csrrc a1, mhpmevent3, a0
    CHECK(a1, 0xff)
    csrr a1, mhpmevent3
    CHECK(a1, 15)
    csrr a1, mhpmcounter31
    CHECK(a1, 0)
    csrr a1, 0x320
    CHECK(a1, 0)
    csrr a1, time
    csrr a2, 0xc81
    CHECK(a2, 1000)
    j pass
EPILOGUE
