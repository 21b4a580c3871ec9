/* SPDX-License-Identifier: Apache-2.0 */
/* Open calls as function records. */
#ifndef GNOMON_LIB_LIVE_OPEN_H
#define GNOMON_LIB_LIVE_OPEN_H

#include "lib/device/epoch.h"

/* What the calls that were open at the epoch's end have counted so far, as records without calls, and as pairs of
 * caller and callee. The caller frees `open`. */
enum gnomon_status live_open_records(const struct gnomon_epoch *epoch, struct gnomon_records *open,
                                     struct gnomon_error *error);
/* Gives `to` the counts of `from` that are no function's. */
void live_same_counts(const struct gnomon_records *from, struct gnomon_records *to);

#endif
