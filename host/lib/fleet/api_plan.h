/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions can be measured in the same run (A3): those that are never on one call stack together. A plan gives
 * each function a run, with as few runs as the colouring finds, and says how many are needed at least. */
#ifndef GNOMON_LIB_API_PLAN_H
#define GNOMON_LIB_API_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Functions, and which of them share a stack. */
struct gnomon_api_graph {
    size_t count;
    uint64_t *shared; /* for each function a row of bits, one for each function; owned */
    size_t words;     /* of a row */
    size_t deepest;   /* the most of them that were on one stack: at least as many runs are needed */
};

/* Of `count` functions that share no stack. False: out of memory. */
bool gnomon_api_graph_make(struct gnomon_api_graph *graph, size_t count);
void gnomon_api_graph_free(struct gnomon_api_graph *graph);
/* These functions, each named once, were on one stack. */
void gnomon_api_graph_stack(struct gnomon_api_graph *graph, const size_t *functions, size_t count);
bool gnomon_api_graph_shares(const struct gnomon_api_graph *graph, size_t a, size_t b);

struct gnomon_api_plan {
    size_t runs;
    size_t *run_of; /* of each function, from 0 to before `runs`; owned */
};

/* Colours the graph: the function whose neighbours have the most different runs is next, and gets the first run that
 * none of them has (Brelaz, "New methods to color the vertices of a graph", 1979). False: out of memory. */
bool gnomon_api_plan_make(struct gnomon_api_plan *plan, const struct gnomon_api_graph *graph);
void gnomon_api_plan_free(struct gnomon_api_plan *plan);

#endif
