/* SPDX-License-Identifier: Apache-2.0 */
/* For the core's test programs. The exit status of a failure is the line of the check (with bit 31 set in the
 * handler of an unexpected trap). */
#define IRQ 0xF0000000
#define IRQ_LATER 0xF0000004

#define CHECK(reg, value) li gp, __LINE__; li t6, value; bne reg, t6, fail
#define CHECK_ADDR(reg, symbol) li gp, __LINE__; la t6, symbol; bne reg, t6, fail
#define CHECK_REG(reg, other) li gp, __LINE__; bne reg, other, fail
#define FAIL li gp, __LINE__; j fail

/* An expected trap: s0 = cause, s1 = mepc, s2 = mtval, s3 = number of traps. Execution continues at s4. */
#define WANT(label) la s4, label
#define TRAPPED(cause, epc, tval) CHECK(s0, cause); CHECK_ADDR(s1, epc); CHECK(s2, tval)

/* U mode, in a program that begins with PROLOGUE 1: its handler also leaves mstatus in s5 and continues in M mode.
 * IN_U: the code must end in a trap. The bench checks the mode in the observation bundle. */
#define MSTATUS_MPP 0x1800
#define MSTATUS_MPRV 0x20000
#define MSTATUS_TW 0x200000
#define IN_U(...) li t6, MSTATUS_MPP; csrc mstatus, t6; la t6, 88f; csrw mepc, t6; WANT(77f); mret; 88: __VA_ARGS__; FAIL; 77:
#define ALLOW_ALL li t0, -1; csrw 0x3b0, t0; li t0, 0x1f; csrw 0x3a0, t0
#define MODE(mode) li t5, mode; sw t5, -72(zero)

.macro PROLOGUE user=0
    .section .text
    .globl _start
_start:
    la t0, handler
    csrw mtvec, t0
    la sp, stack
    li s3, 0
    j main
    .balign 128
handler:
    csrr s0, mcause
    csrr s1, mepc
    csrr s2, mtval
    addi s3, s3, 1
    .if \user
    csrr s5, mstatus
    li t6, MSTATUS_MPP
    csrs mstatus, t6
    .endif
    csrw mepc, s4
    mret
fail:
    sw gp, -4(zero)
1:  j 1b
pass:
    sw zero, -4(zero)
1:  j 1b
main:
.endm

.macro EPILOGUE
    .bss
    .balign 16
    .space 1024
stack:
    .space 64
.endm
