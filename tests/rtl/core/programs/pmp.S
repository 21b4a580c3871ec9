/* SPDX-License-Identifier: Apache-2.0 */
/* Physical memory protection. Entry 3 permits the program itself; entries 0 to 2 are tested on `area`, 256 bytes.
 * For any number of entries and any grain up to 64 bytes: s8 is the grain. */
#include "macros.h"
#define CFG0 0x3a0
#define ADDR0 0x3b0
#define R 1
#define W 2
#define X 4
#define TOR 0x08
#define NA4 0x10
#define NAPOT 0x18
#define L 0x80
/* pmpcfg0: entries 0, 1, 2; entry 3 permits everything */
#define CONFIG(c0, c1, c2) li t0, (c0) | (c1) << 8 | (c2) << 16 | 0x1f << 24; csrw CFG0, t0
/* The address of an entry, from an offset into the area; NAPOT of 64 bytes. */
#define PLACE(entry, offset) la t0, area + (offset); srli t0, t0, 2; csrw ADDR0 + entry, t0
#define PLACE64(entry, offset) la t0, area + (offset); srli t0, t0, 2; ori t0, t0, 7; csrw ADDR0 + entry, t0
#define PERMITS(...) li s0, 0; IN_U(__VA_ARGS__; ecall); CHECK(s0, 8)
#define DENIES(cause, offset, ...) li s0, 0; IN_U(99: __VA_ARGS__); CHECK(s0, cause); CHECK_ADDR(s1, 99b); CHECK_ADDR(s2, area + offset)
#define READABLE(offset) la a2, area + offset; PERMITS(lb a3, 0(a2))
#define UNREADABLE(offset) la a2, area + offset; DENIES(5, offset, lb a3, 0(a2))
PROLOGUE 1
    .option norvc
    /* The grain, found as the manual says. */
    csrw CFG0, zero
    li a0, -1
    csrw ADDR0, a0
    csrr a1, ADDR0
    li s8, 4
1:  andi t0, a1, 1
    bnez t0, 2f
    srli a1, a1, 1
    slli s8, s8, 1
    j 1b
2:  csrw CFG0 + 1, a0
    csrr a1, CFG0 + 1
    csrw CFG0 + 1, zero
    csrr a2, ADDR0 + 15
    csrw ADDR0 + 15, a0
    csrr a2, ADDR0 + 15
    beqz a1, 1f                      /* four entries: the others read as 0 */
    li t0, 0x3fffffff
    srli a2, a2, 10
    srli t0, t0, 10
    CHECK_REG(a2, t0)
    li a2, 0
1:  CHECK(a2, 0)
    csrr a1, CFG0 + 3
    CHECK(a1, 0)
    WANT(1f)
    li s0, 0
    csrr a1, CFG0 + 4
    FAIL
1:  CHECK(s0, 2)

    /* Without configured entries, U mode cannot fetch. */
    li t6, MSTATUS_MPP
    csrc mstatus, t6
    la t0, 2f
    csrw mepc, t0
    WANT(1f)
    mret
2:  FAIL
1:  CHECK(s0, 1)
    CHECK_ADDR(s1, 2b)
    CHECK_ADDR(s2, 2b)
    CHECK(s5, 0x80)

    /* Fields: write without read becomes neither; bits 6:5 read as 0. */
    li t0, 0x7a
    csrw CFG0, t0
    csrr a1, CFG0
    CHECK(a1, 0x18)
    li t0, -1
    csrw ADDR0 + 3, t0
    csrr a1, ADDR0 + 3
    CONFIG(0, 0, 0)
    csrr a1, CFG0
    CHECK(a1, 0x1f000000)
    csrr a1, ADDR0 + 3
    CHECK(a1, 0x3fffffff)

    /* Entry 3 permits everything; then each permission alone. */
    PERMITS(la a2, area; lw a3, 0(a2); sw a3, 0(a2))
    PLACE64(0, 64)
    CONFIG(NAPOT | R, 0, 0)
    la a2, area + 64
    PERMITS(lw a3, 0(a2))
    li a3, 0x77
    DENIES(7, 64, sw a3, 0(a2))
    lw a4, 0(a2)
    CHECK(a4, 0x8082)                /* ret; the word has not been written */
    DENIES(7, 67, sb a3, 3(a2))
    li s0, 0
    IN_U(jr a2)
    CHECK(s0, 1)
    CHECK_REG(s1, a2)
    CHECK_REG(s2, a2)
    CONFIG(NAPOT | R | W, 0, 0)
    PERMITS(lw a3, 0(a2); sw a3, 4(a2))
    li s0, 0
    IN_U(jr a2)
    CHECK(s0, 1)
    CONFIG(NAPOT | X, 0, 0)
    PERMITS(jalr a2)
    li a3, 0x55
    DENIES(5, 64, lw a3, 0(a2))
    CHECK(a3, 0x55)
    DENIES(7, 64, sw a3, 0(a2))
    CONFIG(NAPOT, 0, 0)
    DENIES(5, 65, lbu a3, 1(a2))
    /* A misaligned access is reported first. Messages pass; loads from the window do not. */
    DENIES(4, 65, lw a3, 1(a2))
    li t0, 0x20000000 >> 2           /* everything below; no entry matches the window */
    csrw ADDR0, t0
    li t0, TOR | R | X
    csrw CFG0, t0
    PERMITS(sw a3, -200(zero); sb a3, -201(zero))
    li a5, 0xfff00000                /* beginning of the window */
    PERMITS(sw a3, 4(a5); sb a3, 0(a5))
    li s0, 0
    IN_U(sb a3, -1(a5))
    CHECK(s0, 7)
    li s0, 0
    IN_U(lw a3, -200(zero))
    CHECK(s0, 5)
    li s0, 0
    IN_U(lw a3, 4(a5))
    CHECK(s0, 5)
    PLACE64(0, 64)
    CONFIG(NAPOT | R | W | X, 0, 0)
    PERMITS(jalr a2; lw a3, 0(a2); sw a3, 0(a2))

    /* First and last bytes of a range, NAPOT and TOR. */
    CONFIG(NAPOT, 0, 0)
    READABLE(63)
    UNREADABLE(64)
    UNREADABLE(127)
    READABLE(128)
    PLACE(0, 64)
    PLACE(1, 192)
    CONFIG(0, TOR, 0)
    READABLE(63)
    UNREADABLE(64)
    UNREADABLE(191)
    READABLE(192)
    CONFIG(TOR, 0, 0)                /* from 0 on, this code included */
    li s0, 0
    IN_U(nop)
    CHECK(s0, 1)
    CONFIG(TOR | R | X, 0, 0)
    la a2, area + 60
    DENIES(7, 60, sw a3, 0(a2))
    la a2, area + 64
    PERMITS(sw a3, 4(a2))
    PLACE(0, 192)                    /* the end is below the beginning: no match */
    PLACE(1, 64)
    CONFIG(0, TOR, 0)
    READABLE(64)
    READABLE(191)
    PLACE(1, 192)                    /* empty range */
    READABLE(191)
    READABLE(192)

    /* The lowest matching entry decides. */
    PLACE64(0, 64)
    PLACE64(1, 64)
    CONFIG(NAPOT | R, NAPOT, 0)
    READABLE(64)
    CONFIG(NAPOT, NAPOT | R, 0)
    UNREADABLE(64)
    CONFIG(0, NAPOT, NAPOT | R)
    UNREADABLE(64)
    PLACE64(2, 64)
    CONFIG(0, NAPOT | R, NAPOT)
    READABLE(64)

    /* Four bytes if the core supports them, else the grain. */
    PLACE(0, 64)
    CONFIG(NA4, 0, 0)
    csrr a1, CFG0
    andi a1, a1, 0xff
    li t0, 4
    bne s8, t0, 1f
    CHECK(a1, NA4)
    READABLE(63)
    UNREADABLE(64)
    UNREADABLE(67)
    READABLE(68)
    la a2, area + 66
    DENIES(5, 66, lh a3, 0(a2))
    j 2f
1:  CHECK(a1, 0)
    READABLE(64)
    CONFIG(NAPOT, 0, 0)              /* the bits below the grain are ones */
    csrr a1, ADDR0
    srli t0, s8, 3
    addi t0, t0, -1
    la t1, area + 64
    srli t1, t1, 2
    or t0, t0, t1
    CHECK_REG(a1, t0)
    CONFIG(TOR, 0, 0)                /* the bits below the grain are zeros */
    csrr a1, ADDR0
    CHECK_REG(a1, t1)
    csrwi ADDR0, 1
    csrr a1, ADDR0
    CHECK(a1, 0)
2:  CONFIG(0, 0, 0)

    /* An instruction across the end of a range: PMP checks each halfword. */
    la t0, area + 126
    li t1, 0x0513                    /* addi a0, a0, 1: its lower half; then a c.nop in its place */
    sh t1, 0(t0)
    li t1, 0x0015
    sh t1, 2(t0)
    li t1, 0x8082
    sh t1, 4(t0)
    fence.i
    la a2, area + 126
    li a0, 0
    PERMITS(jalr a2)
    CHECK(a0, 1)
    PLACE64(0, 64)
    PLACE64(1, 128)
    CONFIG(NAPOT | X, NAPOT, 0)
    li s0, 0
    IN_U(jalr a2)
    CHECK(s0, 1)
    CHECK_REG(s1, a2)
    CHECK_ADDR(s2, area + 128)
    CHECK(a0, 1)
    CONFIG(NAPOT | R, NAPOT | X, 0)
    li s0, 0
    IN_U(jalr a2)
    CHECK(s0, 1)
    CHECK_REG(s1, a2)
    CHECK_REG(s2, a2)
    CONFIG(NAPOT, NAPOT, 0)
    li s0, 0
    IN_U(jalr a2)
    CHECK_REG(s2, a2)
    CONFIG(NAPOT | X, NAPOT, 0)
    la t0, area + 126
    li t1, 0x8082                    /* a short instruction needs only the first halfword */
    sh t1, 0(t0)
    fence.i
    PERMITS(jalr a2)
    la t0, area + 124                /* a long instruction that ends within the range */
    li t1, 0x00150513
    sw t1, 0(t0)
    fence.i
    la a2, area + 124
    li s0, 0
    IN_U(jalr a2)
    CHECK(s0, 1)
    CHECK_ADDR(s1, area + 128)
    CHECK_ADDR(s2, area + 128)
    CHECK(a0, 2)

    /* None of these entries applies in M mode, except with MPRV to loads and stores. */
    CONFIG(NAPOT, 0, 0)
    la a2, area + 64
    lw a3, 0(a2)
    sw a3, 0(a2)
    li a3, 0x66
    li t0, MSTATUS_MPRV
    csrw mstatus, t0
    WANT(1f)
t1: lw a3, 0(a2)
    FAIL
1:  CHECK(s0, 5)
    CHECK_ADDR(s1, t1)
    CHECK_REG(s2, a2)
    CHECK(a3, 0x66)
    li t0, MSTATUS_MPRV | MSTATUS_MPP
    csrw mstatus, t0
    lw a3, 0(a2)
    li t0, MSTATUS_MPRV
    csrw mstatus, t0
    WANT(1f)
t2: sw a3, 4(a2)
    FAIL
1:  CHECK(s0, 7)
    li t0, MSTATUS_MPRV
    csrw mstatus, t0
    lw a3, -4(a2)
    csrw mstatus, zero
    lw a3, 0(a2)

    /* Locked entries also apply to M mode until reset. Entry 0, read only; then entry 2, which also locks the
     * address of entry 1. */
    PLACE64(0, 64)
    CONFIG(NAPOT | R | L, 0, 0)
    lw a3, 0(a2)
    li a4, 0x1234
    WANT(1f)
    li s0, 0
t3: sw a4, 0(a2)
    FAIL
1:  CHECK(s0, 7)
    CHECK_ADDR(s1, t3)
    lw a4, 0(a2)
    CHECK_REG(a3, a4)
    WANT(1f)
    li s0, 0
    jr a2
1:  CHECK(s0, 1)
    CHECK_REG(s1, a2)
    CONFIG(NAPOT | R | W | X, 0, 0)
    csrr a1, CFG0
    CHECK(a1, 0x1f000000 | NAPOT | R | L)
    csrr a1, ADDR0
    csrw ADDR0, zero
    csrr a4, ADDR0
    CHECK_REG(a1, a4)
    lw a3, 0(a2)
    PLACE(1, 128)
    PLACE(2, 192)
    CONFIG(0, 0, TOR | L)
    la a2, area + 128
    WANT(1f)
    li s0, 0
    lw a3, 60(a2)
    FAIL
1:  CHECK(s0, 5)
    lw a3, 64(a2)
    lw a3, -64(a2)
    csrr a1, ADDR0 + 1
    csrw ADDR0 + 1, zero
    csrr a4, ADDR0 + 1
    CHECK_REG(a1, a4)
    csrr a1, ADDR0 + 2
    csrw ADDR0 + 2, zero
    csrr a4, ADDR0 + 2
    CHECK_REG(a1, a4)
    csrw ADDR0 + 3, zero
    csrr a4, ADDR0 + 3
    andi a4, a4, -8                  /* below the grain, NAPOT reads ones */
    CHECK(a4, 0)
    CONFIG(0, NAPOT, 0)              /* the configuration of entry 1 is not locked */
    csrr a1, CFG0
    CHECK(a1, 0x1f000000 | (TOR | L) << 16 | NAPOT << 8 | NAPOT | R | L)
    j pass
    .balign 256
area:
    .space 64
    .word 0x8082                     /* ret */
    .space 188
    .balign 256
EPILOGUE
