/* SPDX-License-Identifier: Apache-2.0 */
/* Triggers with the breakpoint exception as action; debug_user.S has those that enter debug mode. For cores with two
 * or four triggers. */
#include "macros.h"
#define TSELECT 0x7a0
#define TDATA1 0x7a1
#define TDATA2 0x7a2
#define TINFO 0x7a4
#define READS 0x24000000             /* type and largest range, as tdata1 always reads */
#define M 0x40
#define U 8
#define EXECUTE 4
#define STORE 2
#define LOAD 1
#define RANGE 0x80
#define TRIGGER(number, address, bits) csrwi TSELECT, number; la t0, address; csrw TDATA2, t0; li t0, bits; csrw TDATA1, t0
#define OFF(number) csrwi TSELECT, number; csrw TDATA1, zero
#define BREAKS(offset, ...) WANT(77f); li s0, 0; 99: __VA_ARGS__; FAIL; 77: CHECK(s0, 3); CHECK_ADDR(s1, 99b); CHECK_ADDR(s2, words + offset)
PROLOGUE 1
    .option norvc
    WANT(1f)
    ALLOW_ALL
1:  csrwi mstatus, 8
    /* The fields. */
    csrw TDATA1, zero
    csrr a1, TDATA1
    CHECK(a1, READS)
    csrr a1, TINFO
    CHECK(a1, 4)
    li a0, -1
    csrw TDATA1, a0
    csrr a1, TDATA1
    CHECK(a1, READS | M | U | EXECUTE | STORE | LOAD)    /* no dmode, no action 1, no match 15 */
    li a0, 0x08001000 | RANGE
    csrw TDATA1, a0
    csrr a1, TDATA1
    CHECK(a1, READS | RANGE)
    csrw TDATA1, zero
    li a0, 0x12345677
    csrw TDATA2, a0
    csrwi TSELECT, 1
    csrr a1, TDATA2
    CHECK(a1, 0)
    csrwi TSELECT, 0
    csrr a1, TDATA2
    CHECK_REG(a1, a0)
    csrwi TSELECT, 4                 /* this trigger does not exist: a debugger stops counting here */
    csrr a1, TSELECT
    li gp, __LINE__
    sltiu t0, a1, 4
    beqz t0, fail
    WANT(1f)
    li s0, 0
    csrr a1, 0x7a3
    FAIL
1:  CHECK(s0, 2)
    WANT(1f)
    li s0, 0
    csrr a1, 0x7a5
    FAIL
1:  CHECK(s0, 2)

    /* Before an instruction: neither the instruction nor the ones after it execute. */
    li a0, 5
    WANT(1f)
    TRIGGER(0, t1, M | EXECUTE)
    csrr a1, mstatus
    addi a0, a0, 1
t1: addi a0, a0, 10
    addi a0, a0, 100
    FAIL
1:  CHECK(s0, 3)
    CHECK_ADDR(s1, t1)
    CHECK_ADDR(s2, t1)
    CHECK(a0, 6)
    /* Directly after the write of the trigger. A short instruction, at an odd halfword, after a jump. */
    WANT(1f)
    li s0, 0
    la t0, t2
    csrw TDATA2, t0
t2: nop
    FAIL
1:  CHECK(s0, 3)
    CHECK_ADDR(s1, t2)
    TRIGGER(0, t3, M | EXECUTE)
    WANT(1f)
    li s0, 0
    j t3
    .option rvc
    .balign 4
    c.nop
t3: c.addi a0, 1
    FAIL
    .option norvc
    .balign 4
1:  CHECK(s0, 3)
    CHECK_ADDR(s1, t3)
    CHECK_ADDR(s2, t3)
    CHECK(a0, 6)
    /* The trigger has priority over all other exceptions of the instruction: illegal instruction, ecall, failing
     * fetch. */
    TRIGGER(0, t4, M | EXECUTE)
    WANT(1f)
t4: .word 0xffffffff
1:  CHECK(s0, 3)
    CHECK_ADDR(s2, t4)
    TRIGGER(0, t5_, M | EXECUTE)
    WANT(1f)
t5_: ecall
1:  CHECK(s0, 3)
    CHECK_ADDR(s2, t5_)
    li a2, 0x20000000
    csrw TDATA2, a2
    WANT(1f)
    jr a2
1:  CHECK(s0, 3)
    CHECK(s1, 0x20000000)
    CHECK(s2, 0x20000000)
    /* An instruction that is not executed does not hit. */
    TRIGGER(0, t6_, M | EXECUTE)
    li s0, 0
    j 1f
t6_: nop
1:  CHECK(s0, 0)
    /* With interrupts off in M mode the trigger does not fire (the handler's mret restored MIE). */
    csrci mstatus, 8
    TRIGGER(0, t7, M | EXECUTE)
    li s0, 0
    li a0, 1
t7: addi a0, a0, 1
    CHECK(s0, 0)
    CHECK(a0, 2)
    csrsi mstatus, 8

    /* Loads and stores: any byte of the access hits; the access does not happen. */
    la a2, words
    li a3, 0x99
    TRIGGER(0, words + 5, M | LOAD)
    BREAKS(5, lbu a3, 5(a2))
    CHECK(a3, 0x99)
    BREAKS(4, lh a3, 4(a2))
    BREAKS(4, lw a3, 4(a2))
    CHECK(a3, 0x99)
    li s0, 0
    lb a4, 4(a2)
    lb a4, 6(a2)
    lh a4, 6(a2)
    lw a4, 0(a2)
    lw a4, 8(a2)
    lw a3, 0(a2)
    sw a3, 4(a2)
    CHECK(s0, 0)
    li a3, 0x99
    TRIGGER(0, words + 8, M | STORE)
    BREAKS(8, sw a3, 8(a2))
    BREAKS(8, sh a3, 8(a2))
    BREAKS(8, sb a3, 8(a2))
    lw a4, 8(a2)
    CHECK(a4, 0)
    li s0, 0
    sb a3, 9(a2)
    sw a3, 12(a2)
    sw a3, 4(a2)
    CHECK(s0, 0)
    TRIGGER(0, words + 8, M | STORE | LOAD)
    BREAKS(8, lw a3, 8(a2))
    BREAKS(8, sw a3, 8(a2))
    /* The trigger has priority over the access's own exceptions; an earlier failing access comes first. */
    BREAKS(9, lw a3, 9(a2))
    li a4, 0x20000000
    WANT(1f)
    lw a3, 0(a4)
    lw a3, 8(a2)
1:  CHECK(s0, 5)
    csrw TDATA2, a4
    WANT(1f)
    lw a3, 0(a4)
1:  CHECK(s0, 3)
    CHECK(s2, 0x20000000)
    /* Messages hit, too. */
    li t0, -200
    csrw TDATA2, t0
    WANT(1f)
    li s0, 0
t8: sb ra, -200(zero)
    FAIL
1:  TRAPPED(3, t8, -200)
    /* With interrupts off the trigger does not fire. */
    csrci mstatus, 8
    TRIGGER(0, words + 8, M | STORE | LOAD)
    li s0, 0
    lw a3, 8(a2)
    CHECK(s0, 0)
    csrsi mstatus, 8
    /* An aligned range of 16 bytes. */
    TRIGGER(0, words + 16 + 7, M | LOAD | RANGE)
    li s0, 0
    lw a3, 12(a2)
    lw a3, 32(a2)
    CHECK(s0, 0)
    BREAKS(16, lw a3, 16(a2))
    BREAKS(31, lbu a3, 31(a2))
    TRIGGER(0, t9 + 1, M | EXECUTE | RANGE)
    WANT(1f)
    li s0, 0
    nop
    .option rvc
    .balign 4
    .option norvc
t9: nop
    FAIL
1:  CHECK(s0, 3)
    CHECK_ADDR(s1, t9)
    OFF(0)

    /* Modes. */
    TRIGGER(0, words, U | LOAD)
    li s0, 0
    lw a3, 0(a2)
    CHECK(s0, 0)
    IN_U(t10: lw a3, 0(a2))
    CHECK(s0, 3)
    CHECK_ADDR(s1, t10)
    TRIGGER(0, words, M | LOAD)
    IN_U(lw a3, 0(a2); ecall)
    CHECK(s0, 8)
    csrci mstatus, 8
    li t0, 0x80
    csrc mstatus, t0                 /* off in U mode: the trigger still fires */
    TRIGGER(0, t11, U | EXECUTE)
    IN_U(nop; t11: nop)
    CHECK(s0, 3)
    CHECK_ADDR(s1, t11)
    csrsi mstatus, 8
    OFF(0)
    /* The other trigger, and both. */
    TRIGGER(1, words + 4, M | STORE)
    TRIGGER(0, words, M | STORE)
    BREAKS(4, sw a3, 4(a2))
    BREAKS(0, sw a3, 0(a2))
    OFF(1)
    li s0, 0
    sw a3, 4(a2)
    CHECK(s0, 0)
    OFF(0)
    sw a3, 0(a2)
    CHECK(s0, 0)
    j pass
    .balign 32
words:
    .space 64
EPILOGUE
