/* SPDX-License-Identifier: Apache-2.0 */
#include "overlays.h"

GNOMON_OVERLAY_DATA(14) static volatile char byte = 7;

GNOMON_OVERLAY(14) int only(int x) {
    return x + byte;
}

/* Has no hooks, at an address where two other overlays have `same`. */
GNOMON_OFF GNOMON_OVERLAY(15) static int unprofiled(int x) {
    return x * 5;
}

GNOMON_OVERLAY(15) int three(int n) {
    return n > 0 ? unprofiled(n) + bounce(n - 1) : 0;
}
