/* SPDX-License-Identifier: Apache-2.0 */
/* Copies blocks of all alignments and lengths with the library's memcpy and compares them with memcmp. */
#include <string.h>

#include "kernel.h"

enum { BYTES = 2048, ROUNDS = 40 };

static uint8_t from[BYTES + 8], to[BYTES + 8];

int main(void) {
    uint32_t state = 1;
    for (unsigned i = 0; i < sizeof from; i++)
        from[i] = (uint8_t)kernel_random(&state);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned size = BYTES - kernel_random(&state) % 64;
        uint8_t *const source = from + round % 4, *const target = to + round / 4 % 4;
        target[size] = (uint8_t)~source[size];
        memcpy(target, source, size);
        if (memcmp(target, source, size) != 0 || target[size] == source[size])
            return 1;
        source[size / 2]++;
    }
    return 0;
}
