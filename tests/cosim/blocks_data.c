// SPDX-License-Identifier: Apache-2.0
// Random straight-line code: arithmetic, memory and compressed forms.

#include "program.h"

static uint32_t random_alu_insn(struct program *p, unsigned rd, unsigned rs1, unsigned rs2) {
    static const uint8_t with_alternative[] = {0, 5}; // sub, sra
    unsigned f3 = below(p, 8);
    if (percent(p, 50)) {
        unsigned f7 = 0;
        if (percent(p, 30)) {
            f3 = with_alternative[below(p, 2)];
            f7 = 0x20;
        }
        return enc_r(OP_REG, f3, f7, rd, rs1, rs2);
    }
    if (f3 == 1)
        return enc_r(OP_IMM, 1, 0, rd, rs1, below(p, 32));
    if (f3 == 5)
        return enc_r(OP_IMM, 5, percent(p, 50) ? 0x20 : 0, rd, rs1, below(p, 32));
    return enc_i(OP_IMM, f3, rd, rs1, (int32_t)corner_value(p) & 0xfff);
}

void emit_alu(struct program *p) {
    unsigned rs1 = pick_rs(p), rs2 = pick_rs(p);
    if (percent(p, 15)) {
        load_constant(p, pick_nonzero_rd(p), corner_value(p));
    } else if (percent(p, 10)) {
        emit32(p, enc_u(percent(p, 50) ? OP_LUI : OP_AUIPC, pick_rd(p), corner_value(p)));
    } else {
        emit32(p, random_alu_insn(p, pick_rd(p), rs1, rs2));
    }
}

// One to four in a row; often each one needs the result of the previous one, and the first one has a corner value.
void emit_muldiv(struct program *p) {
    if (percent(p, 30))
        load_constant(p, pick_nonzero_rd(p), corner_value(p));
    if (percent(p, 30))
        load_constant(p, pick_nonzero_rd(p), corner_value(p));
    unsigned count = 1 + below(p, 4);
    for (unsigned i = 0; i < count; i++) {
        unsigned rs1 = pick_rs(p), rs2 = pick_rs(p);
        emit32(p, enc_r(OP_REG, below(p, 8), 1, pick_rd(p), rs1, rs2));
    }
}

// An aligned offset from the known address `from` that stays in [low, high) and within `limit` in both directions.
static int32_t pick_offset(struct program *p, uint32_t from, uint32_t low, uint32_t high, unsigned size,
                           int32_t limit) {
    int32_t least = (int32_t)(low - from), most = (int32_t)(high - size - from);
    if (least < -limit)
        least = -limit;
    if (most > limit - 1)
        most = limit - 1;
    uint32_t address = from + (uint32_t)(least + (int32_t)below(p, (unsigned)(most - least + 1)));
    uint32_t aligned = address & ~(size - 1);
    return (int32_t)((aligned < from + (uint32_t)least ? aligned + size : aligned) - from);
}

static void emit_load_from(struct program *p, unsigned base, uint32_t address, unsigned rd) {
    static const uint8_t f3s[] = {0, 1, 2, 4, 5, 2};
    unsigned f3 = f3s[below(p, 6)];
    emit32(p, enc_i(OP_LOAD, f3, rd, base, pick_offset(p, address, DATA_BASE, SCRATCH_END, 1u << (f3 & 3), 2047)));
}

// Often uses the value at once: in an operation, a branch over one instruction, or a store.
static void emit_use(struct program *p, unsigned reg) {
    unsigned other = pick_rs(p);
    switch (below(p, 4)) {
    case 0:
        emit32(p, random_alu_insn(p, pick_rd(p), reg, other));
        break;
    case 1: {
        static const uint8_t conditions[] = {0, 1, 4, 5, 6, 7};
        emit32(p, enc_b(conditions[below(p, 6)], reg, other, 8));
        emit32(p, random_alu_insn(p, pick_rd(p), pick_rs(p), pick_rs(p)));
        break;
    }
    case 2:
        emit32(p, enc_r(OP_REG, below(p, 8), 1, pick_rd(p), other, reg));
        break;
    default: {
        unsigned offset = below(p, 0x7ff) & ~3u;
        if (DATA_MIDDLE + offset == p->reserved)
            offset ^= 4;
        emit32(p, enc_s(OP_STORE, 2, p->gp, reg, (int32_t)offset));
        break;
    }
    }
}

void emit_load(struct program *p) {
    unsigned base = pick_pointer(p);
    uint32_t address = p->known[base];
    unsigned rd = pick_rd(p);
    emit_load_from(p, base, address, rd);
    if (percent(p, 50))
        emit_use(p, rd);
}

// Sometimes loads the same bytes again at once, in another width.
void emit_store(struct program *p) {
    unsigned base = pick_pointer(p);
    uint32_t address = p->known[base];
    unsigned size_log2 = below(p, 3);
    int32_t offset = pick_offset(p, address, SCRATCH_BASE, SCRATCH_END, 1u << size_log2, 2047);
    emit32(p, enc_s(OP_STORE, size_log2, base, pick_rs(p), offset));
    if (percent(p, 40)) {
        unsigned load_log2 = below(p, 3);
        int32_t down = (int32_t)((address + (uint32_t)offset) & ((1u << load_log2) - 1));
        if (offset - down < -2048)
            return;
        unsigned f3 = load_log2 < 2 && percent(p, 50) ? load_log2 + 4 : load_log2;
        emit32(p, enc_i(OP_LOAD, f3, pick_rd(p), base, offset - down));
    }
}

// Loads a pointer and uses it as a base in the next instruction.
void emit_pointer_chase(struct program *p) {
    unsigned index = below(p, DATA_POINTERS);
    unsigned rb = pick_nonzero_rd(p);
    emit32(p, enc_i(OP_LOAD, 2, rb, p->gp, (int32_t)(4 * index) - 0x800));
    const uint8_t *bytes = p->image + (DATA_BASE - IMAGE_BASE) + 4 * index;
    uint32_t address = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    p->known[rb] = address;
    if (percent(p, 50)) {
        emit_load_from(p, rb, address, pick_rd(p));
    } else {
        unsigned size_log2 = below(p, 3);
        emit32(p, enc_s(OP_STORE, size_log2, rb, pick_rs(p),
                        pick_offset(p, address, SCRATCH_BASE, SCRATCH_END, 1u << size_log2, 2047)));
    }
}

// A compressed load or store needs a base among x8..x15 or sp, and an offset upwards.
static void emit_compressed_memory(struct program *p) {
    bool by_sp = percent(p, 40) && !(p->locked & 1u << 2);
    unsigned base = by_sp ? 2 : pick_short_rd(p);
    uint32_t room = by_sp ? 256 : 128;
    uint32_t address = (SCRATCH_BASE + below(p, SCRATCH_END - SCRATCH_BASE - room)) & ~3u;
    if (!by_sp || p->known[2] == 0 || (p->known[2] & 3) || p->known[2] < SCRATCH_BASE ||
        p->known[2] + room > SCRATCH_END) {
        wrote(p, base);
        emit32(p, enc_i(OP_IMM, 0, base, p->gp, (int32_t)(address - DATA_MIDDLE)));
        p->known[base] = address;
    }
    unsigned count = 1 + below(p, 3);
    for (unsigned i = 0; i < count; i++) {
        uint32_t offset = below(p, room) & ~3u;
        bool store = percent(p, 50);
        if (by_sp) {
            if (store) {
                emit16(p, enc_c_swsp(pick_rs(p), offset));
            } else {
                unsigned rd = pick_nonzero_rd(p);
                emit16(p, enc_c_lwsp(rd, offset));
                if (rd == 2)
                    return;
            }
        } else if (store) {
            emit16(p, enc_c_word(6, base - 8, pick_short_rs(p) - 8, offset));
        } else {
            unsigned rd = pick_short_rd(p);
            emit16(p, enc_c_word(2, base - 8, rd - 8, offset));
            if (rd == base)
                return;
        }
    }
}

// Hints, too: they have their own encodings and must do nothing.
static void emit_compressed_hint(struct program *p) {
    switch (below(p, 5)) {
    case 0:
        emit16(p, INSN_C_NOP);
        break;
    case 1:
        emit16(p, enc_ci(1, 0, 0, 1 + (int32_t)below(p, 31))); // c.nop with an immediate
        break;
    case 2:
        emit16(p, enc_ci(1, 2, 0, (int32_t)below(p, 64))); // c.li x0
        break;
    case 3:
        emit16(p, enc_c_move(0, 0, 1 + below(p, 31))); // c.mv x0
        break;
    default:
        emit16(p, enc_c_move(1, 0, 1 + below(p, 31))); // c.add x0
        break;
    }
}

static unsigned nonzero_rs(struct program *p) {
    unsigned rs = pick_rs(p);
    return rs ? rs : 1 + below(p, 31);
}

static void emit_compressed_alu(struct program *p) {
    unsigned rs = nonzero_rs(p), short_rs = pick_short_rs(p) - 8;
    int32_t imm6 = (int32_t)below(p, 64);
    switch (below(p, 13)) {
    case 0:
        emit16(p, enc_ci(1, 0, pick_nonzero_rd(p), imm6)); // c.addi; 0 is a hint
        break;
    case 1:
        emit16(p, enc_ci(1, 2, pick_nonzero_rd(p), imm6)); // c.li
        break;
    case 2: {
        unsigned rd = pick_nonzero_rd(p);
        if (rd == 2)
            emit16(p, enc_c_addi16sp(16 * (1 + (int32_t)below(p, 63))));
        else
            emit16(p, enc_ci(1, 3, rd, imm6 ? imm6 : 1)); // c.lui
        break;
    }
    case 3:
        emit16(p, enc_ci(2, 0, pick_nonzero_rd(p), (int32_t)below(p, 32))); // c.slli
        break;
    case 4:
    case 5:
        emit16(p, enc_c_immediate(below(p, 2), pick_short_rd(p) - 8, (int32_t)below(p, 32))); // c.srli, c.srai
        break;
    case 6:
        emit16(p, enc_c_immediate(2, pick_short_rd(p) - 8, imm6)); // c.andi
        break;
    case 7:
    case 8:
    case 9:
        emit16(p, enc_c_register(below(p, 4), pick_short_rd(p) - 8, short_rs));
        break;
    case 10:
        emit16(p, enc_c_addi4spn(pick_short_rd(p) - 8, 4 * (1 + below(p, 255))));
        break;
    case 11:
        emit16(p, enc_c_move(0, pick_nonzero_rd(p), rs)); // c.mv
        break;
    default:
        emit16(p, enc_c_move(1, pick_nonzero_rd(p), rs)); // c.add
        break;
    }
}

void emit_compressed(struct program *p) {
    unsigned kind = below(p, 20);
    if (kind < 4)
        emit_compressed_memory(p);
    else if (kind == 4)
        emit_compressed_hint(p);
    else
        emit_compressed_alu(p);
}
