/* SPDX-License-Identifier: Apache-2.0 */
/* A program of which nothing has hooks. */
__attribute__((noinline, noclone, noipa)) static int work(int x) {
    return x + 1;
}
int main(void) {
    return work(1) + work(2) == 5 ? 0 : 1;
}
