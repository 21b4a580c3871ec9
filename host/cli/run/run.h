/* SPDX-License-Identifier: Apache-2.0 */
/* What `gnomon run` shares with commands that run a program as it does. */
#ifndef GNOMON_CLI_RUN_H
#define GNOMON_CLI_RUN_H

#include "cli/run/target.h"

/* A session that only runs the program: its console is on the terminal, and Ctrl-C stops it. */
struct gnomon_session run_session(const struct target *target, void *context);
/* Call it after gnomon_session_run: fetches the program's files, says why it died if it did, and leaves the device in
 * reset. Returns the exit status, in the form that a shell sees. */
int run_finish(struct gnomon_session *session, const struct target *target, const struct cli_context *context);

#endif
