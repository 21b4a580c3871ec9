/* SPDX-License-Identifier: Apache-2.0 */
/* The debugger's script (debug.debug) uses these addresses. It starts with the hart halted from reset on. */
    .text
    .option norvc
    .globl _start
_start:
    la t0, handler                   /* 00 */
    csrw mtvec, t0                   /* 08 */
spin:
    beqz a1, spin                    /* 0c: the debugger sets a1 */
    addi a2, a2, 5                   /* 10 */
    lw a3, 0(sp)                     /* 14: the debugger sets sp and the word */
    addi a3, a3, 1                   /* 18 */
    j 1f                             /* 1c */
    nop                              /* 20 */
1:  ecall                            /* 24 */
    ebreak                           /* 28 */
    li a5, 2                         /* 2c */
    li t0, 0xf0000000                /* 30 */
    li t1, 8                         /* 34: enable of the software interrupt, MIE */
    csrw mie, t1                     /* 38 */
    csrw mstatus, t1                 /* 3c */
    li t1, 1                         /* 40 */
    wfi                              /* 44 */
    addi a6, a6, 1                   /* 48 */
    sw t1, 0(t0)                     /* 4c: an interrupt, masked while stepping */
    nop                              /* 50 */
    nop                              /* 54 */
    nop                              /* 58 */
    nop                              /* 5c */
    nop                              /* 60 */
2:  beqz a7, 2b                      /* 64 */
    li t6, 0x8000                    /* 68 */
    bne a7, t6, fail                 /* 6c */
    sw zero, -4(zero)                /* 70 */
3:  j 3b
fail:
    li t6, 1
    sw t6, -4(zero)
4:  j 4b
    .balign 128
handler:                             /* 80 or 100 */
    csrr t2, mcause
    bltz t2, 5f
    csrr t2, mepc
    addi t2, t2, 4
    csrw mepc, t2
    mret
5:  sw zero, 0(t0)
    li a7, 0x8000
    nop
    mret
    .bss
    .balign 16
    .space 64
