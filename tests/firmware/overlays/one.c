/* SPDX-License-Identifier: Apache-2.0 */
#include "overlays.h"

GNOMON_OVERLAY_DATA(0) static int visited = 1000;

GNOMON_OVERLAY(0) static int same(int x) {
    return x + 1 + visited * 0;
}

GNOMON_OVERLAY(0) int one(int n) {
    int sum = 0;
    while (n-- > 0)
        sum += same(n) + resident(n);
    return sum;
}

GNOMON_OVERLAY(0) int visits(void) {
    return ++visited - 1000;
}
