/* SPDX-License-Identifier: Apache-2.0 */
/* Every exception with every kind of instruction before and after it; every interrupt, with rising and falling line,
 * among each kind. Instructions after an exception must not execute: they would change a4 or the word at 8(s5).
 * tests/coverage/events.py lists the events that this test must reach. */
#include "macros.h"

/* One instruction of a kind, result in \rd, store to \to(s5); jumps go to the next instruction. */
.macro PUT kind, rd, to
    .ifc \kind,alu
    add \rd, a2, a2
    .endif
    .ifc \kind,mul
    mul \rd, a2, a2
    .endif
    .ifc \kind,div
    div \rd, a2, a2
    .endif
    .ifc \kind,load
    lw \rd, 0(s5)
    .endif
    .ifc \kind,store
    sw a2, \to(s5)
    .endif
    .ifc \kind,branch
    bnez a2, .+4
    .endif
    .ifc \kind,jal
    jal \rd, .+4
    .endif
    .ifc \kind,jalr
    auipc t5, 0
    jalr \rd, 8(t5)
    .endif
    .ifc \kind,csr_read
    csrr \rd, mscratch
    .endif
    .ifc \kind,csr_write
    csrrw \rd, mscratch, a2
    .endif
    .ifc \kind,csr_counter
    csrr \rd, mcycle
    .endif
    .ifc \kind,csr_serial
    csrrs \rd, mie, zero
    .endif
    .ifc \kind,fence_i
    fence.i
    .endif
    .ifc \kind,wfi
    wfi
    .endif
    .ifc \kind,mret
    csrci mstatus, 8                     /* mepc is in use: no interrupt may come before the mret */
    auipc t5, 0
    addi t5, t5, 16
    csrw mepc, t5
    mret
    .endif
.endm
#define KINDS alu,mul,div,load,store,branch,jal,jalr,csr_read,csr_write,csr_counter,csr_serial,fence_i,wfi,mret

/* The handler counts in s3 and continues at s4. */
.macro EXCEPTION kind, cause, insn:vararg
    la s4, 2f
    mv s8, s3
    li a4, 0x5a5a
    sw zero, 8(s5)
    csrw mstatus, zero
    PUT \kind, a1, 4
    \insn
    PUT \kind, a4, 8
    addi a4, a4, 1
2:  CHECK(s0, \cause)
    addi s8, s8, 1
    CHECK_REG(s3, s8)
    CHECK(a4, 0x5a5a)
    lw t0, 8(s5)
    CHECK(t0, 0)
.endm
.macro EXCEPTIONS kind
    EXCEPTION \kind, 11, ecall
    EXCEPTION \kind, 3, ebreak
    EXCEPTION \kind, 2, .word 0xffffffff
    EXCEPTION \kind, 2, csrr a1, 0x123
    EXCEPTION \kind, 4, lw a1, 2(s5)
    EXCEPTION \kind, 6, sw a1, 2(s5)
    EXCEPTION \kind, 5, lw a1, -4(zero)
    EXCEPTION \kind, 5, lw a1, 0(s6)
    EXCEPTION \kind, 7, sw a1, 0(s6)
.endm

/* Called with a5 = value of the lines at once, a6 = value of the lines later. */
.macro SLED kind
    .balign 4
sled_\kind:
    csrsi mstatus, 8
    sw a5, 0(a0)
    sw a6, 4(a0)
    .rept 10
    PUT \kind, a1, 4
    .endr
    csrci mstatus, 8
    ret
.endm

/* A line that falls, with \k instructions and a trap or return after the point at which it may be taken. Traps
 * continue at s4. */
.macro FALL k, insn:vararg
    .balign 4
    la s4, 2f
    csrw mepc, s4
    csrsi mstatus, 8
    sw a5, 0(a0)
    sw a6, 4(a0)
    .rept \k
    add a1, a2, a2
    .endr
    \insn
    nop
    nop
2:  csrci mstatus, 8
    sw zero, 0(a0)
.endm
.macro FALLS insn:vararg
    la t0, fallen
    csrw mtvec, t0
    li s7, 6
1:  li s9, 1
3:  slli a6, s7, 8
    mv a5, s9
    li s8, 0
    .irp k, 0,1,2,3,4,5
    FALL \k, \insn
    .endr
    .ifnc \insn,mret
    li t0, 6
    li gp, __LINE__
    bne s8, t0, fail
    .endif
    slli s9, s9, 1
    li t0, 16
    bne s9, t0, 3b
    addi s7, s7, -1
    bnez s7, 1b
.endm

PROLOGUE
    .option norvc
    la s5, words
    li s6, 0x20000000
    li a0, IRQ
    li a2, 5
    /* A line is high and enabled so that wfi ends, but no interrupt comes: MIE is 0. */
    li t0, 8
    csrw mie, t0
    li t0, 1
    sw t0, 0(a0)
    .irp kind, KINDS
    EXCEPTIONS \kind
    .endr

    /* Interrupts rise n cycles later; then they rise at once and fall n cycles later, perhaps before they are taken. */
    sw zero, 0(a0)
    la t0, interrupted
    csrw mtvec, t0
    li t0, 0x80                          /* MPIE, for the first mret */
    csrw mstatus, t0
    li t0, 0x10888
    csrw mie, t0
    .irp kind, KINDS
    .ifnc \kind,wfi
    la s10, sled_\kind
    jal s11, sweep
    .endif
    .endr
    /* Either the interrupt or the exception comes, once; before mret, the interrupt or no trap. */
    FALLS ecall
    FALLS ebreak
    FALLS .word 0xffffffff
    FALLS mret
    la t0, interrupted
    csrw mtvec, t0
    /* wfi waits for an interrupt in any case: only rising lines. */
    li s7, 3
3:  li s9, 1
4:  addi a6, s7, 100
    slli a6, a6, 8
    or a6, a6, s9
    li a5, 0
    li s8, 0
    jal ra, one_wfi
    li t0, 1
    li gp, __LINE__
    bne s8, t0, fail
    slli s9, s9, 1
    li t0, 16
    bne s9, t0, 4b
    addi s7, s7, -1
    bnez s7, 3b
    j pass

one_wfi:
    csrsi mstatus, 8
    sw a6, 4(a0)
    wfi
    nop
    nop
    nop
    nop
    csrci mstatus, 8
    ret

/* Each line rises after 1 to 8 cycles and is taken once; then it rises at once and falls after 1 to 8 cycles, taken
 * or not. */
sweep:
    li s7, 8
1:  li s9, 1
2:  slli a6, s7, 8
    or a6, a6, s9
    li a5, 0
    li s8, 0
    jalr ra, s10
    csrsi mstatus, 8
    .rept 8
    nop
    .endr
    csrci mstatus, 8
    li t0, 1
    li gp, __LINE__
    bne s8, t0, fail
    slli a6, s7, 8
    mv a5, s9
    jalr ra, s10
    sw zero, 0(a0)
    slli s9, s9, 1
    li t0, 16
    bne s9, t0, 2b
    addi s7, s7, -1
    bnez s7, 1b
    jr s11

    .irp kind, KINDS
    SLED \kind
    .endr

    .balign 128
fallen:
    sw zero, 0(a0)
    addi s8, s8, 1
    csrw mepc, s4
    mret

    .balign 128
interrupted:
    sw zero, 0(a0)
    addi s8, s8, 1
    csrr t6, mcause
    li gp, __LINE__
    bgez t6, fail
    nop
    nop
    mret
    EPILOGUE
    .bss
    .balign 16
words: .space 64
