/* SPDX-License-Identifier: Apache-2.0 */
/* Sibling calls, direct and through a pointer, tail jumps through a table, recursion by tail calls. If the compiler
 * makes a jump of a call, the caller ends before the callee begins.
 *
 * - > main 1
 * main > direct 2
 * main > computed 8
 * main > sometimes 3
 * main > even 1
 * main|direct|sometimes|computed > leaf 6
 * main|computed > add 2
 * main|computed > subtract 2
 * main|computed > times 2
 * main|even > odd 1
 */
#include "matrix.h"

volatile int sink;

KEEP static int leaf(int x) {
    return x + 1 + sink;
}
KEEP static int add(int x) {
    return x + 3 + sink;
}
KEEP static int subtract(int x) {
    return x - 3 + sink;
}
KEEP static int times(int x) {
    return x * 3 + sink;
}
static int (*const table[])(int) = {add, subtract, times, leaf};

KEEP static int direct(int x) {
    return leaf(x ^ 5);
}
KEEP static int computed(int which, int x) {
    return table[which & 3](x);
}
KEEP static int sometimes(int x) {
    if (x == 0)
        return 17;
    return leaf(x);
}
KEEP static int odd(unsigned n) {
    return n & 1 ? 1 : (int)n + sink;
}
KEEP static int even(unsigned n) {
    return odd(n + 1);
}

int main(void) {
    int sum = direct(1) + direct(2);
    for (int i = 0; i < 8; i++)
        sum += computed(i, 10);
    for (int i = 0; i < 3; i++)
        sum += sometimes(i);
    return sum + even(2) == 5 + 8 + 2 * (13 + 7 + 30 + 11) + 17 + 2 + 3 + 1 ? 0 : 1;
}
