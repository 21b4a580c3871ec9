/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the registers of a counter, or with an argument those of a range, again and again, in consecutive instructions.
 */
#include <gnomon.h>
#include <gnomon/registers.h>
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    const uintptr_t address = argc > 1 ? GNOMON_PMU_RANGE_CYCLES_LO : GNOMON_PMU_COUNTER_LO;
    for (unsigned i = 0; i < 4; i++)
        __asm__ volatile(".rept 400\n\tlw t0, 0(%0)\n\t.endr" ::"r"(address) : "t0");
    puts("busy");
    return 0;
}
