# SPDX-License-Identifier: Apache-2.0
# Counts the cycles of every stall cause, and all cycles, while straight code and then loads run, with cold and warm
# caches. The six counters take three turns, after two turns that only train the branch predictor. RESULTS has the
# counts by turn, by run (code cold, code warm, loads, other lines cold, other lines warm), six causes in their order,
# and cycles. Exits with 0.
    .equ RESULTS, 0x10008000
    .equ DATA, 0x10010000             # lines of the loads
    .equ OTHER, 0x10020000            # lines that share cache places with DATA
    .equ LOADS, 32
    .equ LINE, 32

    .globl _start
_start:
    li      s11, RESULTS
    li      s10, 1 - 2 * 6            # the first event; cause c is event 1 + c; the first two turns count none
    li      s9, 5
turn:
    mv      t0, s10
    .irp n, 3, 4, 5, 6, 7, 8
    csrw    mhpmevent\n, t0
    addi    t0, t0, 1
    .endr
    la      s0, code
    fence.i
    call    count
    call    count
    la      s0, loads
    li      a0, OTHER
    call    count
    li      a0, DATA
    call    count
    li      a0, DATA
    call    count
    addi    s10, s10, 6
    addi    s9, s9, -1
    bnez    s9, turn
    sw      zero, -4(zero)
2:  j       2b

# Runs s0 with the counters on and stores the counts at s11.
count:
    mv      s1, ra
    li      t6, -1
    csrw    mcountinhibit, t6
    csrw    mcycle, zero
    .irp n, 3, 4, 5, 6, 7, 8
    csrw    mhpmcounter\n, zero
    .endr
    csrw    mcountinhibit, zero
    jalr    s0
    csrw    mcountinhibit, t6
    .irp n, 3, 4, 5, 6, 7, 8
    csrr    t0, mhpmcounter\n
    sw      t0, 0(s11)
    addi    s11, s11, 4
    .endr
    csrr    t0, mcycle
    sw      t0, 0(s11)
    addi    s11, s11, 4
    mv      ra, s1
    ret

# Loads from LOADS lines, so far apart in time that each line is filled before the next load; without a branch, so that
# the turns do not differ in the predictor's state.
    .balign LINE
    .option push
    .option norvc
loads:
    .set at, 0
    .rept LOADS
    lw      t0, at(a0)
    .set at, at + LINE
    .rept 16
    nop
    .endr
    .endr
    ret
    .option pop

    .balign LINE
    .option push
    .option norvc
code:
    .rept 32 * LINE / 4
    nop
    .endr
    ret
    .option pop
