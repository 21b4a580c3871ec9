/* SPDX-License-Identifier: Apache-2.0 */
#include "overlays.h"

/* Makes this overlay larger than the first. */
GNOMON_OVERLAY_DATA(3) static volatile int weights[100] = {[7] = 2};

GNOMON_OVERLAY(3) static int same(int x) {
    for (int i = 0; i < 20; i++)
        x += weights[7];
    return x;
}

GNOMON_OVERLAY(3) int two(int n) {
    return n > 0 ? same(two(n - 1) + n) ^ n : 0;
}
