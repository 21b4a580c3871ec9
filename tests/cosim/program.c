// SPDX-License-Identifier: Apache-2.0
// The image, and the selection of registers and values.

#include "program.h"

#include <stdio.h>
#include <stdlib.h>

uint32_t corner_value(struct program *p) {
    static const uint32_t corners[] = {0,          1,          2,          3,          0xffffffff, 0xfffffffe,
                                       0x7fffffff, 0x80000000, 0x80000001, 0x7ffffffe, 0xffff,     0x10000,
                                       0x7fff,     0x8000,     0xffff8000, 0xff,       0x80,       0x7f,
                                       0xffffff80, 0x55555555, 0xaaaaaaaa, 0x0000ffff, 0xffff0000, 31,
                                       32,         33,         0x00010001, 0xfffff800, 0x7ff,      0x800};
    switch (below(p, 4)) {
    case 0:
        return random_u32(p);
    case 1: {
        uint32_t one_bit = 1u << below(p, 32);
        return percent(p, 50) ? one_bit : ~one_bit;
    }
    default:
        return corners[below(p, sizeof corners / sizeof *corners)];
    }
}

void put16(struct program *p, uint32_t address, uint32_t half) {
    uint32_t offset = address - IMAGE_BASE;
    if (offset + 2 > IMAGE_MAX) {
        fputs("cosim_gen: the program does not fit; ask for fewer blocks\n", stderr);
        exit(2);
    }
    p->image[offset] = (uint8_t)half;
    p->image[offset + 1] = (uint8_t)(half >> 8);
}

void put32(struct program *p, uint32_t address, uint32_t word) {
    put16(p, address, word & 0xffff);
    put16(p, address + 2, word >> 16);
}

void emit16(struct program *p, uint32_t insn) {
    put16(p, p->pc, insn);
    p->pc += 2;
}

void emit32(struct program *p, uint32_t insn) {
    put32(p, p->pc, insn);
    p->pc += 4;
}

void emit_core_only(struct program *p, uint32_t insn, enum patch_kind kind) {
    if (p->patch_count == p->patch_room) {
        p->patch_room = p->patch_room ? 2 * p->patch_room : 1024;
        struct patch *grown = realloc(p->patches, p->patch_room * sizeof *grown);
        if (!grown) {
            fputs("cosim_gen: out of memory\n", stderr);
            exit(2);
        }
        p->patches = grown;
    }
    p->patches[p->patch_count++] = (struct patch){p->pc, insn, kind};
    emit32(p, INSN_NOP);
}

void wrote(struct program *p, unsigned rd) {
    p->known[rd] = 0;
    for (int i = 3; i > 0; i--)
        p->recent[i] = p->recent[i - 1];
    p->recent[0] = rd;
}

void forget_pointers(struct program *p) {
    for (int i = 0; i < 32; i++)
        p->known[i] = 0;
    p->known[p->gp] = DATA_MIDDLE;
}

static bool writable(const struct program *p, unsigned reg) {
    return !(p->locked >> reg & 1);
}

unsigned pick_nonzero_rd(struct program *p) {
    for (;;) {
        unsigned rd = percent(p, 30) ? 8 + below(p, 8) : 1 + below(p, 31);
        if (writable(p, rd)) {
            wrote(p, rd);
            return rd;
        }
    }
}

unsigned pick_rd(struct program *p) {
    return percent(p, 4) ? 0 : pick_nonzero_rd(p);
}

unsigned pick_short_rd(struct program *p) {
    for (;;) {
        unsigned rd = 8 + below(p, 8);
        if (writable(p, rd)) {
            wrote(p, rd);
            return rd;
        }
    }
}

unsigned pick_rs(struct program *p) {
    return percent(p, 60) ? p->recent[below(p, 4)] : below(p, 32);
}

unsigned pick_short_rs(struct program *p) {
    unsigned reg = p->recent[below(p, 4)];
    return percent(p, 60) && reg >= 8 && reg < 16 ? reg : 8 + below(p, 8);
}

void load_constant(struct program *p, unsigned rd, uint32_t value) {
    uint32_t high = (value + 0x800) & 0xfffff000u;
    int32_t low = (int32_t)(value - high);
    if (high == 0) {
        emit32(p, enc_i(OP_IMM, 0, rd, 0, low));
        return;
    }
    emit32(p, enc_u(OP_LUI, rd, high));
    if (low != 0)
        emit32(p, enc_i(OP_IMM, 0, rd, rd, low));
}

unsigned pick_pointer(struct program *p) {
    if (percent(p, 80)) {
        unsigned start = below(p, 32);
        for (unsigned i = 0; i < 32; i++) {
            unsigned reg = (start + i) % 32;
            if (p->known[reg])
                return reg;
        }
    }
    unsigned rd = percent(p, 25) && writable(p, 2) ? 2 : pick_nonzero_rd(p);
    uint32_t address = SCRATCH_BASE + 64 + below(p, SCRATCH_END - SCRATCH_BASE - 128);
    if (percent(p, 80))
        address &= ~3u;
    wrote(p, rd);
    if (percent(p, 30))
        load_constant(p, rd, address);
    else
        emit32(p, enc_i(OP_IMM, 0, rd, p->gp, (int32_t)(address - DATA_MIDDLE)));
    p->known[rd] = address;
    return rd;
}
