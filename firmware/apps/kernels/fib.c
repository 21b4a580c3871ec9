/* SPDX-License-Identifier: Apache-2.0 */
/* Computes Fibonacci numbers by recursive calls and by sums. */
#include <stdint.h>

enum { N = 20 };

__attribute__((noinline, optimize("no-optimize-sibling-calls"))) static uint32_t fib(uint32_t n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(void) {
    uint32_t a = 0, b = 1;
    for (int i = 0; i < N; i++) {
        const uint32_t next = a + b;
        a = b;
        b = next;
    }
    return fib(N) != a;
}
