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
KEEP void instrumented_jumps(void) {
    longjmp(place, 1);
}
