/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32, computed bit by bit and with a table that is made here. Checked against the published check value and against
 * each other. */
#include "kernel.h"

enum { BYTES = 8192, ROUNDS = 4 };

static uint32_t table[256];
static uint8_t data[BYTES];

static uint32_t step(uint32_t crc) {
    return crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
}

static uint32_t by_bits(const uint8_t *bytes, unsigned count) {
    uint32_t crc = ~0u;
    for (unsigned i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = step(crc);
    }
    return ~crc;
}

static uint32_t by_table(const uint8_t *bytes, unsigned count) {
    uint32_t crc = ~0u;
    for (unsigned i = 0; i < count; i++)
        crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 255];
    return ~crc;
}

int main(void) {
    uint32_t state = 1;
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++)
            crc = step(crc);
        table[i] = crc;
    }
    for (unsigned i = 0; i < BYTES; i++)
        data[i] = (uint8_t)kernel_random(&state);
    const uint8_t digits[] = "123456789";
    if (by_bits(digits, 9) != 0xCBF43926u)
        return 1;
    const uint32_t want = by_bits(data, BYTES);
    for (int round = 0; round < ROUNDS; round++)
        if (by_table(data, BYTES) != want)
            return 1;
    return 0;
}
