/* SPDX-License-Identifier: Apache-2.0 */
/* The walk up the stack: cfi.c says where the caller's registers are, and here they are fetched. */
#include <gnomon_unwind.h>

#include "cfi.h"
#include "internal.h"

enum {
    VECTORS = 17,
    LEAF_BYTES = 4096, /* a function of which nothing is known is no longer than that */
};

extern const uint32_t __gnomon_vectors[];

/* Does a word of main memory lie there? */
static bool is_word(uint32_t address) {
    return address % 4 == 0 && address - GNOMON_REG(GNOMON_SYSCTL_RAM_BASE) < GNOMON_REG(GNOMON_SYSCTL_RAM_BYTES);
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

/* Interrupt functions return by mepc, which the information does not say; nor is it there any more. */
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

/* The address that stands for where the frame is: a call may be the last instruction of its function. */
static uint32_t place(const struct gnomon_walk *walk) {
    return walk->frame.x[GNOMON_FRAME_PC] - (walk->called ? 2 : 0);
}

void gnomon_walk_begin(struct gnomon_walk *walk, const struct gnomon_frame *interrupted) {
    walk->frame = *interrupted;
    walk->called = walk->cut = false;
    walk->function = gnomon_function_at(place(walk));
}

static bool cut(struct gnomon_walk *walk) {
    walk->cut = true;
    return false;
}

static bool go_to(struct gnomon_walk *walk, const struct gnomon_frame *caller) {
    walk->frame = *caller;
    walk->called = true;
    walk->function = gnomon_function_at(place(walk));
    return true;
}

/* Assembly of the library (memset, strcmp ...) says nothing of itself: it leaves sp and ra alone. If ra is behind a
 * call that goes elsewhere, this is not such a function. */
static bool leave_leaf(struct gnomon_walk *walk) {
    struct gnomon_frame caller = walk->frame;
    uint32_t target;
    const uint32_t back = caller.x[GNOMON_FRAME_RA];
    const enum gnomon_call_kind call = __gnomon_call_before(back, &target);
    if (walk->called || !call || !is_code(place(walk)))
        return cut(walk);
    if (call == GNOMON_CALL_DIRECT && (place(walk) - target >= LEAF_BYTES || gnomon_function_at(target)))
        return cut(walk);
    caller.x[GNOMON_FRAME_PC] = back;
    return go_to(walk, &caller);
}

bool gnomon_walk_up(struct gnomon_walk *walk) {
    struct gnomon_cfi_entry entry;
    struct gnomon_cfi_row row;
    if (!__gnomon_cfi_find(place(walk), &entry))
        return leave_leaf(walk);
    if (!__gnomon_cfi_row(&entry, place(walk), &row))
        return cut(walk);
    if (row.saved[GNOMON_FRAME_RA] == GNOMON_CFI_UNDEFINED) /* start.S */
        return false;
    if (is_handler(entry.start))
        return cut(walk);

    struct gnomon_frame caller = walk->frame;
    const uint32_t sp = walk->frame.x[GNOMON_FRAME_SP];
    const uint32_t cfa = walk->frame.x[row.cfa_register] + (uint32_t)row.cfa_offset;
    const bool kept = row.saved[GNOMON_FRAME_RA] == GNOMON_CFI_SAME;
    /* Who has called has saved ra, and takes some of the stack: without that, a walk would not end. */
    if (cfa % 4 || (walk->called ? cfa <= sp || kept : cfa < sp) || !is_word(cfa - 4))
        return cut(walk);
    for (unsigned i = 1; i < GNOMON_CFI_REGISTERS; i++) {
        const uint32_t at = cfa + (uint32_t)row.saved[i];
        if (row.saved[i] == GNOMON_CFI_SAME || row.saved[i] == GNOMON_CFI_UNDEFINED)
            continue;
        if (!is_word(at))
            return cut(walk);
        caller.x[i] = *(const volatile uint32_t *)(uintptr_t)at;
    }
    caller.x[GNOMON_FRAME_SP] = cfa;
    caller.x[GNOMON_FRAME_PC] = caller.x[GNOMON_FRAME_RA];
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
