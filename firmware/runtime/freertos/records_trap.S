/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOS with records in memory (gnomon cc --gnomon-freertos --gnomon-records). The program's references of the
 * port's trap handler come here first (ld --wrap): an interrupt waits for the end of a hook, and the thread of the
 * records changes when a trap ends, on the stack of the task that goes on. Hooks within a trap belong to the task that
 * was interrupted. */
#include "records/records.h"

#define MPIE 0x80
#define MPP 0x1800
#define CAUSE_ECALL_M 11
#define CONTEXT_PC 0
#define CONTEXT_S0 20

/* What a trap puts on the task's stack, above what the port puts there. */
#define PUSHED_BYTES 16
#define PUSHED_PC 0
#define PUSHED_T0 4
#define PUSHED_T1 8
#define PUSHED_MSTATUS 12

    .section .text.__wrap_freertos_risc_v_trap_handler, "ax"
    .balign 256 /* as the port's */
    .globl __wrap_freertos_risc_v_trap_handler
    .type __wrap_freertos_risc_v_trap_handler, @function
__wrap_freertos_risc_v_trap_handler:
    addi sp, sp, -PUSHED_BYTES
    sw t0, PUSHED_T0(sp)
    sw t1, PUSHED_T1(sp)
    csrr t0, mcause
    csrr t1, mepc
    bgez t0, exception
    la t0, __gnomon_records_hooks
    bltu t1, t0, 1f
    la t0, __gnomon_records_hooks_end
    bltu t1, t0, in_hook
1:  la t0, trap_ends
    beq t1, t0, 3f
2:  sw t1, PUSHED_PC(sp)
    csrw mepc, t0
    lw t0, PUSHED_T0(sp)
    lw t1, PUSHED_T1(sp)
    j __real_freertos_risc_v_trap_handler

    /* A task yields. The port goes on after the ecall, so 4 bytes behind mepc. */
exception:
    addi t0, t0, -CAUSE_ECALL_M
    bnez t0, 3f
    addi t1, t1, 4
    la t0, trap_ends - 4
    j 2b

    /* The end of a trap is to come already, or it is an exception that the program's handler gets. */
3:  lw t0, PUSHED_T0(sp)
    lw t1, PUSHED_T1(sp)
    addi sp, sp, PUSHED_BYTES
    j __real_freertos_risc_v_trap_handler

    /* The hook goes on without interrupts, and its end takes the interrupt again (records.S). */
in_hook:
    lw t0, PUSHED_T0(sp)
    la t1, __gnomon_records
    sw t0, STATE_RESUME(t1)
    li t0, MPIE
    csrc mstatus, t0
    la t0, __gnomon_records_resume
    lw t1, PUSHED_T1(sp)
    addi sp, sp, PUSHED_BYTES
    mret
    .size __wrap_freertos_risc_v_trap_handler, . - __wrap_freertos_risc_v_trap_handler

    /* The task that goes on after a trap is here first. An interrupt may come before the second instruction. */
    .type trap_ends, @function
trap_ends:
    sw t0, PUSHED_T0(sp)
    csrrci t0, mstatus, 8
    sw t0, PUSHED_MSTATUS(sp)
    sw t1, PUSHED_T1(sp)
    lw t0, __gnomon_freertos_next
    bltz t0, 1f
    addi sp, sp, -64
    sw ra, 0(sp)
    sw t2, 4(sp)
    sw t3, 8(sp)
    sw t4, 12(sp)
    sw t5, 16(sp)
    sw t6, 20(sp)
    sw a0, 24(sp)
    sw a1, 28(sp)
    sw a2, 32(sp)
    sw a3, 36(sp)
    sw a4, 40(sp)
    sw a5, 44(sp)
    sw a6, 48(sp)
    sw a7, 52(sp)
    call change_thread
    lw ra, 0(sp)
    lw t2, 4(sp)
    lw t3, 8(sp)
    lw t4, 12(sp)
    lw t5, 16(sp)
    lw t6, 20(sp)
    lw a0, 24(sp)
    lw a1, 28(sp)
    lw a2, 32(sp)
    lw a3, 36(sp)
    lw a4, 40(sp)
    lw a5, 44(sp)
    lw a6, 48(sp)
    lw a7, 52(sp)
    addi sp, sp, 64
    /* Only mret jumps without changing a register. */
1:  lw t0, PUSHED_MSTATUS(sp)
    li t1, MPIE
    csrc mstatus, t1
    slli t0, t0, 4 /* MIE to MPIE */
    and t0, t0, t1
    li t1, MPP
    or t0, t0, t1
    csrs mstatus, t0
    lw t0, PUSHED_PC(sp)
    csrw mepc, t0
    lw t0, PUSHED_T0(sp)
    lw t1, PUSHED_T1(sp)
    addi sp, sp, PUSHED_BYTES
    mret
    .size trap_ends, . - trap_ends

    /* Tells the records which thread runs, if it is another one. */
    .type change_thread, @function
change_thread:
    lw a0, __gnomon_freertos_next
    bltz a0, 1f
    li t0, -1
    sw t0, __gnomon_freertos_next, t1
    tail gnomon_records_thread
1:  ret
    .size change_thread, . - change_thread

    /* A new task begins here; void __gnomon_freertos_begins(unsigned long *context) has put its function in s0. */
    .type task_begins, @function
task_begins:
    csrrci s1, mstatus, 8
    mv s2, a0
    mv s3, ra
    call change_thread
    mv a0, s2
    mv ra, s3
    andi s1, s1, 8
    csrs mstatus, s1
    jr s0
    .size task_begins, . - task_begins

    .globl __gnomon_freertos_begins
    .type __gnomon_freertos_begins, @function
__gnomon_freertos_begins:
    lw t0, CONTEXT_PC(a0)
    sw t0, CONTEXT_S0(a0)
    la t0, task_begins
    sw t0, CONTEXT_PC(a0)
    ret
    .size __gnomon_freertos_begins, . - __gnomon_freertos_begins

    /* int __gnomon_freertos_next: the thread that runs when the trap has ended; -1: the same as before. */
    .section .sdata.__gnomon_freertos_next, "aw"
    .balign 4
    .globl __gnomon_freertos_next
    .type __gnomon_freertos_next, @object
    .size __gnomon_freertos_next, 4
__gnomon_freertos_next:
    .word -1
