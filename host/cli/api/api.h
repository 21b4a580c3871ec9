/* SPDX-License-Identifier: Apache-2.0 */
/* What `gnomon merge` and the parts of `gnomon api` share. */
#ifndef GNOMON_CLI_API_H
#define GNOMON_CLI_API_H

#include "cli/cli.h"
#include "lib/fleet/api_file.h"
#include "lib/fleet/api_view.h"

/* Options of all actions. */
struct api_values {
    struct cli_list functions, headers, devices, sim_options, includes, compiler, costs;
    const char *scenario, *build, *on, *sort, *form, *duration, *status, *inputs, *recipe, *by, *libraries;
    uint64_t limit, jobs, size, depth;
    bool histogram, strict;
};
int api_list(struct cli_context *context, const char *path);
int api_list_by(struct cli_context *context, const char *path);
int api_classes(struct cli_context *context, const char *path);
int api_doc(struct cli_context *context, const char *path);

/* A profile, and what the options choose of it. */
struct api_opened {
    struct gnomon_api_profile *profile; /* all of it */
    struct gnomon_api_filter filter;
    struct gnomon_api_profile *view; /* what passes the filter, added */
    char *facts;                     /* of the whole profile, for a first line */
};
/* The caller closes `opened`, whatever the status is. */
enum gnomon_status api_open(struct api_opened *opened, const struct cli_context *context, const char *path,
                            struct gnomon_error *error);
void api_close(struct api_opened *opened);
/* Fails: no row passes the options. */
enum gnomon_status api_nothing_passes(const struct api_opened *opened, struct gnomon_error *error);
/* The order of costs: cycles come first. */
int api_by_cost(const struct gnomon_api_row *a, const struct gnomon_api_row *b);
/* Do the options ask for this cost? Costs of whole runs only if they are named. */
bool api_wants_cost(const struct api_values *values, const char *cost);
/* Do the options ask for this function? `name` is how it is shown. */
bool api_wants(const struct api_values *values, const char *symbol, const char *name);

#endif
