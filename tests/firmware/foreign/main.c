/* SPDX-License-Identifier: Apache-2.0 */
/* Has hooks; calls functions that other compilers have instrumented in their ways, which call back. */
#include <setjmp.h>
#include <stdlib.h>

#include "foreign.h"

volatile int sink;
jmp_buf place;

KEEP int back(int x) {
    return x + sink;
}
KEEP void between(void) {
    instrumented_goes_back();
    sink++;
}
KEEP static int after(int x) {
    return x + sink;
}
KEEP static int catches(void) {
    if (setjmp(place) == 0)
        instrumented_jumps();
    return after(1);
}

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 5; i++)
            sink = instrumented(i);
        for (int i = 0; i < 7; i++)
            sink = counted(i);
        for (int i = 0; i < 3; i++)
            sink = patched(i) + patched_long(i) + patched_short(i);
        sink = catches();
        sink = instrumented_catches();
    }
    return 0;
}
