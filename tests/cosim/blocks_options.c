// SPDX-License-Identifier: Apache-2.0
// Random code of the optional extensions: A, Zba, Zbb, Zbs.

#include "program.h"

enum { AMO_ADD, AMO_SWAP, AMO_LR, AMO_SC };

static uint32_t enc_amo(struct program *p, unsigned f5, unsigned rd, unsigned rs1, unsigned rs2) {
    return enc_r(OP_AMO, 2, f5 << 2 | below(p, 4), rd, rs1, rs2); // aq and rl at random
}

static unsigned random_amo(struct program *p) {
    static const uint8_t operations[] = {AMO_ADD, AMO_SWAP, 0x04, 0x08, 0x0c, 0x10, 0x14, 0x18, 0x1c};
    return operations[below(p, sizeof operations)];
}

uint32_t random_bits_insn(struct program *p, unsigned rd, unsigned rs1, unsigned rs2) {
    static const struct {
        uint8_t f7, f3;
    } registers[] = {{0x10, 2}, {0x10, 4}, {0x10, 6}, {0x20, 7}, {0x20, 6}, {0x20, 4}, {0x05, 4}, {0x05, 5},
                     {0x05, 6}, {0x05, 7}, {0x30, 1}, {0x30, 5}, {0x24, 1}, {0x24, 5}, {0x34, 1}, {0x14, 1}};
    static const uint8_t shifts[][2] = {{0x30, 5}, {0x24, 1}, {0x24, 5}, {0x34, 1}, {0x14, 1}};
    static const uint16_t unary[] = {0x600, 0x601, 0x602, 0x604, 0x605};
    unsigned kind = below(p, 32), i;
    if (kind < 16) {
        return enc_r(OP_REG, registers[kind].f3, registers[kind].f7, rd, rs1, rs2);
    } else if (kind < 21) {
        i = kind - 16;
        return enc_r(OP_IMM, shifts[i][1], shifts[i][0], rd, rs1, below(p, 32));
    } else if (kind < 29) {
        return enc_i(OP_IMM, 1, rd, rs1, unary[(kind - 21) % 5]);
    } else if (kind == 29) {
        return enc_r(OP_REG, 4, 0x04, rd, rs1, 0); // zext.h
    }
    return enc_i(OP_IMM, 5, rd, rs1, kind == 30 ? 0x287 : 0x698); // orc.b, rev8
}

// An instruction of these extensions, for a core without them.
uint32_t random_option_insn(struct program *p) {
    unsigned rs1 = pick_rs(p), rs2 = pick_rs(p);
    if (percent(p, 70))
        return random_bits_insn(p, pick_rd(p), rs1, rs2);
    unsigned f5 = percent(p, 30) ? AMO_LR + below(p, 2) : random_amo(p);
    return enc_amo(p, f5, pick_rd(p), rs1, f5 == AMO_LR ? 0 : rs2);
}

void emit_bits(struct program *p) {
    if (!p->options) {
        emit_alu(p);
        return;
    }
    if (percent(p, 40))
        load_constant(p, pick_nonzero_rd(p), corner_value(p));
    unsigned count = 1 + below(p, 3);
    for (unsigned i = 0; i < count; i++) {
        unsigned rs1 = pick_rs(p), rs2 = pick_rs(p);
        emit32(p, random_bits_insn(p, pick_rd(p), rs1, rs2));
    }
}

// A register with the address of a word in scratch.
static unsigned pick_word(struct program *p) {
    if (percent(p, 50)) {
        unsigned start = below(p, 32);
        for (unsigned i = 0; i < 32; i++) {
            unsigned reg = (start + i) % 32;
            uint32_t address = p->known[reg];
            if (address >= SCRATCH_BASE && address < SCRATCH_END && (address & 3) == 0 && reg != p->gp)
                return reg;
        }
    }
    unsigned rd = pick_nonzero_rd(p);
    uint32_t address = (SCRATCH_BASE + below(p, SCRATCH_END - SCRATCH_BASE)) & ~3u;
    emit32(p, enc_i(OP_IMM, 0, rd, p->gp, (int32_t)(address - DATA_MIDDLE)));
    p->known[rd] = address;
    return rd;
}

// Another word in scratch, by its distance from DATA_MIDDLE; often a neighbour.
static int32_t other_word(struct program *p, uint32_t address) {
    uint32_t other;
    do
        other = percent(p, 50) ? address ^ (4u << below(p, 8))
                               : (SCRATCH_BASE + below(p, SCRATCH_END - SCRATCH_BASE)) & ~3u;
    while (other == address || other < SCRATCH_BASE || other >= SCRATCH_END);
    return (int32_t)(other - DATA_MIDDLE);
}

static void emit_amo(struct program *p) {
    unsigned base = pick_word(p);
    int32_t offset = (int32_t)(p->known[base] - DATA_MIDDLE);
    unsigned rs2 = pick_rs(p);
    emit32(p, enc_amo(p, random_amo(p), pick_rd(p), base, rs2));
    if (percent(p, 30))
        emit32(p, enc_i(OP_LOAD, 2, pick_rd(p), p->gp, offset));
}

// Instructions that keep a reservation, here and in QEMU. In QEMU, every trap ends it, and a word with a changed value
// counts as written by another hart.
static void emit_between(struct program *p, uint32_t reserved) {
    switch (below(p, 8)) {
    case 0:
    case 1: {
        unsigned size_log2 = below(p, 3);
        int32_t offset = other_word(p, reserved) + (int32_t)(below(p, 4) & -(1u << size_log2));
        emit32(p, enc_s(OP_STORE, size_log2, p->gp, pick_rs(p), offset));
        break;
    }
    case 2:
        emit_load(p);
        break;
    case 3:
        emit_bits(p);
        break;
    case 4:
        emit_only_core(p); // includes traps: only the core's handler runs in between
        break;
    case 5:
        emit_muldiv(p);
        break;
    default:
        emit_alu(p);
        break;
    }
}

// lr, other instructions, sc. An sc ends every pair, so that no reservation is left.
static void emit_pair(struct program *p) {
    unsigned base = pick_word(p), other = 0;
    uint32_t locked = p->locked, address = p->known[base];
    p->locked |= 1u << base;
    unsigned kind = below(p, 10);
    if (kind < 4) {
        other = pick_nonzero_rd(p);
        int32_t offset = other_word(p, address);
        emit32(p, enc_i(OP_IMM, 0, other, p->gp, offset));
        p->locked |= 1u << other;
    }
    emit32(p, enc_amo(p, AMO_LR, pick_rd(p), base, 0));
    if (kind == 0) // another lr replaces the reservation
        emit32(p, enc_amo(p, AMO_LR, pick_rd(p), other, 0));
    p->reserved = address;
    if (kind != 0)
        for (unsigned count = below(p, 4); count > 0; count--)
            emit_between(p, address);
    p->reserved = 0;
    unsigned first = kind < 2 ? other : base;
    if (kind == 0 && percent(p, 30))
        first = base;
    p->locked = locked;
    unsigned rs2 = pick_rs(p);
    if (kind < 4 || percent(p, 30))
        p->locked |= 1u << base;
    emit32(p, enc_amo(p, AMO_SC, pick_rd(p), first, rs2));
    if (p->locked != locked) { // the reservation is used up
        rs2 = pick_rs(p);
        emit32(p, enc_amo(p, AMO_SC, pick_rd(p), base, rs2));
    }
    p->locked = locked;
}

// Faults: misaligned, from the window, from unmapped addresses. QEMU executes the first ones and reports other
// exceptions for the rest.
static void emit_atomic_fault(struct program *p) {
    static const uint32_t bases[] = {0x20000000, WINDOW_BASE, 0x40000000};
    unsigned base = pick_nonzero_rd(p), rs2 = pick_rs(p), rd = pick_rs(p);
    unsigned f5 = percent(p, 30) ? AMO_LR : random_amo(p);
    bool misaligned = percent(p, 50);
    if (misaligned) {
        uint32_t address = SCRATCH_BASE + 4 * below(p, 256) + 1 + below(p, 3);
        emit32(p, enc_i(OP_IMM, 0, base, p->gp, (int32_t)(address - DATA_MIDDLE)));
        if (percent(p, 30))
            f5 = AMO_SC;
    } else {
        emit32(p, enc_u(OP_LUI, base, bases[below(p, 3)] + (below(p, 15) << 12)));
        if (percent(p, 20)) { // no reservation: no access
            emit32(p, enc_amo(p, AMO_SC, pick_rd(p), base, rs2));
            return;
        }
    }
    emit_core_only(p, enc_amo(p, f5, rd, base, f5 == AMO_LR ? 0 : rs2), misaligned ? PATCH_MISALIGNED : PATCH_FAULT);
}

void emit_atomic(struct program *p) {
    unsigned kind = below(p, 16);
    if (!p->options) {
        emit_alu(p);
    } else if (kind < 8) {
        emit_amo(p);
    } else if (kind < 14) {
        emit_pair(p);
    } else if (kind == 14) {
        unsigned base = pick_word(p), rs2 = pick_rs(p);
        emit32(p, enc_amo(p, AMO_SC, pick_rd(p), base, rs2));
    } else if (p->core_only) {
        emit_atomic_fault(p);
    }
}
