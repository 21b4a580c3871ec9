/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that cannot go on, and ends of programs. The first argument says which. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *argument) {
    pthread_mutex_lock(&a);
    usleep(500);
    pthread_mutex_lock(&b);
    return argument;
}
static void *second(void *argument) {
    pthread_mutex_lock(&b);
    usleep(500);
    pthread_mutex_lock(&a);
    return argument;
}

__attribute__((noinline)) static int dig(int depth) {
    volatile char bytes[64];
    bytes[0] = (char)depth;
    return depth ? dig(depth - 1) + bytes[0] : 0;
}
static void *digs(void *argument) {
    pthread_setname_np(pthread_self(), argument);
    dig(100000);
    return NULL;
}

/* Writes beyond the stack without moving sp, which the device does not see. */
static void *writes_below(void *argument) {
    static char stack[2048];
    (void)argument;
    volatile char *at = (char *)__builtin_frame_address(0);
    pthread_attr_t attr;
    pthread_t thread;
    if (argument == stack) {
        pthread_setname_np(pthread_self(), "vandal");
        for (int i = 0; i < 2048; i++)
            at[-i] = 1;
        usleep(10);
        return NULL;
    }
    pthread_attr_init(&attr);
    pthread_attr_setstack(&attr, stack, sizeof stack);
    pthread_create(&thread, &attr, writes_below, stack);
    pthread_join(thread, NULL);
    return NULL;
}

static void *exits(void *argument) {
    exit((int)(intptr_t)argument);
}
static void *forever(void *argument) {
    for (;;)
        ;
    return argument;
}
static void *later(void *argument) {
    usleep(1000);
    puts("last thread");
    return argument;
}
static void *crashes(void *argument) {
    *(volatile int *)argument = 1;
    return NULL;
}
static void at_exit(void) {
    puts("at exit");
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    atexit(at_exit);
    if (strcmp(what, "deadlock") == 0) {
        pthread_t one = begin(first, NULL);
        begin(second, NULL);
        end(one);
    } else if (strcmp(what, "alone") == 0) {
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&a);
    } else if (strcmp(what, "stack") == 0) {
        end(begin(digs, "digger"));
    } else if (strcmp(what, "guard") == 0) {
        writes_below(NULL);
    } else if (strcmp(what, "main") == 0) {
        end(begin(later, NULL));
        dig(10000000);
    } else if (strcmp(what, "exit") == 0) {
        end(begin(exits, (void *)42));
    } else if (strcmp(what, "return") == 0) {
        begin(forever, NULL);
        usleep(100);
        return 7;
    } else if (strcmp(what, "last") == 0) {
        begin(later, NULL);
        pthread_exit(NULL);
    } else if (strcmp(what, "crash") == 0) {
        end(begin(crashes, NULL));
    }
    return 1;
}
