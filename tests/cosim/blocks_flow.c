// SPDX-License-Identifier: Apache-2.0
// Random control flow: branches, loops, calls, computed jumps, code that changes itself.

#include <string.h>

#include "program.h"

static const uint8_t conditions[] = {0, 1, 4, 5, 6, 7};

static bool fits(int32_t distance, int bits) {
    return distance >= -(1 << (bits - 1)) && distance < 1 << (bits - 1);
}

// Instructions of a body that is jumped over or repeated.
static void emit_body(struct program *p, unsigned most) {
    p->depth++;
    emit_units(p, below(p, most + 1));
    p->depth--;
}

// A body that may or may not run: after it, only values that are equal in both cases are known.
static void emit_optional_body(struct program *p, unsigned most) {
    uint32_t before[32];
    memcpy(before, p->known, sizeof before);
    emit_body(p, most);
    for (int i = 0; i < 32; i++)
        if (p->known[i] != before[i])
            p->known[i] = 0;
}

static void align4(struct program *p) {
    if (p->pc & 2)
        emit16(p, INSN_C_NOP);
}

// A forward branch. If the body is too long for the short forms, the branch becomes a nop.
void emit_branch(struct program *p) {
    uint32_t at = p->pc;
    if (percent(p, 30)) {
        unsigned reg = pick_short_rs(p);
        emit16(p, INSN_C_NOP);
        emit_optional_body(p, 6);
        int32_t distance = (int32_t)(p->pc - at);
        if (fits(distance, 9))
            put16(p, at, enc_c_branch(6 + below(p, 2), reg - 8, distance));
    } else if (percent(p, 15)) {
        emit16(p, INSN_C_NOP);
        emit_optional_body(p, 8);
        int32_t distance = (int32_t)(p->pc - at);
        if (fits(distance, 12))
            put16(p, at, enc_c_jump(5, distance));
    } else {
        unsigned rs1 = pick_rs(p), rs2 = pick_rs(p);
        emit32(p, INSN_NOP);
        emit_optional_body(p, 10);
        int32_t distance = (int32_t)(p->pc - at);
        if (fits(distance, 13))
            put32(p, at, enc_b(conditions[below(p, 6)], rs1, rs2, distance));
    }
}

// The end of a loop: branches to `head` while `counter` is not zero.
static void emit_back_branch(struct program *p, unsigned counter, uint32_t head) {
    if (counter >= 8 && counter < 16 && percent(p, 70) && fits((int32_t)(head - p->pc), 9)) {
        emit16(p, enc_c_branch(7, counter - 8, (int32_t)(head - p->pc)));
    } else if (fits((int32_t)(head - p->pc), 13)) {
        int32_t distance = (int32_t)(head - p->pc);
        switch (below(p, 3)) {
        case 0:
            emit32(p, enc_b(1, counter, 0, distance)); // bne
            break;
        case 1:
            emit32(p, enc_b(4, 0, counter, distance)); // blt
            break;
        default:
            emit32(p, enc_b(6, 0, counter, distance)); // bltu
            break;
        }
    } else {
        emit32(p, enc_b(0, counter, 0, 8));
        emit32(p, enc_j(0, (int32_t)(head - p->pc)));
    }
}

void emit_loop(struct program *p) {
    unsigned counter = pick_nonzero_rd(p);
    bool tight = percent(p, 30);
    uint32_t turns = tight ? 2 + below(p, 30) : 1 + below(p, 4);
    if (turns < 32 && percent(p, 50))
        emit16(p, enc_ci(1, 2, counter, (int32_t)turns));
    else
        emit32(p, enc_i(OP_IMM, 0, counter, 0, (int32_t)turns));
    uint32_t locked = p->locked;
    p->locked |= 1u << counter;
    forget_pointers(p);
    uint32_t head = p->pc;
    if (tight) {
        p->depth += 3; // no nesting in this loop
        emit_body(p, 2);
        p->depth -= 3;
    } else {
        emit_body(p, 8);
    }
    if (percent(p, 50))
        emit16(p, enc_ci(1, 0, counter, -1));
    else
        emit32(p, enc_i(OP_IMM, 0, counter, counter, -1));
    emit_back_branch(p, counter, head);
    p->locked = locked;
}

static void emit_return(struct program *p, unsigned link) {
    if (percent(p, 70))
        emit16(p, enc_c_move(0, link, 0));
    else
        emit32(p, enc_i(OP_JALR, 0, 0, link, 0));
}

// One call of the function at `entry`, which returns by `link`.
static void emit_one_call(struct program *p, unsigned link, uint32_t entry) {
    int32_t distance = (int32_t)(entry - p->pc);
    unsigned form = below(p, 4);
    if (form == 0 && link == 1 && fits(distance, 12)) {
        emit16(p, enc_c_jump(1, distance)); // c.jal
    } else if (form == 1 && link == 1) {
        unsigned target = pick_nonzero_rd(p);
        load_constant(p, target, entry);
        emit16(p, enc_c_move(1, target, 0)); // c.jalr
    } else if (form == 2 && fits((int32_t)(entry - p->pc), 12)) {
        distance = (int32_t)(entry - p->pc);
        emit32(p, enc_u(OP_AUIPC, link, 0));
        emit32(p, enc_i(OP_JALR, 0, link, link, distance));
    } else {
        emit32(p, enc_j(link, distance));
    }
    forget_pointers(p);
}

void emit_call(struct program *p) {
    unsigned link = percent(p, 60) && !(p->locked & 2) ? 1 : pick_nonzero_rd(p);
    wrote(p, link);
    uint32_t over = p->pc;
    emit32(p, INSN_NOP);
    uint32_t entry = p->pc, locked = p->locked;
    p->locked |= 1u << link;
    forget_pointers(p);
    emit_body(p, 8);
    emit_return(p, link);
    put32(p, over, enc_j(0, (int32_t)(p->pc - over)));
    forget_pointers(p);
    unsigned calls = 1 + below(p, 3);
    for (unsigned i = 0; i < calls; i++)
        emit_one_call(p, link, entry);
    p->locked = locked;
}

// auipc + jalr over an optional body; bit 0 of the sum must be ignored.
static void emit_relative_jump(struct program *p) {
    unsigned rt = pick_nonzero_rd(p);
    uint32_t from = p->pc;
    emit32(p, enc_u(OP_AUIPC, rt, 0));
    uint32_t at = p->pc;
    unsigned rd = percent(p, 50) ? 0 : pick_nonzero_rd(p);
    emit32(p, INSN_NOP);
    emit_optional_body(p, 6);
    wrote(p, rd);
    int32_t distance = (int32_t)(p->pc - from) + (int32_t)below(p, 2);
    if (fits(distance, 12))
        put32(p, at, enc_i(OP_JALR, 0, rd, rt, distance));
}

// The target comes from memory and is used at once.
static void emit_table_jump(struct program *p) {
    unsigned rt = pick_nonzero_rd(p);
    uint32_t from = p->pc;
    emit32(p, enc_u(OP_AUIPC, rt, 0));
    uint32_t load = p->pc;
    emit32(p, INSN_NOP);
    if (percent(p, 30))
        emit16(p, INSN_C_NOP);
    if (percent(p, 50)) {
        bool link = percent(p, 50) && !(p->locked & 2);
        if (link)
            wrote(p, 1);
        emit16(p, enc_c_move(link, rt, 0));
    } else {
        emit32(p, enc_i(OP_JALR, 0, pick_rd(p), rt, 0));
    }
    align4(p);
    uint32_t literal = p->pc;
    emit32(p, 0);
    emit_optional_body(p, 4);
    put32(p, literal, p->pc + below(p, 2));
    put32(p, load, enc_i(OP_LOAD, 2, rt, rt, (int32_t)(literal - from)));
}

void emit_jump(struct program *p) {
    if (percent(p, 50))
        emit_relative_jump(p);
    else
        emit_table_jump(p);
}

// Stores a new instruction over a later one, then fence.i. A second pass (in a loop) finds it already replaced.
void emit_self_modify(struct program *p) {
    unsigned base = pick_nonzero_rd(p);
    unsigned value;
    do
        value = pick_nonzero_rd(p);
    while (value == base);
    bool compressed = percent(p, 30);
    unsigned filler = below(p, 4);
    if (percent(p, 50))
        emit16(p, INSN_C_NOP);
    unsigned rd = pick_nonzero_rd(p);
    uint32_t replacement = compressed ? enc_ci(1, 2, rd, (int32_t)below(p, 64))
                                      : enc_i(OP_IMM, 4, rd, pick_rs(p), (int32_t)below(p, 4096));
    uint32_t high = (replacement + 0x800) & 0xfffff000u;
    emit32(p, enc_u(OP_LUI, value, high));
    emit32(p, enc_i(OP_IMM, 0, value, value, (int32_t)(replacement - high)));
    uint32_t from = p->pc;
    emit32(p, enc_u(OP_AUIPC, base, 0));
    uint32_t stores = p->pc;
    // Up to three instructions: one sw, or sh with the upper half shifted down for the second sh.
    bool halves = !compressed && ((from + 4 + 12 + 4 + 2 * filler) & 2);
    unsigned store_bytes = compressed || !halves ? 4 : 12;
    uint32_t slot = stores + store_bytes + 4 + 2 * filler;
    int32_t offset = (int32_t)(slot - from);
    if (store_bytes == 4) {
        emit32(p, enc_s(OP_STORE, compressed ? 1 : (slot & 2) ? 1 : 2, base, value, offset));
    } else {
        emit32(p, enc_s(OP_STORE, 1, base, value, offset));
        emit32(p, enc_r(OP_IMM, 5, 0, value, value, 16));
        emit32(p, enc_s(OP_STORE, 1, base, value, offset + 2));
    }
    emit32(p, INSN_FENCE_I);
    for (unsigned i = 0; i < filler; i++)
        emit16(p, INSN_C_NOP);
    if (compressed)
        emit16(p, enc_ci(1, 0, rd, 1 + (int32_t)below(p, 30)));
    else
        emit32(p, enc_i(OP_IMM, 0, rd, rd, (int32_t)below(p, 4096)));
}

// A jump or an always taken branch to `target`, in the shortest form that reaches it or a longer one.
static void emit_taken(struct program *p, uint32_t target, unsigned zero) {
    static const uint8_t of_equals[] = {0, 5, 7}; // beq, bge, bgeu
    int32_t distance = (int32_t)(target - p->pc);
    unsigned reg = pick_rs(p);
    switch (below(p, 4)) {
    case 0:
        if (fits(distance, 9)) {
            emit16(p, enc_c_branch(6, zero - 8, distance));
            return;
        }
        break;
    case 1:
        if (fits(distance, 12)) {
            bool link = percent(p, 30) && !(p->locked & 2);
            if (link)
                wrote(p, 1);
            emit16(p, enc_c_jump(link ? 1 : 5, distance));
            return;
        }
        break;
    case 2:
        if (fits(distance, 13)) {
            emit32(p, enc_b(of_equals[below(p, 3)], reg, reg, distance));
            return;
        }
        break;
    default:
        break;
    }
    emit32(p, enc_j(pick_rd(p), distance));
}

// Distances near the limits of jumps and branches, in both directions, over bytes that are never executed.
void emit_far(struct program *p) {
    static const uint16_t reaches[] = {256, 2048, 4096, 6000};
    unsigned zero = pick_short_rd(p);
    emit16(p, enc_ci(1, 2, zero, 0));
    unsigned bytes = below(p, reaches[below(p, 4)]) & ~1u;
    if (percent(p, 50)) {
        uint32_t target = p->pc + 4 + bytes;
        emit_taken(p, target, zero);
        while (p->pc < target)
            emit16(p, random_u32(p));
        return;
    }
    uint32_t over = p->pc;
    emit32(p, INSN_NOP);
    uint32_t back = p->pc;
    emit_alu(p);
    uint32_t out = p->pc;
    emit32(p, INSN_NOP);
    for (unsigned i = 0; i < bytes; i += 2)
        emit16(p, random_u32(p));
    put32(p, over, enc_j(0, (int32_t)(p->pc - over)));
    emit_taken(p, back, zero);
    put32(p, out, enc_j(0, (int32_t)(p->pc - out)));
}
