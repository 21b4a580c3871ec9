/* SPDX-License-Identifier: Apache-2.0 */
/* A program that ends in the way its argument says: a number is its exit status, "endless" never ends, "crash" dies. */
#include <stdlib.h>
#include <string.h>

static volatile unsigned sink;

__attribute__((noinline)) void api_step(unsigned step) {
    for (unsigned i = 0; i < step % 7; i++)
        sink += i;
}

__attribute__((noinline)) void api_rounds(unsigned rounds) {
    for (unsigned step = 0; rounds == 0 || step < rounds; step++)
        api_step(step);
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "0";
    api_rounds(strcmp(how, "endless") != 0 ? 100 : 0);
    if (!strcmp(how, "crash"))
        *(volatile unsigned *)0 = sink;
    return (int)strtol(how, NULL, 0);
}
