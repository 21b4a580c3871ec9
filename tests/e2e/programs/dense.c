// SPDX-License-Identifier: Apache-2.0
// Calls as dense as possible: more events than a full-speed cable carries.
#include <stdio.h>
#include <stdlib.h>

static int __attribute__((noipa)) leaf(int x) {
    return x + 1;
}

static int __attribute__((noipa)) fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(int argc, char **argv) {
    int calls = argc > 1 ? atoi(argv[1]) : 1000, sum = 0;
    for (int i = 0; i < calls; i++)
        sum = leaf(sum);
    printf("%d %d\n", sum, fib(12));
    return 0;
}
