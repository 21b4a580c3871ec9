/* SPDX-License-Identifier: Apache-2.0 */
/* An overlay with an invalid number. */
#include <gnomon.h>

GNOMON_OVERLAY(16) static int sixteen(void) {
    return 16;
}

int main(void) {
    return sixteen();
}
