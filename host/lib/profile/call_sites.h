/* SPDX-License-Identifier: Apache-2.0 */
/* A tree of call paths, each with what its user counts for it. */
#ifndef GNOMON_LIB_CALL_SITES_H
#define GNOMON_LIB_CALL_SITES_H

#include <stddef.h>

#include "lib/profile/profile_map.h"

/* What each element begins with. */
struct call_site {
    uint32_t parent; /* index of the site without its innermost function; PROFILE_MAP_NONE: the outermost function */
    uint32_t id;     /* of the innermost function, of a profile; GNOMON_PROFILE_UNPROFILED: the calls are not known */
};

/* Starts with zeros, except for `size`. */
struct call_sites {
    size_t size; /* bytes of an element */
    void *list;  /* elements; new ones have zeros after the struct call_site */
    size_t count, room;
    struct profile_map map;
};

/* Index of the path: the ids of `count` functions, the innermost first. Without any, the calls are not known. May move
 * the list. PROFILE_MAP_NONE: out of memory. */
uint32_t call_sites_find(struct call_sites *sites, const uint32_t *ids, unsigned count);
void call_sites_free(struct call_sites *sites);

#endif
