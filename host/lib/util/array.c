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
