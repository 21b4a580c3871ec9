/* SPDX-License-Identifier: Apache-2.0 */
/* Hints in the instruction stream (docs/internals/tags.md): each tags the next instruction, once. Tag 5 is on an
 * addition that is executed ROUNDS times, each time after its hint; tag 9 is on a jump, not on the jump's target. */
#include <stdio.h>

#define ROUNDS 37
#define HINT(tag) "slti zero,zero,0x460+" #tag "\n"

int main(void) {
    unsigned sum = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        __asm__ volatile(HINT(5) "add %0,%0,%1" : "+r"(sum) : "r"(i));
        __asm__ volatile("addi %0,%0,0" : "+r"(sum)); /* no hint before it */
        if (i % 4 == 0)
            __asm__ volatile(HINT(9) "j 1f\n\tnop\n1:" : : : "memory");
    }
    printf("%u\n", sum);
    return 0;
}
