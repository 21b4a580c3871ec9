/* SPDX-License-Identifier: Apache-2.0 */
/* Divides 64 bits by 32, one bit at a time, as a core without a divider does. Checked by multiplication, and where
 * possible with the core's own division. */
#include "kernel.h"

enum { ROUNDS = 500 };

static uint64_t divide(uint64_t n, uint32_t d, uint32_t *rest) {
    uint64_t quotient = 0, r = 0;
    for (int bit = 63; bit >= 0; bit--) {
        r = r << 1 | (n >> bit & 1);
        quotient <<= 1;
        if (r >= d) {
            r -= d;
            quotient |= 1;
        }
    }
    *rest = (uint32_t)r;
    return quotient;
}

int main(void) {
    uint32_t state = 1, rest;
    for (int i = 0; i < ROUNDS; i++) {
        const uint32_t d = kernel_random(&state) >> (i & 31) | 1;
        const uint32_t high = i & 1 ? kernel_random(&state) : 0, low = kernel_random(&state);
        const uint64_t n = (uint64_t)high << 32 | low;
        const uint64_t q = divide(n, d, &rest);
        if (q * d + rest != n || rest >= d || (high == 0 && (q != low / d || rest != low % d)))
            return 1;
    }
    return 0;
}
