// SPDX-License-Identifier: Apache-2.0
#include "decode.hpp"

#include <cinttypes>
#include <cstdio>

#include "encode.h"

namespace cosim {

namespace {

uint32_t field(uint32_t value, int high, int low) {
    return bits_of(value, high, low);
}

int32_t sign_extend(uint32_t value, int bits) {
    return static_cast<int32_t>(value << (32 - bits)) >> (32 - bits);
}

int32_t jump_offset16(uint32_t c) {
    return sign_extend(field(c, 12, 12) << 11 | field(c, 11, 11) << 4 | field(c, 10, 9) << 8 | field(c, 8, 8) << 10 |
                           field(c, 7, 7) << 6 | field(c, 6, 6) << 7 | field(c, 5, 3) << 1 | field(c, 2, 2) << 5,
                       12);
}

int32_t branch_offset16(uint32_t c) {
    return sign_extend(field(c, 12, 12) << 8 | field(c, 11, 10) << 3 | field(c, 6, 5) << 6 | field(c, 4, 3) << 1 |
                           field(c, 2, 2) << 5,
                       9);
}

uint32_t expand_quadrant0(uint32_t c) {
    unsigned low = 8 + field(c, 4, 2), high = 8 + field(c, 9, 7);
    uint32_t word_offset = field(c, 5, 5) << 6 | field(c, 12, 10) << 3 | field(c, 6, 6) << 2;
    switch (field(c, 15, 13)) {
    case 0: {
        uint32_t imm = field(c, 10, 7) << 6 | field(c, 12, 11) << 4 | field(c, 5, 5) << 3 | field(c, 6, 6) << 2;
        return imm ? enc_i(OP_IMM, 0, low, 2, static_cast<int32_t>(imm)) : 0;
    }
    case 2:
        return enc_i(OP_LOAD, 2, low, high, static_cast<int32_t>(word_offset));
    case 6:
        return enc_s(OP_STORE, 2, high, low, static_cast<int32_t>(word_offset));
    default:
        return 0;
    }
}

uint32_t expand_arithmetic(uint32_t c) {
    static const unsigned f3[] = {0, 4, 6, 7};
    unsigned rd = 8 + field(c, 9, 7), rs2 = 8 + field(c, 4, 2);
    uint32_t shift = field(c, 6, 2);
    bool upper = field(c, 12, 12);
    switch (field(c, 11, 10)) {
    case 0:
        return upper ? 0 : enc_i(OP_IMM, 5, rd, rd, static_cast<int32_t>(shift));
    case 1:
        return upper ? 0 : enc_i(OP_IMM, 5, rd, rd, static_cast<int32_t>(shift | 0x400));
    case 2:
        return enc_i(OP_IMM, 7, rd, rd, sign_extend(field(c, 12, 12) << 5 | shift, 6));
    default:
        return upper ? 0 : enc_r(OP_REG, f3[field(c, 6, 5)], field(c, 6, 5) == 0 ? 0x20 : 0, rd, rd, rs2);
    }
}

uint32_t expand_quadrant1(uint32_t c) {
    unsigned rd = field(c, 11, 7);
    int32_t imm = sign_extend(field(c, 12, 12) << 5 | field(c, 6, 2), 6);
    switch (field(c, 15, 13)) {
    case 0:
        return enc_i(OP_IMM, 0, rd, rd, imm);
    case 1:
        return enc_j(1, jump_offset16(c));
    case 2:
        return enc_i(OP_IMM, 0, rd, 0, imm);
    case 3:
        if (imm == 0)
            return 0;
        if (rd == 2)
            return enc_i(OP_IMM, 0, 2, 2,
                         sign_extend(field(c, 12, 12) << 9 | field(c, 4, 3) << 7 | field(c, 5, 5) << 6 |
                                         field(c, 2, 2) << 5 | field(c, 6, 6) << 4,
                                     10));
        return enc_u(OP_LUI, rd, static_cast<uint32_t>(imm) << 12);
    case 4:
        return expand_arithmetic(c);
    case 5:
        return enc_j(0, jump_offset16(c));
    default:
        return enc_b(field(c, 13, 13), 8 + field(c, 9, 7), 0, branch_offset16(c));
    }
}

uint32_t expand_quadrant2(uint32_t c) {
    unsigned rd = field(c, 11, 7), rs2 = field(c, 6, 2);
    switch (field(c, 15, 13)) {
    case 0:
        return field(c, 12, 12) ? 0 : enc_i(OP_IMM, 1, rd, rd, static_cast<int32_t>(rs2));
    case 2:
        return rd ? enc_i(OP_LOAD, 2, rd, 2,
                          static_cast<int32_t>(field(c, 3, 2) << 6 | field(c, 12, 12) << 5 | field(c, 6, 4) << 2))
                  : 0;
    case 4:
        if (!field(c, 12, 12))
            return rs2 ? enc_r(OP_REG, 0, 0, rd, 0, rs2) : rd ? enc_i(OP_JALR, 0, 0, rd, 0) : 0;
        if (rs2)
            return enc_r(OP_REG, 0, 0, rd, rd, rs2);
        return rd ? enc_i(OP_JALR, 0, 1, rd, 0) : static_cast<uint32_t>(INSN_EBREAK);
    case 6:
        return enc_s(OP_STORE, 2, 2, rs2, static_cast<int32_t>(field(c, 8, 7) << 6 | field(c, 12, 9) << 2));
    default:
        return 0;
    }
}

void decode_system(Decoded &d) {
    unsigned f3 = field(d.word, 14, 12);
    if (f3 == 0 || f3 == 4)
        return;
    d.csr = true;
    d.csr_operation = f3 & 3;
    d.csr_address = d.word >> 20;
    d.csr_immediate = f3 & 4;
    d.csr_writes = d.csr_operation == 1 || field(d.word, 19, 15) != 0;
    d.rd = field(d.word, 11, 7);
    d.rs1 = d.csr_immediate ? 0 : field(d.word, 19, 15);
}

} // namespace

uint32_t expand(uint32_t insn) {
    switch (insn & 3) {
    case 0:
        return expand_quadrant0(insn);
    case 1:
        return expand_quadrant1(insn);
    case 2:
        return expand_quadrant2(insn);
    default:
        return insn;
    }
}

Decoded decode(uint32_t insn) {
    Decoded d;
    d.compressed = (insn & 3) != 3;
    d.word = expand(insn);
    unsigned rd = field(d.word, 11, 7), rs1 = field(d.word, 19, 15), rs2 = field(d.word, 24, 20);
    unsigned f3 = field(d.word, 14, 12);
    switch (d.word & 0x7f) {
    case OP_LUI:
    case OP_AUIPC:
    case OP_JAL:
        d.rd = rd;
        break;
    case OP_IMM:
    case OP_JALR:
        d.rd = rd;
        d.rs1 = rs1;
        break;
    case OP_REG:
        d.rd = rd;
        d.rs1 = rs1;
        d.rs2 = rs2;
        break;
    case OP_BRANCH:
        d.rs1 = rs1;
        d.rs2 = rs2;
        break;
    case OP_LOAD:
        d.rd = rd;
        d.rs1 = rs1;
        d.load = true;
        d.size = 1u << (f3 & 3);
        d.sign = !(f3 & 4);
        d.offset = static_cast<int32_t>(d.word) >> 20;
        break;
    case OP_STORE:
        d.rs1 = rs1;
        d.rs2 = rs2;
        d.store = true;
        d.size = 1u << (f3 & 3);
        d.offset = (static_cast<int32_t>(d.word) >> 25) * 32 + static_cast<int32_t>(rd);
        break;
    case OP_AMO:
        d.rd = rd;
        d.rs1 = rs1;
        d.rs2 = rs2;
        d.atomic = true;
        d.operation = d.word >> 27;
        d.load = d.operation != 3;
        d.store = d.operation != 2;
        d.size = 4;
        break;
    case OP_SYSTEM:
        decode_system(d);
        break;
    default:
        break;
    }
    return d;
}

namespace {

struct Named {
    uint32_t mask, match;
    const char *name;
};
constexpr uint32_t by_register = 0xfe00707f, unary = 0xfff0707f, by_amo = 0xf800707f;
const Named options[] = {
    {by_register, 0x20002033, "sh1add"}, {by_register, 0x20004033, "sh2add"}, {by_register, 0x20006033, "sh3add"},
    {by_register, 0x40007033, "andn"},   {by_register, 0x40006033, "orn"},    {by_register, 0x40004033, "xnor"},
    {by_register, 0x0a004033, "min"},    {by_register, 0x0a005033, "minu"},   {by_register, 0x0a006033, "max"},
    {by_register, 0x0a007033, "maxu"},   {by_register, 0x60001033, "rol"},    {by_register, 0x60005033, "ror"},
    {by_register, 0x60005013, "rori"},   {by_register, 0x48001033, "bclr"},   {by_register, 0x48005033, "bext"},
    {by_register, 0x68001033, "binv"},   {by_register, 0x28001033, "bset"},   {by_register, 0x48001013, "bclri"},
    {by_register, 0x48005013, "bexti"},  {by_register, 0x68001013, "binvi"},  {by_register, 0x28001013, "bseti"},
    {unary, 0x60001013, "clz"},          {unary, 0x60101013, "ctz"},          {unary, 0x60201013, "cpop"},
    {unary, 0x60401013, "sext.b"},       {unary, 0x60501013, "sext.h"},       {unary, 0x08004033, "zext.h"},
    {unary, 0x28705013, "orc.b"},        {unary, 0x69805013, "rev8"},         {by_amo, 0x0000202f, "amoadd.w"},
    {by_amo, 0x0800202f, "amoswap.w"},   {by_amo, 0x1000202f, "lr.w"},        {by_amo, 0x1800202f, "sc.w"},
    {by_amo, 0x2000202f, "amoxor.w"},    {by_amo, 0x4000202f, "amoor.w"},     {by_amo, 0x6000202f, "amoand.w"},
    {by_amo, 0x8000202f, "amomin.w"},    {by_amo, 0xa000202f, "amomax.w"},    {by_amo, 0xc000202f, "amominu.w"},
    {by_amo, 0xe000202f, "amomaxu.w"}};

const char *mnemonic(uint32_t w) {
    static const char *const loads[] = {"lb", "lh", "lw", "?", "lbu", "lhu", "?", "?"};
    static const char *const stores[] = {"sb", "sh", "sw", "?", "?", "?", "?", "?"};
    static const char *const branches[] = {"beq", "bne", "?", "?", "blt", "bge", "bltu", "bgeu"};
    static const char *const immediates[] = {"addi", "slli", "slti", "sltiu", "xori", "srli", "ori", "andi"};
    static const char *const registers[] = {"add", "sll", "slt", "sltu", "xor", "srl", "or", "and"};
    static const char *const multiplies[] = {"mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu"};
    static const char *const csrs[] = {"?", "csrrw", "csrrs", "csrrc", "?", "csrrwi", "csrrsi", "csrrci"};
    unsigned f3 = field(w, 14, 12);
    for (const Named &option : options)
        if ((w & option.mask) == option.match)
            return option.name;
    switch (w & 0x7f) {
    case OP_LUI:
        return "lui";
    case OP_AUIPC:
        return "auipc";
    case OP_JAL:
        return "jal";
    case OP_JALR:
        return "jalr";
    case OP_BRANCH:
        return branches[f3];
    case OP_LOAD:
        return loads[f3];
    case OP_STORE:
        return stores[f3];
    case OP_IMM:
        return f3 == 5 && field(w, 30, 30) ? "srai" : immediates[f3];
    case OP_REG:
        if (field(w, 25, 25))
            return multiplies[f3];
        return field(w, 30, 30) ? (f3 ? "sra" : "sub") : registers[f3];
    case OP_MISC_MEM:
        return f3 == 1 ? "fence.i" : "fence";
    case OP_SYSTEM:
        if (f3)
            return csrs[f3];
        return w == INSN_ECALL    ? "ecall"
               : w == INSN_EBREAK ? "ebreak"
               : w == INSN_MRET   ? "mret"
               : w == INSN_WFI    ? "wfi"
                                  : "?";
    default:
        return "?";
    }
}

} // namespace

std::string disassemble(uint32_t insn, uint32_t pc) {
    Decoded d = decode(insn);
    uint32_t w = d.word;
    char text[96];
    const char *name = mnemonic(w), *c = d.compressed ? "c:" : "";
    unsigned rd = field(w, 11, 7), rs1 = field(w, 19, 15), rs2 = field(w, 24, 20);
    switch (w & 0x7f) {
    case OP_LUI:
    case OP_AUIPC:
        snprintf(text, sizeof text, "%s%s x%u, 0x%x", c, name, rd, w >> 12);
        break;
    case OP_JAL: {
        uint32_t offset =
            field(w, 31, 31) << 20 | field(w, 19, 12) << 12 | field(w, 20, 20) << 11 | field(w, 30, 21) << 1;
        snprintf(text, sizeof text, "%s%s x%u, %08" PRIx32, c, name, rd,
                 pc + static_cast<uint32_t>(sign_extend(offset, 21)));
        break;
    }
    case OP_BRANCH: {
        uint32_t offset = field(w, 31, 31) << 12 | field(w, 7, 7) << 11 | field(w, 30, 25) << 5 | field(w, 11, 8) << 1;
        snprintf(text, sizeof text, "%s%s x%u, x%u, %08" PRIx32, c, name, rs1, rs2,
                 pc + static_cast<uint32_t>(sign_extend(offset, 13)));
        break;
    }
    case OP_LOAD:
        snprintf(text, sizeof text, "%s%s x%u, %d(x%u)", c, name, rd, d.offset, rs1);
        break;
    case OP_STORE:
        snprintf(text, sizeof text, "%s%s x%u, %d(x%u)", c, name, rs2, d.offset, rs1);
        break;
    case OP_IMM:
    case OP_JALR:
        snprintf(text, sizeof text, "%s%s x%u, x%u, %d", c, name, rd, rs1, static_cast<int32_t>(w) >> 20);
        break;
    case OP_REG:
    case OP_AMO:
        snprintf(text, sizeof text, "%s%s x%u, x%u, x%u", c, name, rd, rs1, rs2);
        break;
    case OP_SYSTEM:
        if (d.csr)
            snprintf(text, sizeof text, "%s x%u, 0x%03x, %s%u", name, rd, d.csr_address, d.csr_immediate ? "" : "x",
                     rs1);
        else
            snprintf(text, sizeof text, "%s%s", c, name);
        break;
    default:
        snprintf(text, sizeof text, "%s%s", c, name);
        break;
    }
    return text;
}

} // namespace cosim
