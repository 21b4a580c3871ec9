# SPDX-License-Identifier: Apache-2.0
# Prints, echoes its input, takes a timer interrupt, accesses every kind of address, and exits with 42.
    .equ UART, 0xF0002000
    .equ TIMER, 0xF0001000
    .equ LOCKS, 0xE0000000

    .globl _start
_start:
    la      t0, trap
    csrw    mtvec, t0
    la      a0, hello
    call    print

# Echo until a newline.
    li      s0, UART
1:  lw      a0, 0(s0)
    bltz    a0, 1b
    mv      s1, a0
    call    putc
    li      t0, 10
    bne     s1, t0, 1b

# A load from page 0 traps with cause 5, one from a lock segment reads 0.
    li      s2, 0
    lw      t0, 0(zero)
    li      t0, 5
    bne     s2, t0, fail
    li      t0, LOCKS
    sw      t0, 8(t0)
    lw      t1, 8(t0)
    bnez    t1, fail

# Timer interrupt.
    li      s2, 0
    li      t0, TIMER
    lw      t1, 0(t0)
    addi    t1, t1, 500
    sw      t1, 8(t0)
    sw      zero, 12(t0)
    li      t1, 0x80
    csrw    mie, t1
    csrsi   mstatus, 8
    wfi
2:  beqz    s2, 2b
    li      t0, 0x80000007
    bne     s2, t0, fail

# Modified code runs after fence.i.
    la      t0, patched
    li      t1, 0x02a00513        # li a0, 42
    sw      t1, 0(t0)
    fence.i
    .balign 4
    .option push
    .option norvc
patched:
    li      a0, 1
    .option pop
    j       exit
fail:
    li      a0, 99
exit:
    sw      a0, -4(zero)
3:  j       3b

print:
    mv      s3, ra
    mv      s4, a0
1:  lbu     a0, 0(s4)
    beqz    a0, 2f
    call    putc
    addi    s4, s4, 1
    j       1b
2:  jr      s3

putc:
    li      t0, UART
1:  lw      t1, 4(t0)
    andi    t1, t1, 1
    beqz    t1, 1b
    sw      a0, 0(t0)
    ret

    .balign 4
trap:
    csrr    s2, mcause
    bltz    s2, 1f
    csrr    t2, mepc
    lhu     t3, 0(t2)
    andi    t3, t3, 3
    addi    t3, t3, -3
    seqz    t3, t3
    slli    t3, t3, 1
    addi    t3, t3, 2
    add     t2, t2, t3
    csrw    mepc, t2
    mret
1:  csrw    mie, zero
    mret

hello:
    .asciz "hello from the hart\n"
