/* SPDX-License-Identifier: Apache-2.0 */
/* The program under construction: its image, the differences that only the core sees, and the generator's knowledge
 * about the registers at the current point. */
#ifndef COSIM_PROGRAM_H
#define COSIM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "encode.h"

enum {
    IMAGE_BASE = 0x10000000,
    IMAGE_MAX = 0x00c00000,
    RAM_BYTES = 0x01000000,          /* end of memory, also in QEMU (-m 272M) */
    DATA_BASE = IMAGE_BASE + 0x1000, /* 4 KiB: 1 KiB of constant pointers, 3 KiB of scratch */
    DATA_POINTERS = 256,             /* words of constant pointers */
    DATA_MIDDLE = DATA_BASE + 0x800,
    SCRATCH_BASE = DATA_BASE + 4 * DATA_POINTERS,
    SCRATCH_END = DATA_BASE + 0x1000,
    SAVE_BASE = SCRATCH_END,        /* words of the trap handler */
    SAVE_FETCH_RETURN = 12,         /* offset of the return address after an instruction access fault */
    LOCKED_BASE = SAVE_BASE + 0x80, /* 64 bytes that a locked PMP entry may deny */
    PMP_ALL = 0x1f,                 /* configuration of the entry that permits everything */
    CODE_BASE = SAVE_BASE + 0x100,
    WINDOW_BASE = 0xfff00000u, /* message window */
    WINDOW_BYTES = 0x100000,
    IRQ_CLEAR = 0xf0001000u /* in the harness: a store of mcause clears that interrupt */
};

/* The core's instruction in place of QEMU's `nop`, and its treatment in the comparison. */
enum patch_kind { PATCH_MESSAGE, PATCH_WFI, PATCH_MISALIGNED, PATCH_FAULT, PATCH_COUNTER, PATCH_KINDS };

struct patch {
    uint32_t address, insn;
    enum patch_kind kind;
};

struct program {
    uint8_t *image;
    uint32_t pc; /* address of the next instruction */
    uint64_t random;
    struct patch *patches;
    unsigned patch_count, patch_room;
    bool interrupts;    /* the program runs with interrupts enabled */
    bool core_only;     /* use instructions that only the core can execute */
    bool options;       /* the core has A, Zba, Zbb, Zbs */
    bool user;          /* the hart has U mode and PMP */
    bool has_lock;      /* entry 2 of PMP is locked */
    bool in_user;       /* the emitted code runs in U mode */
    bool wait_traps;    /* wfi is illegal in U mode */
    uint32_t counters;  /* counters that U mode may read */
    unsigned gp, tp;    /* registers that always hold DATA_MIDDLE and SAVE_BASE */
    uint32_t known[32]; /* address in scratch or data that the register holds, 0 = unknown */
    uint32_t locked;    /* mask of registers that must not be written now */
    unsigned recent[4]; /* last written registers */
    unsigned depth;
    uint32_t reserved; /* a word that must not be written now */
};

static inline uint32_t random_u32(struct program *p) {
    p->random += 0x9e3779b97f4a7c15u; /* splitmix64 */
    uint64_t z = p->random;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 16);
}
static inline unsigned below(struct program *p, unsigned n) {
    return (unsigned)(((uint64_t)random_u32(p) * n) >> 32);
}
static inline bool percent(struct program *p, unsigned chance) {
    return below(p, 100) < chance;
}

/* Corner values of arithmetic. */
uint32_t corner_value(struct program *p);

void emit16(struct program *p, uint32_t insn);
void emit32(struct program *p, uint32_t insn);
void emit_core_only(struct program *p, uint32_t insn, enum patch_kind kind);
void put32(struct program *p, uint32_t address, uint32_t word);
void put16(struct program *p, uint32_t address, uint32_t half);

/* Registers. pick_rd marks the register as written (its value becomes unknown). */
unsigned pick_rd(struct program *p);
unsigned pick_nonzero_rd(struct program *p);
unsigned pick_short_rd(struct program *p); /* one of x8..x15 */
unsigned pick_rs(struct program *p);
unsigned pick_short_rs(struct program *p);
void wrote(struct program *p, unsigned rd);
void forget_pointers(struct program *p);
/* A register with a known address, mostly an existing one. */
unsigned pick_pointer(struct program *p);
void load_constant(struct program *p, unsigned rd, uint32_t value);

/* blocks.c and its parts: random code. */
void emit_block(struct program *p, unsigned units);
void emit_units(struct program *p, unsigned units);
void emit_alu(struct program *p);
void emit_muldiv(struct program *p);
void emit_load(struct program *p);
void emit_store(struct program *p);
void emit_pointer_chase(struct program *p);
void emit_compressed(struct program *p);
void emit_branch(struct program *p);
void emit_loop(struct program *p);
void emit_call(struct program *p);
void emit_jump(struct program *p);
void emit_far(struct program *p);
void emit_self_modify(struct program *p);
void emit_csr(struct program *p);
void emit_trap(struct program *p);
void emit_fence(struct program *p);
void emit_only_core(struct program *p);
void emit_bits(struct program *p);
void emit_atomic(struct program *p);
uint32_t random_option_insn(struct program *p);
uint32_t random_bits_insn(struct program *p, unsigned rd, unsigned rs1, unsigned rs2);
void emit_user(struct program *p);
void emit_privileged(struct program *p);
void emit_cross(struct program *p);
void emit_late_flow(struct program *p);

#endif
