/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/export/moments.h"

#include "lib/export/export_internal.h"

enum gnomon_status gnomon_moments_begin(struct gnomon_export *export, struct gnomon_error *error) {
    struct gnomon_analysis *analysis = &export->analysis;
    analysis->ahead = true;
    export->profile = gnomon_profile_new();
    if (!export->profile || (analysis->one_thread && !gnomon_profile_expect_thread(export->profile, analysis->thread)))
        return gnomon_fail_memory(error);
    if (analysis->watch.count)
        gnomon_profile_expect_watched(export->profile, analysis->watch.first);
    export->sums = gnomon_profile_sums(export->profile);
    return GNOMON_OK;
}

enum gnomon_status gnomon_moments_next(struct gnomon_export *export, struct gnomon_moment *moment, bool *got,
                                       struct gnomon_error *error) {
    if (export->stop && export->stop())
        return gnomon_fail(error, GNOMON_ERR_INTERRUPTED, "interrupted: nothing is written");
    const enum gnomon_status status = gnomon_analysis_next(&export->analysis, &moment->event, got, error);
    if (status || !*got)
        return status;
    const unsigned hart = moment->event.hart;
    const uint64_t lost = export->sums->lost;
    moment->before = gnomon_profile_running(export->profile, hart);
    if (!gnomon_profile_event(export->profile, &moment->event))
        return gnomon_fail_memory(error);
    moment->after = gnomon_profile_running(export->profile, hart);
    moment->called = gnomon_profile_called(export->profile);
    moment->lost = export->sums->lost - lost;
    return GNOMON_OK;
}

uint64_t gnomon_moments_missing(const struct gnomon_export *export, const struct gnomon_event *event, uint64_t known) {
    if (event->type != GNOMON_EVENT_END)
        return 0;
    const uint64_t all = gnomon_trace_lost(gnomon_trace_stats(gnomon_analysis_trace(&export->analysis, event)));
    return all > known ? all - known : 0;
}

enum gnomon_status gnomon_moments_end(struct gnomon_export *export, struct gnomon_error *error) {
    gnomon_analysis_finish(&export->analysis, export->profile, &export->exactness);
    return export_name_functions(export, error);
}

bool gnomon_moment_is_mark(const struct gnomon_event *event, uint32_t *number) {
    *number = event->number - GNOMON_CHANNEL_MARK;
    return event->type == GNOMON_EVENT_CHANNEL && event->number >= GNOMON_CHANNEL_MARK &&
           event->number < GNOMON_CHANNEL_VALUE;
}

bool gnomon_moment_is_value(const struct gnomon_event *event, uint32_t *number) {
    *number = event->number - GNOMON_CHANNEL_VALUE;
    return event->type == GNOMON_EVENT_CHANNEL && event->number >= GNOMON_CHANNEL_VALUE &&
           event->number < GNOMON_CHANNEL_VALUE_END;
}
