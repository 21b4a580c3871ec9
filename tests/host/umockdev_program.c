/* SPDX-License-Identifier: Apache-2.0 */
/* Copies a file and makes some calls; with a third argument, more calls than full speed carries. */
#include <stdio.h>

static __attribute__((noinline)) int twice(int value) {
    return 2 * value + 1;
}

static __attribute__((noinline)) int count(int depth) {
    return depth ? twice(count(depth - 1)) : 0;
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 1;
    FILE *from = fopen(argv[1], "r"), *to = fopen(argv[2], "w");
    int bytes = 0;
    for (int c; from && to && (c = getc(from)) != EOF; bytes++) {
        putc(c, to);
        if (argc > 3 || bytes % 16 == 0)
            count(bytes % 7);
    }
    if (!to || fclose(to))
        return 2;
    printf("copied %d bytes\n", bytes);
    return 5;
}
