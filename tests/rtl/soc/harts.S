# SPDX-License-Identifier: Apache-2.0
# Two harts that execute nothing but atomic instructions, at the same word, so that nobody else gets the bus by chance.
# With the word GO at 0 they do so for ever. Otherwise each does it GO times, and hart 1 ends the program, with its cycles. Each sends
# enters and exits, and accesses a lock segment.
    .option arch, +a
    .equ SYSCTL, 0xF0000000
    .equ HART1_START, 0x54
    .equ LOCKS, 0xE0000000

    .globl _start
_start:
    j       begin
    .balign 16
go:     .word   0
sum:    .word   0
counts: .word   0, 0
done:   .word   0
cycles: .word   0

begin:
    csrr    s0, mhartid
    bnez    s0, both
    li      t0, SYSCTL
    la      t1, _start
    sw      t1, HART1_START(t0)
both:
    la      s1, go
    addi    s2, s1, 4           # sum
    slli    t0, s0, 2
    add     s3, s1, t0          # counts at 8(s3)
    li      s4, 1
    lw      s5, 0(s1)
    li      s6, LOCKS
    slli    t0, s0, 4
    add     s6, s6, t0
1:  sb      ra, -1(zero)
    amoadd.w zero, s4, (s2)
    amoadd.w zero, s4, (s2)
    amoadd.w zero, s4, (s2)
2:  lr.w    t0, (s2)
    addi    t0, t0, 1
    sc.w    t1, t0, (s2)
    bnez    t1, 2b
    sb      sp, -1(zero)
    sw      zero, 8(s6)
    lw      t0, 8(s3)
    addi    t0, t0, 1
    sw      t0, 8(s3)
    bne     t0, s5, 1b

    addi    s7, s1, 16          # done
    amoadd.w zero, s4, (s7)
3:  lw      t0, (s7)
    addi    t0, t0, -2
    bnez    t0, 3b
    beqz    s0, 4f
    csrr    t0, mcycle
    sw      t0, 4(s7)
    li      a0, 99
    sw      a0, -4(zero)
4:  j       4b
