/* SPDX-License-Identifier: Apache-2.0 */
/* U mode: permitted operations, traps, mode changes; counters; interrupts. On a core with PMP all accesses are
 * permitted. */
#include "macros.h"
#define ILLEGAL_U(...) li s0, 0; IN_U(99: __VA_ARGS__); li gp, __LINE__; li t6, 2; bne s0, t6, fail; la t6, 99b; bne s1, t6, fail
#define FINE_U(...) li s0, 0; IN_U(__VA_ARGS__; ecall); li gp, __LINE__; li t6, 8; bne s0, t6, fail
PROLOGUE 1
    .option norvc
    WANT(1f)
    ALLOW_ALL
1:  MODE(3)

    /* The fields: MPP is 3 or 0. */
    csrr a1, misa
    CHECK(a1, 0x40101104)
    li a0, -1
    csrw mstatus, a0
    csrr a1, mstatus
    CHECK(a1, 0x221888)
    li a0, 0x800
    csrw mstatus, a0
    csrr a1, mstatus
    CHECK(a1, 0)
    li a0, 0x1000
    csrw mstatus, a0
    csrr a1, mstatus
    CHECK(a1, 0)
    li a0, 0x1800
    csrs mstatus, a0
    csrr a1, mstatus
    CHECK(a1, 0x1800)
    li a0, 0xf00ff5a5
    csrw mcounteren, a0
    csrr a1, mcounteren
    CHECK_REG(a1, a0)
    csrw mcounteren, zero

    /* Into U mode and back. */
    li s0, 0
    IN_U(MODE(0); t1: ecall)
    MODE(3)
    TRAPPED(8, t1, 0)
    CHECK(s5, 0)                     /* MPP is U, MPIE is the MIE of U mode */
    csrr a1, mstatus
    CHECK(a1, 0x80)                  /* the handler's mret: MPP is U again */
    IN_U(nop; ecall)
    CHECK(s5, 0x80)                  /* mret restored MIE from MPIE */
    csrw mstatus, zero

    /* Traps of all modes; ebreak. */
    IN_U(t2: ebreak)
    TRAPPED(3, t2, 0)
    la a2, word
    IN_U(t3: lw a3, 1(a2))
    CHECK(s0, 4)
    CHECK_ADDR(s1, t3)
    IN_U(t4: .word 0xffffffff)
    TRAPPED(2, t4, -1)
    li a2, 0x20000000
    IN_U(t5_: sw a3, 4(a2))
    TRAPPED(7, t5_, 0x20000004)
    IN_U(jr a2)
    CHECK(s0, 1)
    CHECK(s1, 0x20000000)
    CHECK(s5, 0x80)                  /* MPP is U */
    /* Permitted in U mode. */
    FINE_U(fence.i; fence; la a2, word; lw a3, 0(a2); sw a3, 0(a2); div a3, a3, a2; sb a3, -200(zero))

    /* Not permitted in U mode. */
    IN_U(t6_: mret)
    TRAPPED(2, t6_, 0x30200073)
    CHECK(s5, 0x80)
    ILLEGAL_U(csrr a1, mstatus)
    ILLEGAL_U(csrw mstatus, a1)
    ILLEGAL_U(csrr a1, misa)
    ILLEGAL_U(csrr a1, mie)
    ILLEGAL_U(csrr a1, mtvec)
    ILLEGAL_U(csrr a1, mcounteren)
    ILLEGAL_U(csrr a1, mscratch)
    ILLEGAL_U(csrr a1, mepc)
    ILLEGAL_U(csrr a1, mcause)
    ILLEGAL_U(csrr a1, mip)
    ILLEGAL_U(csrr a1, mhartid)
    ILLEGAL_U(csrr a1, 0x320)
    ILLEGAL_U(csrr a1, mhpmevent3)
    ILLEGAL_U(csrr a1, mcycle)
    ILLEGAL_U(csrr a1, minstreth)
    ILLEGAL_U(csrr a1, 0x3a0)
    ILLEGAL_U(csrr a1, 0x3b0)
    ILLEGAL_U(csrr a1, 0x7a0)
    ILLEGAL_U(csrr a1, 0x7b0)
    ILLEGAL_U(csrr a1, 0x100)
    ILLEGAL_U(csrr a1, 0x000)
    /* A forbidden instruction has no effect. */
    li a1, 77
    csrwi mscratch, 5
    ILLEGAL_U(csrrwi a1, mscratch, 6)
    CHECK(a1, 77)
    csrr a2, mscratch
    CHECK(a2, 5)

    /* Counters: always in M mode, in U mode by mcounteren, each with its upper half. */
    csrr a1, cycle
    csrr a1, instret
    ILLEGAL_U(csrr a1, cycle)
    ILLEGAL_U(csrr a1, time)
    ILLEGAL_U(csrr a1, instret)
    ILLEGAL_U(csrr a1, hpmcounter3)
    ILLEGAL_U(csrr a1, cycleh)
    csrwi mcounteren, 1
    FINE_U(csrr a1, cycle; csrr a1, cycleh)
    ILLEGAL_U(csrr a1, time)
    ILLEGAL_U(csrr a1, instreth)
    ILLEGAL_U(csrw cycle, a1)
    ILLEGAL_U(csrr a1, mcycle)
    csrwi mcounteren, 2
    FINE_U(csrr a1, time; csrr a1, 0xc81)
    ILLEGAL_U(csrr a1, cycle)
    csrwi mcounteren, 4
    FINE_U(csrr a1, instret; csrr a2, instret; sub a2, a2, a1)
    CHECK(a2, 1)
    ILLEGAL_U(csrr a1, hpmcounter31)
    li t0, 0x80000000
    csrw mcounteren, t0
    FINE_U(csrr a1, hpmcounter31; csrr a1, hpmcounter31h)
    ILLEGAL_U(csrr a1, instret)
    ILLEGAL_U(csrr a1, 0xc20)
    li t0, -1
    csrw mcounteren, t0
    ILLEGAL_U(csrr a1, 0xc20)
    ILLEGAL_U(csrr a1, 0xf14)

    /* MPRV: an mret to U mode clears it, one to M mode does not. */
    li t0, MSTATUS_MPRV
    csrs mstatus, t0
    FINE_U(nop)
    li t0, MSTATUS_MPRV
    and a1, s5, t0
    CHECK(a1, 0)
    csrw mstatus, t0
    WANT(1f)
    ecall
1:  CHECK(s0, 11)
    csrr a1, mstatus
    CHECK(a1, 0x20080)
    csrw mstatus, zero

    /* Interrupts: in U mode regardless of MIE, in M mode only with MIE. */
    li s6, IRQ
    li t0, 8
    csrw mie, t0
    li t0, 1
    sw t0, 0(s6)
    nop
    nop
    nop
    nop
    nop
    li s3, 0
    IN_U(t7: nop)
    CHECK(s0, 0x80000003)
    CHECK_ADDR(s1, t7)
    CHECK(s3, 1)
    csrr a1, mstatus
    CHECK(a1, 0x80)
    sw zero, 0(s6)
    csrw mie, zero
    li t0, 1
    sw t0, 0(s6)
    FINE_U(nop; nop; nop; nop; nop; nop)
    sw zero, 0(s6)

    /* wfi in U mode: waits, and the interrupt is taken after it; illegal with TW in U mode, not in M mode. */
    csrw mstatus, zero
    li t0, 8
    csrw mie, t0
    li s7, IRQ_LATER
    li s8, 0x1e01
    IN_U(sw s8, 0(s7); wfi; t8: nop)
    CHECK(s0, 0x80000003)
    CHECK_ADDR(s1, t8)
    li t0, MSTATUS_TW
    csrs mstatus, t0
    wfi
    sw zero, 0(s6)
    IN_U(t9: wfi)
    TRAPPED(2, t9, 0x10500073)
    li t0, MSTATUS_TW
    csrc mstatus, t0

    /* A change of mode applies to the next instruction: a CSR access right after mret and right after ecall. */
    IN_U(t10: csrr a1, mscratch)
    TRAPPED(2, t10, 0x340025f3)
    csrr a1, mscratch
    CHECK(a1, 5)
    j pass
    .balign 4
word:
    .word 0
EPILOGUE
