/* SPDX-License-Identifier: Apache-2.0 */
/* Sleeping in programs without threads. The functions are weak: those of threads/sleep.c take their place. This folder
 * comes before that one in the library, so a program without threads gets these. */
#include <errno.h>
#include <gnomon.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

enum { NANOSECONDS = 1000000000 };

static void wait_cycles(uint64_t cycles) {
    const uint64_t start = gnomon_cycles();
    while (gnomon_cycles() - start < cycles)
        ;
}

__attribute__((weak)) int nanosleep(const struct timespec *time, struct timespec *left) {
    const uint32_t hz = GNOMON_REG(GNOMON_SYSCTL_CLOCK_HZ);
    if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec >= NANOSECONDS) {
        errno = EINVAL;
        return -1;
    }
    wait_cycles((uint64_t)time->tv_sec * hz + ((uint64_t)time->tv_nsec * hz + NANOSECONDS - 1) / NANOSECONDS);
    if (left)
        *left = (struct timespec){0, 0};
    return 0;
}

__attribute__((weak)) int usleep(useconds_t microseconds) {
    wait_cycles(((uint64_t)microseconds * GNOMON_REG(GNOMON_SYSCTL_CLOCK_HZ) + 999999u) / 1000000u);
    return 0;
}

__attribute__((weak)) unsigned sleep(unsigned seconds) {
    wait_cycles((uint64_t)seconds * GNOMON_REG(GNOMON_SYSCTL_CLOCK_HZ));
    return 0;
}
