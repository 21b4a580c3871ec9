/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of malloc and its relatives in an order that a generator of random numbers says; test_heap.py knows the same
 * generator. Argument 1: how many calls. What is left at the end is printed: blocks and bytes. */
#include <gnomon.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))
enum { SLOTS = 24 };

static void *blocks[SLOTS];
static uint32_t sizes[SLOTS];
static uint32_t state = 1;

KEEP static uint32_t number(uint32_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

/* Recursive: it counts once in what it has allocated with its callees. */
KEEP static void *plain(uint32_t size, uint32_t depth) {
    void *block = depth ? plain(size, depth - 1) : malloc(size);
    __asm__ volatile("" : "+r"(block));
    return block;
}
KEEP static void *zeroed(uint32_t size) {
    return calloc(size, 3);
}
KEEP static void *aligned(uint32_t size) {
    void *block = NULL;
    return posix_memalign(&block, 64, size) ? NULL : block;
}
KEEP static void *grown(void *block, uint32_t size) {
    return realloc(block, size);
}
KEEP static void gone(void *block) {
    free(block);
}

KEEP static void step(unsigned slot, uint32_t size) {
    if (!blocks[slot]) {
        const uint32_t kind = number(3);
        blocks[slot] = kind == 0 ? plain(size, size % 3) : kind == 1 ? zeroed(size) : aligned(size);
        sizes[slot] = kind == 1 ? 3 * size : size;
    } else if (number(4) == 0) {
        blocks[slot] = grown(blocks[slot], size);
        sizes[slot] = size;
    } else {
        gone(blocks[slot]);
        blocks[slot] = NULL;
    }
}

int main(int argc, char **argv) {
    const unsigned calls = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 100;
    void *volatile impossible = plain(0x7FFFFF00, 0);
    unsigned count = 0, bytes = 0;
    for (unsigned i = 0; i < calls; i++) {
        if (i == calls / 3)
            GNOMON_MARK(1, i);
        if (i == 2 * calls / 3)
            GNOMON_MARK(2, i);
        const unsigned slot = number(SLOTS);
        step(slot, 1 + number(200));
    }
    for (unsigned i = 0; i < SLOTS; i++) {
        count += blocks[i] != NULL;
        bytes += blocks[i] ? sizes[i] : 0;
    }
    printf("%u %u %d\n", count, bytes, impossible == NULL);
    return 0;
}
