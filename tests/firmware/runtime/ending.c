/* SPDX-License-Identifier: Apache-2.0 */
/* Ways to end a program. usage: ending exit|abort|null|illegal */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "exit";
    volatile int *volatile nowhere = (volatile int *)4;
    printf("ending by %s\n", how);
    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "null"))
        *nowhere = 1;
    if (!strcmp(how, "illegal"))
        __asm__ volatile(".2byte 0");
    return 42;
}
