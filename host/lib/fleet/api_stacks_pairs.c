/* SPDX-License-Identifier: Apache-2.0 */
/* Who can share a stack, from pairs of caller and callee: function records have them, and lose none without saying so.
 * A function can share a stack with all that can be reached from it over pairs. That may be more than really did: a
 * calls b, and b calls c, but not when a has called it. */
#include <stddef.h>
#include <stdlib.h>

#include "lib/elf/callgraph.h"
#include "lib/fleet/api_stacks_internal.h"
#include "lib/profile/function_names.h"
#include "lib/util/array.h"

struct reach {
    const struct gnomon_profile_function *functions;
    size_t count;
    const struct gnomon_profile_arc *arcs;
    size_t arc_count;
    size_t *first;   /* for each function, its first place in `callees`; one more at the end */
    size_t *callees; /* of all functions, by caller */
    size_t *work;    /* functions whose callees have not been visited yet */
    size_t waiting;
    size_t *round; /* for each function, the round that reached it last */
    bool *any;     /* for each function: it can have been called while any other one was open */
};

/* ---- The pairs ---- */

static bool sort_pairs(struct reach *reach) {
    reach->first = calloc(reach->count + 2, sizeof *reach->first);
    reach->callees = malloc((reach->arc_count + 1) * sizeof *reach->callees);
    if (!reach->first || !reach->callees)
        return false;
    for (size_t i = 0; i < reach->arc_count; i++)
        if (reach->arcs[i].caller != GNOMON_PROFILE_UNPROFILED)
            reach->first[reach->arcs[i].caller + 2]++;
    for (size_t i = 0; i < reach->count; i++)
        reach->first[i + 2] += reach->first[i + 1];
    for (size_t i = 0; i < reach->arc_count; i++)
        if (reach->arcs[i].caller != GNOMON_PROFILE_UNPROFILED)
            reach->callees[reach->first[reach->arcs[i].caller + 1]++] = reach->arcs[i].callee;
    return true;
}

/* Traps come at any time. A function with calls that are in no pair can have been called by any other one. */
static bool find_any(struct reach *reach) {
    uint64_t *paired = calloc(reach->count + 1, sizeof *paired);
    reach->any = calloc(reach->count + 1, sizeof *reach->any);
    for (size_t i = 0; paired && i < reach->arc_count; i++)
        paired[reach->arcs[i].callee] += reach->arcs[i].calls;
    for (size_t i = 0; paired && reach->any && i < reach->count; i++)
        reach->any[i] = gnomon_stacks_is_trap(reach->functions[i].id) || paired[i] < reach->functions[i].calls;
    free(paired);
    return paired && reach->any;
}

static void visit(struct reach *reach, size_t function, size_t round) {
    if (reach->round[function] == round)
        return;
    reach->round[function] = round;
    reach->work[reach->waiting++] = function;
}

/* Afterwards `round` of each function that can be open above `function` is `function` + 1. */
static void reach_from(struct reach *reach, size_t function) {
    for (size_t i = 0; i < reach->count; i++)
        if (reach->any[i])
            visit(reach, i, function + 1);
    visit(reach, function, function + 1);
    while (reach->waiting > 0) {
        const size_t caller = reach->work[--reach->waiting];
        for (size_t i = reach->first[caller]; i < reach->first[caller + 1]; i++)
            visit(reach, reach->callees[i], function + 1);
    }
}

/* ---- The graph ---- */

static void share(const struct gnomon_stacks_reading *reading, const struct reach *reach, size_t function) {
    struct gnomon_api_stacks *stacks = reading->stacks;
    const size_t place = reading->chosen[function];
    for (size_t other = 0; other < reach->count; other++) {
        const size_t there = reading->chosen[other];
        if (reach->round[other] != function + 1 || other == function || there == GNOMON_STACKS_NOT_CHOSEN)
            continue;
        if (there == place)
            stacks->functions[place].twins = true;
        else
            gnomon_api_graph_stack(&stacks->graph, (size_t[]){place, there}, 2);
    }
}

/* What is certain: two that are a pair were on one stack. */
static size_t deepest(const struct gnomon_stacks_reading *reading, const struct reach *reach) {
    for (size_t i = 0; i < reach->arc_count; i++) {
        const struct gnomon_profile_arc *arc = &reach->arcs[i];
        const size_t from =
            arc->caller == GNOMON_PROFILE_UNPROFILED ? GNOMON_STACKS_NOT_CHOSEN : reading->chosen[arc->caller];
        const size_t to = reading->chosen[arc->callee];
        if (from != GNOMON_STACKS_NOT_CHOSEN && to != GNOMON_STACKS_NOT_CHOSEN && from != to)
            return 2;
    }
    return reading->stacks->count ? 1 : 0;
}

bool gnomon_stacks_of_pairs(struct gnomon_stacks_reading *reading) {
    struct reach reach = {0};
    struct gnomon_api_graph *graph = &reading->stacks->graph;
    reach.functions = gnomon_profile_functions(reading->profile, &reach.count);
    reach.arcs = gnomon_profile_arcs(reading->profile, &reach.arc_count);
    reach.work = malloc((reach.count + 1) * sizeof *reach.work);
    reach.round = calloc(reach.count + 1, sizeof *reach.round);
    const bool good = reach.work && reach.round && sort_pairs(&reach) && find_any(&reach) &&
                      gnomon_api_graph_make(graph, reading->stacks->count);
    for (size_t i = 0; i < reach.count && good; i++)
        if (reading->chosen[i] != GNOMON_STACKS_NOT_CHOSEN) {
            reach_from(&reach, i);
            share(reading, &reach, i);
        }
    if (good)
        graph->deepest = deepest(reading, &reach);
    free(reach.work);
    free(reach.round);
    free(reach.first);
    free(reach.callees);
    free(reach.any);
    return good;
}

/* ---- Tail calls ---- */

struct tails {
    struct gnomon_stacks_reading *reading;
    size_t count;
    struct place { /* of a function of the program */
        uint32_t address;
        const char *symbol;
        bool called;
    } * places; /* by address */
    const char *from;
    bool failed;
};

static int by_address(const void *a, const void *b) {
    const struct place *left = a, *right = b;
    return left->address < right->address ? -1 : left->address > right->address;
}

/* False: out of memory. */
static bool find_places(struct tails *tails) {
    size_t count;
    const struct gnomon_profile_function *functions = gnomon_profile_functions(tails->reading->profile, &count);
    tails->places = malloc((count + 1) * sizeof *tails->places);
    for (size_t i = 0; tails->places && i < count; i++) {
        struct gnomon_name name;
        gnomon_name_of(&name, &tails->reading->analysis, functions[i].id);
        if (name.symbol && !name.module)
            tails->places[tails->count++] = (struct place){name.address, name.symbol, functions[i].calls > 0};
    }
    if (tails->count)
        qsort(tails->places, tails->count, sizeof *tails->places, by_address);
    return tails->places;
}

/* A part that the compiler has moved out of a function is none that was called: what it jumps to counts. */
static bool visit_tail(void *context, uint32_t address) {
    struct tails *tails = context;
    const size_t at =
        gnomon_array_from(tails->places, tails->count, sizeof *tails->places, offsetof(struct place, address), address);
    const struct place *place = &tails->places[at];
    if (at == tails->count || place->address != address)
        return true;
    if (place->called)
        tails->failed |= !gnomon_stacks_add_tail(tails->reading->stacks, tails->from, place->symbol);
    return false;
}

/* False: out of memory. */
static bool add_tails(struct tails *tails, const struct gnomon_callgraph *graph, size_t from) {
    size_t count;
    const struct gnomon_profile_function *functions = gnomon_profile_functions(tails->reading->profile, &count);
    struct gnomon_name name;
    gnomon_name_of(&name, &tails->reading->analysis, functions[from].id);
    tails->from = name.symbol;
    return gnomon_callgraph_jumps(graph, name.address, visit_tail, tails) && !tails->failed;
}

enum gnomon_status gnomon_stacks_tails_of_code(struct gnomon_stacks_reading *reading, struct gnomon_error *error) {
    struct gnomon_callgraph *graph = NULL;
    size_t count;
    struct tails tails = {.reading = reading};
    enum gnomon_status status = gnomon_callgraph_load(&graph, gnomon_symbols_path(reading->analysis.symbols), error);
    gnomon_profile_functions(reading->profile, &count);
    if (!status && !find_places(&tails))
        status = gnomon_fail_memory(error);
    for (size_t i = 0; i < count && !status; i++)
        if (reading->chosen[i] != GNOMON_STACKS_NOT_CHOSEN && !add_tails(&tails, graph, i))
            status = gnomon_fail_memory(error);
    free(tails.places);
    gnomon_callgraph_free(graph);
    return status == GNOMON_ERR_UNSUPPORTED ? GNOMON_OK : status; /* overlays: an address tells no function */
}
