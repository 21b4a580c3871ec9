/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/profile/profile_between.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/profile/profile_internal.h"

/* ---- Moments ---- */

static bool copy_paths(struct gnomon_profile_moment *moment, const struct gnomon_profile_path *paths, size_t count) {
    moment->count = count;
    moment->paths = malloc((count + 1) * sizeof *paths);
    if (moment->paths && count)
        memcpy(moment->paths, paths, count * sizeof *paths);
    return moment->paths;
}

/* Adds what the hart did from its last event on. What is known to be lost since then is lost first, as
 * gnomon_profile_event has it. */
static void go_on(const struct gnomon_profile *profile, unsigned hart, uint64_t cycle,
                  struct gnomon_profile_moment *moment) {
    const struct profile_hart *of = &profile->harts[hart];
    const uint64_t passed = cycle - of->now, lost = of->pending.cycles < passed ? of->pending.cycles : passed;
    const struct thread *thread = &profile->stacks[of->running];
    struct gnomon_profile_path *path = &moment->paths[thread->top ? thread->stack[thread->top - 1].path : thread->path];
    path->lost[hart] += lost;
    path->self[hart] += passed - lost;
    moment->cycles[hart] += passed;
}

bool gnomon_profile_now(const struct gnomon_profile *profile, uint64_t cycle, struct gnomon_profile_moment *moment) {
    size_t count;
    const struct gnomon_profile_path *paths = gnomon_profile_paths(profile, &count);
    if (!copy_paths(moment, paths, count))
        return false;
    for (unsigned hart = 0; hart < GNOMON_MAX_HARTS; hart++) {
        moment->cycles[hart] = gnomon_profile_hart_cycles(profile, hart);
        const struct profile_hart *of = &profile->harts[hart];
        if (of->begun && !of->over && of->now < cycle)
            go_on(profile, hart, cycle, moment);
    }
    return true;
}

bool gnomon_profile_moment_copy(struct gnomon_profile_moment *copy, const struct gnomon_profile_moment *moment) {
    *copy = *moment;
    return copy_paths(copy, moment->paths, moment->count);
}

void gnomon_profile_moment_free(struct gnomon_profile_moment *moment) {
    free(moment->paths);
    *moment = (struct gnomon_profile_moment){0};
}

/* ---- Differences ---- */

/* Gives `between` all functions of `profile`, in the same order. */
static bool take_functions(struct gnomon_profile *between, const struct gnomon_profile *profile) {
    for (uint32_t i = 0; i < profile->function_map.count; i++) {
        const uint32_t index = profile_find_function(between, profile->functions[i].id);
        if (index == PROFILE_MAP_NONE)
            return false;
        between->functions[index].measured = profile->functions[i].measured;
    }
    return true;
}

/* A figure becomes smaller only if a hart's loss was told too late. The sums then differ. */
static uint64_t more(uint64_t to, uint64_t from) {
    return to > from ? to - from : 0;
}

static void subtract(struct gnomon_profile_path *path, const struct gnomon_profile_path *to,
                     const struct gnomon_profile_path *from) {
    for (unsigned hart = 0; hart < GNOMON_MAX_HARTS; hart++) {
        path->calls[hart] = more(to->calls[hart], from->calls[hart]);
        path->self[hart] = more(to->self[hart], from->self[hart]);
        path->lost[hart] = more(to->lost[hart], from->lost[hart]);
    }
}

static bool take_paths(struct gnomon_profile *between, const struct gnomon_profile_moment *from,
                       const struct gnomon_profile_moment *to) {
    static const struct gnomon_profile_path nothing;
    for (size_t i = 0; i < to->count; i++) {
        const struct gnomon_profile_path *path = &to->paths[i];
        const uint32_t index = profile_path_of(between, path->parent, path->function, path->thread);
        if (index == PROFILE_MAP_NONE)
            return false;
        subtract(&between->paths[index], path, i < from->count ? &from->paths[i] : &nothing);
    }
    return true;
}

/* Adds the paths' own figures to their functions and to the sums. */
static void add_paths(struct gnomon_profile *between) {
    for (uint32_t i = 0; i < between->path_map.count; i++) {
        const struct gnomon_profile_path *path = &between->paths[i];
        struct gnomon_profile_function *function =
            path->function == GNOMON_PROFILE_UNPROFILED ? NULL : &between->functions[path->function];
        for (unsigned hart = 0; hart < GNOMON_MAX_HARTS; hart++) {
            between->sums.lost += path->lost[hart];
            *(function ? &between->sums.self : &between->sums.unprofiled) += path->self[hart];
            if (!function)
                continue;
            function->calls += path->calls[hart];
            function->self += path->self[hart];
            function->lost_cycles += path->lost[hart];
        }
    }
}

/* ---- Totals ---- */

/* The paths as a tree that is walked from each path to its first child, and then to the next child of its parent. */
struct tree {
    uint32_t *child, *next; /* of each path; PROFILE_MAP_NONE: there is none */
    uint64_t *whole;        /* cycles of each path, with those of the paths below it */
    uint32_t *open;         /* of each function: how often it is on the way from the outermost path */
};

static bool plant(struct tree *tree, const struct gnomon_profile *between) {
    const uint32_t count = between->path_map.count;
    *tree = (struct tree){.child = malloc((count + 1) * sizeof *tree->child),
                          .next = malloc((count + 1) * sizeof *tree->next),
                          .whole = calloc(count + 1, sizeof *tree->whole),
                          .open = calloc(between->function_map.count + 1, sizeof *tree->open)};
    if (!tree->child || !tree->next || !tree->whole || !tree->open)
        return false;
    memset(tree->child, 0xFF, (count + 1) * sizeof *tree->child);
    memset(tree->next, 0xFF, (count + 1) * sizeof *tree->next);
    for (uint32_t i = count; i-- > 0;) { /* parents come before their children */
        const struct gnomon_profile_path *path = &between->paths[i];
        for (unsigned hart = 0; hart < GNOMON_MAX_HARTS; hart++)
            tree->whole[i] += path->self[hart] + path->lost[hart];
        if (path->parent == GNOMON_PROFILE_UNPROFILED)
            continue;
        tree->whole[path->parent] += tree->whole[i];
        tree->next[i] = tree->child[path->parent];
        tree->child[path->parent] = i;
    }
    return true;
}

static void fell(struct tree *tree) {
    free(tree->child);
    free(tree->next);
    free(tree->whole);
    free(tree->open);
}

/* Recursion counts once: only the outermost of equal functions on a way adds to the total. */
static void walk(struct tree *tree, struct gnomon_profile *between, uint32_t outermost) {
    const struct gnomon_profile_path *paths = between->paths;
    for (uint32_t at = tree->child[outermost]; at != PROFILE_MAP_NONE;) {
        if (tree->open[paths[at].function]++ == 0)
            between->functions[paths[at].function].total += tree->whole[at];
        if (tree->child[at] != PROFILE_MAP_NONE) {
            at = tree->child[at];
            continue;
        }
        while (at != outermost && tree->next[at] == PROFILE_MAP_NONE) {
            tree->open[paths[at].function]--;
            at = paths[at].parent;
        }
        if (at == outermost)
            return;
        tree->open[paths[at].function]--;
        at = tree->next[at];
    }
}

static bool add_totals(struct gnomon_profile *between) {
    struct tree tree;
    const bool good = plant(&tree, between);
    for (uint32_t i = 0; good && i < between->path_map.count; i++)
        if (between->paths[i].parent == GNOMON_PROFILE_UNPROFILED)
            walk(&tree, between, i);
    fell(&tree);
    return good;
}

/* ---- The profile ---- */

static bool fill(struct gnomon_profile *between, const struct gnomon_profile *profile,
                 const struct gnomon_profile_moment *from, const struct gnomon_profile_moment *to) {
    between->aggregates = true; /* so functions get no histograms */
    for (unsigned hart = 0; hart < GNOMON_MAX_HARTS; hart++) {
        between->harts[hart].now = to->cycles[hart] - from->cycles[hart];
        between->sums.cycles += between->harts[hart].now;
    }
    if (!take_functions(between, profile) || !take_paths(between, from, to))
        return false;
    add_paths(between);
    return add_totals(between);
}

enum gnomon_status gnomon_profile_between(const struct gnomon_profile *profile,
                                          const struct gnomon_profile_moment *from,
                                          const struct gnomon_profile_moment *to, struct gnomon_profile **between,
                                          struct gnomon_error *error) {
    *between = gnomon_profile_new();
    if (!*between || !fill(*between, profile, from, to)) {
        gnomon_profile_free(*between);
        *between = NULL;
        return gnomon_fail_memory(error);
    }
    const struct gnomon_profile_sums *sums = &(*between)->sums;
    if (sums->self + sums->lost + sums->unprofiled == sums->cycles)
        return GNOMON_OK;
    return gnomon_fail(error, GNOMON_ERR_FORMAT,
                       "the cycles do not add up: %" PRIu64 " in functions, %" PRIu64 " lost and %" PRIu64
                       " unprofiled are not %" PRIu64,
                       sums->self, sums->lost, sums->unprofiled, sums->cycles);
}
