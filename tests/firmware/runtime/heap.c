/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates blocks of all sizes, checks by their contents that they do not overlap, until memory is used up, and
 * again after freeing. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { BLOCKS = 50, HUGE = 1 << 20 };

static unsigned char *blocks[BLOCKS];
static size_t sizes[BLOCKS];

static uint32_t random_number(void) {
    static uint32_t state = 12345;
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static int intact(int i) {
    for (size_t at = 0; at < sizes[i]; at++)
        if (blocks[i][at] != (unsigned char)i)
            return 0;
    return 1;
}

static void exercise(void) {
    for (int round = 0; round < 150; round++) {
        const int i = (int)(random_number() % BLOCKS);
        CHECK(!blocks[i] || intact(i));
        sizes[i] = random_number() % 1000;
        blocks[i] = realloc(blocks[i], sizes[i] + 1);
        CHECK(blocks[i] && (uintptr_t)blocks[i] % 8 == 0);
        memset(blocks[i], i, sizes[i]);
    }
    for (int i = 0; i < BLOCKS; i++) {
        CHECK(!blocks[i] || intact(i));
        free(blocks[i]);
    }
}

#ifdef __riscv
static int fill(void) {
    static void *all[4096];
    int count = 0;
    while (count < 4096 && (all[count] = malloc(HUGE)))
        memset(all[count++], 1, 16);
    CHECK(errno == ENOMEM);
    for (int i = 0; i < count; i++)
        free(all[i]);
    return count;
}
#endif

int main(void) {
    exercise();
    unsigned char *zeros = calloc(1000, 7);
    for (int i = 0; i < 7000; i++)
        CHECK(zeros[i] == 0);
    free(zeros);
#ifdef __riscv
    const int first = fill();
    CHECK(first > 16);
    CHECK(fill() == first);
#endif
    printf("heap: %d failed\n", check_failed);
    return check_failed;
}
