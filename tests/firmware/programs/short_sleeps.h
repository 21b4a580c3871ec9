/* SPDX-License-Identifier: Apache-2.0 */
/* For poolTests of zstd: sleeps of a twentieth, because each cycle of them is simulated. */
#include <stdio.h>
#include <time.h>

static inline int short_sleep(const struct timespec *time) {
    const struct timespec shorter = {0, time->tv_nsec / 20};
    return nanosleep(&shorter, NULL);
}
#define nanosleep(time, left) short_sleep(time)
