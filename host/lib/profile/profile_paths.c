/* SPDX-License-Identifier: Apache-2.0 */
/* The call paths of a profile. */
#include <stdlib.h>

#include "lib/profile/profile_internal.h"
#include "lib/util/array.h"

static bool follows(const struct gnomon_profile *profile) {
    return profile->with_paths && !profile->aggregates;
}

static unsigned hart_of(const struct gnomon_profile *profile) {
    return (unsigned)(profile->hart - profile->harts);
}

uint32_t profile_path_of(struct gnomon_profile *profile, uint32_t parent, uint32_t function, uint32_t thread) {
    uint64_t key = (uint64_t)(parent == GNOMON_PROFILE_UNPROFILED ? thread : parent) << 32 | function;
    uint32_t known = profile->path_map.count, index = profile_map_find(&profile->path_map, key);
    if (index != known)
        return index;
    if (!gnomon_array_room(&profile->paths, &profile->path_room, index + 1, sizeof *profile->paths))
        return PROFILE_MAP_NONE;
    profile->paths[index] = (struct gnomon_profile_path){.parent = parent, .function = function, .thread = thread};
    return index;
}

/* Functions of threads that were not asked for have one path together. */
uint32_t profile_find_path(struct gnomon_profile *profile, uint32_t parent, uint32_t function) {
    if (!follows(profile))
        return 0;
    if (profile_is_other(profile))
        return profile->stacks[profile->hart->running].path;
    return profile_path_of(profile, parent, function, profile->paths[parent].thread);
}

bool profile_begin_path(struct gnomon_profile *profile, uint32_t thread) {
    if (!follows(profile))
        return true;
    const uint32_t number = profile->threads[thread].thread;
    uint32_t path = profile_path_of(profile, GNOMON_PROFILE_UNPROFILED, GNOMON_PROFILE_UNPROFILED, number);
    if (path != PROFILE_MAP_NONE && profile->one_thread && number != profile->thread)
        path = profile_path_of(profile, path, profile->others, number);
    profile->stacks[thread].path = path;
    return path != PROFILE_MAP_NONE;
}

bool gnomon_profile_expect_paths(struct gnomon_profile *profile) {
    const size_t count = (size_t)1 << PROFILE_EDGES_LOG2;
    profile->with_paths = true;
    profile->path_edges = malloc(count * sizeof *profile->path_edges);
    for (size_t i = 0; profile->path_edges && i < count; i++)
        profile->path_edges[i].key = PROFILE_EDGE_NONE;
    return profile->path_edges && profile_begin_path(profile, profile->hart->running);
}

uint32_t profile_outermost(const struct gnomon_profile *profile) {
    uint32_t path = profile->stacks[profile->hart->running].path;
    while (follows(profile) && profile->paths[path].parent != GNOMON_PROFILE_UNPROFILED)
        path = profile->paths[path].parent;
    return path;
}

void profile_path_call(struct gnomon_profile *profile, uint32_t path) {
    if (follows(profile))
        profile->paths[path].calls[hart_of(profile)]++;
}

void profile_path_self(struct gnomon_profile *profile, uint32_t path, uint64_t cycles) {
    if (follows(profile))
        profile->paths[path].self[hart_of(profile)] += cycles;
}

void profile_path_lost(struct gnomon_profile *profile, uint32_t path, uint64_t cycles) {
    if (follows(profile))
        profile->paths[path].lost[hart_of(profile)] += cycles;
}

/* ---- From records ---- */

/* What the arcs say of each function. */
struct known {
    uint64_t calls, self;
};

static uint64_t rest_of(uint64_t whole, uint64_t part) {
    return whole > part ? whole - part : 0;
}

static bool add_arc(struct gnomon_profile *profile, uint32_t outermost, const struct gnomon_profile_arc *arc) {
    uint32_t parent = outermost;
    if (arc->caller != GNOMON_PROFILE_UNPROFILED)
        parent = profile_path_of(profile, outermost, arc->caller, GNOMON_PROFILE_ALL_THREADS);
    uint32_t path =
        parent == PROFILE_MAP_NONE ? parent : profile_path_of(profile, parent, arc->callee, GNOMON_PROFILE_ALL_THREADS);
    if (path == PROFILE_MAP_NONE)
        return false;
    profile->paths[path].calls[0] += arc->calls;
    profile->paths[path].self[0] += arc->self;
    return true;
}

/* What no arc says of a function has the function alone as its path. */
static bool add_rest(struct gnomon_profile *profile, uint32_t outermost, uint32_t function, const struct known *known) {
    const struct gnomon_profile_function *figures = &profile->functions[function];
    uint32_t path = profile_path_of(profile, outermost, function, GNOMON_PROFILE_ALL_THREADS);
    if (path == PROFILE_MAP_NONE)
        return false;
    struct gnomon_profile_path *lost = &profile->paths[outermost];
    uint64_t here = figures->lost_cycles < lost->lost[0] ? figures->lost_cycles : lost->lost[0];
    lost->lost[0] -= here;
    profile->paths[path].lost[0] += here;
    profile->paths[path].calls[0] += rest_of(figures->calls, known->calls);
    profile->paths[path].self[0] += rest_of(figures->self, known->self);
    return true;
}

static uint32_t outermost_of_all(struct gnomon_profile *profile) {
    return profile_path_of(profile, GNOMON_PROFILE_UNPROFILED, GNOMON_PROFILE_UNPROFILED, GNOMON_PROFILE_ALL_THREADS);
}

bool profile_path_rest(struct gnomon_profile *profile) {
    const uint32_t outermost = follows(profile) ? outermost_of_all(profile) : 0;
    if (outermost == PROFILE_MAP_NONE)
        return false;
    profile_path_self(profile, outermost, profile->sums.unprofiled);
    profile_path_lost(profile, outermost, profile->sums.lost);
    return true;
}

bool profile_paths_of_arcs(struct gnomon_profile *profile) {
    if (!profile->with_paths)
        return true;
    uint32_t outermost = outermost_of_all(profile);
    struct known *known = calloc(profile->function_map.count + 1, sizeof *known);
    bool good = known && outermost != PROFILE_MAP_NONE;
    if (good) {
        profile->paths[outermost].self[0] = profile->sums.unprofiled;
        profile->paths[outermost].lost[0] = profile->sums.lost;
    }
    for (uint32_t i = 0; good && i < profile->arc_map.count; i++) {
        good = add_arc(profile, outermost, &profile->arcs[i]);
        known[profile->arcs[i].callee].calls += profile->arcs[i].calls;
        known[profile->arcs[i].callee].self += profile->arcs[i].self;
    }
    for (uint32_t i = 0; good && i < profile->function_map.count; i++)
        good = add_rest(profile, outermost, i, &known[i]);
    free(known);
    return good;
}

const struct gnomon_profile_path *gnomon_profile_paths(const struct gnomon_profile *profile, size_t *count) {
    *count = profile->path_map.count;
    return profile->paths;
}
