/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled with -finstrument-functions and without hooks: functions are known by their addresses. */
#include <gnomon.h>

int always(int x);

GNOMON_OVERLAY(1) static int swapped(int x) {
    return x * 3;
}

__attribute__((noinline)) int always(int x) {
    return x + 1;
}

int main(void) {
    return gnomon_overlay_load(1) == 0 && swapped(always(2)) == 9 ? 0 : 1;
}
