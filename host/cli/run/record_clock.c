/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/record_clock.h"

json_t *record_clock(const struct cli_context *context, const struct gnomon_clock_samples *samples,
                     const struct gnomon_board *board, uint64_t last_cycle) {
    struct gnomon_clock_fit fit;
    struct gnomon_error error;
    if (gnomon_clock_fit(samples, board->clock_hz, 0, last_cycle, board->address, &fit, &error)) {
        cli_warn(context, "the recording has no host times of its cycles: %s", error.what);
        return NULL;
    }
    json_t *json = gnomon_calibrate_json(&fit);
    if (json)
        cli_note(context, "the host's times of the cycles are known to +-%.3f us (clock %+.3f ppm, +-%.3f ppm)",
                 fit.error_ns / 1e3, fit.rate_ppm, fit.rate_error_ppm);
    return json;
}
