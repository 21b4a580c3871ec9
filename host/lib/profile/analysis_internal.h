/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the analysis share. Only analysis*.c use this header. */
#ifndef GNOMON_LIB_ANALYSIS_INTERNAL_H
#define GNOMON_LIB_ANALYSIS_INTERNAL_H

#include "lib/profile/analysis.h"

/* Reads the device's records, after the last event. */
enum gnomon_status analysis_take_records(struct gnomon_analysis *analysis, struct gnomon_error *error);
/* Of both harts, added. If those of a hart that ran are missing, there are none. */
enum gnomon_status analysis_take_both_records(struct gnomon_analysis *analysis, struct gnomon_error *error);

/* Reads the samples, after the last event. Damaged ones are an error: there is nothing else to show. */
enum gnomon_status analysis_take_samples(struct gnomon_analysis *analysis, struct gnomon_error *error);

/* Passes all events of the file to the profile. */
enum gnomon_status analysis_read_events(struct gnomon_analysis *analysis, struct gnomon_profile *profile,
                                        struct gnomon_error *error);

#endif
