/* SPDX-License-Identifier: Apache-2.0 */
/* Results used 0 to 3 instructions later, as either operand, from each kind of producer. */
#include "macros.h"
#define USE(expected, ...) \
    li a0, 0; __VA_ARGS__; add a1, a0, zero; CHECK(a1, expected); \
    li a0, 0; __VA_ARGS__; nop; add a1, zero, a0; CHECK(a1, expected); \
    li a0, 0; __VA_ARGS__; nop; nop; add a1, a0, zero; CHECK(a1, expected); \
    li a0, 0; __VA_ARGS__; nop; nop; nop; add a1, zero, a0; CHECK(a1, expected); \
    li a0, 0; __VA_ARGS__; sw a0, 0(s6); lw a1, 0(s6); CHECK(a1, expected); \
    li a0, 0; __VA_ARGS__; xori a1, a0, -1; CHECK(a1, ~(expected)); \
    li a0, 0; __VA_ARGS__; li a2, 1; mul a1, a2, a0; CHECK(a1, expected); \
    li a0, 0; __VA_ARGS__; beqz a0, fail; \
    li a0, 0; __VA_ARGS__; nop; beqz a0, fail
PROLOGUE
    la s5, data
    la s6, room
    li s7, 6
    li s8, 7
    USE(0x123, li a0, 0x123)
    USE(0x98765000, lui a0, 0x98765)
    USE(-1, sub a0, s7, s8)
    USE(0x89abcdef, lw a0, 0(s5))
    USE(0xffffffcd, lb a0, 1(s5))
    USE(0x89ab, lhu a0, 2(s5))
    USE(42, mul a0, s7, s8)
    li s9, 0x10001000
    USE(0x01000200, mulhu a0, s9, s9)
    USE(1, div a0, s8, s7)
    USE(1, rem a0, s8, s7)
    csrw mscratch, s8
    USE(7, csrr a0, mscratch)
    USE(1, sltu a0, s7, s8)
    /* The latest of several writers counts; x0 never has a value. */
    li a0, 1
    li a0, 2
    li a0, 3
    addi a0, a0, 1
    CHECK(a0, 4)
    addi zero, a0, 5
    add a1, zero, zero
    CHECK(a1, 0)
    lw zero, 0(s5)
    mv a1, zero
    add a1, zero, zero
    CHECK(a1, 0)
    jal zero, 1f
1:  add a1, zero, zero
    CHECK(a1, 0)
    /* The link register of a call, read at the target. */
    .option push
    .option norvc
    jal ra, 2f
ret1: FAIL
2:  mv a1, ra
    CHECK_ADDR(a1, ret1)
    la t0, 3f
    jalr ra, 0(t0)
ret2: FAIL
3:  addi a1, ra, 0
    CHECK_ADDR(a1, ret2)
    /* jalr with one register as base and link, and a base from a load. */
    la t0, 4f
    sw t0, 0(s6)
    lw ra, 0(s6)
    jalr ra, 0(ra)
ret3: FAIL
4:  CHECK_ADDR(ra, ret3)
    .option pop
    /* A loop whose branch depends on a load. */
    li a0, 5
    sw a0, 0(s6)
    li a2, 0
5:  lw a1, 0(s6)
    addi a2, a2, 1
    addi a1, a1, -1
    sw a1, 0(s6)
    lw a1, 0(s6)
    bnez a1, 5b
    CHECK(a2, 5)
    j pass
    .balign 4
data: .word 0x89abcdef
EPILOGUE
    .bss
room: .space 16
