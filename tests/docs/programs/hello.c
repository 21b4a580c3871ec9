/* SPDX-License-Identifier: Apache-2.0 */
/* The program that the README profiles: greets each of its arguments. */
#include <stdio.h>
#include <string.h>

static unsigned table[256];

__attribute__((noinline)) static void work(const char *name) {
    for (size_t i = 0; i < strlen(name); i++)
        table[(unsigned char)name[i]]++;
}

__attribute__((noinline)) static void greet(const char *name) {
    for (int round = 0; round < 200; round++)
        work(name);
    printf("hello, %s\n", name);
}

int main(int argc, char **argv) {
    greet("world");
    for (int i = 1; i < argc; i++)
        greet(argv[i]);
    return 0;
}
