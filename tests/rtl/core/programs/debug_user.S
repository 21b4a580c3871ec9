/* SPDX-License-Identifier: Apache-2.0 */
/* U mode and triggers with a debugger. The script (debug_user.debug) uses these addresses. The hart is halted from
 * reset on. */
    .text
    .option norvc
    .globl _start
_start:
    la t0, handler                   /* 00 */
    csrw mtvec, t0                   /* 08 */
    li t0, -1                        /* 0c: PMP permits all accesses */
    csrw 0x3b0, t0                   /* 10 */
    li t0, 0x1f                      /* 14 */
    csrw 0x3a0, t0                   /* 18 */
    csrw mstatus, zero               /* 1c */
    la t0, spin                      /* 20 */
    csrw mepc, t0                    /* 28 */
    mret                             /* 2c */
spin:
    beqz a1, spin                    /* 30: the debugger sets a1 and sp */
    addi a2, a2, 1                   /* 34 */
    lw a3, 0(sp)                     /* 38 */
    ecall                            /* 3c */
    addi a2, a2, 1                   /* 40 */
    sw a2, 4(sp)                     /* 44 */
    ebreak                           /* 48 */
    addi a2, a2, 1                   /* 4c */
    j spin                           /* 50 */
    csrr a4, mscratch                /* 54: M mode only */
    csrw 0x7a1, zero                 /* 58 */
    csrw 0x7a2, zero                 /* 5c */
    nop                              /* 60 */
    sw zero, -4(zero)                /* 64: the end */
1:  j 1b
    .balign 128
handler:                             /* 80 */
    csrr t2, mepc
    addi t2, t2, 4                   /* 84 */
    csrw mepc, t2                    /* 88 */
    mret                             /* 8c */
    .bss
    .balign 16
    .space 64
