/* SPDX-License-Identifier: Apache-2.0 */
/* The module of docs/guide/firmware.md. */
__attribute__((noinline)) static int row(int of) {
    return of * of + 1;
}

int blur(int rows) {
    int sum = 0;
    for (int i = 0; i < rows; i++)
        sum += row(i);
    return sum;
}
