/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon record --repeat: several runs into several files. */
#ifndef GNOMON_CLI_RECORD_RUNS_H
#define GNOMON_CLI_RECORD_RUNS_H

#include "cli/cli.h"

/* Calls `once` for each run with the name of its file; the first run that is not good ends the series. Returns an exit
 * status. */
int record_runs(struct cli_context *context, uint64_t runs, const char *path,
                int (*once)(struct cli_context *context, const char *path));

#endif
