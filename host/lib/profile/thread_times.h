/* SPDX-License-Identifier: Apache-2.0 */
/* How long each thread ran, from the messages of the traces alone. It needs no functions, so it can follow a run that
 * is only counted. Its figures are those of gnomon_profile_threads. The events of each hart come in the order of time;
 * those of two harts may come in any order. */
#ifndef GNOMON_LIB_THREAD_TIMES_H
#define GNOMON_LIB_THREAD_TIMES_H

#include "lib/model/lock_tables.h"
#include "lib/profile/profile.h"

struct gnomon_thread_times {
    size_t count;                                              /* threads that ran */
    struct gnomon_profile_thread threads[GNOMON_THREADS_MOST]; /* in the order in which they first ran */
    struct {
        bool begun;
        uint32_t traps[GNOMON_THREADS_MOST]; /* open in each of the threads */
        size_t running;                      /* index of one of them */
        uint64_t now;
    } harts[GNOMON_MAX_HARTS];
    uint64_t switches;
    /* Messages of switches or traps may be missing, or there were more threads: the figures are not known. */
    bool unknown;
};

/* `times` is all zeros before the first event. */
void gnomon_thread_times_event(struct gnomon_thread_times *times, const struct gnomon_event *event);

/* The cycles of all harts. */
uint64_t gnomon_thread_times_whole(const struct gnomon_thread_times *times);

#endif
