# SPDX-License-Identifier: Apache-2.0
# What a simulated board runs while it counts its own branches (docs/sim.md, "Compiled with feedback"): calls with hooks, nested and
# through pointers, loads and stores of each width, branches that cannot be foreseen, multiplications, divisions, code and data that
# miss the caches, timer interrupts, console. Exits with 0.
    .equ TIMER, 0xF0001000
    .equ UART, 0xF0002000
    .equ DATA, 0x10010000
    .equ ROUNDS, 128
    .equ INTERRUPT_EVERY, 1500        # cycles

    .globl _start
_start:
    li      sp, DATA
    la      t0, interrupt
    csrw    mtvec, t0
    li      s1, TIMER
    jal     next_interrupt
    li      t0, 0x80
    csrw    mie, t0
    csrsi   mstatus, 8
    li      s0, ROUNDS
    li      s2, 12345                 # state of the generator of random numbers
    li      s3, DATA
round:
    sb      ra, -1(zero)
    call    words
    call    bytes
    andi    t0, s0, 7
    bnez    t0, 1f
    call    long_code
    call    spread_loads
1:  la      t0, branches
    jalr    t0
    li      a0, 4
    call    nested
    andi    t0, s0, 63
    bnez    t0, 2f
    li      t1, UART
    li      t0, '.'
    sw      t0, 0(t1)
2:  sb      sp, -1(zero)
    addi    s0, s0, -1
    bnez    s0, round
    sw      zero, -4(zero)
3:  j       3b

words:
    sb      ra, -2(zero)
    mv      t0, s3
    li      t1, 12
1:  lw      t2, 0(t0)
    mul     t3, t2, s0
    xor     t2, t3, t1
    sw      t2, 0(t0)
    addi    t0, t0, 4
    addi    t1, t1, -1
    bnez    t1, 1b
    andi    t0, s0, 3
    bnez    t0, 2f
    divu    t3, t2, s0
    rem     t2, t3, s2
2:  sb      sp, -2(zero)
    ret

bytes:
    sb      ra, -3(zero)
    mv      t0, s3
    li      t1, 12
1:  lbu     t2, 1(t0)
    lh      t3, 2(t0)
    add     t2, t2, t3
    sb      t2, 64(t0)
    sh      t3, 128(t0)
    addi    t0, t0, 2
    addi    t1, t1, -1
    bnez    t1, 1b
    sb      sp, -3(zero)
    ret

branches:
    sb      ra, -4(zero)
    li      t1, 12
1:  slli    t0, s2, 13                # xorshift
    xor     s2, s2, t0
    srli    t0, s2, 17
    xor     s2, s2, t0
    slli    t0, s2, 5
    xor     s2, s2, t0
    andi    t0, s2, 1
    beqz    t0, 2f
    sltu    t3, t1, s2
    sub     t2, s2, t3
2:  addi    t1, t1, -1
    bnez    t1, 1b
    csrr    t0, mcycle
    sb      sp, -4(zero)
    ret

# a0: how deep
nested:
    sb      ra, -5(zero)
    addi    sp, sp, -8
    sw      ra, 4(sp)
    addi    a0, a0, -1
    blez    a0, 1f
    call    nested
1:  lw      ra, 4(sp)
    addi    sp, sp, 8
    sb      sp, -5(zero)
    ret

spread_loads:
    sb      ra, -6(zero)
    li      t0, DATA
    li      t1, 64
    li      t3, 4096
1:  lw      t2, 0(t0)
    add     t0, t0, t3
    addi    t1, t1, -1
    bnez    t1, 1b
    sb      sp, -6(zero)
    ret

# Longer than an instruction cache.
long_code:
    sb      ra, -7(zero)
    .rept 800
    addi    t0, t0, 3
    xori    t1, t0, 1023
    .endr
    sb      sp, -7(zero)
    ret

    .balign 4
interrupt:
    addi    sp, sp, -16
    sw      t0, 0(sp)
    sw      ra, 4(sp)
    jal     next_interrupt
    lw      t0, 0(sp)
    lw      ra, 4(sp)
    addi    sp, sp, 16
    mret

next_interrupt:
    lw      t0, 0(s1)
    addi    t0, t0, INTERRUPT_EVERY
    sw      t0, 8(s1)
    sw      zero, 12(s1)
    ret
