/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a recording in their order, each with what its hart does before and after it, as a profile books it: so
 * a time line adds up to the figures of gnomon report. */
#ifndef GNOMON_LIB_EXPORT_MOMENTS_H
#define GNOMON_LIB_EXPORT_MOMENTS_H

#include "lib/export/export.h"

struct gnomon_moment {
    struct gnomon_event event;
    struct gnomon_profile_running before, after; /* functions are indices into export->functions */
    uint32_t called; /* the function or trap that the event called; GNOMON_PROFILE_UNPROFILED: it is no call */
    uint64_t lost;   /* cycles between the hart's last event and this one that are in no function */
};

enum gnomon_status gnomon_moments_begin(struct gnomon_export *export, struct gnomon_error *error);
/* *got false: there are no more. */
enum gnomon_status gnomon_moments_next(struct gnomon_export *export, struct gnomon_moment *moment, bool *got,
                                       struct gnomon_error *error);
/* At END: the events of the hart that were in missing frames; `known`: those that LOST events have told. */
uint64_t gnomon_moments_missing(const struct gnomon_export *export, const struct gnomon_event *event, uint64_t known);
/* After the last one: functions get their labels, and `exactness` and `sums` are valid. */
enum gnomon_status gnomon_moments_end(struct gnomon_export *export, struct gnomon_error *error);

/* The event is a message that a thread marks something with; *number: of the mark or value. */
bool gnomon_moment_is_mark(const struct gnomon_event *event, uint32_t *number);
bool gnomon_moment_is_value(const struct gnomon_event *event, uint32_t *number);

#endif
