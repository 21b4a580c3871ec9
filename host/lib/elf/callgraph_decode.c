/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/elf/callgraph_decode.h"

#include <stdbool.h>

enum { OP_IMM = 0x13, OP_AUIPC = 0x17, OP_LUI = 0x37, OP_BRANCH = 0x63, OP_JALR = 0x67, OP_JAL = 0x6F };

/* Bits high..low of the instruction, moved to bit `to`. */
static uint32_t bits(uint32_t insn, unsigned high, unsigned low, unsigned to) {
    return (insn >> low & ((UINT32_C(1) << (high - low + 1)) - 1)) << to;
}

static int32_t sign(uint32_t value, unsigned width) {
    uint32_t top = UINT32_C(1) << (width - 1);
    return (int32_t)((value ^ top) - top);
}

static bool is_link(unsigned reg) {
    return reg == 1 || reg == 5;
}

static struct flow by_register(unsigned bytes, unsigned rd, unsigned rs1, int32_t distance) {
    bool returns = rd == 0 && is_link(rs1) && distance == 0;
    return (struct flow){returns ? FLOW_NONE : FLOW_REGISTER, bytes, rd, rs1, distance};
}

static struct flow decode_long(uint32_t insn) {
    unsigned rd = insn >> 7 & 31, rs1 = insn >> 15 & 31;
    switch (insn & 0x7F) {
    case OP_JAL:
        return (struct flow){
            FLOW_JUMP, 4, rd, 0,
            sign(bits(insn, 31, 31, 20) | bits(insn, 30, 21, 1) | bits(insn, 20, 20, 11) | bits(insn, 19, 12, 12), 21)};
    case OP_BRANCH:
        return (struct flow){
            FLOW_JUMP, 4, 0, 0,
            sign(bits(insn, 31, 31, 12) | bits(insn, 30, 25, 5) | bits(insn, 11, 8, 1) | bits(insn, 7, 7, 11), 13)};
    case OP_JALR:
        return by_register(4, rd, rs1, sign(insn >> 20, 12));
    case OP_LUI:
        return (struct flow){FLOW_UPPER, 4, rd, 0, (int32_t)(insn & 0xFFFFF000u)};
    case OP_AUIPC:
        return (struct flow){FLOW_UPPER_PC, 4, rd, 0, (int32_t)(insn & 0xFFFFF000u)};
    case OP_IMM:
        if ((insn >> 12 & 7) == 0)
            return (struct flow){FLOW_ADD, 4, rd, rs1, sign(insn >> 20, 12)};
        break;
    }
    return (struct flow){FLOW_NONE, 4, 0, 0, 0};
}

static int32_t short_jump(uint32_t insn) {
    return sign(bits(insn, 12, 12, 11) | bits(insn, 11, 11, 4) | bits(insn, 10, 9, 8) | bits(insn, 8, 8, 10) |
                    bits(insn, 7, 7, 6) | bits(insn, 6, 6, 7) | bits(insn, 5, 3, 1) | bits(insn, 2, 2, 5),
                12);
}

static int32_t short_branch(uint32_t insn) {
    return sign(bits(insn, 12, 12, 8) | bits(insn, 11, 10, 3) | bits(insn, 6, 5, 6) | bits(insn, 4, 3, 1) |
                    bits(insn, 2, 2, 5),
                9);
}

static struct flow decode_short(uint32_t insn) {
    unsigned rd = insn >> 7 & 31, funct = insn >> 13 & 7;
    int32_t immediate = sign(bits(insn, 12, 12, 5) | bits(insn, 6, 2, 0), 6);
    if ((insn & 3) == 1) {
        switch (funct) {
        case 0: /* c.addi */
            return (struct flow){FLOW_ADD, 2, rd, rd, immediate};
        case 1: /* c.jal */
            return (struct flow){FLOW_JUMP, 2, 1, 0, short_jump(insn)};
        case 3: /* c.lui; with sp it is c.addi16sp, which never makes a function's address */
            return (struct flow){rd == 2 ? FLOW_NONE : FLOW_UPPER, 2, rd, 0, (int32_t)((uint32_t)immediate << 12)};
        case 5: /* c.j */
            return (struct flow){FLOW_JUMP, 2, 0, 0, short_jump(insn)};
        case 6: /* c.beqz */
        case 7: /* c.bnez */
            return (struct flow){FLOW_JUMP, 2, 0, 0, short_branch(insn)};
        }
    }
    bool jumps = (insn & 3) == 2 && funct == 4 && (insn >> 2 & 31) == 0 && rd != 0; /* c.jr, c.jalr */
    if (jumps)
        return by_register(2, insn >> 12 & 1, rd, 0);
    return (struct flow){FLOW_NONE, 2, 0, 0, 0};
}

struct flow callgraph_decode(uint32_t insn) {
    return (insn & 3) == 3 ? decode_long(insn) : decode_short(insn & 0xFFFF);
}
