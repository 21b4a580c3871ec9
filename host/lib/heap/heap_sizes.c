/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/heap/heap_sizes.h"

#include <stdlib.h>

#include "lib/util/array.h"

static struct gnomon_heap_function *function_of(struct gnomon_heap_sizes *sizes, uint32_t id) {
    const uint32_t index = profile_map_find(&sizes->map, id);
    if (index == PROFILE_MAP_NONE ||
        !gnomon_array_room(&sizes->functions, &sizes->room, index + (size_t)1, sizeof *sizes->functions))
        return NULL;
    if (index == sizes->count)
        sizes->functions[sizes->count++] = (struct gnomon_heap_function){.id = id};
    return &sizes->functions[index];
}

bool gnomon_heap_sizes_add(struct gnomon_heap_sizes *sizes, const uint32_t *ids, size_t count, uint32_t size) {
    sizes->blocks++;
    for (size_t i = 0; i < count; i++) {
        struct gnomon_heap_function *function = function_of(sizes, ids[i]);
        if (!function)
            return false;
        if (i == 0)
            gnomon_histogram_add(&function->own, size);
        if (function->latest != sizes->blocks)
            gnomon_histogram_add(&function->inclusive, size);
        function->latest = sizes->blocks;
    }
    return true;
}

void gnomon_heap_sizes_free(struct gnomon_heap_sizes *sizes) {
    profile_map_free(&sizes->map);
    free(sizes->functions);
}
