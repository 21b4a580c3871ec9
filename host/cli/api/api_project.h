/* SPDX-License-Identifier: Apache-2.0 */
/* What `gnomon api plan` and `run` measure: a program, functions of it, and scenarios; from a file (api.toml,
 * docs/guide/api.md) or from the command line. */
#ifndef GNOMON_CLI_API_PROJECT_H
#define GNOMON_CLI_API_PROJECT_H

#include <jansson.h>

#include "cli/api/api.h"
#include "lib/elf/declared.h"

#define API_ANY_STATUS (-1)

struct api_scenario {
    const char *name; /* borrowed, as all texts here, from `file` or the command line */
    uint64_t size;    /* of its input; 0: not said */
    size_t argument_count;
    const char **arguments; /* of the program, as it sees them */
    size_t put_count;
    char **put;           /* "FILE=NAME", with a whole path: what is placed in the program's memory; owned */
    const char *duration; /* as for gnomon record; NULL: until it ends */
    int status;           /* its exit status, of a program that crashes as a shell sees it; API_ANY_STATUS */
};

struct api_project {
    json_t *file;                       /* NULL: from the command line */
    char *folder;                       /* relative paths of the project are below it; owned */
    char *program;                      /* owned */
    struct cli_list functions, headers; /* of what is measured: patterns of names, and headers that declare them */
    struct gnomon_name_set declared;
    struct cli_list costs;   /* what the calls are measured in: "cycles", or events of gnomon record --clock */
    struct cli_list devices; /* one for each run at the same time */
    const struct cli_list *sim_options;
    char *output; /* the profile; owned */
    size_t scenario_count;
    struct api_scenario *scenarios;
};

/* `operands` are the file, or the program and its arguments. The caller closes `project`, whatever the status is. */
enum gnomon_status api_project_open(struct api_project *project, const struct cli_context *context,
                                    char *const *operands, struct gnomon_error *error);
void api_project_close(struct api_project *project);
/* One simulated board for each processor, or `jobs`, unless other devices are named. */
enum gnomon_status api_project_devices(struct api_project *project, uint64_t jobs, struct gnomon_error *error);
enum gnomon_status api_project_append(struct cli_list *list, const struct cli_list *more, struct gnomon_error *error);

/* Is this function to be measured? `context` is the project: a gnomon_api_chosen. */
bool api_project_wants(void *context, const char *name, const char *symbol);

#endif
