/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon record --calibrate and --clock. */
#ifndef GNOMON_CLI_RECORD_CLOCK_H
#define GNOMON_CLI_RECORD_CLOCK_H

#include "cli/run/record.h"
#include "lib/run/calibrate.h"

/* The host's time of the cycles 0 to `last_cycle` of the run, for the file, and a note with its error. If there is
 * none, prints why; the recording stays valid. The caller frees the result. */
json_t *record_clock(const struct cli_context *context, const struct gnomon_clock_samples *samples,
                     const struct gnomon_board *board, uint64_t last_cycle);

/* What --clock does not go with; NULL: the options are right. */
const char *record_clock_wrong(const struct record_values *values);
/* With --clock, after session->both_harts is known: adds the event to what the session sets. */
enum gnomon_status record_clock_set(struct recording *recording, struct gnomon_error *error);
/* What the recording's time counts: "cycles". */
const char *record_clock_unit(const struct recording *recording);

#endif
