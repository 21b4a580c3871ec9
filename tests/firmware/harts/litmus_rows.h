/* SPDX-License-Identifier: Apache-2.0 */
/* The litmus tests of litmus.c. A test is two halves, one for each hart; a half is a first access, what orders it, and
 * a second access. Registers of a half: a0, t2 &x; a1, t1 &y; a2, a3 the first and the second value it loads; a4 1; a5
 * 2; t0 1, for a value that depends on a2; t4 the changed code, t3 its new content. It may change t5 and t6. */
#ifndef LITMUS_ROWS_H
#define LITMUS_ROWS_H

#include <stdint.h>

enum version { PLAIN, APART, REVERSED, VERSIONS };
struct half {
    const char *accesses; /* in the order of the program; W writes a value, R reads */
    void (*body[VERSIONS])(void);
    int single; /* one access, so there is no reversed order */
};
struct row {
    const char *name;
    const struct half *half[2];
    int ordered; /* the manual forbids what sequential consistency forbids */
    int code;    /* x is an instruction that changes */
};

/* One body. The linker may not change the code between the accesses. */
#define LITMUS_BODY(name, text)                                                                                        \
    void name(void);                                                                                                   \
    __asm__(".pushsection .text\n.balign 32\n.type " #name ", @function\n" #name ":\n" text "\nret\n.size " #name      \
            ", . - " #name "\n.popsection")
#define LITMUS_GAP "\n.rept 8\nnop\n.endr\n"
#define LITMUS_LONG_GAP "\n.rept 12\nnop\n.endr\n"
/* REVERSED is the text of the half in an order that the test forbids. */
#define HALF_AS(name, accesses, first, order, second, reversed)                                                        \
    LITMUS_BODY(litmus_##name##_plain, first "\n" order "\n" second);                                                  \
    LITMUS_BODY(litmus_##name##_apart, first "\n" order LITMUS_GAP second);                                            \
    LITMUS_BODY(litmus_##name##_reversed, reversed);                                                                   \
    static const struct half name = {                                                                                  \
        accesses, {litmus_##name##_plain, litmus_##name##_apart, litmus_##name##_reversed}, 0}
#define HALF(name, accesses, first, order, second)                                                                     \
    HALF_AS(name, accesses, first, order, second, second LITMUS_LONG_GAP first)
#define HALF_SINGLE(name, accesses, text)                                                                              \
    LITMUS_BODY(litmus_##name, text);                                                                                  \
    static const struct half name = {accesses, {litmus_##name, litmus_##name, litmus_##name}, 1}

/* The function that changes, one word: c.li a3, 0 (or 1); c.jr ra. */
#define LITMUS_CODE_OLD 0x80824681
#define LITMUS_CODE_NEW "0x80824685"
extern volatile uint32_t litmus_code[];
__asm__(".pushsection .data\n.balign 64\nlitmus_code: .word 0x80824681\n.balign 64\n.popsection");

/* Order by a dependency: on an address, on a value, on a branch. */
#define ADDRESS_X "xor t2, a2, a2\n\tadd t2, t2, a0"
#define ADDRESS_Y "xor t1, a2, a2\n\tadd t1, t1, a1"
#define DATA "xor t0, a2, a2\n\taddi t0, t0, 1"
#define CONTROL "bnez a2, 1f\n\t1:"

HALF(wx_wy, "Wx1 Wy1", "sw a4, (a0)", "", "sw a4, (a1)");
HALF(wx_wy_rwrw, "Wx1 Wy1", "sw a4, (a0)", "fence rw, rw", "sw a4, (a1)");
HALF(wx_wy_ww, "Wx1 Wy1", "sw a4, (a0)", "fence w, w", "sw a4, (a1)");
HALF(wx_wy_tso, "Wx1 Wy1", "sw a4, (a0)", "fence.tso", "sw a4, (a1)");
HALF(wx_wy_rl, "Wx1 Wy1", "sw a4, (a0)", "", "amoswap.w.rl zero, a4, (a1)");
HALF(ry_rx, "Ry Rx", "lw a2, (a1)", "", "lw a3, (a0)");
HALF(ry_rx_rwrw, "Ry Rx", "lw a2, (a1)", "fence rw, rw", "lw a3, (a0)");
HALF(ry_rx_rr, "Ry Rx", "lw a2, (a1)", "fence r, r", "lw a3, (a0)");
HALF(ry_rx_tso, "Ry Rx", "lw a2, (a1)", "fence.tso", "lw a3, (a0)");
HALF(ry_rx_aq, "Ry Rx", "lr.w.aq a2, (a1)", "", "lw a3, (a0)");
HALF(ry_rx_addr, "Ry Rx", "lw a2, (a1)", ADDRESS_X, "lw a3, (t2)");
HALF(ry_rx_ctrl, "Ry Rx", "lw a2, (a1)", CONTROL, "lw a3, (a0)");

HALF(wx_ry, "Wx1 Ry", "sw a4, (a0)", "", "lw a2, (a1)");
HALF(wy_rx, "Wy1 Rx", "sw a4, (a1)", "", "lw a2, (a0)");
HALF(wx_ry_rwrw, "Wx1 Ry", "sw a4, (a0)", "fence rw, rw", "lw a2, (a1)");
HALF(wy_rx_rwrw, "Wy1 Rx", "sw a4, (a1)", "fence rw, rw", "lw a2, (a0)");
HALF(wx_ry_tso, "Wx1 Ry", "sw a4, (a0)", "fence.tso", "lw a2, (a1)");
HALF(wy_rx_tso, "Wy1 Rx", "sw a4, (a1)", "fence.tso", "lw a2, (a0)");
HALF(wx_ry_amo, "Wx1 Ry", "amoswap.w.aqrl zero, a4, (a0)", "", "amoor.w.aqrl a2, zero, (a1)");
HALF(wy_rx_amo, "Wy1 Rx", "amoswap.w.aqrl zero, a4, (a1)", "", "amoor.w.aqrl a2, zero, (a0)");

HALF(rx_wy, "Rx Wy1", "lw a2, (a0)", "", "sw a4, (a1)");
HALF(ry_wx, "Ry Wx1", "lw a2, (a1)", "", "sw a4, (a0)");
HALF(rx_wy_rwrw, "Rx Wy1", "lw a2, (a0)", "fence rw, rw", "sw a4, (a1)");
HALF(ry_wx_rwrw, "Ry Wx1", "lw a2, (a1)", "fence rw, rw", "sw a4, (a0)");
HALF(rx_wy_tso, "Rx Wy1", "lw a2, (a0)", "fence.tso", "sw a4, (a1)");
HALF(ry_wx_tso, "Ry Wx1", "lw a2, (a1)", "fence.tso", "sw a4, (a0)");
HALF(rx_wy_addr, "Rx Wy1", "lw a2, (a0)", ADDRESS_Y, "sw a4, (t1)");
HALF(ry_wx_addr, "Ry Wx1", "lw a2, (a1)", ADDRESS_X, "sw a4, (t2)");
HALF(rx_wy_data, "Rx Wy1", "lw a2, (a0)", DATA, "sw t0, (a1)");
HALF(ry_wx_data, "Ry Wx1", "lw a2, (a1)", DATA, "sw t0, (a0)");
HALF(rx_wy_ctrl, "Rx Wy1", "lw a2, (a0)", CONTROL, "sw a4, (a1)");
HALF(ry_wx_ctrl, "Ry Wx1", "lw a2, (a1)", CONTROL, "sw a4, (a0)");

HALF(wx2_wy, "Wx2 Wy1", "sw a5, (a0)", "", "sw a4, (a1)");
HALF(wx2_wy_rwrw, "Wx2 Wy1", "sw a5, (a0)", "fence rw, rw", "sw a4, (a1)");
HALF(wx2_wy_ww, "Wx2 Wy1", "sw a5, (a0)", "fence w, w", "sw a4, (a1)");

HALF(wy2_rx, "Wy2 Rx", "sw a5, (a1)", "", "lw a2, (a0)");
HALF(wy2_rx_rwrw, "Wy2 Rx", "sw a5, (a1)", "fence rw, rw", "lw a2, (a0)");

HALF(wx_wy2, "Wx1 Wy2", "sw a4, (a0)", "", "sw a5, (a1)");
HALF(wy_wx2, "Wy1 Wx2", "sw a4, (a1)", "", "sw a5, (a0)");
HALF(wx_wy2_ww, "Wx1 Wy2", "sw a4, (a0)", "fence w, w", "sw a5, (a1)");
HALF(wy_wx2_ww, "Wy1 Wx2", "sw a4, (a1)", "fence w, w", "sw a5, (a0)");

HALF_SINGLE(wx, "Wx1", "sw a4, (a0)");
HALF_SINGLE(wx2, "Wx2", "sw a5, (a0)");
HALF(rx_rx, "Rx Rx", "lw a2, (a0)", "", "lw a3, (a0)");
HALF(wx_wx2, "Wx1 Wx2", "sw a4, (a0)", "", "sw a5, (a0)");
HALF(rx_wx, "Rx Wx1", "lw a2, (a0)", "", "sw a4, (a0)");
HALF(wx_rx, "Wx1 Rx", "sw a4, (a0)", "", "lw a2, (a0)");

/* Code: hart 0 changes an instruction and tells hart 1. Without fence.i hart 1 may execute the old instruction. fence.i
 * takes 260 cycles, so hart 0 reversed has more between its accesses. */
#define CALL "mv t5, ra\n\tjalr t4\n\tmv ra, t5"
HALF_AS(wcode_wy, "Wx1 Wy1", "sw t3, (t4)", "fence w, w", "sw a4, (a1)",
        "sw a4, (a1)\n.rept 300\nnop\n.endr\nsw t3, (t4)");
HALF_AS(ry_rcode, "Ry Rx", "lw a2, (a1)", "fence r, r\n\tfence.i", CALL, "lw a2, (a1)\n\tfence r, r\n\t" CALL);

static const struct row rows[] = {
    {"MP", {&wx_wy, &ry_rx}, 0, 0},
    {"MP+fences", {&wx_wy_rwrw, &ry_rx_rwrw}, 1, 0},
    {"MP+fence.w.w+fence.r.r", {&wx_wy_ww, &ry_rx_rr}, 1, 0},
    {"MP+fence.tsos", {&wx_wy_tso, &ry_rx_tso}, 1, 0},
    {"MP+rl+aq", {&wx_wy_rl, &ry_rx_aq}, 1, 0},
    {"MP+fence.w.w+addr", {&wx_wy_ww, &ry_rx_addr}, 1, 0},
    {"MP+fence.w.w+ctrl", {&wx_wy_ww, &ry_rx_ctrl}, 0, 0},
    {"SB", {&wx_ry, &wy_rx}, 0, 0},
    {"SB+fences", {&wx_ry_rwrw, &wy_rx_rwrw}, 1, 0},
    {"SB+fence.tsos", {&wx_ry_tso, &wy_rx_tso}, 0, 0},
    {"SB+amo.aqrls", {&wx_ry_amo, &wy_rx_amo}, 1, 0},
    {"LB", {&rx_wy, &ry_wx}, 0, 0},
    {"LB+fences", {&rx_wy_rwrw, &ry_wx_rwrw}, 1, 0},
    {"LB+fence.tsos", {&rx_wy_tso, &ry_wx_tso}, 1, 0},
    {"LB+addrs", {&rx_wy_addr, &ry_wx_addr}, 1, 0},
    {"LB+datas", {&rx_wy_data, &ry_wx_data}, 1, 0},
    {"LB+ctrls", {&rx_wy_ctrl, &ry_wx_ctrl}, 1, 0},
    {"S", {&wx2_wy, &ry_wx}, 0, 0},
    {"S+fences", {&wx2_wy_rwrw, &ry_wx_rwrw}, 1, 0},
    {"S+fence.w.w+addr", {&wx2_wy_ww, &ry_wx_addr}, 1, 0},
    {"S+fence.w.w+data", {&wx2_wy_ww, &ry_wx_data}, 1, 0},
    {"S+fence.w.w+ctrl", {&wx2_wy_ww, &ry_wx_ctrl}, 1, 0},
    {"R", {&wx_wy, &wy2_rx}, 0, 0},
    {"R+fences", {&wx_wy_rwrw, &wy2_rx_rwrw}, 1, 0},
    {"2+2W", {&wx_wy2, &wy_wx2}, 0, 0},
    {"2+2W+fence.w.ws", {&wx_wy2_ww, &wy_wx2_ww}, 1, 0},
    {"CoRR", {&wx, &rx_rx}, 1, 0},
    {"CoWW", {&wx_wx2, &rx_rx}, 1, 0},
    {"CoRW", {&rx_wx, &wx2}, 1, 0},
    {"CoWR", {&wx_rx, &wx2}, 1, 0},
#ifndef LITMUS_SAME_CODE /* for a check that knows no old instructions in a cache */
    {"MP+fence.w.w+fence.i", {&wcode_wy, &ry_rcode}, 1, 1},
#endif
};
enum { ROWS = sizeof rows / sizeof rows[0] };

#endif
