/* SPDX-License-Identifier: Apache-2.0 */
/* The hooks, which are linked after this function, are out of a jump's reach. */
#include <stdlib.h>

#define KEEP __attribute__((noinline))

__asm__(".pushsection .text.zz_far,\"ax\"\n.globl gnomon_test_far\ngnomon_test_far: .space 0x180000\n.popsection");
extern const char gnomon_test_far[];

KEEP static unsigned leaf(unsigned n) {
    return n * 7;
}
KEEP static unsigned twice(unsigned n) {
    return leaf(n) + leaf(n + 1);
}

int main(void) {
    unsigned sum = (unsigned)(unsigned char)*gnomon_test_far;
    for (unsigned i = 0; i < 50; i++)
        sum += twice(i);
    return sum == 1;
}
