/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon record --calibrate. */
#ifndef GNOMON_CLI_RECORD_CLOCK_H
#define GNOMON_CLI_RECORD_CLOCK_H

#include "cli/cli.h"
#include "lib/run/calibrate.h"

/* The host's time of the cycles 0 to `last_cycle` of the run, for the file, and a note with its error. If there is
 * none, prints why; the recording stays valid. The caller frees the result. */
json_t *record_clock(const struct cli_context *context, const struct gnomon_clock_samples *samples,
                     const struct gnomon_board *board, uint64_t last_cycle);

#endif
