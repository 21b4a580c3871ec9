/* SPDX-License-Identifier: Apache-2.0 */
/* The call graph of a program with more pairs of caller and callee than the device has places for: the same run again,
 * each time with other places or for a part of the callees, until every call has its caller. */
#ifndef GNOMON_CLI_RECORD_ARCS_H
#define GNOMON_CLI_RECORD_ARCS_H

#include "../lib/records.h"
#include "target.h"

#define ARCS_USUAL_RUNS 16 /* on the simulated board, whose runs are the same */

/* After a run of so many cycles that the program has ended, and whose files have been fetched. `control` and `watch`
 * are those of the recording, whose records are `kept`: gets the missing arcs. At most `runs` runs, the recorded one
 * among them; none where no arc is missing. Where a run differs, or is interrupted, the graph stays incomplete. */
enum gnomon_status arcs_complete(struct cli_context *context, const struct target *target, uint32_t control,
                                 const struct gnomon_watch *watch, uint64_t cycles, uint64_t runs,
                                 struct gnomon_records *kept, struct gnomon_error *error);

#endif
