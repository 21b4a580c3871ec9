/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses blocks after their free and beyond them, in each way that the device sees; test_uses.py knows what is found.
 * Argument 1: how many blocks to allocate and free correctly before, between and after. With argument 2 nothing is
 * wrong. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__((noinline))
typedef volatile uint8_t *bytes;
/* The compiler does not know that these are functions of libc. */
static void *(*volatile allocate)(size_t size) = malloc;
static void (*volatile release)(void *block) = free;
static unsigned sum, seed = 1;

KEEP static bytes make(size_t size) {
    bytes block = allocate(size);
    for (size_t i = 0; i < size; i++)
        block[i] = (uint8_t)i;
    return block;
}
KEEP static void drop(bytes block) {
    release((void *)block);
}
/* Blocks of many sizes, used to the last byte, some of them for a while. */
KEEP static void churn(unsigned blocks) {
    enum { KEPT = 20 };
    bytes kept[KEPT] = {0};
    size_t sizes[KEPT] = {0};
    for (unsigned i = 0; i < blocks; i++) {
        seed = seed * 1103515245 + 12345;
        const unsigned at = seed >> 8 & 31;
        const size_t size = 1 + (seed >> 16) % 200;
        bytes block = make(size);
        if (at >= KEPT) {
            drop(block);
            continue;
        }
        for (size_t j = 0; j < sizes[at]; j++)
            sum += kept[at][j];
        if (kept[at])
            drop(kept[at]);
        kept[at] = block;
        sizes[at] = size;
    }
    for (unsigned i = 0; i < KEPT; i++)
        if (kept[i])
            drop(kept[i]);
}

KEEP static void looks(bytes block, size_t at) {
    sum += block[at];
}
KEEP static void changes(bytes block, size_t at) {
    block[at] = 1;
}
KEEP static void adds(bytes block, size_t at) {
    __asm__ volatile(".option push\n\t.option arch, +a\n\tamoadd.w zero, %1, (%0)\n\t.option pop"
                     :
                     : "r"(block + at), "r"(1)
                     : "memory");
}

KEEP static void reads_freed(void) {
    bytes block = make(24);
    drop(block);
    for (unsigned i = 0; i < 3; i++)
        looks(block, 5);
    looks(block, 31); /* its guard */
    for (unsigned i = 0; i < 24; i++)
        sum += block[i];
}
KEEP static void writes_freed(void) {
    bytes block = make(21);
    drop(block);
    changes(block, 20);
    adds(block, 8);
}
KEEP static void reads_beyond(void) {
    bytes block = make(16);
    looks(block, 16);
    looks(block, 23);
    looks(block, (size_t)-1);
    changes(block, 15);
    drop(block);
}
/* The address is that of a live block again. */
KEEP static void reads_freed_later(unsigned blocks) {
    bytes block = make(40);
    drop(block);
    churn(blocks / 8);
    looks(block, 4);
}

/* One mistake for each block: the one that was freed last is always watched. */
KEEP static void reads_each(unsigned blocks) {
    enum { WATCHED = 32 };
    for (unsigned i = 0; i < blocks; i++) {
        seed = seed * 1103515245 + 12345;
        const size_t size = 1 + (seed >> 16) % 100;
        bytes block = make(size);
        drop(block);
        looks(block, (seed >> 8) % (size < WATCHED ? size : WATCHED));
    }
}

int main(int argc, char **argv) {
    const unsigned blocks = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 0;
    churn(blocks);
    if (argc <= 2) {
        reads_freed();
        writes_freed();
        churn(blocks);
        reads_beyond();
        reads_freed_later(blocks);
        reads_each(5 * blocks); /* addresses come again */
    }
    churn(blocks);
    printf("%u\n", sum);
    return 0;
}
