# SPDX-License-Identifier: Apache-2.0
# Load for the speed of the simulation: array accesses, multiplications, some divisions, branches, and a hooked call
# about every hundred instructions. Exits with the low byte of the checksum.
    .globl _start
_start:
    la      s0, array
    lw      s1, -4(s0)            # rounds
    li      s2, 0
1:  sb      ra, -1(zero)
    li      s3, 16
    mv      s4, s0
2:  lw      t0, 0(s4)
    mul     t1, t0, s1
    xor     s2, s2, t1
    sw      s2, 0(s4)
    addi    s4, s4, 4
    andi    t2, s2, 1
    beqz    t2, 3f
    addi    s2, s2, 3
3:  addi    s3, s3, -1
    bnez    s3, 2b
    andi    t0, s1, 15
    bnez    t0, 4f
    divu    t1, s2, s1
    add     s2, s2, t1
4:  sb      sp, -1(zero)
    addi    s1, s1, -1
    bnez    s1, 1b
    andi    a0, s2, 255
    sw      a0, -4(zero)
5:  j       5b

    .balign 4
    .word 40000                   # rounds; bench_sim.py reduces them to count host instructions
array:
    .word 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
