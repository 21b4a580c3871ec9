/* SPDX-License-Identifier: Apache-2.0 */
/* Its overlay has a number that none can have. */
#include <gnomon.h>

GNOMON_OVERLAY(16) static int sixteen(void) {
    return 16;
}

int main(void) {
    return sixteen();
}
