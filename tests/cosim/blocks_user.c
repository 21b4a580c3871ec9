// SPDX-License-Identifier: Apache-2.0
// Random code for a hart with user mode and PMP: stretches in U mode, which end in an ecall, and accesses that PMP
// checks. Entry 3 permits everything (make_start in gen.c), entry 2 may be locked; this code sets and clears entries 0
// and 1.

#include "program.h"

enum {
    CSR_MSTATUS = 0x300,
    CSR_MCOUNTEREN = 0x306,
    CSR_MSCRATCH = 0x340,
    CSR_MEPC = 0x341,
    CSR_PMPCFG0 = 0x3a0,
    CSR_PMPADDR0 = 0x3b0,
    MSTATUS_MIE = 8,
    MSTATUS_MPIE = 0x80,
    MSTATUS_MPP = 0x1800,
    MSTATUS_MPRV = 0x20000,
    MSTATUS_TW = 0x200000
};
enum { RW = 1, RS, RC, RWI = 5, RSI, RCI };
enum { PMP_R = 1, PMP_W = 2, PMP_X = 4, PMP_TOR = 8, PMP_NA4 = 0x10, PMP_NAPOT = 0x18 };

static uint32_t enc_csr(unsigned f3, unsigned rd, unsigned csr, unsigned source) {
    return csr << 20 | source << 15 | f3 << 12 | rd << 7 | OP_SYSTEM;
}

static void emit_mstatus(struct program *p, unsigned f3, unsigned reg, uint32_t bits) {
    load_constant(p, reg, bits);
    emit32(p, enc_csr(f3, 0, CSR_MSTATUS, reg));
}

// Instructions that only M mode may execute.
void emit_privileged(struct program *p) {
    static const uint16_t machine[] = {0x300, 0x301, 0x304, 0x305, 0x306, 0x320, 0x323, 0x340, 0x341, 0x342, 0x343,
                                       0x344, 0x3a0, 0x3b0, 0x3b7, 0xb00, 0xb02, 0xb80, 0xf11, 0xf14, 0x7b0, 0x100};
    static const uint16_t counters[] = {0xc00, 0xc02, 0xc80, 0xc82, 0xc01, 0xc81};
    static const uint8_t forms[] = {RW, RS, RC, RWI, RSI, RCI};
    unsigned pick = below(p, 10);
    if (pick == 0) {
        emit32(p, INSN_MRET);
    } else if (pick == 1 && p->wait_traps) {
        emit32(p, INSN_WFI);
    } else if (pick < 5) {
        unsigned csr = counters[below(p, sizeof counters / sizeof *counters)];
        unsigned rd = pick_rd(p);
        if (!(p->counters >> (csr & 31) & 1)) {
            emit32(p, enc_csr(RS, rd, csr, 0));
        } else if (p->core_only) { // QEMU 7.2 also checks scounteren, which does not exist
            emit_core_only(p, enc_csr(RS, rd, csr, 0), PATCH_COUNTER);
            if (rd)
                emit32(p, enc_i(OP_IMM, 0, rd, 0, (int32_t)below(p, 2048)));
        }
    } else {
        unsigned csr = machine[below(p, sizeof machine / sizeof *machine)];
        emit32(p, enc_csr(forms[below(p, 6)], pick_rd(p), csr, below(p, 32)));
    }
}

// An interrupt must not come between the write of mepc and mret. In U mode interrupts are on regardless of MIE.
static void enter_user(struct program *p, unsigned reg) {
    emit32(p, enc_csr(RCI, 0, CSR_MSTATUS, MSTATUS_MIE));
    emit_mstatus(p, RC, reg, MSTATUS_MPP | (percent(p, 50) ? MSTATUS_MPIE : 0));
    emit32(p, enc_u(OP_AUIPC, reg, 0));
    emit32(p, enc_i(OP_IMM, 0, reg, reg, 16));
    emit32(p, enc_csr(RW, 0, CSR_MEPC, reg));
    emit32(p, INSN_MRET);
    p->in_user = true;
}

static void leave_user(struct program *p) {
    emit32(p, INSN_ECALL);
    p->in_user = false;
    emit32(p, enc_csr(p->interrupts ? RSI : RCI, 0, CSR_MSTATUS, MSTATUS_MIE)); // as before in M mode
}

static void emit_user_units(struct program *p) {
    unsigned reg = pick_nonzero_rd(p);
    p->counters = percent(p, 50) ? random_u32(p) : 0;
    load_constant(p, reg, p->counters);
    emit32(p, enc_csr(RW, percent(p, 50) ? pick_rd(p) : 0, CSR_MCOUNTEREN, reg));
    p->wait_traps = percent(p, 30);
    emit_mstatus(p, p->wait_traps ? RS : RC, pick_nonzero_rd(p), MSTATUS_TW);
    enter_user(p, pick_nonzero_rd(p));
    p->depth += 2;
    emit_units(p, 2 + below(p, 12));
    p->depth -= 2;
    leave_user(p);
}

struct region {
    uint32_t start, end; // addresses at which the permission changes
    uint32_t pmpaddr;
    unsigned config;
};

static struct region make_region(struct program *p) {
    static const uint8_t permissions[] = {0, PMP_R, PMP_R | PMP_W, PMP_X, PMP_R | PMP_X, PMP_R | PMP_W | PMP_X};
    struct region r = {0};
    r.config = permissions[below(p, sizeof permissions)];
    uint32_t at = (SCRATCH_BASE + 512 + below(p, SCRATCH_END - SCRATCH_BASE - 1024)) & ~3u;
    switch (below(p, 4)) {
    case 0:
        r.config |= PMP_NA4;
        r.start = at;
        r.end = at + 4;
        r.pmpaddr = at >> 2;
        break;
    case 1:
        r.config |= PMP_TOR; // from the previous entry's address, or from 0
        r.start = r.end = at;
        r.pmpaddr = at >> 2;
        break;
    default: {
        uint32_t size = 8u << below(p, 6);
        r.config |= PMP_NAPOT;
        r.start = at & -size;
        r.end = r.start + size;
        r.pmpaddr = (r.start + size / 2 - 1) >> 2;
        break;
    }
    }
    return r;
}

static void set_regions(struct program *p, const struct region r[2]) {
    for (unsigned i = 0; i < 2; i++) {
        unsigned reg = pick_nonzero_rd(p);
        load_constant(p, reg, r[i].pmpaddr);
        emit32(p, enc_csr(RW, pick_rd(p), CSR_PMPADDR0 + i, reg));
    }
    // Written last: only this write makes QEMU 7.2 discard its page permissions.
    unsigned reg = pick_nonzero_rd(p);
    load_constant(p, reg, r[0].config | r[1].config << 8 | PMP_ALL << 24);
    emit32(p, enc_csr(RW, pick_rd(p), CSR_PMPCFG0, reg));
    if (percent(p, 30))
        emit32(p, enc_csr(RS, pick_rd(p), CSR_PMPCFG0 + below(p, 4), 0));
    if (percent(p, 30))
        emit32(p, enc_csr(RS, pick_rd(p), CSR_PMPADDR0 + below(p, 4), 0));
}

// Loads and stores at the ends of the regions, and elsewhere.
static void emit_judged_accesses(struct program *p, const struct region r[2]) {
    unsigned base = pick_nonzero_rd(p);
    for (unsigned i = 2 + below(p, 8); i > 0; i--) {
        const struct region *one = &r[below(p, 2)];
        uint32_t at = percent(p, 20) && p->has_lock ? LOCKED_BASE - 8 : percent(p, 50) ? one->start - 8 : one->end - 8;
        unsigned size_log2 = below(p, 3);
        at = (at + below(p, 16)) & -(1u << size_log2);
        load_constant(p, base, at);
        if (percent(p, 50))
            emit32(p, enc_s(OP_STORE, size_log2, base, pick_rs(p), 0));
        else
            emit32(p, enc_i(OP_LOAD, size_log2 | (size_log2 < 2 && percent(p, 50) ? 4 : 0), pick_rd(p), base, 0));
        if (percent(p, 30))
            emit_alu(p);
        wrote(p, base);
        base = pick_nonzero_rd(p);
    }
}

// U mode may not execute the page of data. (A whole page: QEMU 7.2 has no smaller unit for fetches.)
static void emit_forbidden_jump(struct program *p) {
    unsigned back = pick_nonzero_rd(p), target;
    do
        target = pick_nonzero_rd(p);
    while (target == back);
    uint32_t from = p->pc;
    emit32(p, enc_u(OP_AUIPC, back, 0));
    uint32_t at = p->pc;
    emit32(p, INSN_NOP);
    emit32(p, enc_s(OP_STORE, 2, p->tp, back, SAVE_FETCH_RETURN));
    load_constant(p, target, DATA_BASE + (below(p, 0x1000) & ~1u));
    emit32(p, enc_i(OP_JALR, 0, pick_rd(p), target, 0));
    put32(p, at, enc_i(OP_IMM, 0, back, back, (int32_t)(p->pc - from)));
}

static void emit_pmp(struct program *p) {
    struct region r[2] = {make_region(p), make_region(p)};
    bool page = percent(p, 30);
    if (page) {
        r[0].config = PMP_NAPOT | (percent(p, 50) ? PMP_R : PMP_R | PMP_W);
        r[0].pmpaddr = (DATA_BASE + 0x7ff) >> 2;
        r[0].start = SCRATCH_BASE + 64;
        r[0].end = SCRATCH_END - 64;
    }
    set_regions(p, r);
    unsigned reg = pick_nonzero_rd(p);
    switch (page ? 0 : below(p, 3)) {
    case 0:
        enter_user(p, reg);
        if (page)
            emit_forbidden_jump(p);
        emit_judged_accesses(p, r);
        leave_user(p);
        break;
    case 1: // as U mode, from M mode: a trap handler returns with MPP = U
        emit_mstatus(p, RC, reg, MSTATUS_MPP);
        emit_mstatus(p, RS, reg, MSTATUS_MPRV);
        emit_judged_accesses(p, r);
        emit_mstatus(p, RC, pick_nonzero_rd(p), MSTATUS_MPRV);
        break;
    default: // only a locked entry denies accesses
        emit_judged_accesses(p, r);
        break;
    }
    static const struct region none[2] = {{0}, {0}};
    set_regions(p, none);
}

void emit_user(struct program *p) {
    if (!p->user || p->in_user)
        emit_alu(p);
    else if (percent(p, 50))
        emit_pmp(p);
    else
        emit_user_units(p);
    forget_pointers(p);
}
