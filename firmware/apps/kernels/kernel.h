/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdint.h>

/* A pseudo-random sequence without a multiplication. */
static inline uint32_t kernel_random(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

#endif
