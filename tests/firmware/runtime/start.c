/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the state at the start of main, and the code that runs after main. */
#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"

static int zero, big_zero[1000];
static int initialised = 77;
static _Thread_local int thread_zero, thread_seven = 7;
static int constructed;
static jmp_buf resume;

__attribute__((constructor(200))) static void first(void) {
    constructed = constructed * 10 + 1;
}
__attribute__((constructor(300))) static void second(void) {
    constructed = constructed * 10 + 2;
}
__attribute__((destructor(200))) static void last(void) {
    printf("destructor\n");
}
static void at_exit(void) {
    printf("atexit\n");
}

int main(void) {
    CHECK(zero == 0 && initialised == 77);
    for (int i = 0; i < 1000; i++)
        CHECK(big_zero[i] == 0);
    CHECK(thread_zero == 0 && thread_seven == 7);
    CHECK(constructed == 12);
    errno = 0;
    CHECK(strtol("99999999999999999999999", NULL, 10) != 0 && errno == ERANGE);
    volatile int passes = 0;
    if (setjmp(resume) < 3)
        longjmp(resume, ++passes);
    CHECK(passes == 3);
    const clock_t before = clock();
    for (volatile int i = 0; i < 100000; i++)
        ;
    CHECK(clock() > before);
    atexit(at_exit);
    printf("start: %d failed\n", check_failed);
    exit(check_failed);
}
