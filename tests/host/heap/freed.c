/* SPDX-License-Identifier: Apache-2.0 */
/* Frees each block. Argument 1: how many; with an argument 2 it then does not end. */
#include <stdlib.h>

static void *volatile block;

int main(int argc, char **argv) {
    const unsigned calls = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 10;
    for (unsigned i = 0; i < calls; i++) {
        block = malloc(24);
        free(block);
    }
    while (argc > 2)
        ;
    return 0;
}
