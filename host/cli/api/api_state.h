/* SPDX-License-Identifier: Apache-2.0 */
/* What a measurement has done so far, in a folder: a plan for each scenario, and a profile for each run that has ended.
 * A measurement that was stopped goes on from there, if it is still the same: the same program, functions, arguments
 * and files. */
#ifndef GNOMON_CLI_API_STATE_H
#define GNOMON_CLI_API_STATE_H

#include "cli/api/api_project.h"
#include "lib/fleet/api_stacks.h"

struct api_measured {
    const struct api_scenario *scenario;
    char *folder; /* owned */
    bool planned;
    bool lossy;     /* the run that listed the functions has lost events */
    json_t *inputs; /* what the measurement is made of; owned */
    /* With `planned`: */
    uint64_t cycles;         /* of the run that listed the functions */
    size_t count, twins;     /* functions to measure; and functions left out, because two of a name share a stack */
    char **symbols, **names; /* owned, each */
    uint64_t *calls;
    size_t tail_count;
    struct gnomon_api_tail *tails; /* what must be watched with a function; owned */
    struct gnomon_api_plan plan;
    size_t bound;    /* runs that are needed at least */
    bool from_pairs; /* who shares a stack is known from pairs of caller and callee: perhaps more runs than needed */
    size_t *sorted;  /* places of the functions, by symbol; owned */
};

/* Opens the folder of a scenario, and reads its plan if there is one and it is of this measurement. */
enum gnomon_status api_measured_open(struct api_measured *measured, const struct api_project *project,
                                     const struct api_scenario *scenario, const char *folder,
                                     struct gnomon_error *error);
/* Makes the plan of the functions that were found, and keeps it. */
enum gnomon_status api_measured_plan(struct api_measured *measured, const struct gnomon_api_stacks *stacks,
                                     struct gnomon_error *error);
/* The place of the function with that linker's name; `count`: it is not measured. */
size_t api_measured_find(const struct api_measured *measured, const char *symbol);
void api_measured_close(struct api_measured *measured);

/* The name of a profile in the folder: of run `run`, of the blocks, or of all functions at once, measured in `cost`.
 * The caller frees it; NULL: out of memory. */
#define API_BLOCKS SIZE_MAX
#define API_AT_ONCE (SIZE_MAX - 1)
char *api_measured_file(const struct api_measured *measured, size_t run, const char *cost);

/* Removes the folder and all that measurements leave in it. */
void api_measured_remove(const struct api_measured *measured);
/* Any folder with all that is in it, as far as it can be removed. */
void api_remove_folder(const char *folder);

#endif
