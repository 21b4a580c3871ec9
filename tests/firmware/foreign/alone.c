/* SPDX-License-Identifier: Apache-2.0 */
/* A program without any hooks. */
#include <stdlib.h>

__attribute__((noinline, noclone, noipa)) static int work(int x) {
    return x + 1;
}
int main(int argc, char **argv) {
    for (int i = argc > 1 ? atoi(argv[1]) : 0; i > 0; i--)
        work(i);
    return work(1) + work(2) == 5 ? 0 : 1;
}
