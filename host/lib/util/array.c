/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/util/array.h"

#include <stdlib.h>
#include <string.h>

#define LEAST 16

bool gnomon_array_room(void *array, size_t *room, size_t needed, size_t size) {
    if (needed <= *room)
        return true;
    size_t more = *room ? *room : LEAST;
    while (more < needed)
        more *= 2;
    void *old, *bigger;
    memcpy(&old, array, sizeof old);
    bigger = realloc(old, more * size);
    if (!bigger)
        return false;
    memcpy(array, &bigger, sizeof bigger);
    *room = more;
    return true;
}

size_t gnomon_array_from(const void *items, size_t count, size_t size, size_t key, uint64_t least) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint32_t found;
        memcpy(&found, (const char *)items + middle * size + key, sizeof found);
        if (found < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
