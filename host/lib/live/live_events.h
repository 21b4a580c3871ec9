/* SPDX-License-Identifier: Apache-2.0 */
/* From frames to accounts. */
#ifndef GNOMON_LIB_LIVE_EVENTS_H
#define GNOMON_LIB_LIVE_EVENTS_H

#include "lib/live/live.h"

/* Gives all events that are due to the accounts. What goes wrong is noted in `live`. */
void live_take_events(struct gnomon_live *live);

#endif
