/* SPDX-License-Identifier: Apache-2.0 */
/* Writes into its constants, which are in flash memory: ends with a store access fault. Prints data and constants first:
 * data have the values of the source at each start. */
#include <stdio.h>

static const volatile char text[] = "constant";
static int counter = 41;

int main(void) {
    printf("%s %d\n", (const char *)text, ++counter);
    *(volatile char *)text = 0;
    return 0;
}
