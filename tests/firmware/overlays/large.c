/* SPDX-License-Identifier: Apache-2.0 */
/* An overlay larger than the memory of a small board. */
#include <gnomon.h>

GNOMON_OVERLAY_DATA(2) static volatile char large[80 * 1024] = {1};

GNOMON_OVERLAY(2) static int first(void) {
    return large[0];
}

int main(void) {
    return gnomon_overlay_load(2) == 0 && first() == 1 ? 0 : 1;
}
