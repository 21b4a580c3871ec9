/* SPDX-License-Identifier: Apache-2.0 */
/* A program that runs and is followed while it does: for gnomon top and gnomon serve. */
#ifndef GNOMON_CLI_LIVE_TARGET_H
#define GNOMON_CLI_LIVE_TARGET_H

#include "cli/run/target.h"
#include "lib/live/live.h"

struct live_target {
    struct cli_context *context;
    struct target target;
    struct gnomon_live live;
    struct gnomon_session session;
};

/* Opens device and program. Says if functions come in another way than usual. The caller closes `live`, whatever the
 * status is. */
enum gnomon_status live_target_open(struct live_target *live, struct cli_context *context,
                                    const struct target_values *values, enum gnomon_live_way way,
                                    struct gnomon_error *error);
void live_target_close(struct live_target *live);
/* Loads the program. `tick` and `console` get `owner`, whose first member is a struct live_target. */
enum gnomon_status live_target_prepare(struct live_target *live, void *owner, bool (*tick)(void *),
                                       void (*console)(void *, const uint8_t *, size_t), struct gnomon_error *error);
/* True while the program runs and does not wait for input: the time for a moment. A program that waits is left alone,
 * so that the waiting takes no more cycles than it would. */
bool live_target_runs(const struct live_target *live);
/* After the run: fetches the program's files, leaves the device ready for the next run, and returns the exit status of
 * the command, after messages. */
int live_target_finish(struct live_target *live);
/* "running", "waits for input", "ended with status 0", "stopped", "crashed"; returns `text`. */
#define LIVE_STATE_BYTES 64
const char *live_target_state(const struct live_target *live, char text[LIVE_STATE_BYTES]);

#endif
