/* SPDX-License-Identifier: Apache-2.0 */
/* __builtin_eh_return leaves a function for a place other than its return address, with another stack pointer, as
 * unwinders do.
 *
 * - > main 1
 * main > lands 3
 * lands > throws 3
 * lands|main > after 3
 * unhooked middle
 */
#include "matrix.h"

volatile int sink;

KEEP void throws(long bytes, void *place);
void throws(long bytes, void *place) {
    __builtin_eh_return(bytes, place);
}
/* A function in between with a frame of 32 bytes, to which execution never returns. */
__attribute__((naked, noinline)) void middle(long bytes, void *place);
void middle(__attribute__((unused)) long bytes, __attribute__((unused)) void *place) {
    __asm__ volatile("addi sp, sp, -32\n\tsw ra, 28(sp)\n\tcall throws\n\tebreak");
}
KEEP static int after(int x) {
    return x + 5 + sink;
}
KEEP static int lands(int x) {
    void *volatile place = &&landed;
    const volatile int kept = x;
    if (sink != 0)
        goto *place;
    middle(32, place);
landed:
    return after(kept);
}

int main(void) {
    return lands(1) + lands(2) + lands(3) == 21 ? 0 : 1;
}
