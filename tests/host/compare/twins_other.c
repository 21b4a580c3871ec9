/* SPDX-License-Identifier: Apache-2.0 */
/* The other function named work, in another file. */
int other(int n);

__attribute__((noinline)) static int work(int n) {
    return n % 7;
}

__attribute__((noinline)) int other(int n) {
    return work(n) + work(n + 1);
}
