/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/profile/call_sites.h"

#include <stdlib.h>
#include <string.h>

#include "lib/profile/profile.h"
#include "lib/util/array.h"

static uint32_t find_below(struct call_sites *sites, uint32_t parent, uint32_t id) {
    const uint32_t index = profile_map_find(&sites->map, (uint64_t)parent << 32 | id);
    const struct call_site site = {parent, id};
    if (index == PROFILE_MAP_NONE || index < sites->count)
        return index;
    if (!gnomon_array_room(&sites->list, &sites->room, index + (size_t)1, sites->size))
        return PROFILE_MAP_NONE;
    char *element = (char *)sites->list + index * sites->size;
    memset(element, 0, sites->size);
    memcpy(element, &site, sizeof site);
    sites->count = index + (size_t)1;
    return index;
}

uint32_t call_sites_find(struct call_sites *sites, const uint32_t *ids, unsigned count) {
    uint32_t site = PROFILE_MAP_NONE;
    if (!count)
        return find_below(sites, site, GNOMON_PROFILE_UNPROFILED);
    for (unsigned i = count; i-- > 0;) {
        site = find_below(sites, site, ids[i]);
        if (site == PROFILE_MAP_NONE)
            break;
    }
    return site;
}

void call_sites_free(struct call_sites *sites) {
    profile_map_free(&sites->map);
    free(sites->list);
}
