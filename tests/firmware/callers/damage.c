/* SPDX-License-Identifier: Apache-2.0 */
/* Walks from registers that no program had, and with damaged call frame information: each walk must end, read only
 * existing memory (other reads would trap), and find no more frames than the stack can hold. */
#include <stdio.h>
#include <string.h>

#include <gnomon_unwind.h>

extern uint8_t __gnomon_frames_index[], __gnomon_debug_frames_end[]; /* limits of all tables */
extern uint8_t __gnomon_frames[];                                    /* start of the tables that the index covers */
extern uint8_t _start[], _etext[];

enum { MOST = 4096, BYTES = 16384 };

static uint32_t state = 12345, addresses[MOST];
static uint8_t whole[BYTES];
static size_t longest;

static uint32_t next(void) {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

/* A word that is mostly plausible: code, stack, or random. */
static uint32_t any_word(uint32_t stack) {
    switch (next() % 4) {
    case 0:
        return (uint32_t)(uintptr_t)_start + (next() % (uint32_t)(_etext - _start) & ~1u);
    case 1:
        return stack + (next() % 256) * 4;
    case 2:
        return stack + next() % 64 - 32;
    default:
        return next() << 8 ^ next();
    }
}

static void walk_from_anywhere(void) {
    struct gnomon_frame frame;
    uint32_t stack[512];
    const uint32_t low = (uint32_t)(uintptr_t)stack;
    for (unsigned i = 0; i < 512; i++)
        stack[i] = any_word(low);
    for (unsigned i = 0; i < 32; i++)
        frame.x[i] = any_word(low);
    frame.x[GNOMON_FRAME_PC] =
        next() % 8 ? (uint32_t)(uintptr_t)_start + (next() % (uint32_t)(_etext - _start) & ~1u) : any_word(low);
    /* In the stack, at the start of the program's memory, or random. */
    frame.x[GNOMON_FRAME_SP] = next() % 2   ? low + next() % 64 * 4
                               : next() % 2 ? (uint32_t)(uintptr_t)_start + next() % 16 * 4
                                            : any_word(low);
    const size_t count = gnomon_backtrace(&frame, addresses, MOST);
    longest = count > longest ? count : longest;
}

/* Claims that ra is saved 508 bytes below the frame's end: below all memory, for a stack that begins there. */
static void save_far_away(uint8_t *tables, size_t bytes) {
    for (size_t i = 0; i + 1 < bytes; i++)
        if (tables[i] == 0x81 && tables[i + 1] <= 8) /* DW_CFA_offset of ra */
            tables[i + 1] = 0x7F;
    for (unsigned i = 0; i < 60; i++) {
        struct gnomon_frame frame = {{0}};
        frame.x[GNOMON_FRAME_PC] = (uint32_t)(uintptr_t)_start + (next() % (uint32_t)(_etext - _start) & ~1u);
        frame.x[GNOMON_FRAME_SP] = (uint32_t)(uintptr_t)_start + 16;
        gnomon_backtrace(&frame, addresses, MOST);
    }
}

int main(void) {
    uint8_t *tables = __gnomon_frames_index;
    const size_t bytes = (size_t)(__gnomon_debug_frames_end - tables);
    if (bytes > BYTES || bytes < 1024) {
        printf("%u bytes of tables\n", (unsigned)bytes);
        return 1;
    }
    for (unsigned i = 0; i < 40; i++)
        walk_from_anywhere();
    memcpy(whole, tables, bytes);
    for (unsigned round = 0; round < 30; round++) {
        const size_t spared = round % 2 ? (size_t)(__gnomon_frames - tables) : 0;
        for (unsigned i = 0; i < 1 + round * 8; i++)
            tables[spared + next() % (bytes - spared)] = next() % 3 ? (uint8_t)next() : next() % 2 ? 0x00 : 0xFF;
        for (unsigned i = 0; i < 8; i++)
            walk_from_anywhere();
        memcpy(tables, whole, bytes);
    }
    save_far_away(tables, bytes);
    memset(tables, 0, bytes);
    walk_from_anywhere();
    memset(tables, 0xFF, bytes);
    walk_from_anywhere();
    printf("longest %u\n", (unsigned)longest);
    return longest < 2 || longest == MOST;
}
