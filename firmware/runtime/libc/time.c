/* SPDX-License-Identifier: Apache-2.0 */
/* The program's time, on a simulated or a real board: the cycle counter divided by the clock's frequency, starting at
 * 0. */
#include <errno.h>
#include <gnomon.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

static uint64_t microseconds(void) {
    const uint32_t hz = GNOMON_REG(GNOMON_SYSCTL_CLOCK_HZ);
    const uint64_t cycles = gnomon_cycles();
    return cycles / hz * 1000000u + cycles % hz * 1000000u / hz;
}

int gettimeofday(struct timeval *now, void *zone) {
    (void)zone;
    const uint64_t us = microseconds();
    now->tv_sec = (time_t)(us / 1000000u);
    now->tv_usec = (suseconds_t)(us % 1000000u);
    return 0;
}

clock_t times(struct tms *used) {
    memset(used, 0, sizeof *used);
    used->tms_utime = (clock_t)microseconds();
    return used->tms_utime;
}

int getrusage(int who, struct rusage *usage) {
    memset(usage, 0, sizeof *usage);
    return who == RUSAGE_SELF ? gettimeofday(&usage->ru_utime, NULL) : 0;
}

/* ---- Clocks: all show the same time ---- */

enum { NANOSECONDS = 1000000000 };

static int check_clock(clockid_t clock) {
    if (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_PROCESS_CPUTIME_ID)
        return 0;
    errno = EINVAL;
    return -1;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    const uint32_t hz = GNOMON_REG(GNOMON_SYSCTL_CLOCK_HZ);
    const uint64_t cycles = gnomon_cycles();
    if (check_clock(clock) != 0)
        return -1;
    now->tv_sec = (time_t)(cycles / hz);
    now->tv_nsec = (long)(cycles % hz * NANOSECONDS / hz);
    return 0;
}

int clock_getres(clockid_t clock, struct timespec *resolution) {
    if (check_clock(clock) != 0)
        return -1;
    if (resolution)
        *resolution = (struct timespec){0, NANOSECONDS / (long)GNOMON_REG(GNOMON_SYSCTL_CLOCK_HZ)};
    return 0;
}
