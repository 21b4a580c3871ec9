/* SPDX-License-Identifier: Apache-2.0 */
/* A set of threads, by index. */
#ifndef GNOMON_LIB_THREAD_SET_H
#define GNOMON_LIB_THREAD_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/model/lock_tables.h"

struct gnomon_thread_set {
    uint64_t bits[GNOMON_THREADS_MOST / 64];
};

static inline void gnomon_thread_set_add(struct gnomon_thread_set *set, unsigned thread) {
    set->bits[thread / 64] |= UINT64_C(1) << thread % 64;
}

static inline bool gnomon_thread_set_has(const struct gnomon_thread_set *set, unsigned thread) {
    return set->bits[thread / 64] >> thread % 64 & 1;
}

static inline void gnomon_thread_set_join(struct gnomon_thread_set *set, const struct gnomon_thread_set *other) {
    for (unsigned i = 0; i < GNOMON_THREADS_MOST / 64; i++)
        set->bits[i] |= other->bits[i];
}

#endif
