/* SPDX-License-Identifier: Apache-2.0 */
/* The sieve of Eratosthenes; below 40,000 there are 4,203 primes. */
#include <stdint.h>

enum { LIMIT = 40000, PRIMES = 4203 };

static uint8_t composite[LIMIT];

int main(void) {
    unsigned primes = 0;
    for (unsigned n = 2; n < LIMIT; n++) {
        if (composite[n])
            continue;
        primes++;
        for (unsigned m = n * n; n < 200 && m < LIMIT; m += n)
            composite[m] = 1;
    }
    return primes != PRIMES;
}
