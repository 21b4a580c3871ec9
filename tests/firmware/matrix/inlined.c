/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that may be inlined are called as often as the source calls them, or not at all; then their cycles count
 * for the function that contains them. Cold parts belong to their function.
 *
 * - > main 1
 * main > small 4 ?
 * main > has_cold_part 3
 * has_cold_part > rare 1
 * main > flat 2
 * flat > small 2 ?
 * main > saves 2
 * saves > keeps 4
 * absent forced
 */
#include "matrix.h"

volatile int sink;

static inline int small(int x) {
    return x + 1 + sink;
}
static inline __attribute__((always_inline)) int forced(int x) {
    return x + 2 + sink;
}
__attribute__((cold)) KEEP static int rare(int x) {
    return x + 100 + sink;
}
KEEP static int has_cold_part(int x) {
    if (__builtin_expect(x == 2, 0)) {
        sink = 1;
        int y = rare(x);
        sink = 0;
        return y;
    }
    return x;
}
__attribute__((flatten)) KEEP static int flat(int x) {
    return small(x) + forced(x);
}
KEEP static int keeps(int a, int b) {
    return a + b + sink;
}
/* Needs many callee-saved registers. */
KEEP static int saves(int x) {
    int a = sink + x, b = sink + a, c = sink + b, d = sink + c, e = sink + d, f = sink + e, g = sink + f;
    int y = keeps(a, b);
    return y + keeps(c, d) + e + f + g;
}

int main(void) {
    int sum = small(1) + small(2) + small(3) + small(4) + forced(1);
    for (int i = 0; i < 3; i++)
        sum += has_cold_part(i);
    sum += flat(1) + flat(2) + saves(1) + saves(2);
    return sum == 14 + 3 + 0 + 1 + 103 + 2 + 3 + 3 + 4 + 7 + 14 ? 0 : 1;
}
