/* SPDX-License-Identifier: Apache-2.0 */
/* Sleeping in programs with threads: others run meanwhile. These functions take the place of those of libc/sleep.c. */
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"
#include "threads/kernel.h"

enum { NANOSECONDS = 1000000000 };

/* Cycles, rounded up; FOREVER if 64 bits cannot hold them. */
static uint64_t cycles_of(const struct timespec *time) {
    const uint32_t hz = GNOMON_REG(GNOMON_SYSCTL_CLOCK_HZ);
    if ((uint64_t)time->tv_sec >= FOREVER / hz)
        return FOREVER;
    return (uint64_t)time->tv_sec * hz + ((uint64_t)time->tv_nsec * hz + NANOSECONDS - 1) / NANOSECONDS;
}

static bool valid(const struct timespec *time) {
    return time->tv_nsec >= 0 && time->tv_nsec < NANOSECONDS;
}

/* The clocks show gnomon_cycles(). The timer may count from another time on. */
static uint64_t timer_time(uint64_t cycles) {
    const uint32_t before = kernel_enter();
    const uint64_t now = gnomon_cycles(), timer = gnomon_timer_now();
    kernel_leave(before);
    const uint64_t left = cycles > now ? cycles - now : 0;
    return left < FOREVER - timer ? timer + left : FOREVER - 1;
}

int __gnomon_deadline(const struct timespec *time, uint64_t *until) {
    if (!valid(time))
        return EINVAL;
    *until = time->tv_sec < 0 ? 0 : timer_time(cycles_of(time));
    return 0;
}

static void sleep_until(uint64_t until) {
    struct gnomon_thread *queue = NULL;
    const uint32_t before = kernel_enter();
    if (gnomon_timer_now() < until)
        __gnomon_wait(&queue, until);
    kernel_leave(before);
}

static void sleep_cycles(uint64_t cycles) {
    const uint64_t now = gnomon_timer_now();
    sleep_until(cycles < FOREVER - now ? now + cycles : FOREVER - 1);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
    if (!valid(time) || (time->tv_sec < 0 && flags != TIMER_ABSTIME) ||
        (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC))
        return EINVAL;
    if (flags != TIMER_ABSTIME)
        sleep_cycles(cycles_of(time));
    else if (time->tv_sec >= 0)
        sleep_until(timer_time(cycles_of(time)));
    if (left && flags != TIMER_ABSTIME)
        *left = (struct timespec){0, 0};
    return 0;
}

int nanosleep(const struct timespec *time, struct timespec *left) {
    const int error = clock_nanosleep(CLOCK_MONOTONIC, 0, time, left);
    if (error)
        errno = error;
    return error ? -1 : 0;
}

int usleep(useconds_t microseconds) {
    sleep_cycles(((uint64_t)microseconds * GNOMON_REG(GNOMON_SYSCTL_CLOCK_HZ) + 999999u) / 1000000u);
    return 0;
}

unsigned sleep(unsigned seconds) {
    sleep_cycles((uint64_t)seconds * GNOMON_REG(GNOMON_SYSCTL_CLOCK_HZ));
    return 0;
}
