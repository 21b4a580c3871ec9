/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/record_clock.h"

#include "lib/device/event_clock.h"

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

const char *record_clock_wrong(const struct record_values *values) {
    if (!values->clock)
        return NULL;
    if (record_samples(&values->sample) || values->cpi || values->calibrate || values->interrupts ||
        values->leak_check || values->use_after_free || record_watches_locks(&values->watch))
        return "--clock is for calls: leave out --sample, --cpi, --calibrate, --interrupts, --leak-check, "
               "--use-after-free and --watch-locks";
    return values->no_functions ? "--clock is for calls, and --no-functions leaves them out" : NULL;
}

enum gnomon_status record_clock_set(struct recording *recording, struct gnomon_error *error) {
    if (!recording->event)
        return GNOMON_OK;
    recording->session.profile_control |= gnomon_event_clock_control(recording->event);
    if (!recording->session.both_harts || !recording->symbols || !gnomon_symbols_threads_move(recording->symbols))
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "threads of %s move between harts, and each hart counts its own events",
                recording->target.image->path);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                         "leave out --clock, or link the program without --gnomon-harts");
}

const char *record_clock_unit(const struct recording *recording) {
    return recording->event ? recording->event->name : "cycles";
}
