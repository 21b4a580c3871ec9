/* SPDX-License-Identifier: Apache-2.0 */
/* The fast way through a frame: packets of calls that begin, and that end in turn, which are nearly all packets of most
 * traces. It does what gnomon_trace_next does, without an event for each. Whatever needs a second thought is left to
 * that function: the loop stops before it. */
#include <string.h>

#include "lib/trace/trace_decoder_internal.h"

#define MOST_DELTA_BYTES 4 /* of a LEB that this loop takes */

/* What the loop changes of the decoder's state. The compiler keeps it in registers. */
struct place {
    const uint8_t *at;
    uint32_t depth, ring;
    uint8_t context;
};

/* Does a call come next, and is all known that the loop relies on? */
static bool is_plain(const struct gnomon_trace *trace, const struct trace_stack *stack) {
    return trace->at < trace->end && *trace->at < GNOMON_PACKET_EXT && !trace->failed && !trace->header_damage &&
           !trace->gap_due && !trace->begin_due && !trace->stats.ended && trace->ring_known && trace->context_known &&
           stack->jumped_at == 0 && stack->left_to == 0 && trace->cycle < TRACE_MAX_CYCLE / 2;
}

/* A delta of up to MOST_DELTA_BYTES bytes at `at`, which then is after it. False: it is longer, or has no end. */
static bool take_delta(const uint8_t **at, const uint8_t *end, uint32_t *delta) {
    const uint8_t *next = *at;
    *delta = 0;
    for (unsigned shift = 0; shift < 7 * MOST_DELTA_BYTES && next < end; shift += 7) {
        const uint8_t byte = *next++;
        *delta |= (uint32_t)(byte & 0x7F) << shift;
        if (!(byte & 0x80)) {
            *at = next;
            return true;
        }
    }
    return false;
}

/* A packet that names its function. False: it is another one, or the number is not below `limit`. */
static bool take_named(struct gnomon_trace *trace, struct place *place, uint32_t limit, struct gnomon_call *call) {
    const uint8_t first = place->at[0], *at = place->at + 2;
    uint32_t number = place->at[1];
    if (at > trace->end)
        return false;
    if (first >> 4 == GNOMON_PACKET_ENTER_NEAR >> 4) {
        call->cycles = first & 0x0F;
    } else if (first >> 4 == GNOMON_PACKET_ENTER >> 4) {
        number |= (uint32_t)(first & 0x0F) << 8;
        if (!take_delta(&at, trace->end, &call->cycles))
            return false;
    } else {
        return false;
    }
    if (number >= limit)
        return false;
    call->what = number;
    trace->predicted[place->context] = number;
    place->at = at;
    return true;
}

bool gnomon_trace_calls(struct gnomon_trace *trace, uint32_t limit, struct gnomon_calls *calls) {
    struct trace_stack *stack = stack_of(trace);
    calls->count = 0;
    if (!is_plain(trace, stack) || !trace_stack_reserve(stack, stack->depth + GNOMON_FRAME_BYTES))
        return false;
    struct place place = {trace->at, stack->depth, trace->ring, trace->context};
    uint32_t *const entries = stack->entries;
    struct gnomon_call *call = calls->calls;
    uint64_t cycles = 0, ends = 0;
    for (; place.at < trace->end; call++) {
        const uint32_t first = place.at[0];
        bool begins = true;
        if (first < GNOMON_PACKET_ENTER_NEAR) {
            /* Which of these packets it is cannot be foreseen, so no branch depends on it. */
            const bool wide = first >= GNOMON_PACKET_EXIT_TOP2;
            begins = first >> (wide ? 5 : 6) & 1;
            if ((!begins && (place.ring == 0 || place.depth == 0)) || (wide && place.at + 1 == trace->end))
                break;
            const uint32_t top = entries[place.depth - !begins], predicted = trace->predicted[place.context];
            call->what = begins ? predicted : top;
            if (call->what >= limit)
                break;
            call->cycles = wide ? (first & 0x1F) << 8 | place.at[1] : first & 0x3F;
            place.at += 1 + wide;
        } else if (!take_named(trace, &place, limit, call)) {
            break;
        }
        entries[place.depth - !begins] = call->what;
        place.context = (uint8_t)(begins ? call->what : ~call->what);
        place.depth += begins ? 1 : UINT32_MAX;
        place.ring += begins ? place.ring < trace->ring_size : UINT32_MAX;
        call->what |= begins ? 0 : GNOMON_CALL_ENDS;
        ends += !begins;
        cycles += call->cycles;
    }
    calls->from = trace->cycle;
    calls->hart = trace->hart;
    calls->thread = stack->thread;
    calls->depth = stack->depth;
    calls->count = (size_t)(call - calls->calls);
    trace->cycle += cycles;
    trace->stats.bytes += (uint64_t)(place.at - trace->at);
    trace->stats.enters += calls->count - ends;
    trace->stats.exits += ends;
    if (calls->count)
        trace->stats.last_cycle = trace->cycle;
    trace->at = place.at;
    trace->ring = place.ring;
    trace->context = place.context;
    stack->depth = place.depth;
    return calls->count > 0;
}

struct gnomon_event gnomon_calls_event(const struct gnomon_calls *calls, size_t index, uint64_t cycle) {
    const struct gnomon_call *call = &calls->calls[index];
    const bool ends = call->what & GNOMON_CALL_ENDS;
    return (struct gnomon_event){
        .type = ends ? GNOMON_EVENT_EXIT : GNOMON_EVENT_ENTER,
        .hart = calls->hart,
        .thread = calls->thread,
        .cycle = cycle + call->cycles,
        .number = call->what & ~GNOMON_CALL_ENDS,
        .popped = ends,
    };
}
