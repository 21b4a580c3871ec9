/* SPDX-License-Identifier: Apache-2.0 */
/* Multiplies matrices. Checked with Freivalds' algorithm: (A B) x = A (B x), in arithmetic modulo 2^32. */
#include "kernel.h"

enum { N = 40 };

static uint32_t a[N][N], b[N][N], product[N][N];

static void times(uint32_t y[N], uint32_t m[N][N], const uint32_t x[N]) {
    for (int i = 0; i < N; i++) {
        y[i] = 0;
        for (int k = 0; k < N; k++)
            y[i] += m[i][k] * x[k];
    }
}

int main(void) {
    uint32_t state = 1, x[N], bx[N], abx[N], px[N];
    for (int i = 0; i < N; i++) {
        x[i] = kernel_random(&state);
        for (int k = 0; k < N; k++) {
            a[i][k] = kernel_random(&state);
            b[i][k] = kernel_random(&state);
        }
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            uint32_t sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            product[i][j] = sum;
        }
    times(bx, b, x);
    times(abx, a, bx);
    times(px, product, x);
    for (int i = 0; i < N; i++)
        if (px[i] != abx[i])
            return 1;
    return 0;
}
