/* SPDX-License-Identifier: Apache-2.0 */
#include_next <sched.h>

#ifndef GNOMON_SCHED_H
#define GNOMON_SCHED_H

#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

int sched_yield(void);
int sched_get_priority_max(int policy);
int sched_get_priority_min(int policy);
int sched_rr_get_interval(pid_t pid, struct timespec *interval);

#ifdef __cplusplus
}
#endif

#endif
