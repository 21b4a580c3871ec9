/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a selectable counter by its CSR, as often as it can, and checks that it never goes back. */
#include <gnomon.h>
#include <stdio.h>

int main(void) {
    uint32_t before = 0, now = 0;
    for (unsigned i = 0; i < 200000; i++) {
        __asm__ volatile("csrr %0, 0xB08" : "=r"(now));
        if (now < before) {
            puts("the counter went back");
            return 1;
        }
        before = now;
    }
    return 0;
}
