/* SPDX-License-Identifier: Apache-2.0 */
/* The program of test_input.py. usage: input_program ask | cat SIZE | tty | sum | copy FROM TO | leave NAME | die |
 * spin */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int ask(void) {
    char name[80];
    printf("name? ");
    if (!fgets(name, sizeof name, stdin)) {
        puts("none");
        return fgets(name, sizeof name, stdin) ? 1 : 3; /* end of file is permanent */
    }
    printf("hello %s", name);
    return 0;
}

/* Reads of SIZE bytes at an odd address. */
static int cat(size_t size) {
    char data[300];
    for (ssize_t got; (got = read(STDIN_FILENO, data + 1, size)) > 0;)
        write(STDOUT_FILENO, data + 1, (size_t)got);
    return read(STDIN_FILENO, data, 0) != 0;
}

static int tty(void) {
    printf("tty %d%d%d\n", isatty(0), isatty(1), isatty(2));
    return 0;
}

/* Reads each byte by a call of its own. */
static int sum_bytes(void) {
    unsigned sum = 0;
    for (unsigned char byte; read(STDIN_FILENO, &byte, 1) == 1;)
        sum = 31 * sum + byte;
    printf("%u\n", sum);
    return 0;
}

static __attribute__((noinline)) unsigned work(unsigned from) {
    volatile unsigned sum = from;
    for (unsigned i = 0; i < 100; i++)
        sum += i;
    return sum;
}

static int copy(const char *from, const char *to) {
    char data[64];
    size_t got;
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    while (in && out && (got = fread(data, 1, sizeof data, in)) > 0)
        fwrite(data, 1, got, out);
    return !in || !out || fclose(out);
}

/* Writes a file and never closes it. */
static int leave(const char *name) {
    FILE *out = fopen(name, "w");
    return !out || fputs("not closed\n", out) < 0;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    unsigned sum = 0;
    if (!strcmp(what, "ask"))
        return ask();
    if (!strcmp(what, "cat"))
        return cat((size_t)atoi(argv[2]));
    if (!strcmp(what, "tty"))
        return tty();
    if (!strcmp(what, "sum"))
        return sum_bytes();
    if (!strcmp(what, "copy"))
        return copy(argv[2], argv[3]);
    if (!strcmp(what, "leave"))
        return leave(argv[2]);
    if (!strcmp(what, "status"))
        return atoi(argv[2]);
    if (!strcmp(what, "die"))
        *(volatile int *)sum = 1; /* sum is 0: an access to unmapped memory */
    puts("running");
    for (;;)
        sum = work(sum);
}
