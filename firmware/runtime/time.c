/* SPDX-License-Identifier: Apache-2.0 */
/* Time as the program sees it: simulated or real, it is the cycle counter divided by the clock's frequency, from 0. */
#include <gnomon.h>
#include <string.h>
#include <sys/time.h>
#include <sys/times.h>

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
