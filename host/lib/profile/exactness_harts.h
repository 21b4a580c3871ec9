/* SPDX-License-Identifier: Apache-2.0 */
/* What exactness.c says of runs on two harts: whose losses they are, and what is missing of the other hart. */
#ifndef GNOMON_LIB_EXACTNESS_HARTS_H
#define GNOMON_LIB_EXACTNESS_HARTS_H

#include "lib/profile/exactness.h"

/* What can concern one hart. */
typedef bool exactness_concerns(const struct gnomon_trace_stats *stats);
exactness_concerns exactness_no_end, exactness_lost_frames, exactness_lost_events, exactness_lost_messages;

/* Of figures of both harts: " of hart 1" or " of both harts", after what it concerns; of figures of one hart: "". */
#define EXACTNESS_WHOSE_BYTES 24
const char *exactness_whose(const struct gnomon_evidence *evidence, exactness_concerns *concerns,
                            char text[EXACTNESS_WHOSE_BYTES]);
/* The text is valid until the end of the enclosing block. */
#define WHOSE(evidence, concerns) exactness_whose(evidence, concerns, (char[EXACTNESS_WHOSE_BYTES]){0})

/* The cycle at which what is known ends: of two harts the earlier end. */
uint64_t exactness_last_known(const struct gnomon_evidence *evidence);

/* Adds the reasons that concern the harts. */
void exactness_harts(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence);

#endif
