/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of user mode, PMP and triggers: lines of the table of docs/internals/core.md, checked as in timing.S. A mark
 * is a store, so it takes one more cycle where stores wait. */
#include "macros.h"
#define COST(cycles, ...) .balign 4; sw zero, -68(zero); __VA_ARGS__; sw zero, -4 - 4 * (64 + cycles)(zero)
#define FOUR lw a1, 0(a2); lw a1, 4(a2); sw a2, 8(a2); lw a1, 12(a2)
PROLOGUE 1
    .balign 4
    .option norvc
    la a2, room
    ALLOW_ALL
    csrwi mstatus, 8
    /* M mode, no lock, no trigger for data: no cost. */
    COST(4, FOUR)
    COST(3, lw a1, 0(a2); add a1, a1, a1)
    /* Access to the CSRs of PMP and triggers costs the same as to mstatus. */
    COST(3, csrwi 0x3b1, 0)
    COST(3, csrr a1, 0x3a0)
    COST(3, csrwi 0x7a0, 0)
    COST(3, csrr a1, mcounteren)
    COST(1, csrr a1, mscratch)
    /* U mode with PMP: a load or store waits for the check; its use costs no more than in M mode. */
    IN_U(COST(1, ); COST(9, FOUR); COST(5, lw a1, 0(a2); add a1, a1, a1); COST(3, add a1, a1, a1; xor a1, a1, a1); ecall)
    CHECK(s0, 8)
    /* To U mode and back: mret 5, ecall 5 (12 with the handler). */
    li t0, MSTATUS_MPP
    csrc mstatus, t0
    WANT(1f)
    la t0, 2f
    csrw mepc, t0
    .balign 4
    sw zero, -68(zero)
    mret
2:  ecall
1:  sw zero, -4 - 4 * (64 + 28)(zero)
    /* MPRV. */
    li t0, MSTATUS_MPRV
    csrs mstatus, t0
    li t0, MSTATUS_MPP
    csrc mstatus, t0
    COST(9, FOUR)
    csrs mstatus, t0
    COST(4, FOUR)
    li t0, MSTATUS_MPRV
    csrc mstatus, t0
    /* A trigger for instructions costs nothing; a trigger for loads or stores in this mode costs one cycle for each
     * of them. */
    li t0, 0x44
    csrw 0x7a1, t0
    COST(4, FOUR)
    li t0, 9
    csrw 0x7a1, t0
    COST(4, FOUR)
    li t0, 0x41
    csrw 0x7a1, t0
    COST(9, FOUR)
    csrci mstatus, 8
    COST(4, FOUR)
    csrsi mstatus, 8
    csrw 0x7a1, zero
    /* A locked entry. */
    li t0, 0x1f00009f
    csrw 0x3a0, t0
    COST(9, FOUR)
    j pass
EPILOGUE
    .bss
room: .space 64
