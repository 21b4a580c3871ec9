// SPDX-License-Identifier: Apache-2.0
// Random system code: CSRs, exceptions, fences, and instructions that only the core can execute.

#include "program.h"

enum {
    CSR_MSTATUS = 0x300,
    CSR_MIE = 0x304,
    CSR_MTVEC = 0x305,
    CSR_MSCRATCH = 0x340,
    CSR_MEPC = 0x341,
    CSR_MCAUSE = 0x342,
    CSR_MTVAL = 0x343,
    CSR_MIP = 0x344,
    CSR_MHARTID = 0xf14,
    MSTATUS_MIE = 8,
    MSTATUS_COMPARED = 0x88, // MIE, MPIE: the other bits depend on the hart's options
    MIE_COMPARED = 0x88      // bits that fit into an immediate
};
enum { RW = 1, RS, RC, RWI = 5, RSI, RCI };

static uint32_t enc_csr(unsigned f3, unsigned rd, unsigned csr, unsigned source) {
    return csr << 20 | source << 15 | f3 << 12 | rd << 7 | OP_SYSTEM;
}

// An interrupt between the two instructions would change mepc and similar CSRs.
static void enter_critical(struct program *p) {
    if (p->interrupts)
        emit32(p, enc_csr(RCI, 0, CSR_MSTATUS, MSTATUS_MIE));
}
static void leave_critical(struct program *p) {
    if (p->interrupts)
        emit32(p, enc_csr(RSI, 0, CSR_MSTATUS, MSTATUS_MIE));
}

// Reads a register whose fields differ between implementations, and keeps the common fields.
static void emit_masked_read(struct program *p, uint32_t read, unsigned rd, int32_t mask) {
    emit32(p, read);
    if (rd)
        emit32(p, enc_i(OP_IMM, 7, rd, rd, mask));
}

static void emit_csr_scratch(struct program *p) {
    static const uint8_t forms[] = {RW, RS, RC, RWI, RSI, RCI};
    unsigned count = 1 + below(p, 3);
    for (unsigned i = 0; i < count; i++) {
        unsigned source = pick_rs(p);
        emit32(p, enc_csr(forms[below(p, 6)], pick_rd(p), CSR_MSCRATCH, source));
    }
}

static void emit_csr_trap_register(struct program *p) {
    static const uint32_t causes[] = {0, 1, 2, 3, 4, 5, 6, 7, 11, 0x80000003, 0x80000007, 0x8000000b};
    unsigned value = pick_nonzero_rd(p);
    unsigned csr = CSR_MEPC + below(p, 3);
    uint32_t initial = corner_value(p);
    if (csr == CSR_MEPC)
        initial &= ~1u;
    else if (csr == CSR_MCAUSE)
        initial = causes[below(p, sizeof causes / sizeof *causes)];
    load_constant(p, value, initial);
    enter_critical(p);
    // The values of the last trap are not comparable if only the core has taken it.
    emit32(p, enc_csr(RW, p->interrupts || p->core_only ? 0 : pick_rd(p), csr, value));
    if (csr != CSR_MCAUSE && percent(p, 50))
        emit32(p, enc_csr(percent(p, 50) ? RSI : RCI, pick_rd(p), csr, 2 * below(p, 16)));
    emit32(p, enc_csr(RS, pick_rd(p), csr, 0));
    leave_critical(p);
}

static void emit_csr_vector(struct program *p) {
    unsigned value = pick_nonzero_rd(p), old = pick_nonzero_rd(p);
    if (old == value || percent(p, 50)) {
        emit32(p, enc_csr(RS, old, CSR_MTVEC, 0));
        return;
    }
    load_constant(p, value, random_u32(p) & 0xffffff00u);
    enter_critical(p);
    emit32(p, enc_csr(RW, old, CSR_MTVEC, value));
    emit32(p, enc_csr(RW, percent(p, 50) ? value : pick_nonzero_rd(p), CSR_MTVEC, old));
    leave_critical(p);
}

// In a program with interrupts, a cleared bit is set again some instructions later.
static void emit_csr_enable(struct program *p) {
    if (percent(p, 50)) {
        unsigned rd = pick_rd(p);
        emit_masked_read(p, enc_csr(RCI, rd, CSR_MSTATUS, MSTATUS_MIE), rd, MSTATUS_COMPARED);
        p->depth += 3;
        emit_alu(p);
        p->depth -= 3;
        rd = pick_rd(p);
        if (p->interrupts)
            emit_masked_read(p, enc_csr(RSI, rd, CSR_MSTATUS, MSTATUS_MIE), rd, MSTATUS_COMPARED);
        else
            emit_masked_read(p, enc_csr(RS, rd, CSR_MSTATUS, 0), rd, MSTATUS_COMPARED);
    } else {
        unsigned bits = pick_nonzero_rd(p), rd = pick_rd(p);
        if (rd == bits)
            rd = 0;
        load_constant(p, bits, 1u << (3 + 4 * below(p, 3)));
        emit_masked_read(p, enc_csr(RC, rd, CSR_MIE, bits), rd, MIE_COMPARED);
        emit_masked_read(p, enc_csr(RS, rd, CSR_MIE, bits), rd, MIE_COMPARED);
    }
}

void emit_csr(struct program *p) {
    if (p->in_user) {
        emit_privileged(p);
        return;
    }
    switch (below(p, 8)) {
    case 0:
        emit_csr_vector(p);
        break;
    case 1:
    case 2:
        emit_csr_enable(p);
        break;
    case 3:
    case 4:
        emit_csr_trap_register(p);
        break;
    case 5:
        emit32(p, enc_csr(RS, pick_rd(p), p->interrupts ? CSR_MHARTID : CSR_MIP, 0));
        break;
    default:
        emit_csr_scratch(p);
        break;
    }
}

// Encodings that no extension of this hart defines.
static void emit_illegal(struct program *p) {
    static const uint16_t short_forms[] = {
        0x0000,                                 // all zero
        0x2000, 0x6000, 0xa000, 0xe000, 0x8000, // c.fld, c.flw, c.fsd, c.fsw, reserved
        0x4002,                                 // c.lwsp x0
        0x8002,                                 // c.jr x0
        0x6101,                                 // c.addi16sp 0
        0x6081,                                 // c.lui x1, 0
        0x9c01, 0x9c21, 0x9c41, 0x9c61,         // c.subw, c.addw, reserved
        0x2002, 0x6002, 0xa002, 0xe002,         // c.fldsp, c.flwsp, c.fsdsp, c.fswsp
        0x9001, 0x9401, 0x1002,                 // shifts by 32 and more
    };
    static const uint32_t word_forms[] = {
        0x00000007, 0x00000027, 0x0000000b, 0x0000002b, 0x0000005b, 0x0000007b, // floating point, custom
        0x0000002f, 0x00000043, 0x00000053, 0x00000057,                         // atomic, fused, vector
        0x0000001b, 0x0000003b, 0x0000001f, 0x0000003f, 0x0000007f,             // 64-bit forms, longer instructions
        0x00003003, 0x00006003, 0x00007003,                                     // loads of no width
        0x00003023, 0x00004023, 0x00007023,                                     // stores of no width
        0x00002063, 0x00003063,                                                 // branches of no condition
        0x00001067, 0x00007067,                                                 // jalr
        0x0000200f, 0x0000700f,                                                 // misc-mem
        0x02001013, 0x40001013, 0x80001013,                                     // slli with wrong upper bits
        0x02005013,                                                             // srli, srai with wrong upper bits
        0x04000033, 0x40001033, 0x40002033, 0x80000033, 0x20000033,             // op
        0x00004073, 0x00200073, 0x10200073, 0x30300073,                         // system: no function, uret, sret, ...
    };
    if (percent(p, 40)) {
        emit16(p, short_forms[below(p, sizeof short_forms / sizeof *short_forms)]);
        return;
    }
    if (!p->options && percent(p, 30)) {
        emit32(p, random_option_insn(p));
        return;
    }
    // Besides the encodings of A and Zb*: lr with rs2, amoadd.d, undefined operations; undefined ones near clz, orc.b,
    // rev8; pack, clmul.
    static const uint32_t near_options[] = {0x1010202f, 0x0000302f, 0x2800202f, 0x60301013, 0x60601013, 0x28605013,
                                            0x69905013, 0x08104033, 0x0a001033, 0x20003033, 0x68005033, 0x28005033};
    if (percent(p, 20)) {
        uint32_t word = near_options[below(p, sizeof near_options / sizeof *near_options)];
        emit32(p, word | pick_rd(p) << 7 | below(p, 32) << 15);
        return;
    }
    unsigned index = below(p, sizeof word_forms / sizeof *word_forms);
    uint32_t word = word_forms[index];
    if ((word & 0x7f) != OP_SYSTEM && percent(p, 70))
        word |= pick_rd(p) << 7 | below(p, 32) << 15 | below(p, 32) << 20;
    emit32(p, word);
}

static void emit_illegal_csr(struct program *p) {
    static const uint16_t absent[] = {0x001, 0x002, 0x003, 0x100, 0x105, 0x180, 0x200, 0x240, 0x7b0,
                                      0x7b1, 0x7b2, 0x800, 0x5c0, 0xbff, 0xcff, 0x6ff, 0x346, 0x9c0};
    static const uint16_t read_only[] = {0xf11, 0xf12, 0xf13, 0xf14, 0xc00, 0xc02, 0xc80, 0xc82};
    if (percent(p, 60)) {
        unsigned csr = absent[below(p, sizeof absent / sizeof *absent)];
        emit32(p, enc_csr(1 + below(p, 3) + 4 * below(p, 2), pick_rd(p), csr, below(p, 32)));
        return;
    }
    unsigned csr = read_only[below(p, sizeof read_only / sizeof *read_only)];
    // Without csrrs and csrrc: QEMU 7.2 tests the value of rs1, not its number, and accepts a zero.
    static const uint8_t forms[] = {RW, RWI, RSI, RCI};
    emit32(p, enc_csr(forms[below(p, 4)], pick_rd(p), csr, 1 + below(p, 31)));
}

static uint32_t unmapped_address(struct program *p) {
    if (percent(p, 20)) // just below the message window
        return WINDOW_BASE - 0x10000u + (below(p, 0xf000) & ~7u);
    return 0x20000000u + (random_u32(p) & 0x7ffffff8u);
}

static void emit_access_fault(struct program *p) {
    unsigned base = pick_nonzero_rd(p);
    unsigned size_log2 = below(p, 3);
    int32_t alignment = (int32_t)(1u << size_log2);
    if (percent(p, 15)) { // loads from the message window
        load_constant(p, base, WINDOW_BASE + (below(p, WINDOW_BYTES) & ~7u));
        emit32(p, enc_i(OP_LOAD, size_log2, pick_rs(p), base, 0));
        return;
    }
    if (percent(p, 20)) { // loads from the message window with a base of x0
        int32_t steps = 2048 / alignment;
        emit32(p, enc_i(OP_LOAD, size_log2, pick_rs(p), 0, -alignment * (1 + (int32_t)below(p, (unsigned)steps))));
        return;
    }
    load_constant(p, base, unmapped_address(p));
    int32_t offset = (int32_t)below(p, 2048) & -alignment;
    unsigned other = pick_rs(p);
    if (percent(p, 50))
        emit32(p, enc_i(OP_LOAD, size_log2, other, base, offset));
    else
        emit32(p, enc_s(OP_STORE, size_log2, base, other, offset));
    if (percent(p, 50)) // must not execute before the trap
        emit32(p, enc_i(OP_IMM, 0, base, base, 1));
}

// Puts a c.nop into the last halfword of memory, so that the next instruction cannot be fetched. (A 32-bit instruction
// across the end would fail an assertion in QEMU 7.2's translator.)
static void emit_last_halfword(struct program *p, unsigned target, unsigned value) {
    load_constant(p, target, IMAGE_BASE + RAM_BYTES - 2);
    load_constant(p, value, INSN_C_NOP);
    emit32(p, enc_s(OP_STORE, 1, target, value, 0));
    emit32(p, INSN_FENCE_I);
}

static void emit_fetch_fault(struct program *p) {
    unsigned back = pick_nonzero_rd(p), target, value;
    do {
        target = pick_nonzero_rd(p);
        value = pick_nonzero_rd(p);
    } while (target == back || value == back || value == target);
    uint32_t from = p->pc;
    emit32(p, enc_u(OP_AUIPC, back, 0));
    uint32_t at = p->pc;
    emit32(p, INSN_NOP);
    emit32(p, enc_s(OP_STORE, 2, p->tp, back, SAVE_FETCH_RETURN));
    bool last = percent(p, 30);
    if (last)
        emit_last_halfword(p, target, value);
    else
        load_constant(p, target, unmapped_address(p));
    if (percent(p, 50))
        emit32(p, enc_i(OP_JALR, 0, pick_rd(p), target, last ? 0 : (int32_t)below(p, 2048)));
    else
        emit16(p, enc_c_move(0, target, 0));
    put32(p, at, enc_i(OP_IMM, 0, back, back, (int32_t)(p->pc - from)));
}

void emit_trap(struct program *p) {
    switch (below(p, 12)) {
    case 0: // from U mode it returns to M mode
        emit32(p, p->in_user ? INSN_EBREAK : INSN_ECALL);
        break;
    case 1:
        emit32(p, INSN_EBREAK);
        break;
    case 2:
        emit16(p, INSN_C_EBREAK);
        break;
    case 3:
    case 4:
    case 5:
        emit_illegal(p);
        break;
    case 6:
    case 7:
        emit_illegal_csr(p);
        break;
    case 8:
        emit_fetch_fault(p);
        break;
    default:
        emit_access_fault(p);
        break;
    }
}

void emit_fence(struct program *p) {
    if (percent(p, 30))
        emit32(p, INSN_FENCE_I);
    else
        emit32(p, percent(p, 50) ? 0x0ff0000fu : 0x8330000fu); // fence iorw,iorw; fence.tso
}

static void emit_message(struct program *p) {
    unsigned size_log2 = below(p, 3), count = 1 + below(p, 3);
    for (unsigned i = 0; i < count; i++) {
        unsigned source = size_log2 == 0 ? 1 + below(p, 2) : pick_rs(p);
        if (percent(p, 60)) {
            int32_t offset = -(int32_t)((1 + below(p, 2047)) << size_log2);
            if (offset < -2048)
                offset = -2048;
            emit_core_only(p, enc_s(OP_STORE, size_log2, 0, source, offset), PATCH_MESSAGE);
        } else {
            unsigned base = pick_nonzero_rd(p);
            int32_t offset = (int32_t)below(p, 2048) & ~3;
            emit32(p, enc_u(OP_LUI, base, WINDOW_BASE + (below(p, WINDOW_BYTES / 4096 - 1) << 12)));
            emit_core_only(p, enc_s(OP_STORE, size_log2, base, source, offset), PATCH_MESSAGE);
        }
    }
}

static void emit_misaligned(struct program *p) {
    unsigned base = pick_pointer(p);
    bool store = percent(p, 50);
    unsigned size_log2 = 1 + below(p, 2);
    uint32_t address = p->known[base];
    int32_t offset = (int32_t)below(p, 64);
    if (((address + (uint32_t)offset) & ((1u << size_log2) - 1)) == 0)
        offset++;
    unsigned other = pick_rs(p); // not written, because the instruction traps
    if (store)
        emit_core_only(p, enc_s(OP_STORE, size_log2, base, other, offset), PATCH_MISALIGNED);
    else
        emit_core_only(p, enc_i(OP_LOAD, size_log2, other, base, offset), PATCH_MISALIGNED);
}

// The harness answers like the profiler. The value read is overwritten at once, because QEMU does not know it.
static void emit_counter(struct program *p) {
    static const uint16_t counters[] = {0xb00, 0xb02, 0xb80, 0xb82, 0xb03, 0xb83,
                                        0xb1f, 0x320, 0x323, 0xc00, 0xc02, 0xc80};
    static const uint8_t forms[] = {RW, RS, RC, RWI, RSI, RCI};
    unsigned csr = counters[below(p, sizeof counters / sizeof *counters)];
    unsigned rd = pick_rd(p);
    bool read_only = csr >= 0xc00;
    unsigned form = read_only ? RS : forms[below(p, 6)];
    emit_core_only(p, enc_csr(form, rd, csr, read_only ? 0 : pick_rs(p)), PATCH_COUNTER);
    if (rd)
        emit32(p, enc_i(OP_IMM, 0, rd, 0, (int32_t)corner_value(p) & 0xfff));
}

void emit_only_core(struct program *p) {
    if (!p->core_only) {
        emit_alu(p);
        return;
    }
    switch (below(p, 8)) {
    case 0:
        if (p->interrupts && !(p->in_user && p->wait_traps))
            emit_core_only(p, INSN_WFI, PATCH_WFI);
        break;
    case 1:
    case 2:
        emit_misaligned(p);
        break;
    case 3:
        if (!p->in_user)
            emit_counter(p);
        break;
    default:
        emit_message(p);
        break;
    }
}
