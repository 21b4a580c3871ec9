/* SPDX-License-Identifier: Apache-2.0 */
/* The program of docs/guide/diff.md: counts primes. With -DSQRT it tries fewer divisors. */
#include <stdio.h>

__attribute__((noinline)) static int divides(int a, int b) {
    return b % a == 0;
}

__attribute__((noinline)) static int is_prime(int n) {
#ifdef SQRT
    for (int i = 2; i * i <= n; i++)
#else
    for (int i = 2; i < n; i++)
#endif
        if (divides(i, n))
            return 0;
    return n > 1;
}

__attribute__((noinline)) static int primes(int most) {
    int count = 0;
    for (int n = 0; n <= most; n++)
        count += is_prime(n);
    return count;
}

int main(void) {
    printf("%d primes\n", primes(200));
    return 0;
}
