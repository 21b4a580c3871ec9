/* SPDX-License-Identifier: Apache-2.0 */
/* Prints its arguments, one a line; the exit status is their number. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        printf("<%s>\n", argv[i]);
    if (argv[argc] != NULL || getenv("NO_SUCH_VARIABLE"))
        return 99;
    return argc - 1;
}
