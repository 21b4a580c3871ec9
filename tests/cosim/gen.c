// SPDX-License-Identifier: Apache-2.0
// cosim_gen: writes a random RV32IMC program for co-simulation.
//
// usage: cosim_gen --seed N --out PREFIX [--blocks N] [--only N,N,...] [--interrupts] [--core-only] [--options]
// [--user]
//
// PREFIX.bin is the image for QEMU, placed and started at 0x10000000. PREFIX.map is a text with the differences that
// only the core sees, and the addresses of the blocks. A block depends only on the seed and its own number, so a
// failing program can be reduced with --only.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

enum { UNITS_PER_BLOCK = 40, DEFAULT_BLOCKS = 400 };

struct options {
    uint64_t seed;
    unsigned blocks;
    const char *out, *only;
    bool interrupts, core_only, options, user;
};

typedef void unit_function(struct program *p);
struct unit {
    unit_function *emit;
    uint8_t weight;
    uint8_t depth; // not used at this depth of bodies or deeper
};

static const struct unit units[] = {
    {emit_alu, 26, 9},          {emit_muldiv, 6, 9},      {emit_load, 12, 9},       {emit_store, 10, 9},
    {emit_pointer_chase, 4, 9}, {emit_compressed, 60, 9}, {emit_branch, 14, 4},     {emit_loop, 2, 2},
    {emit_call, 3, 2},          {emit_jump, 4, 4},        {emit_far, 1, 3},         {emit_csr, 3, 9},
    {emit_trap, 2, 9},          {emit_fence, 1, 9},       {emit_self_modify, 1, 3}, {emit_only_core, 3, 9},
    {emit_bits, 12, 9},         {emit_atomic, 5, 9},      {emit_cross, 2, 9},       {emit_late_flow, 4, 9},
};
enum { UNIT_KINDS = sizeof units / sizeof *units };

static const struct unit user_unit = {emit_user, 3, 1};

void emit_units(struct program *p, unsigned count) {
    unsigned total = p->user ? user_unit.weight : 0;
    for (unsigned i = 0; i < UNIT_KINDS; i++)
        total += units[i].weight;
    while (count > 0) {
        unsigned pick = below(p, total), i = 0;
        while (i < UNIT_KINDS && pick >= units[i].weight)
            pick -= units[i++].weight;
        const struct unit *unit = i < UNIT_KINDS ? &units[i] : &user_unit;
        if (p->depth >= unit->depth)
            continue;
        unit->emit(p);
        count--;
    }
}

void emit_block(struct program *p, unsigned count) {
    p->depth = 0;
    forget_pointers(p);
    for (unsigned i = 0; i < 4; i++)
        load_constant(p, pick_nonzero_rd(p), corner_value(p));
    emit_units(p, count);
}

static void make_data(struct program *p) {
    for (unsigned i = 0; i < DATA_POINTERS; i++)
        put32(p, DATA_BASE + 4 * i, SCRATCH_BASE + 64 + below(p, SCRATCH_END - SCRATCH_BASE - 128));
    for (uint32_t a = SCRATCH_BASE; a < SCRATCH_END; a += 4)
        put32(p, a, corner_value(p));
}

static uint32_t enc_csr_read(unsigned rd, unsigned csr) {
    return enc_i(OP_SYSTEM, 2, rd, 0, (int32_t)csr);
}
static uint32_t enc_csr_write(unsigned csr, unsigned rs) {
    return enc_i(OP_SYSTEM, 1, 0, rs, (int32_t)csr);
}

// Leaves every register unchanged. After an interrupt, clears it and returns; after an exception, continues after the
// instruction (hence looks up its length); after a failed fetch, continues at SAVE_FETCH_RETURN.
static uint32_t make_handler(struct program *p) {
    unsigned a, b;
    do {
        a = 1 + below(p, 31);
        b = 1 + below(p, 31);
    } while (a == b || (p->locked >> a & 1) || (p->locked >> b & 1));
    uint32_t entry = p->pc;
    emit32(p, enc_s(OP_STORE, 2, p->tp, a, 0));
    emit32(p, enc_s(OP_STORE, 2, p->tp, b, 4));
    emit32(p, enc_csr_read(a, 0x342));
    emit32(p, enc_csr_read(b, 0x341));
    uint32_t to_interrupt = p->pc;
    emit32(p, 0);
    emit32(p, enc_csr_read(b, 0x343));
    emit32(p, enc_csr_read(b, 0x300));
    emit32(p, enc_i(OP_IMM, 0, a, a, -1));
    emit32(p, enc_b(1, a, 0, 12)); // not an instruction access fault
    emit32(p, enc_i(OP_LOAD, 2, b, p->tp, SAVE_FETCH_RETURN));
    uint32_t to_write = p->pc;
    emit32(p, 0);
    emit32(p, enc_csr_read(b, 0x341));
    emit32(p, enc_i(OP_LOAD, 5, a, b, 0));
    emit32(p, enc_i(OP_IMM, 7, a, a, 3));
    emit32(p, enc_i(OP_IMM, 0, a, a, -3));
    emit32(p, enc_b(1, a, 0, 8));
    emit32(p, enc_i(OP_IMM, 0, b, b, 2));
    emit32(p, enc_i(OP_IMM, 0, b, b, 2));
    put32(p, to_write, enc_j(0, (int32_t)(p->pc - to_write)));
    emit32(p, enc_csr_write(0x341, b));
    if (p->user) { // an ecall from U mode continues in M mode
        emit32(p, enc_csr_read(a, 0x342));
        emit32(p, enc_i(OP_IMM, 0, a, a, -8));
        emit32(p, enc_b(1, a, 0, 16));
        emit32(p, enc_u(OP_LUI, b, 0x2000));
        emit32(p, enc_i(OP_IMM, 0, b, b, -0x800));
        emit32(p, enc_i(OP_SYSTEM, 2, 0, b, 0x300));
    }
    uint32_t restore = p->pc;
    emit32(p, enc_i(OP_LOAD, 2, a, p->tp, 0));
    emit32(p, enc_i(OP_LOAD, 2, b, p->tp, 4));
    emit32(p, INSN_MRET);
    put32(p, to_interrupt, enc_b(4, a, 0, (int32_t)(p->pc - to_interrupt)));
    emit32(p, enc_u(OP_LUI, b, IRQ_CLEAR));
    emit32(p, enc_s(OP_STORE, 2, b, a, 0));
    emit32(p, enc_j(0, (int32_t)(restore - p->pc)));
    return entry;
}

// A vector table for interrupts; exceptions go to its first entry.
static uint32_t make_vectors(struct program *p, uint32_t handler) {
    p->pc = (p->pc + 127) & ~127u;
    uint32_t table = p->pc;
    for (unsigned i = 0; i < 32; i++)
        emit32(p, enc_j(0, (int32_t)(handler - p->pc)));
    return table;
}

static void make_start(struct program *p, uint32_t mtvec, bool interrupts) {
    load_constant(p, 1, mtvec);
    emit32(p, enc_csr_write(0x305, 1));
    if (p->user) {
        load_constant(p, 1, 0x3fffffff);
        emit32(p, enc_csr_write(0x3b3, 1));
        load_constant(p, 1, (LOCKED_BASE + 31) >> 2);
        emit32(p, enc_csr_write(0x3b2, 1));
        load_constant(p, 1, PMP_ALL << 24 | (p->has_lock ? 0x98u | below(p, 2) : 0) << 16);
        emit32(p, enc_csr_write(0x3a0, 1));
    }
    for (unsigned i = 1; i < 32; i++)
        load_constant(p, i, corner_value(p));
    load_constant(p, p->gp, DATA_MIDDLE);
    load_constant(p, p->tp, SAVE_BASE);
    emit32(p, INSN_ECALL); // makes mstatus.MPIE 1 from here on
    if (!interrupts)
        return;
    load_constant(p, 1, 0x10888);
    emit32(p, enc_csr_write(0x304, 1));
    emit32(p, enc_i(OP_SYSTEM, 6, 0, 8, 0x300)); // csrsi mstatus, MIE
}

static uint64_t seed_of_block(uint64_t seed, unsigned block) {
    return seed * 0xd1342543de82ef95u + (block + 1) * 0x2545f4914f6cdd1du;
}

static bool selected(const char *only, unsigned block) {
    if (!only)
        return true;
    while (*only) {
        char *end;
        if (strtoul(only, &end, 10) == block && end != only)
            return true;
        only = *end ? end + 1 : end;
    }
    return false;
}

static void make_program(struct program *p, const struct options *options, FILE *map) {
    static const uint8_t roles[] = {3, 4, 5, 6, 7, 16, 20, 28, 31};
    p->random = seed_of_block(options->seed, ~0u);
    p->gp = roles[below(p, sizeof roles)];
    do
        p->tp = roles[below(p, sizeof roles)];
    while (p->tp == p->gp);
    p->locked = 1u | 1u << p->gp | 1u << p->tp;
    p->has_lock = p->user && percent(p, 50);
    forget_pointers(p);
    make_data(p);
    p->pc = CODE_BASE;
    uint32_t vector = make_handler(p);
    bool vectored = percent(p, 50);
    if (vectored)
        vector = make_vectors(p, vector);
    p->pc = (p->pc + 63) & ~63u;
    put32(p, IMAGE_BASE, enc_j(0, (int32_t)(p->pc - IMAGE_BASE)));
    make_start(p, vector | vectored, options->interrupts);
    fprintf(map, "vector %08" PRIx32 " %s\n", vector, vectored ? "vectored" : "direct");
    if (p->user)
        fprintf(map, "user\n");
    for (unsigned i = 0; i < options->blocks; i++) {
        if (!selected(options->only, i))
            continue;
        p->random = seed_of_block(options->seed, i);
        fprintf(map, "block %u %08" PRIx32 "\n", i, p->pc);
        emit_block(p, UNITS_PER_BLOCK);
    }
    if (p->pc & 2)
        emit16(p, INSN_C_NOP);
    emit32(p, enc_j(0, 0));
}

static int usage(void) {
    fputs("usage: cosim_gen --seed N --out PREFIX [--blocks N] [--only N,N,...] [--interrupts] [--core-only] "
          "[--options] [--user]\n",
          stderr);
    return 2;
}

static bool parse(int argc, char **argv, struct options *options) {
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--interrupts") == 0)
            options->interrupts = true;
        else if (strcmp(argv[i], "--core-only") == 0)
            options->core_only = true;
        else if (strcmp(argv[i], "--options") == 0)
            options->options = true;
        else if (strcmp(argv[i], "--user") == 0)
            options->user = true;
        else if (strcmp(argv[i], "--seed") == 0 && more)
            options->seed = strtoull(argv[++i], NULL, 0);
        else if (strcmp(argv[i], "--blocks") == 0 && more)
            options->blocks = (unsigned)strtoul(argv[++i], NULL, 0);
        else if (strcmp(argv[i], "--only") == 0 && more)
            options->only = argv[++i];
        else if (strcmp(argv[i], "--out") == 0 && more)
            options->out = argv[++i];
        else
            return false;
    }
    return options->out != NULL;
}

static FILE *open_output(const char *prefix, const char *suffix) {
    char name[4096];
    if (snprintf(name, sizeof name, "%s%s", prefix, suffix) >= (int)sizeof name)
        return NULL;
    FILE *file = fopen(name, "wb");
    if (!file)
        perror(name);
    return file;
}

int main(int argc, char **argv) {
    static const char *const kinds[PATCH_KINDS] = {"message", "wfi", "misaligned", "fault", "counter"};
    struct options options = {.blocks = DEFAULT_BLOCKS};
    if (!parse(argc, argv, &options))
        return usage();
    struct program p = {.interrupts = options.interrupts,
                        .core_only = options.core_only,
                        .options = options.options,
                        .user = options.user};
    p.image = calloc(1, IMAGE_MAX);
    FILE *image = open_output(options.out, ".bin"), *map = open_output(options.out, ".map");
    if (!p.image || !image || !map)
        return 2;
    make_program(&p, &options, map);
    for (unsigned i = 0; i < p.patch_count; i++)
        fprintf(map, "patch %08" PRIx32 " %08" PRIx32 " %s\n", p.patches[i].address, p.patches[i].insn,
                kinds[p.patches[i].kind]);
    bool written = fwrite(p.image, p.pc - IMAGE_BASE, 1, image) == 1;
    if (fclose(image) != 0 || fclose(map) != 0 || !written) {
        perror(options.out);
        return 2;
    }
    free(p.image);
    free(p.patches);
    return 0;
}
