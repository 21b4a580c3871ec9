/* SPDX-License-Identifier: Apache-2.0 */
/* Switches of stacks, and the traps of programs with threads. */

#define SYSCTL 0xF0000000
#define STACK_LIMIT 0x44
#define TIMER 0xF0001000
#define MTIME_LO 0
#define MTIME_HI 4
#define MTIMECMP_LO 8
#define MTIMECMP_HI 12
#define MSIP 16
#define HART1_MSIP 20
#define HART1_MTIMECMP_LO 24
#define HART1_MTIMECMP_HI 28
    .cfi_sections .debug_frame

#define SWITCH_BYTES 64
#define MPIE 0x80
#define MPP 0x1800
#define CAUSE_ECALL_M 11
#define RETRY_CYCLES 400 /* a hook of the software records takes less */

    /* void __gnomon_switch(struct gnomon_thread *from, struct gnomon_thread *to) */
    .section .text.__gnomon_switch, "ax"
    .globl __gnomon_switch
    .type __gnomon_switch, @function
__gnomon_switch:
    .cfi_startproc
    addi sp, sp, -SWITCH_BYTES
    .cfi_def_cfa_offset SWITCH_BYTES
    sw ra, 0(sp)
    .cfi_offset ra, -SWITCH_BYTES
    sw s0, 4(sp)
    sw s1, 8(sp)
    sw s2, 12(sp)
    sw s3, 16(sp)
    sw s4, 20(sp)
    sw s5, 24(sp)
    sw s6, 28(sp)
    sw s7, 32(sp)
    sw s8, 36(sp)
    sw s9, 40(sp)
    sw s10, 44(sp)
    sw s11, 48(sp)
    sw sp, 0(a0)
    lw sp, 0(a1)
    lw tp, 4(a1)
    lw t0, 8(a1)
#if GNOMON_HARTS > 1
    csrr t1, mhartid
    bnez t1, 1f /* only hart 0's stack is guarded */
#endif
    li t1, SYSCTL
    sw t0, STACK_LIMIT(t1) /* after sp: the device compares each sp with the limit of its time */
1:
    lw ra, 0(sp)
    lw s0, 4(sp)
    lw s1, 8(sp)
    lw s2, 12(sp)
    lw s3, 16(sp)
    lw s4, 20(sp)
    lw s5, 24(sp)
    lw s6, 28(sp)
    lw s7, 32(sp)
    lw s8, 36(sp)
    lw s9, 40(sp)
    lw s10, 44(sp)
    lw s11, 48(sp)
    addi sp, sp, SWITCH_BYTES
    ret
    .cfi_endproc
    .size __gnomon_switch, . - __gnomon_switch

    /* A new thread begins here. s0: its struct gnomon_thread. */
    .section .text.__gnomon_thread_begin, "ax"
    .globl __gnomon_thread_begin
    .type __gnomon_thread_begin, @function
__gnomon_thread_begin:
    .cfi_startproc
    .cfi_undefined ra /* no caller: a walk up the stack ends here */
    mv a0, s0
    call __gnomon_thread_main
    .cfi_endproc
    .size __gnomon_thread_begin, . - __gnomon_thread_begin

#if GNOMON_HARTS > 1
    /* Hart 0 idles for the first time: __gnomon_switch comes here. */
    .section .text.__gnomon_idler_begin, "ax"
    .globl __gnomon_idler_begin
    .type __gnomon_idler_begin, @function
__gnomon_idler_begin:
    .cfi_startproc
    .cfi_undefined ra
    call __gnomon_idler_main
    .cfi_endproc
    .size __gnomon_idler_begin, . - __gnomon_idler_begin

    /* First instructions of hart 1: on the stack of its idler. */
    .section .text.__gnomon_second_begin, "ax"
    .globl __gnomon_second_begin
    .type __gnomon_second_begin, @function
    .balign 4
__gnomon_second_begin:
    .cfi_startproc
    .cfi_undefined ra
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la a0, __gnomon_threads_vectors
    ori a0, a0, 1
    csrw mtvec, a0
    lw a0, __gnomon_second_idler
    lw sp, 0(a0)
    lw tp, 4(a0)
    addi sp, sp, SWITCH_BYTES
    call __gnomon_second_main
    .cfi_endproc
    .size __gnomon_second_begin, . - __gnomon_second_begin
#endif

    /* ---- Preemption ----
     * The handler of the timer's interrupt only makes the trap return to `preempted`, with interrupts off. There, the
     * thread saves its registers and calls the scheduler, like a thread that gives up the hart. When it runs again, it
     * restores its registers, and continues where it was interrupted by a trap of its own (`resume`), because only mret
     * can jump without changing a register. Meanwhile the words below sp have this layout: */
#define PREEMPTED_BYTES 80
#define AT(offset) (offset - PREEMPTED_BYTES)(sp) /* sp as the interrupted code has it */
#define PC 0
#define RA 4
#define T0 8
#define T1 12
#define SCRATCH 68

    .section .text.gnomon_timer_interrupt, "ax"
    .globl gnomon_timer_interrupt
    .type gnomon_timer_interrupt, @function
gnomon_timer_interrupt:
#if GNOMON_HARTS > 1
    .globl gnomon_software_interrupt /* from the other hart */
    .type gnomon_software_interrupt, @function
gnomon_software_interrupt:
#endif
    sw t0, AT(T0)
    sw t1, AT(T1)
    csrr t0, mepc
    sw t0, AT(PC)
    /* No switch in the middle of a hook of the software records. The symbols are 0 without them. */
    .weak __gnomon_records_hooks
    .weak __gnomon_records_hooks_end
    la t1, __gnomon_records_hooks
    bltu t0, t1, 1f
    la t1, __gnomon_records_hooks_end
    bltu t0, t1, later
1:  csrr t0, mstatus
    li t1, MPP
    and t0, t0, t1
    bne t0, t1, later /* user mode: it would go on in user mode */
    li t0, MPIE
    csrc mstatus, t0
    la t0, preempted
    csrw mepc, t0
2:  lw t0, AT(T0)
    lw t1, AT(T1)
    mret
later: /* in the worst case the carry is missing, and the interrupt comes again at once */
    li t0, TIMER
#if GNOMON_HARTS > 1
    csrr t1, mhartid
    beqz t1, 3f
    lw t1, MTIME_LO(t0)
    addi t1, t1, RETRY_CYCLES
    sw zero, HART1_MSIP(t0)
    sw t1, HART1_MTIMECMP_LO(t0)
    lw t1, MTIME_HI(t0)
    sw t1, HART1_MTIMECMP_HI(t0)
    j 2b
3:  sw zero, MSIP(t0)
#endif
    lw t1, MTIME_LO(t0)
    addi t1, t1, RETRY_CYCLES
    sw t1, MTIMECMP_LO(t0)
    lw t1, MTIME_HI(t0)
    sw t1, MTIMECMP_HI(t0)
    j 2b
    .size gnomon_timer_interrupt, . - gnomon_timer_interrupt

    .type preempted, @function
preempted:
    .cfi_startproc
    .cfi_undefined ra
    addi sp, sp, -PREEMPTED_BYTES
    sw ra, RA(sp)
    sw t2, 16(sp)
    sw a0, 20(sp)
    sw a1, 24(sp)
    sw a2, 28(sp)
    sw a3, 32(sp)
    sw a4, 36(sp)
    sw a5, 40(sp)
    sw a6, 44(sp)
    sw a7, 48(sp)
    sw t3, 52(sp)
    sw t4, 56(sp)
    sw t5, 60(sp)
    sw t6, 64(sp)
    call __gnomon_preempt
    lw ra, RA(sp)
    lw t0, T0(sp)
    lw t1, T1(sp)
    lw t2, 16(sp)
    lw a0, 20(sp)
    lw a1, 24(sp)
    lw a2, 28(sp)
    lw a3, 32(sp)
    lw a4, 36(sp)
    lw a5, 40(sp)
    lw a6, 44(sp)
    lw a7, 48(sp)
    lw t3, 52(sp)
    lw t4, 56(sp)
    lw t5, 60(sp)
    lw t6, 64(sp)
    addi sp, sp, PREEMPTED_BYTES
resume:
    ecall
    .cfi_endproc
    .size preempted, . - preempted

    /* An exception: `resume`, or one for the program's own handler. */
    .type exception, @function
exception:
    csrw mscratch, t0
    csrr t0, mcause
    addi t0, t0, -CAUSE_ECALL_M
    bnez t0, 2f
    sw t1, AT(SCRATCH)
    csrr t1, mepc
    la t0, resume
    bne t0, t1, 1f
    lw t1, AT(PC)
    csrw mepc, t1
    li t0, MPIE
    csrs mstatus, t0
    lw t1, AT(SCRATCH)
    csrr t0, mscratch
    mret
1:  lw t1, AT(SCRATCH)
2:  csrr t0, mscratch
    j gnomon_exception
    .size exception, . - exception

    /* The table of start.S with another entry for exceptions. */
    .section .text.__gnomon_threads_vectors, "ax"
    .balign 256
    .globl __gnomon_threads_vectors
__gnomon_threads_vectors:
    .option push
    .option norvc
    .option norelax
    j exception
    .rept 2
    j __gnomon_trapped
    .endr
    j gnomon_software_interrupt
    .rept 3
    j __gnomon_trapped
    .endr
    j gnomon_timer_interrupt
    .rept 3
    j __gnomon_trapped
    .endr
    j gnomon_external_interrupt
    j __gnomon_trapped
    j gnomon_counter_interrupt
    .rept 2
    j __gnomon_trapped
    .endr
    j gnomon_profile_interrupt
    .option pop
