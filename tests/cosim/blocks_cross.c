// SPDX-License-Identifier: Apache-2.0
// Random code in which neighbours matter: each kind of instruction directly before and after each kind of trap, and
// fetches after a jump or branch that is decided late.

#include "program.h"

enum { CSR_MSTATUS = 0x300, CSR_MTVEC = 0x305, CSR_MSCRATCH = 0x340, CSR_MEPC = 0x341, CSR_MCYCLE = 0xb00 };
enum { MSTATUS_MIE = 8, MSTATUS_MPP = 0x1800, ABSENT_CSR = 0x123 };
enum { RW = 1, RS, RC, RWI = 5, RSI, RCI };
static const uint32_t last_word = IMAGE_BASE + RAM_BYTES - 4;

enum kind {
    K_ALU,
    K_MUL,
    K_DIV,
    K_LOAD,
    K_STORE,
    K_BRANCH,
    K_JAL,
    K_JALR,
    K_FENCE_I,
    K_USER_KINDS, // from here on: not in U mode
    K_CSR_READ = K_USER_KINDS,
    K_CSR_WRITE,
    K_CSR_SERIAL,
    K_WORDS, // from here on: QEMU must not execute it
    K_COUNTER = K_WORDS,
    K_WFI,
    K_KINDS
};

static uint32_t enc_csr(unsigned f3, unsigned rd, unsigned csr, unsigned source) {
    return enc_i(OP_SYSTEM, f3, rd, source, (int32_t)csr);
}

static int32_t scratch_offset(struct program *p) {
    return (int32_t)(below(p, SCRATCH_END - SCRATCH_BASE) & ~3u) - (int32_t)(DATA_MIDDLE - SCRATCH_BASE);
}

static enum kind pick_kind(struct program *p, enum kind kinds) {
    for (;;) {
        enum kind kind = below(p, p->in_user && kinds > K_USER_KINDS ? K_USER_KINDS : kinds);
        if ((kind != K_COUNTER || p->core_only) && (kind != K_WFI || (p->core_only && p->interrupts)))
            return kind;
    }
}

// A jalr jumps to `jump`, all others to the next instruction.
static uint32_t word_of(struct program *p, enum kind kind, unsigned jump) {
    static const uint8_t conditions[] = {0, 1, 4, 5, 6, 7};
    unsigned rs1 = pick_rs(p), rs2 = pick_rs(p), rd = pick_rd(p);
    switch (kind) {
    case K_MUL:
        return enc_r(OP_REG, below(p, 4), 1, rd, rs1, rs2);
    case K_DIV:
        return enc_r(OP_REG, 4 + below(p, 4), 1, rd, rs1, rs2);
    case K_LOAD:
        return enc_i(OP_LOAD, 2, rd, p->gp, scratch_offset(p));
    case K_STORE:
        return enc_s(OP_STORE, 2, p->gp, rs2, scratch_offset(p));
    case K_BRANCH:
        return enc_b(conditions[below(p, 6)], rs1, rs2, 4);
    case K_JAL:
        return enc_j(rd, 4);
    case K_JALR:
        return enc_i(OP_JALR, 0, rd, jump, 0);
    case K_FENCE_I:
        return INSN_FENCE_I;
    case K_CSR_READ:
        return enc_csr(RS, rd, CSR_MSCRATCH, 0);
    case K_CSR_WRITE:
        return enc_csr(RW, rd, CSR_MSCRATCH, rs1);
    case K_CSR_SERIAL:
        return enc_csr(RS, rd, CSR_MTVEC, 0);
    case K_COUNTER:
        return enc_csr(RS, 0, CSR_MCYCLE, 0);
    case K_WFI:
        return INSN_WFI;
    default:
        return enc_r(OP_REG, below(p, 8), 0, rd, rs1, rs2);
    }
}

static void emit_kind(struct program *p, enum kind kind, unsigned jump) {
    uint32_t word = word_of(p, kind, jump);
    if (kind == K_COUNTER)
        emit_core_only(p, word, PATCH_COUNTER);
    else if (kind == K_WFI)
        emit_core_only(p, word, PATCH_WFI);
    else
        emit32(p, word);
}

// A register that is not written until its bit is removed from p->locked.
static unsigned lock_register(struct program *p) {
    unsigned reg = pick_nonzero_rd(p);
    p->locked |= 1u << reg;
    return reg;
}

// Loads an address that is not known yet; put_address() sets it.
static uint32_t emit_address(struct program *p, unsigned reg) {
    uint32_t at = p->pc;
    emit32(p, enc_u(OP_AUIPC, reg, 0));
    emit32(p, INSN_NOP);
    return at;
}
static void put_address(struct program *p, uint32_t at, unsigned reg) {
    put32(p, at + 4, enc_i(OP_IMM, 0, reg, reg, (int32_t)(p->pc - at)));
}

static uint32_t trapping_word(struct program *p, unsigned bad) {
    unsigned size_log2 = below(p, 3);
    int32_t offset = (int32_t)below(p, 2048) & -(int32_t)(1u << size_log2);
    switch (below(p, 7)) {
    case 0: // from U mode it returns to M mode
        return p->in_user ? INSN_EBREAK : INSN_ECALL;
    case 1:
        return INSN_EBREAK;
    case 2:
        return 0xffffffff;
    case 3:
        return enc_csr(RS, pick_rs(p), ABSENT_CSR, 0);
    case 4: // from the message window
        return enc_i(OP_LOAD, 2, pick_rs(p), 0, -4 * (1 + (int32_t)below(p, 512)));
    case 5:
        return enc_i(OP_LOAD, size_log2, pick_rs(p), bad, offset);
    default:
        return enc_s(OP_STORE, size_log2, bad, pick_rs(p), offset);
    }
}

static void emit_trapping(struct program *p, unsigned bad) {
    if (!p->core_only || percent(p, 78)) {
        emit32(p, trapping_word(p, bad));
        return;
    }
    int32_t offset = scratch_offset(p) + 1 + 2 * (int32_t)below(p, 2);
    if (percent(p, 50))
        emit_core_only(p, enc_s(OP_STORE, 2, p->gp, pick_rs(p), offset), PATCH_MISALIGNED);
    else
        emit_core_only(p, enc_i(OP_LOAD, 2, pick_rs(p), p->gp, offset), PATCH_MISALIGNED);
}

static void emit_bad_address(struct program *p, unsigned reg) {
    load_constant(p, reg, 0x20000000u + (random_u32(p) & 0x7ffffff8u));
}

// Kind, trap, kind; often preceded by an instruction that the first kind may have to wait for.
static void emit_around_trap(struct program *p) {
    unsigned bad = lock_register(p), first_to = lock_register(p), second_to = lock_register(p);
    emit_bad_address(p, bad);
    uint32_t first = emit_address(p, first_to), second = emit_address(p, second_to);
    if (percent(p, 50))
        emit_kind(p, pick_kind(p, K_BRANCH), 0);
    emit_kind(p, pick_kind(p, K_KINDS), first_to);
    put_address(p, first, first_to);
    emit_trapping(p, bad);
    emit_kind(p, pick_kind(p, K_KINDS), second_to);
    put_address(p, second, second_to);
}

// Kind, mret, and after it a kind that must not execute; mret goes to a trap or to a kind.
static void emit_around_mret(struct program *p) {
    unsigned bad = lock_register(p), first_to = lock_register(p), to = lock_register(p);
    emit_bad_address(p, bad);
    emit32(p, enc_csr(RCI, 0, CSR_MSTATUS, MSTATUS_MIE)); // an interrupt would write mepc and MPP
    load_constant(p, to, MSTATUS_MPP);                    // mret leaves U there, also in QEMU 7.2 without U mode
    emit32(p, enc_csr(RS, 0, CSR_MSTATUS, to));
    uint32_t target = emit_address(p, to), first = emit_address(p, first_to);
    emit32(p, enc_csr(RW, 0, CSR_MEPC, to));
    emit_kind(p, pick_kind(p, K_KINDS), first_to);
    put_address(p, first, first_to);
    emit32(p, INSN_MRET);
    if (percent(p, 30))
        emit_trapping(p, bad);
    else
        emit_kind(p, pick_kind(p, K_KINDS), bad);
    put_address(p, target, to);
    if (percent(p, 50)) {
        emit_trapping(p, bad);
    } else {
        first = emit_address(p, first_to);
        emit_kind(p, pick_kind(p, K_KINDS), first_to);
        put_address(p, first, first_to);
    }
}

// In the last word of memory: the next instruction cannot be fetched.
static void emit_at_the_end(struct program *p) {
    unsigned bad = lock_register(p), back = lock_register(p), target = lock_register(p), value = lock_register(p);
    uint32_t from = emit_address(p, back);
    emit32(p, enc_s(OP_STORE, 2, p->tp, back, SAVE_FETCH_RETURN));
    emit_bad_address(p, bad);
    load_constant(p, target, last_word);
    load_constant(p, value, percent(p, 30) ? trapping_word(p, bad) : word_of(p, pick_kind(p, K_WORDS), bad));
    emit32(p, enc_s(OP_STORE, 2, target, value, 0));
    emit32(p, INSN_FENCE_I);
    emit32(p, enc_i(OP_JALR, 0, 0, target, 0));
    put_address(p, from, back);
}

void emit_cross(struct program *p) {
    uint32_t locked = p->locked;
    unsigned pick = below(p, 10);
    if (pick < 6 || (p->in_user && pick < 8))
        emit_around_trap(p);
    else if (pick < 8)
        emit_around_mret(p);
    else
        emit_at_the_end(p);
    p->locked = locked;
}

// Instructions that must not execute if the flow goes elsewhere.
static void emit_shadow(struct program *p) {
    for (unsigned count = 1 + below(p, 3); count > 0; count--) {
        switch (below(p, p->in_user ? 6 : 9)) {
        case 0:
        case 1:
            emit32(p, enc_s(OP_STORE, 2, p->gp, pick_rs(p), scratch_offset(p)));
            break;
        case 2:
            if (p->core_only)
                emit_core_only(p, enc_s(OP_STORE, 2, 0, pick_rs(p), -4 * (1 + (int32_t)below(p, 512))), PATCH_MESSAGE);
            else
                emit16(p, enc_c_move(1, pick_nonzero_rd(p), 1 + below(p, 31)));
            break;
        case 3:
            if (p->options)
                emit_atomic(p);
            else
                emit_muldiv(p);
            break;
        case 4:
            emit32(p, enc_i(OP_LOAD, 2, pick_rd(p), p->gp, scratch_offset(p)));
            break;
        case 5:
            emit32(p, percent(p, 50) ? INSN_EBREAK : INSN_FENCE_I);
            break;
        case 6:
            if (p->core_only)
                emit_core_only(p, enc_csr(RW, 0, CSR_MCYCLE, pick_rs(p)), PATCH_COUNTER);
            break;
        default:
            emit32(p, enc_csr(RW + below(p, 3), pick_rd(p), CSR_MSCRATCH, pick_rs(p)));
            break;
        }
    }
}

// A value that was just loaded or multiplied, perhaps with one more operation.
static void emit_late_value(struct program *p, unsigned value) {
    unsigned other = pick_rs(p);
    if (percent(p, 70))
        emit32(p, enc_i(OP_LOAD, percent(p, 50) ? 2 : 0, value, p->gp, scratch_offset(p)));
    else
        emit32(p, enc_r(OP_REG, below(p, 4), 1, value, other, pick_rs(p)));
    if (percent(p, 30))
        emit32(p, enc_r(OP_REG, below(p, 8), 0, value, value, other));
}

static void emit_late_branch(struct program *p) {
    static const uint8_t conditions[] = {0, 1, 4, 5, 6, 7};
    unsigned value = pick_short_rd(p), other = pick_rs(p);
    emit_late_value(p, value);
    uint32_t at = p->pc;
    bool compressed = percent(p, 30);
    if (compressed)
        emit16(p, INSN_C_NOP);
    else
        emit32(p, INSN_NOP);
    emit_shadow(p);
    int32_t distance = (int32_t)(p->pc - at);
    if (compressed)
        put16(p, at, enc_c_branch(6 + below(p, 2), value - 8, distance));
    else if (percent(p, 50))
        put32(p, at, enc_b(conditions[below(p, 6)], value, other, distance));
    else
        put32(p, at, enc_b(conditions[below(p, 6)], other, value, distance));
}

// The end of a loop, predicted to go back to the loop's first instructions.
static void emit_late_loop(struct program *p) {
    unsigned counter = pick_short_rd(p);
    uint32_t locked = p->locked;
    emit16(p, enc_ci(1, 2, counter, 1 + (int32_t)below(p, 4)));
    p->locked |= 1u << counter;
    unsigned value = pick_short_rd(p);
    forget_pointers(p);
    uint32_t head = p->pc;
    emit_shadow(p);
    emit16(p, enc_ci(1, 0, counter, -1));
    int32_t offset = scratch_offset(p);
    emit32(p, enc_s(OP_STORE, 2, p->gp, counter, offset));
    emit32(p, enc_i(OP_LOAD, 2, value, p->gp, offset));
    p->locked |= 1u << value;
    if (percent(p, 30))
        emit32(p, enc_i(OP_LOAD, 2, pick_rd(p), p->gp, scratch_offset(p)));
    if (percent(p, 50))
        emit16(p, enc_c_branch(7, value - 8, (int32_t)(head - p->pc)));
    else
        emit32(p, enc_b(1, value, 0, (int32_t)(head - p->pc)));
    p->locked = locked;
}

static void emit_late_jump(struct program *p) {
    unsigned to = pick_nonzero_rd(p);
    uint32_t from = p->pc;
    emit32(p, enc_u(OP_AUIPC, to, 0));
    uint32_t load = p->pc;
    emit32(p, INSN_NOP);
    emit32(p, enc_i(OP_JALR, 0, pick_rd(p), to, 0));
    emit_shadow(p);
    if (p->pc & 2)
        emit16(p, INSN_C_NOP);
    put32(p, load, enc_i(OP_LOAD, 2, to, to, (int32_t)(p->pc - from)));
    emit32(p, p->pc + 4);
}

void emit_late_flow(struct program *p) {
    unsigned pick = below(p, 10);
    if (pick < 6)
        emit_late_branch(p);
    else if (pick < 8)
        emit_late_loop(p);
    else
        emit_late_jump(p);
    forget_pointers(p);
}
