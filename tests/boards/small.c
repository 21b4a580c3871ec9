/* SPDX-License-Identifier: Apache-2.0 */
/* A program that fits the smallest board: work is called 25 times. */
static volatile unsigned sum;

__attribute__((noinline)) static void work(unsigned n) {
    sum += n;
}

int main(void) {
    for (unsigned i = 0; i < 25; i++)
        work(i);
    return sum != 300;
}
