/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fleet/api_plan.h"

#include <stdlib.h>
#include <string.h>

#define BITS 64
#define NO_RUN SIZE_MAX

/* ---- The graph ---- */

bool gnomon_api_graph_make(struct gnomon_api_graph *graph, size_t count) {
    *graph = (struct gnomon_api_graph){.count = count, .words = (count + BITS - 1) / BITS};
    graph->shared = calloc(count * graph->words + 1, sizeof *graph->shared);
    return graph->shared;
}

void gnomon_api_graph_free(struct gnomon_api_graph *graph) {
    free(graph->shared);
    *graph = (struct gnomon_api_graph){0};
}

static uint64_t *row_of(const struct gnomon_api_graph *graph, size_t function) {
    return &graph->shared[function * graph->words];
}

bool gnomon_api_graph_shares(const struct gnomon_api_graph *graph, size_t a, size_t b) {
    return row_of(graph, a)[b / BITS] >> b % BITS & 1;
}

void gnomon_api_graph_stack(struct gnomon_api_graph *graph, const size_t *functions, size_t count) {
    if (count > graph->deepest)
        graph->deepest = count;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            if (i != j)
                row_of(graph, functions[i])[functions[j] / BITS] |= UINT64_C(1) << functions[j] % BITS;
}

/* ---- The plan ---- */

struct colouring {
    const struct gnomon_api_graph *graph;
    struct gnomon_api_plan *plan;
    uint64_t *taken;  /* for each function a row of bits: the runs that its neighbours have */
    size_t *distinct; /* how many these are */
    size_t *neighbours;
};

static size_t count_bits(const uint64_t *words, size_t count) {
    size_t bits = 0;
    for (size_t i = 0; i < count; i++)
        bits += (size_t)__builtin_popcountll(words[i]);
    return bits;
}

static size_t choose_next(const struct colouring *colouring) {
    size_t best = NO_RUN;
    for (size_t i = 0; i < colouring->graph->count; i++) {
        if (colouring->plan->run_of[i] != NO_RUN)
            continue;
        if (best == NO_RUN || colouring->distinct[i] > colouring->distinct[best] ||
            (colouring->distinct[i] == colouring->distinct[best] &&
             colouring->neighbours[i] > colouring->neighbours[best]))
            best = i;
    }
    return best;
}

static size_t first_free(const struct colouring *colouring, size_t function) {
    const uint64_t *taken = &colouring->taken[function * colouring->graph->words];
    size_t run = 0;
    while (taken[run / BITS] >> run % BITS & 1)
        run++;
    return run;
}

static void give_run(struct colouring *colouring, size_t function) {
    const struct gnomon_api_graph *graph = colouring->graph;
    const size_t run = first_free(colouring, function);
    colouring->plan->run_of[function] = run;
    if (run >= colouring->plan->runs)
        colouring->plan->runs = run + 1;
    for (size_t other = 0; other < graph->count; other++) {
        uint64_t *word = &colouring->taken[other * graph->words + run / BITS];
        if (!gnomon_api_graph_shares(graph, function, other) || *word >> run % BITS & 1)
            continue;
        *word |= UINT64_C(1) << run % BITS;
        colouring->distinct[other]++;
    }
}

/* A function has fewer neighbours than there are functions, so its row of `taken` always has a free run. */
bool gnomon_api_plan_make(struct gnomon_api_plan *plan, const struct gnomon_api_graph *graph) {
    const size_t count = graph->count;
    *plan = (struct gnomon_api_plan){.run_of = malloc((count + 1) * sizeof *plan->run_of)};
    struct colouring colouring = {.graph = graph,
                                  .plan = plan,
                                  .taken = calloc(count * graph->words + 1, sizeof *colouring.taken),
                                  .distinct = calloc(count + 1, sizeof *colouring.distinct),
                                  .neighbours = calloc(count + 1, sizeof *colouring.neighbours)};
    const bool good = plan->run_of && colouring.taken && colouring.distinct && colouring.neighbours;
    for (size_t i = 0; i < count && good; i++) {
        plan->run_of[i] = NO_RUN;
        colouring.neighbours[i] = count_bits(row_of(graph, i), graph->words);
    }
    for (size_t i = 0; i < count && good; i++)
        give_run(&colouring, choose_next(&colouring));
    free(colouring.taken);
    free(colouring.distinct);
    free(colouring.neighbours);
    return good;
}

void gnomon_api_plan_free(struct gnomon_api_plan *plan) {
    free(plan->run_of);
    *plan = (struct gnomon_api_plan){0};
}
