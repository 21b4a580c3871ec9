/* SPDX-License-Identifier: Apache-2.0 */
/* `gnomon api plan` and `gnomon api run`: a pass that lists functions, a plan, runs that each watch only functions that
 * share no stack, and a run that watches all at once. */
#ifndef GNOMON_CLI_API_RUN_H
#define GNOMON_CLI_API_RUN_H

#include "cli/api/api_jobs.h"
#include "cli/api/api_state.h"

struct api_measurement {
    struct cli_context *context;
    struct api_project project;
    char *folder; /* owned */
    size_t count; /* scenarios */
    struct api_measured *measured;
};

int api_exhaust(struct cli_context *context); /* exhaust.h */
int api_plan(struct cli_context *context);
int api_run(struct cli_context *context);

/* Prints the plan of each scenario. */
int api_print_plan(struct api_measurement *measurement);

/* Prints what was measured, each function alone beside all at once. `alone` has the runs of the plan, `at_once` the
 * runs that watched all functions; their sources are the same. *equal: each bucket of each function is the same in
 * both. */
int api_print_runs(struct api_measurement *measurement, const struct gnomon_api_profile *alone,
                   const struct gnomon_api_profile *at_once, bool *equal);

#endif
