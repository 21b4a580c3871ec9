/* SPDX-License-Identifier: Apache-2.0 */
#include_next <sched.h>

#ifndef GNOMON_SCHED_H
#define GNOMON_SCHED_H

#include <stddef.h>
#include <sys/types.h>
#include <time.h>

/* A set of harts, for pthread_setaffinity_np. */
typedef struct {
    unsigned long bits;
} cpu_set_t;
#define CPU_SETSIZE 32
#define CPU_ZERO(set) ((void)((set)->bits = 0))
#define CPU_SET(hart, set) ((void)((set)->bits |= 1ul << (hart)))
#define CPU_CLR(hart, set) ((void)((set)->bits &= ~(1ul << (hart))))
#define CPU_ISSET(hart, set) ((int)((set)->bits >> (hart)&1))
#define CPU_COUNT(set) __builtin_popcountl((set)->bits)

#ifdef __cplusplus
extern "C" {
#endif

int sched_yield(void);
int sched_get_priority_max(int policy);
int sched_get_priority_min(int policy);
int sched_rr_get_interval(pid_t pid, struct timespec *interval);
/* Number of the hart on which the thread runs. */
int sched_getcpu(void);

#ifdef __cplusplus
}
#endif

#endif
