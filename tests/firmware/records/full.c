/* SPDX-License-Identifier: Apache-2.0 */
/* Calls functions for the first time when no memory is left. */
#include <unistd.h>

#define FUNCTION(n)                                                                                                    \
    __attribute__((noinline)) static int f##n(int depth) {                                                             \
        __asm__ volatile("" : "+r"(depth));                                                                            \
        return depth ? table[(n * 7 + depth) % FUNCTIONS](depth - 1) + n : n;                                          \
    }

enum { FUNCTIONS = 12 };
static int (*const table[FUNCTIONS])(int depth);

FUNCTION(0)
FUNCTION(1)
FUNCTION(2)
FUNCTION(3)
FUNCTION(4)
FUNCTION(5)
FUNCTION(6)
FUNCTION(7)
FUNCTION(8)
FUNCTION(9)
FUNCTION(10)
FUNCTION(11)

static int (*const table[FUNCTIONS])(int depth) = {f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11};

int main(void) {
    int sum = f0(2);
    for (int bytes = 1 << 24; bytes >= 16; bytes /= 2)
        while (sbrk(bytes) != (void *)-1)
            ;
    for (int depth = 0; depth < 20; depth++)
        for (int n = 0; n < FUNCTIONS; n++)
            sum += table[n](depth);
    sbrk(-65536); /* for the file */
    return sum == 0;
}
