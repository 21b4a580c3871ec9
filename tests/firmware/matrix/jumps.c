/* SPDX-License-Identifier: Apache-2.0 */
/* longjmp out of several functions: they end where setjmp returns again and sends a message. The message's cycles (two
 * or three instructions) count for the function that longjmp left, so only the calls equal the oracle's.
 *
 * oracle calls
 * - > main 1
 * main > catches 3
 * catches > first 3
 * first > second 3
 * second > jumps 3
 * catches > after 3
 * second > before 3
 */
#include <setjmp.h>

#include "matrix.h"

volatile int sink;
static jmp_buf place;

KEEP static int before(int x) {
    return x + sink;
}
KEEP static int after(int x) {
    return x * 2 + sink;
}
KEEP static _Noreturn void jumps(int x) {
    longjmp(place, x);
}
KEEP static void second(int x) {
    jumps(before(x) + 1);
}
KEEP static int first(int x) {
    second(x);
    return sink;
}
KEEP static int catches(int x) {
    const int from = setjmp(place);
    if (from != 0)
        return after(from);
    return first(x);
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += catches(i);
    return sum == 2 + 4 + 6 ? 0 : 1;
}
