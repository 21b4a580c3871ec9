/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fleet/api_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "lib/fleet/api_stacks_internal.h"
#include "lib/profile/function_names.h"
#include "lib/util/array.h"

/* ---- Which functions ---- */

static bool add_function(struct gnomon_stacks_reading *reading, const struct gnomon_profile_function *function,
                         size_t index, gnomon_api_chosen *chosen, void *context) {
    struct gnomon_api_stacks *stacks = reading->stacks;
    struct gnomon_name name;
    gnomon_name_of(&name, &reading->analysis, function->id);
    reading->chosen[index] = GNOMON_STACKS_NOT_CHOSEN;
    if (!name.symbol || name.module || !function->calls || !chosen(context, name.text, name.symbol))
        return true;
    for (size_t i = 0; i < stacks->count; i++)
        if (!strcmp(stacks->functions[i].symbol, name.symbol)) {
            stacks->functions[i].calls += function->calls;
            reading->chosen[index] = i;
            return true;
        }
    struct gnomon_api_function *to = &stacks->functions[stacks->count];
    *to = (struct gnomon_api_function){
        .symbol = strdup(name.symbol), .name = strdup(name.text), .calls = function->calls};
    reading->chosen[index] = stacks->count++;
    return to->symbol && to->name;
}

static bool find_functions(struct gnomon_stacks_reading *reading, gnomon_api_chosen *chosen, void *context) {
    size_t count;
    const struct gnomon_profile_function *functions = gnomon_profile_functions(reading->profile, &count);
    reading->chosen = malloc((count + 1) * sizeof *reading->chosen);
    reading->stack = malloc((count + 1) * sizeof *reading->stack);
    reading->stacks->functions = calloc(count + 1, sizeof *reading->stacks->functions);
    reading->owner = malloc((count + 1) * sizeof *reading->owner);
    bool good = reading->chosen && reading->stack && reading->owner && reading->stacks->functions;
    for (size_t i = 0; i < count && good; i++)
        good = add_function(reading, &functions[i], i, chosen, context);
    return good;
}

/* ---- Who shares a stack ---- */

/* The chosen functions of a path, each once; *trap: an interrupt or exception began it. */
static size_t stack_of(struct gnomon_stacks_reading *reading, uint32_t path, bool *trap) {
    size_t path_count, count = 0;
    const struct gnomon_profile_path *paths = gnomon_profile_paths(reading->profile, &path_count);
    const struct gnomon_profile_function *functions = gnomon_profile_functions(reading->profile, &path_count);
    *trap = false;
    for (; path != GNOMON_PROFILE_UNPROFILED && paths[path].function != GNOMON_PROFILE_UNPROFILED;
         path = paths[path].parent) {
        const uint32_t function = paths[path].function;
        const size_t place = reading->chosen[function];
        bool there = false;
        *trap |= gnomon_stacks_is_trap(functions[function].id);
        for (size_t i = 0; i < count && !there; i++)
            there = reading->stack[i] == place;
        if (place == GNOMON_STACKS_NOT_CHOSEN)
            continue;
        reading->stacks->functions[place].twins |= there && reading->owner[place] != function;
        reading->owner[place] = function;
        if (!there)
            reading->stack[count++] = place;
    }
    return count;
}

/* A function that a trap called shares a stack with each other one. */
static void share_with_all(const struct gnomon_stacks_reading *reading, size_t function) {
    struct gnomon_api_graph *graph = &reading->stacks->graph;
    const size_t deepest = graph->deepest;
    for (size_t other = 0; other < graph->count; other++)
        if (other != function)
            gnomon_api_graph_stack(graph, (size_t[]){function, other}, 2);
    graph->deepest = deepest > 1 || graph->count < 2 ? deepest : 2;
}

static bool find_stacks(struct gnomon_stacks_reading *reading) {
    size_t count;
    gnomon_profile_paths(reading->profile, &count);
    if (!gnomon_api_graph_make(&reading->stacks->graph, reading->stacks->count))
        return false;
    for (size_t path = 0; path < count; path++) {
        bool trap;
        const size_t depth = stack_of(reading, (uint32_t)path, &trap);
        gnomon_api_graph_stack(&reading->stacks->graph, reading->stack, depth);
        for (size_t i = 0; i < depth && trap; i++)
            share_with_all(reading, reading->stack[i]);
    }
    return true;
}

/* ---- The recording ---- */

/* Pairs that are missing are no obstacle: see api_stacks_pairs.c. */
static enum gnomon_status check(const struct gnomon_stacks_reading *reading, const char *path,
                                struct gnomon_error *error) {
    struct gnomon_api_stacks *stacks = reading->stacks;
    const struct gnomon_exactness *exactness = &stacks->exactness;
    gnomon_analysis_finish(&reading->analysis, reading->profile, &stacks->exactness);
    stacks->from_pairs = reading->analysis.aggregates;
    if (!reading->analysis.file) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s does not say who shares a stack", path);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "record it with --events or --records");
    }
    for (size_t i = 0; i < exactness->count; i++) {
        const struct gnomon_reason *reason = &exactness->reasons[i];
        if (reason->kind == GNOMON_REASON_DAMAGE ||
            (reason->kind == GNOMON_REASON_LOSS && !(stacks->from_pairs && reason->reach == GNOMON_REACH_GRAPH))) {
            stacks->lost = true;
            return gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s does not say who shares a stack: %s", path,
                               reason->text);
        }
    }
    return GNOMON_OK;
}

/* ---- Tail calls ---- */

static size_t place_of(const struct gnomon_api_stacks *stacks, const char *symbol) {
    size_t place = 0;
    while (place < stacks->count && strcmp(stacks->functions[place].symbol, symbol) != 0)
        place++;
    return place;
}

bool gnomon_stacks_add_tail(struct gnomon_api_stacks *stacks, const char *from, const char *to) {
    const size_t function = place_of(stacks, from);
    if (function == stacks->count)
        return true;
    for (size_t i = 0; i < stacks->tail_count; i++)
        if (stacks->tails[i].function == function && !strcmp(stacks->tails[i].symbol, to))
            return true;
    if (!gnomon_array_room(&stacks->tails, &stacks->tail_room, stacks->tail_count + 1, sizeof *stacks->tails))
        return false;
    struct gnomon_api_tail *tail = &stacks->tails[stacks->tail_count];
    *tail = (struct gnomon_api_tail){.function = function, .symbol = strdup(to)};
    stacks->tail_count += tail->symbol != NULL;
    return tail->symbol;
}

/* A watched function that jumps to another one ends in the cycle in which that one begins. */
static enum gnomon_status find_tails(struct gnomon_api_stacks *stacks, struct gnomon_analysis *analysis,
                                     struct gnomon_error *error) {
    struct gnomon_event event, last[GNOMON_MAX_HARTS] = {0};
    enum gnomon_status status;
    bool got;
    while (!(status = gnomon_analysis_next(analysis, &event, &got, error)) && got) {
        struct gnomon_event *before = &last[event.hart];
        if (event.type == GNOMON_EVENT_ENTER && before->type == GNOMON_EVENT_EXIT && before->cycle == event.cycle) {
            struct gnomon_name from, to;
            gnomon_name_of(&from, analysis, before->number);
            gnomon_name_of(&to, analysis, event.number);
            if (from.symbol && to.symbol && !gnomon_stacks_add_tail(stacks, from.symbol, to.symbol))
                return gnomon_fail_memory(error);
        }
        *before = event;
    }
    return status;
}

static enum gnomon_status read_tails(struct gnomon_api_stacks *stacks, const char *path, const char *elf,
                                     struct gnomon_error *error) {
    struct gnomon_analysis analysis;
    enum gnomon_status status = gnomon_analysis_open(&analysis, path, elf, GNOMON_WITH_SYMBOLS, error);
    if (!status)
        status = gnomon_analysis_select(&analysis, GNOMON_BOTH_HARTS, error);
    if (!status)
        status = find_tails(stacks, &analysis, error);
    gnomon_analysis_close(&analysis);
    return status;
}

static enum gnomon_status read_profile(struct gnomon_stacks_reading *reading, const char *path, const char *elf,
                                       struct gnomon_error *error) {
    enum gnomon_status status = gnomon_analysis_open(&reading->analysis, path, elf, GNOMON_WITH_SYMBOLS, error);
    if (!status)
        status = gnomon_analysis_select(&reading->analysis, GNOMON_BOTH_HARTS, error);
    reading->analysis.with_paths = !reading->analysis.aggregates;
    if (!status)
        status = gnomon_analysis_profile(&reading->analysis, &reading->profile, error);
    return status ? status : check(reading, path, error);
}

enum gnomon_status gnomon_api_stacks_read(struct gnomon_api_stacks *stacks, const char *path, const char *elf,
                                          gnomon_api_chosen *chosen, void *context, struct gnomon_error *error) {
    struct gnomon_stacks_reading reading = {.stacks = stacks};
    *stacks = (struct gnomon_api_stacks){0};
    enum gnomon_status status = read_profile(&reading, path, elf, error);
    if (!status) {
        stacks->cycles = gnomon_profile_sums(reading.profile)->cycles;
        if (!find_functions(&reading, chosen, context) ||
            !(stacks->from_pairs ? gnomon_stacks_of_pairs(&reading) : find_stacks(&reading)))
            status = gnomon_fail_memory(error);
    }
    if (!status && stacks->from_pairs)
        status = gnomon_stacks_tails_of_code(&reading, error);
    free(reading.chosen);
    free(reading.stack);
    free(reading.owner);
    gnomon_profile_free(reading.profile);
    gnomon_analysis_close(&reading.analysis);
    return status || stacks->from_pairs ? status : read_tails(stacks, path, elf, error);
}

/* With only these functions watched, the caller of each is the one that was open below it. */
static enum gnomon_status check_arcs(const struct gnomon_analysis *analysis, const struct gnomon_profile *profile,
                                     gnomon_api_chosen *chosen, void *context, struct gnomon_error *error) {
    size_t count, function_count;
    const struct gnomon_profile_arc *arcs = gnomon_profile_arcs(profile, &count);
    const struct gnomon_profile_function *functions = gnomon_profile_functions(profile, &function_count);
    for (size_t i = 0; i < count; i++) {
        if (arcs[i].caller == GNOMON_PROFILE_UNPROFILED || arcs[i].caller == arcs[i].callee ||
            gnomon_stacks_is_trap(functions[arcs[i].caller].id) || gnomon_stacks_is_trap(functions[arcs[i].callee].id))
            continue;
        struct gnomon_name caller, callee;
        gnomon_name_of(&caller, analysis, functions[arcs[i].caller].id);
        gnomon_name_of(&callee, analysis, functions[arcs[i].callee].id);
        if (!caller.symbol || !callee.symbol || !chosen(context, caller.text, caller.symbol) ||
            !chosen(context, callee.text, callee.symbol))
            continue;
        gnomon_fail(error, GNOMON_ERR_MISMATCH,
                    "%s called %s in this run, and not in the run that listed the functions", caller.text, callee.text);
        return gnomon_remedy(error, GNOMON_ERR_MISMATCH,
                             "a scenario must do the same in each run: give it the same input, and no clock");
    }
    return GNOMON_OK;
}

enum gnomon_status gnomon_api_stacks_check(const char *path, const char *elf, gnomon_api_chosen *chosen, void *context,
                                           struct gnomon_error *error) {
    struct gnomon_analysis analysis;
    struct gnomon_profile *profile = NULL;
    struct gnomon_exactness exactness;
    enum gnomon_status status = gnomon_analysis_open_any(&analysis, path, elf, GNOMON_WITH_SYMBOLS, error);
    if (!status)
        status = gnomon_analysis_select(&analysis, GNOMON_BOTH_HARTS, error);
    if (!status)
        status = gnomon_analysis_profile(&analysis, &profile, error);
    if (!status) {
        gnomon_analysis_finish(&analysis, profile, &exactness);
        status = check_arcs(&analysis, profile, chosen, context, error);
    }
    gnomon_profile_free(profile);
    gnomon_analysis_close(&analysis);
    return status;
}

void gnomon_api_stacks_free(struct gnomon_api_stacks *stacks) {
    for (size_t i = 0; i < stacks->count; i++) {
        free(stacks->functions[i].symbol);
        free(stacks->functions[i].name);
    }
    for (size_t i = 0; i < stacks->tail_count; i++)
        free(stacks->tails[i].symbol);
    free(stacks->tails);
    free(stacks->functions);
    gnomon_api_graph_free(&stacks->graph);
    *stacks = (struct gnomon_api_stacks){0};
}
