/* SPDX-License-Identifier: Apache-2.0 */
/* Start-up and trap vectors. The host has loaded code and data to their run-time addresses. The start-up code sets up
 * stack, bss and tp. */

#define SYSCTL 0xF0000000
#define SYSCTL_RAM_BASE 0x10
#define SYSCTL_RAM_BYTES 0x14
#define SYSCTL_PARAM 0x2C
#define WINDOW_EXIT -4(zero)

    .section .text.gnomon.start, "ax"
    .globl _start
    .type _start, @function
_start:
    .cfi_startproc
    .cfi_undefined ra /* no caller: a walk up the stack ends here */
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop

    /* The stack begins right below the parameter block. Without a parameter block it begins at the end of memory. */
    li a0, SYSCTL
    lw sp, SYSCTL_PARAM(a0)
    bnez sp, 1f
    lw sp, SYSCTL_RAM_BASE(a0)
    lw a1, SYSCTL_RAM_BYTES(a0)
    add sp, sp, a1
1:  andi sp, sp, -16

    la a1, __bss_start
    la a2, __bss_end
    bgeu a1, a2, 3f
2:  sw zero, 0(a1)
    addi a1, a1, 4
    bltu a1, a2, 2b
3:
    la tp, __tls_base
    la a1, __gnomon_vectors
    ori a1, a1, 1 /* vectored */
    csrw mtvec, a1
    mv a0, sp
    call __gnomon_main
    .cfi_endproc
    .size _start, . - _start

    /* Stores the registers that a walk up the stack needs in __gnomon_crash (struct gnomon_param_crash). Changes t0. */
    .macro save_registers pc
    la t0, __gnomon_crash
    sw \pc, 16(t0)
    sw ra, 20(t0)
    sw sp, 24(t0)
    sw s0, 28(t0)
    sw s1, 32(t0)
    sw s2, 36(t0)
    sw s3, 40(t0)
    sw s4, 44(t0)
    sw s5, 48(t0)
    sw s6, 52(t0)
    sw s7, 56(t0)
    sw s8, 60(t0)
    sw s9, 64(t0)
    sw s10, 68(t0)
    sw s11, 72(t0)
    .endm

    /* To be called as first instruction of a function, with link register t1: saves the registers of the caller. */
    .section .text.__gnomon_crash_here, "ax"
    .globl __gnomon_crash_here
    .type __gnomon_crash_here, @function
__gnomon_crash_here:
    save_registers ra
    jr t1
    .size __gnomon_crash_here, . - __gnomon_crash_here

    /* void __gnomon_exit(uint32_t status): sends the EXIT message; the SoC then halts the hart. */
    .section .text.__gnomon_exit, "ax"
    .globl __gnomon_exit
    .type __gnomon_exit, @function
__gnomon_exit:
    csrci mstatus, 8
    sw a0, WINDOW_EXIT
1:  wfi
    j 1b
    .size __gnomon_exit, . - __gnomon_exit

    /* Entry 0 is for exceptions, entry n for interrupt n. A program defines its handlers with GNOMON_INTERRUPT. */
    .section .text.gnomon.vectors, "ax"
    .balign 256
    .globl __gnomon_vectors
__gnomon_vectors:
    .option push
    .option norvc
    .option norelax
    j gnomon_exception /* 0, and all exceptions */
    .rept 2
    j __gnomon_trapped
    .endr
    j gnomon_software_interrupt /* 3 */
    .rept 3
    j __gnomon_trapped
    .endr
    j gnomon_timer_interrupt /* 7 */
    .rept 3
    j __gnomon_trapped
    .endr
    j gnomon_external_interrupt /* 11 */
    j __gnomon_trapped
    j gnomon_counter_interrupt /* 13 */
    .rept 2
    j __gnomon_trapped
    .endr
    j gnomon_profile_interrupt /* 16 */
    .option pop

    .weak gnomon_exception
    .weak gnomon_software_interrupt
    .weak gnomon_timer_interrupt
    .weak gnomon_external_interrupt
    .weak gnomon_counter_interrupt
    .weak gnomon_profile_interrupt
    .globl __gnomon_trapped
    .type __gnomon_trapped, @function
gnomon_exception:
gnomon_software_interrupt:
gnomon_timer_interrupt:
gnomon_external_interrupt:
gnomon_counter_interrupt:
gnomon_profile_interrupt:
    /* The program has no handler: report to the host and end. The stack may be broken, so use the emergency stack. */
__gnomon_trapped:
    csrr a1, mepc
    save_registers a1
    la sp, __gnomon_trap_stack_top
    csrr a0, mcause
    csrr a1, mtval
    call __gnomon_trap_report
    .size __gnomon_trapped, . - __gnomon_trapped

    .section .bss.__gnomon_trap_stack, "aw", @nobits
    .balign 16
    .zero 512
__gnomon_trap_stack_top:
