/* SPDX-License-Identifier: Apache-2.0 */
/* RV32IMAC instruction encodings, one function per format. Immediates are not checked: the caller ensures their
 * range. */
#ifndef COSIM_ENCODE_H
#define COSIM_ENCODE_H

#include <stdint.h>

enum opcode {
    OP_LOAD = 0x03,
    OP_MISC_MEM = 0x0f,
    OP_IMM = 0x13,
    OP_AUIPC = 0x17,
    OP_STORE = 0x23,
    OP_AMO = 0x2f,
    OP_REG = 0x33,
    OP_LUI = 0x37,
    OP_BRANCH = 0x63,
    OP_JALR = 0x67,
    OP_JAL = 0x6f,
    OP_SYSTEM = 0x73
};

enum {
    INSN_NOP = 0x00000013,
    INSN_ECALL = 0x00000073,
    INSN_EBREAK = 0x00100073,
    INSN_MRET = 0x30200073,
    INSN_WFI = 0x10500073,
    INSN_FENCE_I = 0x0000100f,
    INSN_C_NOP = 0x0001,
    INSN_C_EBREAK = 0x9002
};

static inline uint32_t bits_of(uint32_t value, int high, int low) {
    return (value >> low) & ((2u << (high - low)) - 1u);
}

static inline uint32_t enc_r(unsigned op, unsigned f3, unsigned f7, unsigned rd, unsigned rs1, unsigned rs2) {
    return f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}
static inline uint32_t enc_i(unsigned op, unsigned f3, unsigned rd, unsigned rs1, int32_t imm) {
    return (uint32_t)imm << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}
static inline uint32_t enc_s(unsigned op, unsigned f3, unsigned rs1, unsigned rs2, int32_t imm) {
    uint32_t u = (uint32_t)imm;
    return bits_of(u, 11, 5) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | bits_of(u, 4, 0) << 7 | op;
}
static inline uint32_t enc_b(unsigned f3, unsigned rs1, unsigned rs2, int32_t imm) {
    uint32_t u = (uint32_t)imm;
    return bits_of(u, 12, 12) << 31 | bits_of(u, 10, 5) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 |
           bits_of(u, 4, 1) << 8 | bits_of(u, 11, 11) << 7 | OP_BRANCH;
}
static inline uint32_t enc_u(unsigned op, unsigned rd, uint32_t value) {
    return (value & 0xfffff000u) | rd << 7 | op;
}
static inline uint32_t enc_j(unsigned rd, int32_t imm) {
    uint32_t u = (uint32_t)imm;
    return bits_of(u, 20, 20) << 31 | bits_of(u, 10, 1) << 21 | bits_of(u, 11, 11) << 20 | bits_of(u, 19, 12) << 12 |
           rd << 7 | OP_JAL;
}

/* Compressed formats. Registers written `c` are the three-bit ones (0 is x8). */
static inline uint32_t enc_ci(unsigned quadrant, unsigned f3, unsigned rd, int32_t imm) {
    uint32_t u = (uint32_t)imm;
    return f3 << 13 | bits_of(u, 5, 5) << 12 | rd << 7 | bits_of(u, 4, 0) << 2 | quadrant;
}
static inline uint32_t enc_c_addi4spn(unsigned c, uint32_t imm) {
    return bits_of(imm, 5, 4) << 11 | bits_of(imm, 9, 6) << 7 | bits_of(imm, 2, 2) << 6 | bits_of(imm, 3, 3) << 5 |
           c << 2;
}
static inline uint32_t enc_c_addi16sp(int32_t imm) {
    uint32_t u = (uint32_t)imm;
    return 3u << 13 | bits_of(u, 9, 9) << 12 | 2u << 7 | bits_of(u, 4, 4) << 6 | bits_of(u, 6, 6) << 5 |
           bits_of(u, 8, 7) << 3 | bits_of(u, 5, 5) << 2 | 1u;
}
/* c.lw (f3 = 2) and c.sw (f3 = 6) */
static inline uint32_t enc_c_word(unsigned f3, unsigned c_base, unsigned c_data, uint32_t imm) {
    return f3 << 13 | bits_of(imm, 5, 3) << 10 | c_base << 7 | bits_of(imm, 2, 2) << 6 | bits_of(imm, 6, 6) << 5 |
           c_data << 2;
}
static inline uint32_t enc_c_lwsp(unsigned rd, uint32_t imm) {
    return 2u << 13 | bits_of(imm, 5, 5) << 12 | rd << 7 | bits_of(imm, 4, 2) << 4 | bits_of(imm, 7, 6) << 2 | 2u;
}
static inline uint32_t enc_c_swsp(unsigned rs2, uint32_t imm) {
    return 6u << 13 | bits_of(imm, 5, 2) << 9 | bits_of(imm, 7, 6) << 7 | rs2 << 2 | 2u;
}
/* c.jal (f3 = 1) and c.j (f3 = 5) */
static inline uint32_t enc_c_jump(unsigned f3, int32_t imm) {
    uint32_t u = (uint32_t)imm;
    return f3 << 13 | bits_of(u, 11, 11) << 12 | bits_of(u, 4, 4) << 11 | bits_of(u, 9, 8) << 9 |
           bits_of(u, 10, 10) << 8 | bits_of(u, 6, 6) << 7 | bits_of(u, 7, 7) << 6 | bits_of(u, 3, 1) << 3 |
           bits_of(u, 5, 5) << 2 | 1u;
}
/* c.beqz (f3 = 6) and c.bnez (f3 = 7) */
static inline uint32_t enc_c_branch(unsigned f3, unsigned c, int32_t imm) {
    uint32_t u = (uint32_t)imm;
    return f3 << 13 | bits_of(u, 8, 8) << 12 | bits_of(u, 4, 3) << 10 | c << 7 | bits_of(u, 7, 6) << 5 |
           bits_of(u, 2, 1) << 3 | bits_of(u, 5, 5) << 2 | 1u;
}
/* c.srli (kind 0), c.srai (1), c.andi (2) */
static inline uint32_t enc_c_immediate(unsigned kind, unsigned c, int32_t imm) {
    uint32_t u = (uint32_t)imm;
    return 4u << 13 | bits_of(u, 5, 5) << 12 | kind << 10 | c << 7 | bits_of(u, 4, 0) << 2 | 1u;
}
/* c.sub (kind 0), c.xor, c.or, c.and (3) */
static inline uint32_t enc_c_register(unsigned kind, unsigned c, unsigned c_rs2) {
    return 4u << 13 | 3u << 10 | c << 7 | kind << 5 | c_rs2 << 2 | 1u;
}
/* c.jr / c.mv (link 0), c.jalr / c.add (link 1) */
static inline uint32_t enc_c_move(unsigned link, unsigned rd, unsigned rs2) {
    return 4u << 13 | link << 12 | rd << 7 | rs2 << 2 | 2u;
}

#endif
