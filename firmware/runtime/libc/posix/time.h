/* SPDX-License-Identifier: Apache-2.0 */
#include_next <time.h>

#if !defined(GNOMON_TIME_H) && defined(_TIME_H_)
#define GNOMON_TIME_H

#ifdef __cplusplus
extern "C" {
#endif

#ifndef CLOCK_PROCESS_CPUTIME_ID
#define CLOCK_PROCESS_CPUTIME_ID ((clockid_t)2)
#endif
#ifndef CLOCK_MONOTONIC
#define CLOCK_MONOTONIC ((clockid_t)4)
#endif
#ifndef TIMER_ABSTIME
#define TIMER_ABSTIME 4
#endif

int clock_gettime(clockid_t clock, struct timespec *now);
int clock_getres(clockid_t clock, struct timespec *resolution);
int nanosleep(const struct timespec *time, struct timespec *left);
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left);

#ifdef __cplusplus
}
#endif

#endif
