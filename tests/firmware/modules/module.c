/* SPDX-License-Identifier: Apache-2.0 */
/* A module. WHICH (0, 1, ...) makes several modules of one source, whose static functions have the same names. */
#include <errno.h>
#include <setjmp.h>

extern int call_back(int x);
extern jmp_buf way_out;
extern int program_variable;

int shared = 3;
static int counter;
static const char *const words[] = {"one", "two", "three"};
static int (*const table[])(int) = {call_back};

__attribute__((noinline)) static int leaf(int x) {
    counter += x;
    return x * (WHICH + 2) + words[x & 1][0];
}

__attribute__((noinline)) static int recursive(int x) {
    return x > 0 ? recursive(x - 1) + 1 : leaf(WHICH);
}

__attribute__((constructor)) static void born(void) {
    counter = 100;
}

__attribute__((destructor)) static void dies(void) {
    counter = 0;
}

int run(int x) {
    errno = 0;
    int sum = recursive(WHICH + 2) + program_variable + shared + errno;
    for (int i = 0; i <= WHICH; i++)
        sum += leaf(x + i);
    return sum + (int)(1000000000000ll / (x + 1) % 1000);
}

int calls_back(int x) {
    return x > 0 ? table[0](x) + calls_back(x - 1) : 0;
}

__attribute__((noinline)) static void deep(int x) {
    if (x > 0)
        deep(x - 1);
    else if (x == 0)
        longjmp(way_out, 1);
    counter++;
}

int jumps_out(int x) {
    deep(x);
    return counter;
}

static jmp_buf here;
__attribute__((noinline)) static void down(int x) {
    if (x > 0)
        down(x - 1);
    else if (x == 0)
        longjmp(here, 1);
    counter++;
}

int lands(int x) {
    if (setjmp(here) == 0)
        down(x);
    return leaf(x);
}
