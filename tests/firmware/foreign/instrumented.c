/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>

#include "foreign.h"

extern jmp_buf place;

KEEP static int inner(int x) {
    return x * 3 + sink;
}
KEEP int instrumented(int x) {
    return inner(x) + inner(x + 1) + back(x);
}
static jmp_buf own_place;
KEEP int instrumented_catches(void) {
    if (setjmp(own_place) == 0)
        between();
    return sink;
}
KEEP void instrumented_goes_back(void) {
    longjmp(own_place, 1);
}
KEEP void instrumented_jumps(void) {
    longjmp(place, 1);
}
