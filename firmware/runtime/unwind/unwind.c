/* SPDX-License-Identifier: Apache-2.0 */
/* The walk up the stack: cfi.c says where the caller's registers are; this file fetches them. */
#include <gnomon_unwind.h>

#include "cfi.h"
#include "internal.h"

enum {
    T0 = 5,
    MV_RA_T0 = 0x00028093,
    VECTORS = 17,
    LEAF_BYTES = 4096, /* assumed greatest size of a function without information */
};

extern const uint32_t __gnomon_vectors[];

extern const char _start[];

/* Is there a word of the program's memory (code, data, heap or stack) at that address? */
static bool is_word(uint32_t address) {
    const uint32_t first = (uint32_t)(uintptr_t)_start;
    return address % 4 == 0 && address - first < __gnomon_stack_top - first;
}

static bool is_code(uint32_t address) {
    return address % 2 == 0 && is_word(address & ~3u) && is_word((address - 4) & ~3u);
}

static uint32_t parcel(uint32_t address) {
    return *(const volatile uint16_t *)(uintptr_t)address;
}

static uint32_t jal_offset(uint32_t insn) {
    const uint32_t sign = insn >> 31 ? 0xFFF00000u : 0;
    return sign | (insn & 0x000FF000u) | (insn >> 9 & 0x800u) | (insn >> 20 & 0x7FEu);
}

static uint32_t compressed_jal_offset(uint32_t insn) {
    const uint32_t sign = insn & 0x1000 ? 0xFFFFF800u : 0;
    return sign | (insn >> 7 & 0x10) | (insn >> 1 & 0x300) | (insn << 2 & 0x400) | (insn >> 1 & 0x40) |
           (insn << 1 & 0x80) | (insn >> 2 & 0xE) | (insn << 3 & 0x20);
}

enum gnomon_call_kind __gnomon_call_before(uint32_t address, uint32_t *target) {
    if (!is_code(address))
        return GNOMON_CALL_NONE;
    const uint32_t insn = parcel(address - 4) | parcel(address - 2) << 16, half = insn >> 16;
    if ((insn & 0xFFF) == 0x0EF) { /* jal ra */
        *target = address - 4 + jal_offset(insn);
        return GNOMON_CALL_DIRECT;
    }
    if ((half & 0xE003) == 0x2001) { /* c.jal */
        *target = address - 2 + compressed_jal_offset(half);
        return GNOMON_CALL_DIRECT;
    }
    const bool indirect = (insn & 0x7FFF) == 0x00E7 || ((half & 0xF07F) == 0x9002 && (half & 0xF80));
    return indirect ? GNOMON_CALL_INDIRECT : GNOMON_CALL_NONE; /* jalr ra, c.jalr */
}

/* Interrupt functions return to mepc. The information does not say so, and mepc may have changed meanwhile. */
static bool is_handler(uint32_t function) {
    for (unsigned i = 0; i < VECTORS; i++) {
        const uint32_t at = (uint32_t)(uintptr_t)&__gnomon_vectors[i];
        if (at + jal_offset(__gnomon_vectors[i]) == function)
            return true;
    }
    return false;
}

uint32_t gnomon_function_at(uint32_t address) {
    struct gnomon_cfi_entry entry;
    return __gnomon_cfi_find(address, &entry) ? entry.start : 0;
}

/* The address used to look up the frame's function. After a call, the return address may already lie in the next
 * function. */
static uint32_t place(const struct gnomon_walk *walk) {
    return walk->frame.x[GNOMON_FRAME_PC] - (walk->called ? 2 : 0);
}

static void look_up(struct gnomon_walk *walk) {
    walk->function = __gnomon_cfi_find(place(walk), &walk->entry) ? walk->entry.start : 0;
}

void gnomon_walk_begin(struct gnomon_walk *walk, const struct gnomon_frame *interrupted) {
    walk->frame = *interrupted;
    walk->called = walk->cut = false;
    look_up(walk);
}

static bool cut(struct gnomon_walk *walk) {
    walk->cut = true;
    return false;
}

static bool go_to(struct gnomon_walk *walk, const struct gnomon_frame *caller) {
    walk->frame = *caller;
    walk->called = true;
    look_up(walk);
    return true;
}

/* Assembly functions of the library have no information. strcmp and similar functions do not change sp and ra. memset
 * calls itself and keeps ra in t0 meanwhile; MV_RA_T0 is the instruction after that call. If ra follows a call to a
 * different function, the function is neither of these. */
static bool leave_leaf(struct gnomon_walk *walk) {
    struct gnomon_frame caller = walk->frame;
    const uint32_t at = place(walk), pc = caller.x[GNOMON_FRAME_PC];
    if (!is_code(at))
        return cut(walk);
    const bool kept = (parcel(pc) | parcel(pc + 2) << 16) == MV_RA_T0;
    if (kept)
        caller.x[GNOMON_FRAME_RA] = caller.x[T0];
    else if (walk->called)
        return cut(walk);
    uint32_t target;
    const enum gnomon_call_kind call = __gnomon_call_before(caller.x[GNOMON_FRAME_RA], &target);
    if (!call || (call == GNOMON_CALL_DIRECT && (at - target >= LEAF_BYTES || gnomon_function_at(target))))
        return cut(walk);
    caller.x[GNOMON_FRAME_PC] = caller.x[GNOMON_FRAME_RA];
    return go_to(walk, &caller);
}

bool gnomon_walk_up(struct gnomon_walk *walk) {
    struct gnomon_cfi_row row;
    if (!walk->function)
        return leave_leaf(walk);
    if (!__gnomon_cfi_row(&walk->entry, place(walk), &row))
        return cut(walk);
    if (row.saved[GNOMON_FRAME_RA] == GNOMON_CFI_UNDEFINED) /* start.S */
        return false;
    if (is_handler(walk->function))
        return cut(walk);

    struct gnomon_frame caller = walk->frame;
    const uint32_t sp = walk->frame.x[GNOMON_FRAME_SP];
    const uint32_t cfa = walk->frame.x[row.cfa_register] + (uint32_t)row.cfa_offset;
    const bool kept = row.saved[GNOMON_FRAME_RA] == GNOMON_CFI_SAME;
    /* A function that has made a call has saved ra and has used some stack. Without this check, a walk might not
     * end. */
    if (cfa % 4 || (walk->called ? cfa <= sp || kept : cfa < sp) || !is_word(cfa - 4))
        return cut(walk);
    for (unsigned i = 1; i < GNOMON_CFI_REGISTERS; i++) {
        if (row.saved[i] == GNOMON_CFI_SAME || row.saved[i] == GNOMON_CFI_UNDEFINED)
            continue;
        const uint32_t at = cfa + (uint32_t)row.saved[i];
        if (!is_word(at))
            return cut(walk);
        caller.x[i] = *(const volatile uint32_t *)(uintptr_t)at;
    }
    caller.x[GNOMON_FRAME_SP] = cfa;
    caller.x[GNOMON_FRAME_PC] = caller.x[GNOMON_FRAME_RA];
    if (!caller.x[GNOMON_FRAME_PC]) /* the first function of a thread */
        return false;
    return is_code(caller.x[GNOMON_FRAME_PC]) ? go_to(walk, &caller) : cut(walk);
}

size_t gnomon_backtrace(const struct gnomon_frame *interrupted, uint32_t *addresses, size_t most) {
    struct gnomon_walk walk;
    size_t count = 0;
    gnomon_walk_begin(&walk, interrupted);
    while (count < most) {
        addresses[count++] = walk.frame.x[GNOMON_FRAME_PC];
        if (!gnomon_walk_up(&walk))
            break;
    }
    return count;
}
