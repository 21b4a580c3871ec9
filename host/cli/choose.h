/* SPDX-License-Identifier: Apache-2.0 */
/* --hart and --thread of the commands that read a recording. */
#ifndef GNOMON_CLI_CHOOSE_H
#define GNOMON_CLI_CHOOSE_H

#include "lib/locks/lock_names.h"
#include "lib/profile/analysis.h"

/* The value of --hart; `wanted` NULL leaves *number as it is. `takes`: what the command's --hart takes, for the
 * message. */
enum gnomon_status cli_hart_number(const char *wanted, const char *takes, uint64_t *number, struct gnomon_error *error);
/* `wanted` NULL: both harts if the file has both. */
enum gnomon_status cli_choose_hart(struct gnomon_analysis *analysis, const char *wanted, const char *takes,
                                   struct gnomon_error *error);

/* Reads the names of threads, and chooses the thread of this name or number; `wanted` NULL: all. The caller closes
 * `tables` and `names`, whatever the status is. */
enum gnomon_status cli_choose_thread(struct gnomon_analysis *analysis, struct gnomon_lock_tables *tables,
                                     struct gnomon_lock_names *names, const char *wanted, struct gnomon_error *error);
/* Fails if the chosen thread did not run. Call it for a profile that has all events. */
enum gnomon_status cli_check_thread(const struct gnomon_analysis *analysis, const struct gnomon_profile *profile,
                                    const char *wanted, struct gnomon_error *error);

#endif
