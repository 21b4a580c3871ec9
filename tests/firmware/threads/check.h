/* SPDX-License-Identifier: Apache-2.0 */
/* Each failing check prints a line and counts. FINISH prints how many checks there were, and gives the exit status. */
#ifndef CHECK_H
#define CHECK_H

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static unsigned check_count, check_failed;

/* A function, without the texts of the conditions: small devices have little memory. */
__attribute__((noinline)) static void check(const char *file, int line, long got, long wanted) {
    check_count++;
    if (got == wanted)
        return;
    check_failed++;
    printf("%s:%d: %ld, not %ld\n", file, line, got, wanted);
}

/* The value of a call. */
#define IS(call, value) check(__FILE__, __LINE__, (long)(call), (long)(value))
#define CHECK(condition) check(__FILE__, __LINE__, !!(condition), 1)
#define FINISH() (printf("%u checks, %u failed\n", check_count, check_failed), check_failed ? 1 : 0)

static inline pthread_t begin(void *(*start)(void *), void *argument) {
    pthread_t thread = 0;
    IS(pthread_create(&thread, NULL, start, argument), 0);
    return thread;
}

static inline void *end(pthread_t thread) {
    void *result = NULL;
    IS(pthread_join(thread, &result), 0);
    return result;
}

/* The time, N microseconds from now. */
static inline struct timespec in(long us) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += us * 1000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static inline long now_us(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static inline void busy(long us) {
    const long start = now_us();
    while (now_us() - start < us)
        ;
}

#endif
