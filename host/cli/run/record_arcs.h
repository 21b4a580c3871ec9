/* SPDX-License-Identifier: Apache-2.0 */
/* Completes the call graph of a program that has more pairs of caller and callee than the device has places. The same
 * run is repeated, each time with other places or for a part of the callees, until every call has its caller. */
#ifndef GNOMON_CLI_RECORD_ARCS_H
#define GNOMON_CLI_RECORD_ARCS_H

#include "cli/run/target.h"
#include "lib/model/function_records.h"

#define ARCS_USUAL_RUNS 16 /* default on the simulated board, which repeats runs exactly */

/* Call this after a run of `cycles` cycles in which the program has ended, and whose files have been fetched.
 * `recorded` is its session. `unit`: "cycles", or what its time counts. Adds the missing arcs to a hart's records,
 * `kept`. Makes at most `runs` runs, including the recorded one, and none if no arc is missing. If a run differs or is
 * interrupted, the graph stays incomplete. */
enum gnomon_status arcs_complete(struct cli_context *context, const struct target *target,
                                 const struct gnomon_session *recorded, uint64_t cycles, const char *unit,
                                 uint64_t runs, struct gnomon_records *kept, struct gnomon_error *error);

#endif
