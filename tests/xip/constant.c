/* SPDX-License-Identifier: Apache-2.0 */
/* Writes into its constants, which are in flash memory: ends with a store access fault. Prints data and constants
 * first: data have the values of the source at each start. */
#include <stdint.h>
#include <stdio.h>

static const char text[] = "constant";
static int counter = 41;

int main(void) {
    printf("%s %d\n", text, ++counter);
    char *place = (char *)(uintptr_t)text;
    __asm__("" : "+r"(place)); /* the compiler does not know that this is a constant */
    *(volatile char *)place = 0;
    return 0;
}
