/* SPDX-License-Identifier: Apache-2.0 */
/* The fast way through a frame: packets of calls that begin, and that end in turn, which are nearly all packets of most
 * traces. It does what gnomon_trace_next does, without an event for each. Whatever needs a second thought is left to
 * that function: the loop stops before it. */
#include <string.h>

#include "lib/trace/trace_decoder_internal.h"

#define MOST_DELTA_BYTES 3 /* of a LEB that this loop takes */

/* What the loop changes of the decoder's state. The compiler keeps it in registers. */
struct place {
    const uint8_t *at;
    uint32_t depth;
    uint32_t bottom; /* the entries from there up are on the encoder's stack */
    uint8_t context;
};

/* Does a call come next, and is all known that the loop relies on? */
static bool is_plain(const struct gnomon_trace *trace, const struct trace_stack *stack) {
    return trace->at < trace->end && *trace->at < GNOMON_PACKET_EXT && !trace->failed && !trace->header_damage &&
           !trace->gap_due && !trace->begin_due && !trace->stats.ended && trace->ring_known && trace->context_known &&
           stack->jumped_at == 0 && stack->left_to == 0 && trace->ring <= stack->depth &&
           trace->cycle < TRACE_MAX_CYCLE / 2;
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

/* What a packet says. */
struct packet {
    uint32_t cycles, number;
    uint32_t begins; /* 1: the call begins, 0: it ends */
};

/* A packet that names its function. False: it is another one, it comes too late, or the number is not below `limit`. */
static inline bool take_named(struct gnomon_trace *trace, struct place *place, uint32_t limit, struct packet *packet) {
    const uint8_t first = place->at[0], *at = place->at + 2;
    packet->number = place->at[1];
    packet->cycles = first & 0x0F;
    packet->begins = 1;
    if (at > trace->end || first >= GNOMON_PACKET_EXT)
        return false;
    if (first >= GNOMON_PACKET_ENTER) {
        packet->number |= (uint32_t)(first & 0x0F) << 8;
        if (!take_delta(&at, trace->end, &packet->cycles) || packet->cycles >= GNOMON_CALL_CYCLES)
            return false;
    }
    if (packet->number >= limit)
        return false;
    trace->predicted[place->context] = packet->number;
    place->at = at;
    return true;
}

/* One of the four short packets, which do not name their function. False: the packet is cut off, nothing is open that
 * can end, or the number is not below `limit`. Whether a call begins or ends cannot be foreseen, so no branch depends
 * on it.
 */
static inline bool take_short(const struct gnomon_trace *trace, struct place *place, const uint32_t *entries,
                              uint32_t limit, struct packet *packet) {
    const uint32_t first = place->at[0];
    const uint8_t *after = place->at + 1;
    packet->begins = first >> 6;
    packet->cycles = first & 0x3F;
    if (first >= GNOMON_PACKET_EXIT_TOP2) {
        packet->begins = first >> 5 & 1;
        packet->cycles = (first & 0x1F) << 8 | *after++;
    }
    const uint32_t index = place->depth - 1 + packet->begins;
    if (after > trace->end || (int32_t)index < (int32_t)place->bottom)
        return false;
    const uint32_t top = entries[index], predicted = trace->predicted[place->context];
    packet->number = top ^ ((top ^ predicted) & -packet->begins);
    if (packet->number >= limit)
        return false;
    place->at = after;
    return true;
}

bool gnomon_trace_calls(struct gnomon_trace *trace, uint32_t below, struct gnomon_calls *calls) {
    const uint32_t limit = below < GNOMON_CALL_FUNCTIONS ? below : GNOMON_CALL_FUNCTIONS;
    struct trace_stack *stack = stack_of(trace);
    calls->count = 0;
    if (!is_plain(trace, stack) || !trace_stack_reserve(stack, stack->depth + GNOMON_FRAME_BYTES))
        return false;
    struct place place = {trace->at, stack->depth, stack->depth - trace->ring, trace->context};
    const uint32_t ring_size = trace->ring_size;
    uint32_t *const entries = stack->entries;
    struct gnomon_call *call = calls->calls;
    uint64_t cycles = 0;
    for (; place.at < trace->end; call++) {
        struct packet packet;
        if (*place.at >= GNOMON_PACKET_ENTER_NEAR ? !take_named(trace, &place, limit, &packet)
                                                  : !take_short(trace, &place, entries, limit, &packet))
            break;
        entries[place.depth - 1 + packet.begins] = packet.number;
        place.context = (uint8_t)(packet.number ^ (packet.begins - 1));
        place.depth += 2 * packet.begins - 1;
        place.bottom += place.depth - place.bottom > ring_size;
        *call = (struct gnomon_call){packet.cycles, !packet.begins, packet.number};
        cycles += packet.cycles;
    }
    calls->from = trace->cycle;
    calls->hart = trace->hart;
    calls->thread = stack->thread;
    calls->depth = stack->depth;
    calls->count = (size_t)(call - calls->calls);
    const uint64_t ends = (calls->count - (uint64_t)((int64_t)place.depth - stack->depth)) / 2;
    trace->cycle += cycles;
    trace->stats.bytes += (uint64_t)(place.at - trace->at);
    trace->stats.enters += calls->count - ends;
    trace->stats.exits += ends;
    if (calls->count)
        trace->stats.last_cycle = trace->cycle;
    trace->at = place.at;
    trace->ring = place.depth - place.bottom;
    trace->context = place.context;
    stack->depth = place.depth;
    return calls->count > 0;
}

struct gnomon_event gnomon_calls_event(const struct gnomon_calls *calls, size_t index, uint64_t cycle) {
    const struct gnomon_call *call = &calls->calls[index];
    return (struct gnomon_event){
        .type = call->ends ? GNOMON_EVENT_EXIT : GNOMON_EVENT_ENTER,
        .hart = calls->hart,
        .thread = calls->thread,
        .cycle = cycle + call->cycles,
        .number = call->number,
        .popped = call->ends,
    };
}
