/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon hot --event: which code, threads and data have most occurrences of an event, by samples. */
#ifndef GNOMON_CLI_HOT_EVENTS_H
#define GNOMON_CLI_HOT_EVENTS_H

#include "cli/run/target.h"

struct hot_events_options {
    const char *event;
    uint64_t period, top;    /* events from one sample to the next, 0: the default; most rows, 0: all */
    bool threads, addresses; /* a row for each thread, for each variable or page */
};

/* Runs the program and prints the samples. Returns the exit status. */
int hot_events(struct cli_context *context, const struct target_values *values,
               const struct hot_events_options *options);

#endif
