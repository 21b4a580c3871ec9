/* SPDX-License-Identifier: Apache-2.0 */
/* The hooks of the software mode. They are called with t0 as link register and may change t0, t1 and t3 to t6. A hook
 * is never interrupted in its middle: an interrupt that comes is sent back until the hook has ended
 * (__gnomon_records_trap below). records.c handles the rare cases. docs/guide/firmware.md says how the records are kept. */
#include "records.h"

#ifdef GNOMON_RECORDS_FIND
#include GNOMON_RECORDS_FIND
#endif

#define STATE(field) (__gnomon_records + STATE_##field)

/* For tests: sends each event as the hook saw it in messages (records.h). The division slows the hook down, so that no
 * message is lost. */
#if GNOMON_RECORDS_TRACE
#define TRACE(channel, reg) sw reg, -4 - 4 * (TRACE_##channel)(zero); divu zero, zero, zero
#else
#define TRACE(channel, reg)
#endif

    .section .text.gnomon.records, "ax"
    /* Between these two, no other thread may run (threads/switch.S). */
    .globl __gnomon_records_hooks
    .globl __gnomon_records_hooks_end
__gnomon_records_hooks:

#if GNOMON_RECORDS_GRAPH
    /* Finds the arc from the record of the frame below to the frame's record (t6). */
    .macro find_arc
    lw t5, FRAME_RECORD - FRAME_BYTES(t3)
    lw t4, RECORD_ARCS(t6)
1:  beqz t4, new_arc
    lw t1, ARC_CALLER(t4)
    beq t1, t5, 2f
    lw t4, ARC_NEXT(t4)
    j 1b
2:  lw t1, ARC_CALLS(t4)
    lw t5, ARC_TOTAL(t4)
    lw t6, ARC_TOTAL + 4(t4)
    addi t1, t1, 1
    sw t1, ARC_CALLS(t4)
    sw t5, FRAME_ARC_SAVED(t3)
    sw t6, FRAME_ARC_SAVED + 4(t3)
    sw t4, FRAME_ARC(t3)
    sw zero, FRAME_CALLEES(t3)
    sw zero, FRAME_CALLEES + 4(t3)
    .endm

    /* Counts the call of the frame below t3, which took t4 cycles. Calls that C need not close are shorter than 2^32
     * cycles. */
    .macro keep_call
    lw t5, FRAME_ARC - FRAME_BYTES(t3)
    lw t6, FRAME_ARC_SAVED - FRAME_BYTES(t3)
    lw t1, FRAME_ARC_SAVED + 4 - FRAME_BYTES(t3)
    add t6, t6, t4
    sw t6, ARC_TOTAL(t5)
    sltu t6, t6, t4
    add t1, t1, t6
    sw t1, ARC_TOTAL + 4(t5)
    sw t4, FRAME_ENTERED - FRAME_BYTES(t3)
    lw t1, FRAME_CALLEES - FRAME_BYTES(t3)
    lw t6, ARC_SELF(t5)
    sub t4, t4, t1
    lw t1, ARC_SELF + 4(t5)
    add t6, t6, t4
    sw t6, ARC_SELF(t5)
    sltu t6, t6, t4
    add t1, t1, t6
    sw t1, ARC_SELF + 4(t5)
    lw t4, FRAME_ENTERED - FRAME_BYTES(t3)
    lw t6, FRAME_CALLEES - 2 * FRAME_BYTES(t3)
    lw t1, FRAME_RECORD - FRAME_BYTES(t3)
    add t6, t6, t4
    sw t6, FRAME_CALLEES - 2 * FRAME_BYTES(t3)
    bgeu t6, t4, 4f
    lw t6, FRAME_CALLEES + 4 - 2 * FRAME_BYTES(t3)
    addi t6, t6, 1
    sw t6, FRAME_CALLEES + 4 - 2 * FRAME_BYTES(t3)
4:
    /* Adds 4 times the position of the highest set bit of the duration, found by halving. */
    .irp half, 16, 8, 4, 2, 1
    srli t5, t4, \half
    beqz t5, 4f
    mv t4, t5
    addi t1, t1, 4 * \half
4:
    .endr
    lw t5, RECORD_LENGTHS(t1)
    lw t4, FRAME_ENTERED - FRAME_BYTES(t3)
    addi t5, t5, 1
    beqz t5, 4f
    sw t5, RECORD_LENGTHS(t1)
4:
    .endm
#endif

    /* t1: address of the slot, which is -1 - number. For cases that C must handle, it goes to enter_slow without having
     * changed anything. */
    .globl __gnomon_records_enter
    .type __gnomon_records_enter, @function
__gnomon_records_enter:
    lw t3, STATE(TOP)
    lw t4, STATE(LIMIT)
    bgeu t3, t4, enter_slow
    csrr t4, mcycle
    csrr t5, mcycleh
    lw t6, STATE(HIGH)
    bne t5, t6, enter_slow
    TRACE(HIGH, t5)
    TRACE(LOW, t4)
    TRACE(SP, sp)
    lw t5, STATE(AWAY)
    sub t4, t4, t5
    sw t4, FRAME_ENTERED(t3)
#ifdef GNOMON_RECORDS_FIND /* a benchmark's own search: finds the record (t6) from t0; may change t1, t4, t5 */
    find_record
#elif GNOMON_RECORDS_POINTERS
    lw t5, STATE(END)
    slli t6, t1, 2
    add t6, t6, t5
    lw t6, 0(t6)
    beqz t6, enter_slow /* the function's first call */
#else
    lw t5, STATE(END)
    slli t6, t1, RECORD_BYTES_LOG2
    add t6, t6, t5
#endif
    TRACE(ENTER, t1)
enter_record:
    lw t4, RECORD_CALLS(t6)
    lw t5, RECORD_TOTAL(t6)
    addi t4, t4, 1
    sw t4, RECORD_CALLS(t6)
    sw t5, FRAME_SAVED(t3)
    sw t6, FRAME_RECORD(t3)
    sw sp, FRAME_SP(t3)
#if GNOMON_RECORDS_GRAPH
    find_arc
#endif
    addi t3, t3, FRAME_BYTES
    sw t3, STATE(TOP), t4
    jr t0
    .size __gnomon_records_enter, . - __gnomon_records_enter

    /* The hook for entries of functions in a module. t4: address of the ends of the module's arrays. */
    .globl __gnomon_records_enter_module
    .type __gnomon_records_enter_module, @function
__gnomon_records_enter_module:
    lw t3, STATE(PLACE)
    add t3, t3, t4
    lw t3, 0(t3)
#if GNOMON_RECORDS_POINTERS
    slli t5, t1, 2
    add t5, t5, t3
    lw t3, 0(t5)
    beqz t3, enter_module_slow
    mv t1, t3
#else
    slli t1, t1, RECORD_BYTES_LOG2
    add t1, t1, t3
#endif
    lw t3, STATE(TOP)
    lw t4, STATE(LIMIT)
    bgeu t3, t4, enter_record_slow
    csrr t4, mcycle
    csrr t5, mcycleh
    lw t6, STATE(HIGH)
    bne t5, t6, enter_record_slow
    lw t5, STATE(AWAY)
    sub t4, t4, t5
    sw t4, FRAME_ENTERED(t3)
    mv t6, t1
    j enter_record
    .size __gnomon_records_enter_module, . - __gnomon_records_enter_module

    /* SP_REGISTER contains the call's stack pointer. A frame with another stack pointer belongs to another call. */
    .macro leave name, sp_register, slow
    .globl \name
    .type \name, @function
\name:
    .ifnc \sp_register, sp
    addi t1, sp, 16
    .endif
    lw t3, STATE(TOP)
    csrr t4, mcycle
    csrr t5, mcycleh
    lw t6, FRAME_SP - FRAME_BYTES(t3)
    bne t6, \sp_register, \slow
    lw t6, STATE(HIGH)
    bne t5, t6, \slow
    TRACE(LOW, t4)
    TRACE(HIGH, t5)
    TRACE(LEAVE, \sp_register)
    lw t5, STATE(AWAY)
    lw t6, FRAME_ENTERED - FRAME_BYTES(t3)
    sub t4, t4, t5
    sub t4, t4, t6 /* duration of the call */
    lw t1, FRAME_RECORD - FRAME_BYTES(t3)
    lw t6, FRAME_SAVED - FRAME_BYTES(t3)
    lw t5, RECORD_TOTAL(t1)
    bne t5, t6, 2f
    add t6, t6, t4
    bltu t6, t4, \slow
    sw t6, RECORD_TOTAL(t1)
1:
#if GNOMON_RECORDS_GRAPH
    keep_call
#endif
    lw t1, FRAME_RECORD - 2 * FRAME_BYTES(t3)
    addi t3, t3, -FRAME_BYTES
    lw t5, RECORD_CALLEES(t1)
    sw t3, STATE(TOP), t6
    add t5, t5, t4
    sw t5, RECORD_CALLEES(t1)
    bltu t5, t4, 3f
    jr t0

    /* The total has grown since the call began, through the call's own recursion. The outer call counts that time now,
     * so it must not count as callees'. The growth is at most the duration of the call. So if the total has wrapped,
     * the new total wraps, too, and C is called. */
2:  sub t5, t5, t6
    add t6, t6, t4
    bltu t6, t4, \slow
    sw t6, RECORD_TOTAL(t1)
    lw t6, RECORD_CALLEES(t1)
    sub t5, t6, t5
    sw t5, RECORD_CALLEES(t1)
    bgeu t6, t5, 1b
    lw t5, RECORD_CALLEES + 4(t1)
    addi t5, t5, -1
    sw t5, RECORD_CALLEES + 4(t1)
    j 1b

3:  lw t5, RECORD_CALLEES + 4(t1)
    addi t5, t5, 1
    sw t5, RECORD_CALLEES + 4(t1)
    jr t0
    .size \name, . - \name
    .endm

    leave __gnomon_records_leave, sp, leave_slow
    /* For a tail call through a t register. The caller has put that register on the stack. */
    leave __gnomon_records_leave_kept, t1, leave_kept_slow

    /* Switches interrupts off and calls C. Saves all registers that C may change, except t1 and t3 to t6. */
    .macro call_c function
    csrrci t3, mstatus, 8
    addi sp, sp, -64
    sw t0, 0(sp)
    sw t2, 4(sp)
    sw t3, 8(sp)
    sw ra, 12(sp)
    sw a0, 16(sp)
    sw a1, 20(sp)
    sw a2, 24(sp)
    sw a3, 28(sp)
    sw a4, 32(sp)
    sw a5, 36(sp)
    sw a6, 40(sp)
    sw a7, 44(sp)
    mv a0, t1
    mv a1, t4
    mv a2, t5
    call \function
    lw t0, 0(sp)
    lw t2, 4(sp)
    lw t3, 8(sp)
    lw ra, 12(sp)
    lw a0, 16(sp)
    lw a1, 20(sp)
    lw a2, 24(sp)
    lw a3, 28(sp)
    lw a4, 32(sp)
    lw a5, 36(sp)
    lw a6, 40(sp)
    lw a7, 44(sp)
    addi sp, sp, 64
    andi t3, t3, 8
    csrs mstatus, t3
    .endm

#if GNOMON_RECORDS_GRAPH
    /* The first call of a pair of caller and callee. */
new_arc:
    addi t3, t3, FRAME_BYTES
    sw t3, STATE(TOP), t4
    call_c __gnomon_records_new_arc
    jr t0
#endif
enter_slow:
    mv t4, sp
    call_c __gnomon_records_enter_slow
    jr t0
enter_record_slow:
    mv t4, sp
    call_c __gnomon_records_enter_record_slow
    jr t0
#if GNOMON_RECORDS_POINTERS
enter_module_slow:
    mv t5, t4
    mv t4, sp
    call_c __gnomon_records_enter_module_slow
    jr t0
#endif
leave_kept_slow:
    addi t1, sp, 16
    j 1f
leave_slow:
    mv t1, sp
1:  call_c __gnomon_records_leave_slow
    jr t0
__gnomon_records_hooks_end:

    /* The interrupted hook returns here: interrupts are on again, and the interrupt that was sent back comes again. */
    .globl __gnomon_records_resume
__gnomon_records_resume:
    lw t0, STATE(RESUME)
    csrsi mstatus, 8
    jr t0

    /* The hook at the entry of an interrupt function. Interrupts are off; t0 and t1 are on the stack. If the interrupt
     * came in the middle of a hook, that hook continues without interrupts and returns through __gnomon_records_resume. */
    .globl __gnomon_records_trap
    .type __gnomon_records_trap, @function
__gnomon_records_trap:
    addi sp, sp, -16
    sw t3, 0(sp)
    sw t4, 4(sp)
    sw t5, 8(sp)
    sw t6, 12(sp)
    csrr t4, mcycle
    csrr t3, mcause
    bgez t3, 1f
    csrr t3, mepc
    la t5, __gnomon_records_hooks
    la t6, __gnomon_records_hooks_end
    bltu t3, t5, 1f
    bgeu t3, t6, 1f
    lw t0, 16 + STUB_T0(sp)
    lw t1, 16 + STUB_T1(sp)
    sw t0, STATE(RESUME), t3
    la t0, __gnomon_records_resume
    lw t3, 0(sp)
    lw t4, 4(sp)
    lw t5, 8(sp)
    lw t6, 12(sp)
    addi sp, sp, 16 + STUB_BYTES
    /* Clearing mstatus.MPIE needs a register, but the hook uses all of them. So t0 is saved on the stack meanwhile. */
    sw t0, -4(sp)
    li t0, 0x80
    csrc mstatus, t0
    lw t0, -4(sp)
    mret
1:  call_c __gnomon_records_trap_begin
    lw t3, 0(sp)
    lw t4, 4(sp)
    lw t5, 8(sp)
    lw t6, 12(sp)
    addi sp, sp, 16
    jr t0
    .size __gnomon_records_trap, . - __gnomon_records_trap

    /* The hook at the exit of an interrupt function. */
    .globl __gnomon_records_untrap
    .type __gnomon_records_untrap, @function
__gnomon_records_untrap:
    addi sp, sp, -16
    sw t3, 0(sp)
    sw t4, 4(sp)
    sw t5, 8(sp)
    sw t6, 12(sp)
    call_c __gnomon_records_trap_end
    lw t3, 0(sp)
    lw t4, 4(sp)
    lw t5, 8(sp)
    lw t6, 12(sp)
    addi sp, sp, 16
    jr t0
    .size __gnomon_records_untrap, . - __gnomon_records_untrap
