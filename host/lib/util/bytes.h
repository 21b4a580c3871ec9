/* SPDX-License-Identifier: Apache-2.0 */
/* Little-endian numbers. */
#ifndef GNOMON_LIB_BYTES_H
#define GNOMON_LIB_BYTES_H

#include <stdint.h>

/* Reads a number of `count` bytes, at most 8. */
static inline uint64_t gnomon_little(const uint8_t *bytes, unsigned count) {
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static inline void gnomon_put_little(uint8_t *bytes, unsigned count, uint64_t value) {
    for (unsigned i = 0; i < count; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

#endif
