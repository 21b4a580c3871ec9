/* SPDX-License-Identifier: Apache-2.0 */
/* alloca, variable-length arrays, a frame larger than an immediate, variable arguments, many arguments, nested
 * functions.
 *
 * - > main 1
 * main > with_alloca 2
 * main > with_array 2
 * main > big_frame 2
 * main > variadic 2
 * main > many 2
 * main > outer 2
 * outer > inner 4
 * with_alloca > touch 2
 * with_array > touch 2
 * big_frame > touch 2
 */
#include <stdarg.h>
#include <stddef.h>

#include "matrix.h"

volatile int sink;

KEEP static void touch(char *p, int n) {
    for (int i = 0; i < n; i++)
        p[i] = (char)i;
}
KEEP static int with_alloca(int n) {
    char *p = __builtin_alloca((size_t)n);
    touch(p, n);
    return p[n - 1];
}
KEEP static int with_array(int n) {
    char p[n];
    touch(p, n);
    return p[n / 2];
}
KEEP static int big_frame(int n) {
    char p[6000];
    touch(p, n);
    return p[n - 1] + sink;
}
KEEP static int variadic(int count, ...) {
    va_list list;
    int sum = 0;
    va_start(list, count);
    while (count-- > 0)
        sum += va_arg(list, int);
    va_end(list);
    return sum;
}
KEEP static int many(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}
KEEP static int outer(int x) {
    int scale = x + sink;
    __attribute__((noinline)) int inner(int y) {
        sink = 0;
        return y * scale;
    }
    return inner(2) + inner(3);
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++)
        sum += with_alloca(30) + with_array(30) + big_frame(100) + variadic(3, 1, 2, 3) +
               many(1, 1, 1, 1, 1, 1, 1, 1, 1, 1) + outer(2);
    return sum == 2 * (29 + 15 + 99 + 6 + 55 + 10) ? 0 : 1;
}
