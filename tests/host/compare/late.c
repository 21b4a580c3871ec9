/* SPDX-License-Identifier: Apache-2.0 */
/* Calls a function once, after many calls of another one, which fill the device's buffer if they are sent. */
#define KEEP __attribute__((noinline))
static volatile unsigned sum;

KEEP static void often(unsigned value) {
    sum += value;
}
KEEP static void late(void) {
    sum++;
}

int main(void) {
    for (unsigned i = 0; i < 20000; i++)
        often(i);
    late();
    return 0;
}
