/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a profile: functions, arcs, threads, and their results. */
#include <stdlib.h>

#include "lib/profile/profile_internal.h"
#include "lib/util/array.h"

uint32_t profile_find_function(struct gnomon_profile *profile, uint32_t id) {
    if (profile_is_other(profile))
        id = GNOMON_PROFILE_OTHERS;
    uint32_t known = profile->function_map.count, index = profile_map_find(&profile->function_map, id);
    if (index != known)
        return index;
    if (!gnomon_array_room(&profile->functions, &profile->function_room, index + 1, sizeof *profile->functions))
        return PROFILE_MAP_NONE;
    struct gnomon_profile_function *function = &profile->functions[index];
    *function = (struct gnomon_profile_function){.id = id, .min = UINT64_MAX, .exact = true};
    if (profile->aggregates) /* the device's records tell it, if they are available */
        return index;
    function->histogram = calloc(1, sizeof *function->histogram);
    return function->histogram ? index : PROFILE_MAP_NONE;
}

uint32_t gnomon_profile_index(struct gnomon_profile *profile, uint32_t id) {
    return profile_map_find(&profile->function_map, id);
}

uint32_t profile_find_arc(struct gnomon_profile *profile, uint32_t caller, uint32_t callee) {
    uint64_t key = (uint64_t)(caller + 1) << 32 | callee; /* UNPROFILED + 1 is 0 */
    uint32_t known = profile->arc_map.count, index = profile_map_find(&profile->arc_map, key);
    if (index != known)
        return index;
    if (!gnomon_array_room(&profile->arcs, &profile->arc_room, index + 1, sizeof *profile->arcs))
        return PROFILE_MAP_NONE;
    profile->arcs[index] = (struct gnomon_profile_arc){.caller = caller, .callee = callee};
    return index;
}

uint32_t profile_find_thread(struct gnomon_profile *profile, uint32_t number) {
    uint32_t known = profile->thread_map.count, index = profile_map_find(&profile->thread_map, number);
    if (index != known)
        return index;
    if (!gnomon_array_room(&profile->threads, &profile->thread_room, index + 1, sizeof *profile->threads) ||
        !gnomon_array_room(&profile->stacks, &profile->stack_room, index + 1, sizeof *profile->stacks))
        return PROFILE_MAP_NONE;
    profile->threads[index] = (struct gnomon_profile_thread){.thread = number};
    profile->stacks[index] = (struct thread){0};
    return profile_begin_path(profile, index) ? index : PROFILE_MAP_NONE;
}

/* Index into `open` for a function or an arc in the running thread. PROFILE_MAP_NONE: out of memory. */
enum open_kind { OPEN_FUNCTION, OPEN_ARC };
static uint32_t find_open(struct gnomon_profile *profile, enum open_kind kind, uint32_t index) {
    uint64_t key = (uint64_t)profile->hart->running << 33 | (uint64_t)kind << 32 | index;
    uint32_t known = profile->open_map.count, place = profile_map_find(&profile->open_map, key);
    if (place != known)
        return place;
    if (!gnomon_array_room(&profile->open, &profile->open_room, place + 1, sizeof *profile->open))
        return PROFILE_MAP_NONE;
    profile->open[place] = 0;
    return place;
}

bool profile_fill_edge(struct gnomon_profile *profile, struct profile_edge *edge, const struct activation *caller,
                       uint32_t id) {
    struct profile_call *call = &edge->call;
    edge->key = PROFILE_EDGE_NONE;
    call->function = profile_find_function(profile, id);
    if (call->function == PROFILE_MAP_NONE)
        return false;
    call->arc = profile_find_arc(profile, caller ? caller->call.function : GNOMON_PROFILE_UNPROFILED, call->function);
    call->function_open = find_open(profile, OPEN_FUNCTION, call->function);
    call->arc_open = call->arc == PROFILE_MAP_NONE ? call->arc : find_open(profile, OPEN_ARC, call->arc);
    return call->function_open != PROFILE_MAP_NONE && call->arc_open != PROFILE_MAP_NONE;
}

struct gnomon_profile *gnomon_profile_new(void) {
    struct gnomon_profile *profile = calloc(1, sizeof *profile);
    if (!profile)
        return NULL;
    profile->first_watched = GNOMON_PROFILE_TRAP;
    for (size_t i = 0; i < sizeof profile->edges / sizeof *profile->edges; i++)
        profile->edges[i].key = PROFILE_EDGE_NONE;
    profile->hart = &profile->harts[0];
    profile->hart->running = profile_find_thread(profile, 0);
    if (profile->hart->running == PROFILE_MAP_NONE) {
        gnomon_profile_free(profile);
        return NULL;
    }
    return profile;
}

static void profile_function_free(struct gnomon_profile_function *function) {
    free(function->histogram);
    free(function->waits);
}

void gnomon_profile_free(struct gnomon_profile *profile) {
    if (!profile)
        return;
    for (uint32_t i = 0; profile->stacks && i < profile->thread_map.count; i++)
        free(profile->stacks[i].stack);
    for (uint32_t i = 0; i < profile->function_map.count && i < profile->function_room; i++)
        profile_function_free(&profile->functions[i]);
    profile_map_free(&profile->function_map);
    profile_map_free(&profile->arc_map);
    profile_map_free(&profile->path_map);
    profile_map_free(&profile->thread_map);
    profile_map_free(&profile->open_map);
    free(profile->functions);
    free(profile->arcs);
    free(profile->paths);
    free(profile->path_edges);
    free(profile->threads);
    free(profile->stacks);
    free(profile->open);
    free(profile);
}

const struct gnomon_profile_function *gnomon_profile_functions(const struct gnomon_profile *profile, size_t *count) {
    *count = profile->function_map.count;
    return profile->functions;
}

const struct gnomon_profile_arc *gnomon_profile_arcs(const struct gnomon_profile *profile, size_t *count) {
    *count = profile->arc_map.count;
    return profile->arcs;
}

const struct gnomon_profile_thread *gnomon_profile_threads(const struct gnomon_profile *profile, size_t *count) {
    *count = profile->thread_map.count;
    return profile->threads;
}

const struct gnomon_profile_sums *gnomon_profile_sums(const struct gnomon_profile *profile) {
    return &profile->sums;
}

uint64_t gnomon_profile_hart_cycles(const struct gnomon_profile *profile, unsigned hart) {
    return profile->harts[hart].now - profile->harts[hart].start;
}

struct gnomon_profile_running gnomon_profile_running(const struct gnomon_profile *profile, unsigned hart) {
    const struct profile_hart *of = &profile->harts[hart];
    const struct thread *thread = &profile->stacks[of->running];
    const uint32_t number = profile->threads[of->running].thread;
    const bool other = profile->one_thread && number != profile->thread;
    return (struct gnomon_profile_running){
        .begun = of->begun,
        .now = of->now,
        .thread = number,
        .function = thread->top ? thread->stack[thread->top - 1].call.function
                    : other     ? profile->others
                                : GNOMON_PROFILE_UNPROFILED,
    };
}

uint32_t gnomon_profile_called(const struct gnomon_profile *profile) {
    return profile->called;
}
