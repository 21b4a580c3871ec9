/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/live/live_harts.h"

#include <stdlib.h>
#include <string.h>

#include "lib/util/array.h"
#include "lib/util/bytes.h"

bool gnomon_live_harts_open(struct gnomon_live_harts *harts, struct gnomon_trace *trace, struct gnomon_trace *other,
                            uint64_t window) {
    *harts = (struct gnomon_live_harts){.harts = {{.trace = trace}, {.trace = other}}, .window = window};
    for (unsigned i = 0; other && i < GNOMON_MAX_HARTS; i++) {
        struct gnomon_trace *ahead = harts->harts[i].ahead = gnomon_trace_new(0);
        if (!ahead || !gnomon_trace_select(ahead, i))
            return false;
    }
    return true;
}

void gnomon_live_harts_close(struct gnomon_live_harts *harts) {
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++) {
        gnomon_trace_free(harts->harts[i].ahead);
        free(harts->harts[i].frames);
    }
    *harts = (struct gnomon_live_harts){0};
}

/* ---- Frames ---- */

static bool is_of(const uint8_t *frame, unsigned hart) {
    return frame[GNOMON_FRAME_AT_HART] == hart;
}

/* A frame whose header makes no sense may be of either hart: both decoders get it. */
static bool makes_sense(const uint8_t *frame) {
    return gnomon_little(frame + GNOMON_FRAME_AT_MAGIC, 2) == GNOMON_FRAME_MAGIC &&
           frame[GNOMON_FRAME_AT_HART] < GNOMON_MAX_HARTS;
}

static bool keep(struct gnomon_live_hart *hart, const uint8_t *frame) {
    if (hart->first) {
        memmove(hart->frames, hart->frames + hart->first * GNOMON_FRAME_BYTES, hart->count * GNOMON_FRAME_BYTES);
        hart->first = 0;
    }
    if (!gnomon_array_room(&hart->frames, &hart->room, hart->count + 1, GNOMON_FRAME_BYTES))
        return false;
    memcpy(hart->frames + hart->count++ * GNOMON_FRAME_BYTES, frame, GNOMON_FRAME_BYTES);
    return true;
}

static void look_ahead(struct gnomon_trace *ahead, const uint8_t *frame) {
    struct gnomon_event ignored;
    if (!ahead)
        return;
    gnomon_trace_feed(ahead, frame);
    while (gnomon_trace_next(ahead, &ignored) == GNOMON_TRACE_EVENT)
        ;
}

bool gnomon_live_harts_feed(struct gnomon_live_harts *harts, const uint8_t *frame) {
    const bool sound = makes_sense(frame);
    const uint64_t begins = sound ? gnomon_little(frame + GNOMON_FRAME_AT_CYCLE, 8) : 0;
    harts->newest = begins > harts->newest ? begins : harts->newest;
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++) {
        struct gnomon_live_hart *hart = &harts->harts[i];
        if (!hart->trace || (sound && !is_of(frame, i)))
            continue;
        look_ahead(hart->ahead, frame);
        if (!keep(hart, frame))
            return false;
    }
    return true;
}

bool gnomon_live_harts_ended(const struct gnomon_live_harts *harts, const uint8_t *frame) {
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++) {
        const struct gnomon_live_hart *hart = &harts->harts[i];
        if (hart->trace && is_of(frame, i))
            return gnomon_trace_stats(hart->ahead ? hart->ahead : hart->trace)->ended;
    }
    return false;
}

/* ---- Events ---- */

/* Is there an event of the hart? *cycle: when it is due. */
static bool is_due(struct gnomon_live_hart *hart, uint64_t *cycle) {
    if (!hart->trace)
        return false;
    while (!gnomon_trace_due(hart->trace, cycle)) {
        if (!hart->count)
            return false;
        gnomon_trace_feed(hart->trace, hart->frames + hart->first++ * GNOMON_FRAME_BYTES);
        hart->count--;
    }
    return true;
}

/* Can the hart, which has no event now, still have sent one before `cycle`? Events of the cycle of the last one do not
 * wait, so that all of one cycle are given together. */
static bool may_send(const struct gnomon_live_harts *harts, const struct gnomon_live_hart *hart, uint64_t cycle) {
    return hart->trace && !harts->over && !harts->alone && !gnomon_trace_stats(hart->trace)->ended &&
           cycle > harts->given && cycle + harts->window > harts->newest;
}

/* The hart whose event comes next; hart 0 goes first if both are of one cycle. NULL: none. *cycle: when it is due; a
 * loss where it can have begun. */
static struct gnomon_live_hart *choose(struct gnomon_live_harts *harts, uint64_t *cycle) {
    uint64_t due[GNOMON_MAX_HARTS];
    struct gnomon_live_hart *const both = harts->harts;
    const bool one = is_due(&both[0], &due[0]), other = is_due(&both[1], &due[1]);
    const unsigned chosen = !one || (other && due[1] < due[0]);
    if (!one && !other)
        return NULL;
    *cycle = due[chosen];
    return (one && other) || !may_send(harts, &both[!chosen], *cycle) ? &both[chosen] : NULL;
}

enum gnomon_trace_result gnomon_live_harts_next(struct gnomon_live_harts *harts, struct gnomon_event *event) {
    uint64_t cycle;
    struct gnomon_live_hart *hart = choose(harts, &cycle);
    if (!hart)
        return GNOMON_TRACE_MORE;
    harts->late += harts->harts[1].trace && cycle < harts->given;
    harts->given = cycle > harts->given ? cycle : harts->given;
    return gnomon_trace_next(hart->trace, event);
}
