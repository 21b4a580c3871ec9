/* SPDX-License-Identifier: Apache-2.0 */
/* The traces of a running program's harts as one sequence of events, in the order of time (as trace_merge.h has it of a
 * file). The frames of two harts do not come in the order of time: an event of one hart waits until the other hart's
 * trace has come that far, or until all that the other hart can have sent by then must have come. */
#ifndef GNOMON_LIB_LIVE_HARTS_H
#define GNOMON_LIB_LIVE_HARTS_H

#include "lib/trace/trace_decoder.h"

struct gnomon_live_hart {
    struct gnomon_trace *trace; /* borrowed; NULL: there is no such hart */
    struct gnomon_trace *ahead; /* with two harts: decodes each frame as it comes, to tell the end of the trace */
    size_t first, count, room;  /* frames that wait */
    uint8_t *frames;            /* owned; GNOMON_FRAME_BYTES each */
};

struct gnomon_live_harts {
    struct gnomon_live_hart harts[GNOMON_MAX_HARTS];
    uint64_t window; /* cycles that a frame of one hart may come later than those of the other */
    uint64_t newest; /* cycle at which the newest frame begins */
    uint64_t given;  /* cycle at which the last event was due */
    uint64_t late;   /* events that came after later ones of the other hart had been given */
    bool alone;      /* hart 1 has not begun: what came up to now need not wait for it */
    bool over;       /* no more frames will come */
};

/* `other` NULL: there is one hart. Both decoders were joined with gnomon_trace_join, and outlive `harts`. The caller
 * closes `harts`, whatever the result is. False: out of memory. */
bool gnomon_live_harts_open(struct gnomon_live_harts *harts, struct gnomon_trace *trace, struct gnomon_trace *other,
                            uint64_t window);
void gnomon_live_harts_close(struct gnomon_live_harts *harts);

/* Takes the next frame of either hart. False: out of memory. */
bool gnomon_live_harts_feed(struct gnomon_live_harts *harts, const uint8_t *frame);
/* True if the END record of the frame's hart has come. */
bool gnomon_live_harts_ended(const struct gnomon_live_harts *harts, const uint8_t *frame);
/* The next event; MORE: none is due before the next frame. */
enum gnomon_trace_result gnomon_live_harts_next(struct gnomon_live_harts *harts, struct gnomon_event *event);

#endif
