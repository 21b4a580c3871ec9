/* SPDX-License-Identifier: Apache-2.0 */
/* Monotonic time of this machine, from an arbitrary start. */
#ifndef GNOMON_LIB_CLOCK_H
#define GNOMON_LIB_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t gnomon_now_us(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

static inline uint64_t gnomon_now_ms(void) {
    return gnomon_now_us() / 1000;
}

/* For time stamps: no one sets or steers this clock. ns, from an arbitrary start that is common to all processes until
 * the machine starts again. */
static inline uint64_t gnomon_now_raw_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

#endif
