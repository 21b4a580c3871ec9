/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "lib/util/array.h"

#include "lib/trace/trace_decoder_internal.h"

#define MAX_CHANNEL 16383
#define MAX_MODULE 32767
#define TRAP_CAUSE_BITS 0x3F

/* ---- Reading ---- */

static bool take_bytes(struct gnomon_trace *trace, unsigned count, uint64_t *value) {
    if ((size_t)(trace->end - trace->at) < count)
        return false;
    *value = gnomon_little(trace->at, count);
    trace->at += count;
    return true;
}

static bool take_leb(struct gnomon_trace *trace, uint64_t *value) {
    *value = 0;
    for (unsigned shift = 0; shift < 70 && trace->at < trace->end; shift += 7) {
        uint8_t byte = *trace->at++;
        if (shift == 63 && byte > 1)
            return false;
        *value |= (uint64_t)(byte & 0x7F) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

static bool take_leb_up_to(struct gnomon_trace *trace, uint64_t limit, uint32_t *value) {
    uint64_t wide;
    if (!take_leb(trace, &wide) || wide > limit)
        return false;
    *value = (uint32_t)wide;
    return true;
}

static bool advance(struct gnomon_trace *trace, uint64_t delta) {
    if (delta > TRACE_MAX_CYCLE || trace->cycle + delta > TRACE_MAX_CYCLE)
        return false;
    trace->cycle += delta;
    return true;
}

/* ---- Stack and prediction ---- */

/* Forgets where the last LONGJMP may land. Called when a call begins or something ends out of turn, unless that is in a
 * trap that came after LONGJMP. */
static void goes_on(struct trace_stack *stack) {
    if (stack->jumped_at == stack->depth + 1)
        stack->jumped_at = 0;
}

static bool push(struct gnomon_trace *trace, uint32_t entry) {
    if (!(entry & TRACE_MARKER))
        goes_on(stack_of(trace));
    if (!trace_stack_push(stack_of(trace), entry)) {
        trace->failed = true;
        return false;
    }
    if (trace->ring < trace->ring_size)
        trace->ring++;
    return true;
}

static void forget_ring(struct gnomon_trace *trace) {
    trace->ring = 0;
    trace->ring_known = true;
}

static void context_after_exit(struct gnomon_trace *trace, uint32_t number) {
    trace->context = (uint8_t)~number;
    trace->context_known = number != GNOMON_FUNCTION_UNKNOWN;
}

/* The encoder has written a prediction entry, but it is not known which entry or which value. Older entries are not
 * reliable any more. */
static void predictions_lost(struct gnomon_trace *trace) {
    forget_predictions(trace);
    trace->predictions_missing = true;
}

static void learn(struct gnomon_trace *trace, uint32_t number) {
    if (number <= GNOMON_PRED_MAX_NUMBER) {
        if (trace->context_known)
            trace->predicted[trace->context] = number;
        else
            predictions_lost(trace);
    }
    context_plain(trace, (uint8_t)number);
}

static bool predict(const struct gnomon_trace *trace, uint32_t *number) {
    if (trace->context_known && trace->predicted[trace->context] != TRACE_NOT_PREDICTED) {
        *number = trace->predicted[trace->context];
        return true;
    }
    *number = GNOMON_FUNCTION_UNKNOWN;
    return trace->predictions_missing || !trace->context_known;
}

/* ---- Packets ---- */

static enum trace_outcome enter(struct gnomon_trace *trace, struct gnomon_event *event, uint32_t number) {
    event->type = GNOMON_EVENT_ENTER;
    event->number = number;
    event->depth = stack_of(trace)->depth;
    learn(trace, number);
    trace->stats.enters++;
    return push(trace, number) ? OUT_EVENT : OUT_FAILED;
}

static enum trace_outcome enter_predicted(struct gnomon_trace *trace, struct gnomon_event *event) {
    uint32_t number;
    if (!predict(trace, &number))
        return OUT_DAMAGE;
    if (number != GNOMON_FUNCTION_UNKNOWN)
        return enter(trace, event, number);
    /* The name is lost. The prediction entry that this ENTER writes is already there, but the new context is unknown.
     */
    event->type = GNOMON_EVENT_ENTER;
    event->number = number;
    event->depth = stack_of(trace)->depth;
    trace->context_known = false;
    trace->stats.enters++;
    return push(trace, TRACE_UNKNOWN) ? OUT_EVENT : OUT_FAILED;
}

/* If calls are watched, longjmp itself and other calls end in turn before the landing. */
static void take_off(struct gnomon_trace *trace, struct trace_stack *stack, uint32_t popped) {
    bool in_turn = trace_stack_in_turn(stack, popped);
    bool ends_trap = popped > 0 && stack->entries[stack->depth - popped] & TRACE_MARKER;
    if (!in_turn || ends_trap)
        goes_on(stack);
    else if (stack->jumped_at == stack->depth + 1)
        stack->jumped_at -= popped;
    trace->stats.unbalanced += !in_turn;
    trace_stack_pop(stack, popped);
}

/* The short form: ends the top entry. */
static enum trace_outcome leave_top(struct gnomon_trace *trace, struct gnomon_event *event) {
    struct trace_stack *stack = stack_of(trace);
    event->type = GNOMON_EVENT_EXIT;
    event->number = GNOMON_FUNCTION_UNKNOWN;
    event->popped = 0;
    if (trace->ring_known && trace->ring == 0)
        return OUT_DAMAGE;
    if (stack->depth > 0) {
        uint32_t top = stack->entries[stack->depth - 1];
        if (top & TRACE_MARKER)
            return OUT_DAMAGE;
        event->popped = 1;
        if ((top & ~TRACE_LEFT) != TRACE_UNKNOWN)
            event->number = top & ~TRACE_LEFT;
    }
    take_off(trace, stack, event->popped);
    if (trace->ring > 0)
        trace->ring--;
    event->depth = stack->depth;
    context_after_exit(trace, event->number);
    trace->stats.exits++;
    return OUT_EVENT;
}

static enum trace_outcome leave_long(struct gnomon_trace *trace, struct gnomon_event *event) {
    uint32_t number;
    if (!take_leb_up_to(trace, GNOMON_MAX_FUNCTIONS - 1, &number))
        return OUT_DAMAGE;
    struct trace_stack *stack = stack_of(trace);
    event->type = GNOMON_EVENT_EXIT;
    event->number = number;
    event->popped = trace_stack_find(stack, number, true);
    take_off(trace, stack, event->popped);
    event->depth = stack->depth;
    forget_ring(trace);
    context_after_exit(trace, number);
    trace->stats.exits++;
    return OUT_EVENT;
}

static enum trace_outcome trap_enter(struct gnomon_trace *trace, struct gnomon_event *event) {
    uint64_t cause;
    if (!take_bytes(trace, 1, &cause) || cause > TRAP_CAUSE_BITS)
        return OUT_DAMAGE;
    event->type = GNOMON_EVENT_TRAP_ENTER;
    event->number = (uint32_t)cause;
    event->depth = stack_of(trace)->depth;
    context_plain(trace, GNOMON_PRED_CONTEXT_NONE);
    trace->stats.trap_enters++;
    return push(trace, TRACE_MARKER | (uint32_t)cause) ? OUT_EVENT : OUT_FAILED;
}

static enum trace_outcome trap_leave(struct gnomon_trace *trace, struct gnomon_event *event) {
    struct trace_stack *stack = stack_of(trace);
    event->type = GNOMON_EVENT_TRAP_LEAVE;
    event->number = GNOMON_FUNCTION_UNKNOWN;
    event->popped = trace_stack_find_marker(stack);
    bool on_top = event->popped == 1;
    if (event->popped > 0) {
        event->number = stack->entries[stack->depth - event->popped] & ~TRACE_MARKER;
    } else if (stack->depth > 0 && (stack->entries[stack->depth - 1] & ~TRACE_LEFT) == TRACE_UNKNOWN) {
        event->popped = 1; /* after a gap: the marker is an unknown entry; in correct traces the top one */
        on_top = true;
        trace->ring_known = false;
    }
    trace->told = false;
    take_off(trace, stack, event->popped);
    event->depth = stack->depth;
    if (!on_top)
        forget_ring(trace);
    else if (trace->ring > 0)
        trace->ring--;
    context_plain(trace, GNOMON_PRED_CONTEXT_NONE);
    trace->stats.trap_leaves++;
    return OUT_EVENT;
}

/* Notes that longjmp returned to that function; the message does not say to which activation. What was open in a trap,
 * or above a function that is not known to be open, seems to continue. False: out of memory. */
static bool note_landing(struct gnomon_trace *trace, uint32_t number) {
    if (!trace->aggregates) {
        uint32_t open = trace_stack_land(stack_of(trace), number);
        trace->stats.ambiguous_landings += open > 1;
        trace->stats.unbalanced += open == 0;
        return true;
    }
    for (size_t i = 0; i < trace->landed_count; i++)
        if (trace->landed[i] == number)
            return true;
    if (!gnomon_array_room(&trace->landed, &trace->landed_capacity, trace->landed_count + 1, sizeof *trace->landed))
        return false;
    trace->landed[trace->landed_count++] = number;
    return true;
}

/* Notes a LONGJMP. It counts as a hookless landing until its LANDED comes. */
static void note_jump(struct gnomon_trace *trace, bool to_other_stack) {
    struct trace_stack *stack = stack_of(trace);
    trace->stats.jumps++;
    trace->stats.hookless_landings++;
    trace->stats.trap_jumps += trace_stack_find_marker(stack) > 0;
    trace->stats.stack_jumps += to_other_stack && !trace->told;
    trace->told = false;
    stack->jumped_at = stack->depth + 1;
}

/* Assigns a LANDED to the LONGJMP before it. */
static void pair_landing(struct gnomon_trace *trace) {
    struct trace_stack *stack = stack_of(trace);
    if (stack->jumped_at == stack->depth + 1)
        trace->stats.hookless_landings--;
    stack->jumped_at = 0;
}

static enum trace_outcome channel(struct gnomon_trace *trace, struct gnomon_event *event) {
    uint64_t value;
    if (!take_leb_up_to(trace, MAX_CHANNEL, &event->number) || !take_bytes(trace, 4, &value))
        return OUT_DAMAGE;
    event->type = GNOMON_EVENT_CHANNEL;
    event->value = (uint32_t)value;
    event->depth = stack_of(trace)->depth;
    context_plain(trace, GNOMON_PRED_CONTEXT_NONE);
    trace->stats.channels++;
    if (event->number == GNOMON_CHANNEL_THREAD) {
        forget_ring(trace);
        trace->told = true;
        if (!gnomon_trace_run(trace, event->value))
            return OUT_FAILED;
        const struct gnomon_trace *other = trace->partner;
        trace->stats.twice += other && !other->stats.ended && other->running == trace->running;
    } else if (event->number == GNOMON_CHANNEL_LOCK_WORD) {
        trace->words[(event->value & 3) << 8 | (event->value >> 2 & trace->word_sets)] = event->value & ~3u;
    } else if (event->number == GNOMON_CHANNEL_LONGJMP) {
        note_jump(trace, event->value & GNOMON_LONGJMP_OTHER_STACK);
    } else if (event->number == GNOMON_CHANNEL_LANDED) {
        pair_landing(trace);
        if (!note_landing(trace, ~event->value))
            return OUT_FAILED;
    }
    return OUT_EVENT;
}

static enum trace_outcome lock(struct gnomon_trace *trace, struct gnomon_event *event) {
    uint64_t info, address, data = 0;
    if (!take_bytes(trace, 1, &info) || info > (GNOMON_LOCK_DATA | GNOMON_LOCK_SEGMENT | GNOMON_LOCK_WRITE) ||
        !take_bytes(trace, 4, &address) || (info & GNOMON_LOCK_DATA && !take_bytes(trace, 4, &data)))
        return OUT_DAMAGE;
    event->type = GNOMON_EVENT_LOCK;
    event->number = (uint32_t)info;
    event->value = (uint32_t)address;
    event->data = (uint32_t)data;
    event->depth = stack_of(trace)->depth;
    context_plain(trace, GNOMON_PRED_CONTEXT_NONE);
    trace->stats.locks++;
    return OUT_EVENT;
}

static enum trace_outcome access_(struct gnomon_trace *trace, struct gnomon_event *event) {
    uint64_t info, address, data = 0;
    if (!take_bytes(trace, 1, &info) || GNOMON_ACCESS_PORT(info) >= GNOMON_PORTS || !take_bytes(trace, 4, &address) ||
        (info & GNOMON_ACCESS_DATA && !take_bytes(trace, 4, &data)))
        return OUT_DAMAGE;
    event->type = GNOMON_EVENT_ACCESS;
    event->number = (uint32_t)info;
    event->value = (uint32_t)address;
    event->data = (uint32_t)data;
    event->depth = stack_of(trace)->depth;
    context_plain(trace, GNOMON_PRED_CONTEXT_NONE);
    trace->stats.accesses++;
    return OUT_EVENT;
}

/* The fields of a WORD packet's number. */
#define WORD_PLACE(number) ((number)&0x3FF)
#define WORD_LANES(number) ((number) >> 10 & 15)
#define WORD_READ 0x4000u
#define WORD_WRITE 0x8000u

static enum trace_outcome word(struct gnomon_trace *trace, struct gnomon_event *event) {
    uint32_t number;
    uint64_t value;
    if (!take_leb_up_to(trace, UINT16_MAX, &number) || !WORD_LANES(number) || !take_bytes(trace, 4, &value))
        return OUT_DAMAGE;
    unsigned first = 0;
    while (!(WORD_LANES(number) >> first & 1))
        first++;
    const uint32_t address = trace->words[WORD_PLACE(number)];
    event->type = GNOMON_EVENT_ACCESS;
    event->number = GNOMON_ACCESS_WORD | GNOMON_ACCESS_DATA | GNOMON_PORT_DATA << 1 | WORD_LANES(number) << 4 |
                    (number & WORD_WRITE ? GNOMON_ACCESS_WRITE : 0) | (number & WORD_READ ? GNOMON_ACCESS_READ : 0) |
                    (address ? 0 : GNOMON_ACCESS_UNPLACED);
    event->value = address ? address : WORD_PLACE(number);
    event->data = (uint32_t)value << (8 * first);
    event->depth = stack_of(trace)->depth;
    context_plain(trace, GNOMON_PRED_CONTEXT_NONE);
    trace->stats.accesses++;
    return OUT_EVENT;
}

static enum trace_outcome module(struct gnomon_trace *trace, struct gnomon_event *event) {
    uint64_t value;
    if (!take_leb_up_to(trace, MAX_MODULE, &event->number) || !take_bytes(trace, 4, &value))
        return OUT_DAMAGE;
    event->type = GNOMON_EVENT_MODULE;
    event->value = (uint32_t)value;
    event->depth = stack_of(trace)->depth;
    context_plain(trace, GNOMON_PRED_CONTEXT_NONE);
    trace->stats.modules++;
    return OUT_EVENT;
}

/* Takes the count of bus messages that were made so far, and finds how many of them are missing since the last count.
 * False: there is none where it must be. */
static bool take_bus_count(struct gnomon_trace *trace, uint32_t *missing) {
    uint64_t made;
    *missing = 0;
    if (!trace->counts_bus)
        return true;
    if (!take_bytes(trace, 4, &made))
        return false;
    struct gnomon_trace_stats *stats = &trace->stats;
    *missing = (uint32_t)made - (uint32_t)(stats->locks + stats->accesses + stats->bus_lost);
    if (*missing > UINT32_MAX / 2) { /* fewer were made than have come */
        stats->flaws |= GNOMON_TRACE_END_DIFFERS;
        *missing = 0;
    }
    stats->bus_lost += *missing;
    return true;
}

static enum trace_outcome lost(struct gnomon_trace *trace, struct gnomon_event *event) {
    struct gnomon_event_lost *counts = &event->lost;
    if (!take_leb(trace, &counts->enters) || !take_leb(trace, &counts->exits) || !take_leb(trace, &counts->others) ||
        !take_leb(trace, &counts->cycles) || !take_bus_count(trace, &counts->bus))
        return OUT_DAMAGE;
    counts->counts_bus = trace->counts_bus;
    if ((counts->enters | counts->exits | counts->others) > TRACE_MAX_CYCLE || counts->cycles > TRACE_MAX_CYCLE)
        return OUT_DAMAGE;
    event->type = GNOMON_EVENT_LOST;
    event->depth = stack_of(trace)->depth;
    trace->lost_so_far += (uint32_t)(counts->enters + counts->exits + counts->others);
    struct gnomon_event_lost *sum = &trace->stats.lost;
    sum->enters += counts->enters;
    sum->exits += counts->exits;
    sum->others += counts->others;
    sum->cycles += counts->cycles;
    return OUT_EVENT;
}

static enum trace_outcome begin(struct gnomon_trace *trace, struct gnomon_event *event) {
    uint64_t pc;
    if (!trace->begin_due || !take_bytes(trace, 4, &pc))
        return OUT_DAMAGE;
    event->type = GNOMON_EVENT_BEGIN;
    event->value = (uint32_t)pc;
    event->depth = 0;
    context_plain(trace, GNOMON_PRED_CONTEXT_NONE);
    trace->stats.begun = true;
    return OUT_EVENT;
}

static enum trace_outcome end(struct gnomon_trace *trace, struct gnomon_event *event) {
    uint64_t status, how;
    uint32_t missing;
    struct gnomon_event_end *totals = &event->end;
    if (!take_bytes(trace, 4, &status) || !take_bytes(trace, 8, &totals->instructions) ||
        !take_bytes(trace, 8, &totals->produced) || !take_bytes(trace, 8, &totals->lost) ||
        !take_bytes(trace, 1, &how) || !take_bus_count(trace, &missing))
        return OUT_DAMAGE;
    if (how > 2 || totals->lost > totals->produced)
        return OUT_DAMAGE;
    event->type = GNOMON_EVENT_END;
    event->value = (uint32_t)status;
    event->depth = stack_of(trace)->depth;
    totals->how = (uint8_t)how;
    totals->counts_bus = trace->counts_bus;
    totals->bus_lost = trace->stats.bus_lost;
    struct gnomon_trace_stats *stats = &trace->stats;
    stats->ended = true;
    stats->status = event->value;
    stats->end = *totals;
    if (trace->lost_so_far != (uint32_t)totals->lost)
        stats->flaws |= GNOMON_TRACE_END_DIFFERS;
    if (!trace->aggregates)
        gnomon_trace_check_end(trace);
    return OUT_EVENT;
}

void gnomon_trace_check_end(struct gnomon_trace *trace) {
    struct gnomon_trace_stats *stats = &trace->stats;
    bool whole = stats->frames_lost == 0 && stats->frames_damaged == 0;
    uint64_t arrived = gnomon_trace_received(stats) + stats->end.lost;
    if ((whole && stats->flaws == 0 && arrived != stats->end.produced) || arrived > stats->end.produced)
        stats->flaws |= GNOMON_TRACE_END_DIFFERS;
}

static enum trace_outcome nothing(struct gnomon_trace *trace, struct gnomon_event *event) {
    (void)trace;
    (void)event;
    return OUT_NOTHING;
}

static enum trace_outcome enter_long(struct gnomon_trace *trace, struct gnomon_event *event) {
    uint32_t number;
    return take_leb_up_to(trace, GNOMON_MAX_FUNCTIONS - 1, &number) ? enter(trace, event, number) : OUT_DAMAGE;
}

static enum trace_outcome extended(struct gnomon_trace *trace, struct gnomon_event *event, unsigned kind) {
    static enum trace_outcome (*const kinds[])(struct gnomon_trace *, struct gnomon_event *) = {
        [GNOMON_EXT_ENTER_LONG] = enter_long,
        [GNOMON_EXT_EXIT_LONG] = leave_long,
        [GNOMON_EXT_EXIT_FAR] = leave_top,
        [GNOMON_EXT_ENTER_FAR] = enter_predicted,
        [GNOMON_EXT_TRAP_ENTER] = trap_enter,
        [GNOMON_EXT_TRAP_LEAVE] = trap_leave,
        [GNOMON_EXT_CHANNEL] = channel,
        [GNOMON_EXT_LOCK] = lock,
        [GNOMON_EXT_MODULE] = module,
        [GNOMON_EXT_TIME] = nothing,
        [GNOMON_EXT_LOST] = lost,
        [GNOMON_EXT_BEGIN] = begin,
        [GNOMON_EXT_END] = end,
        [GNOMON_EXT_ACCESS] = access_,
        [GNOMON_EXT_WORD] = word,
    };
    uint64_t delta;
    if (kind >= sizeof kinds / sizeof *kinds || !take_leb(trace, &delta) || !advance(trace, delta))
        return OUT_DAMAGE;
    return kinds[kind](trace, event);
}

static enum trace_outcome skip_reserved(struct gnomon_trace *trace) {
    uint64_t length;
    if (!take_leb(trace, &length) || length > (uint64_t)(trace->end - trace->at))
        return OUT_DAMAGE;
    trace->at += length;
    trace->stats.skipped++;
    context_plain(trace, GNOMON_PRED_CONTEXT_NONE);
    return OUT_NOTHING;
}

/* Forms whose delta has one more byte. */
static bool advance_two_bytes(struct gnomon_trace *trace, uint8_t first) {
    return trace->at < trace->end && advance(trace, (uint64_t)(first & 0x1F) << 8 | *trace->at++);
}

enum trace_outcome gnomon_trace_packet(struct gnomon_trace *trace, struct gnomon_event *event) {
    uint8_t first = *trace->at++;
    if (trace->stats.ended)
        return OUT_DAMAGE; /* END must be the last packet */
    if (trace->begin_due && first != (GNOMON_PACKET_EXT | GNOMON_EXT_BEGIN))
        trace->stats.flaws |= GNOMON_TRACE_NO_BEGIN;
    uint64_t low, delta;
    switch (first >> 4) {
    case GNOMON_PACKET_EXIT_TOP >> 4 ...(GNOMON_PACKET_ENTER_PRED >> 4) - 1:
        return advance(trace, first & 0x3F) ? leave_top(trace, event) : OUT_DAMAGE;
    case GNOMON_PACKET_ENTER_PRED >> 4 ...(GNOMON_PACKET_EXIT_TOP2 >> 4) - 1:
        return advance(trace, first & 0x3F) ? enter_predicted(trace, event) : OUT_DAMAGE;
    case GNOMON_PACKET_EXIT_TOP2 >> 4 ...(GNOMON_PACKET_ENTER_PRED2 >> 4) - 1:
        return advance_two_bytes(trace, first) ? leave_top(trace, event) : OUT_DAMAGE;
    case GNOMON_PACKET_ENTER_PRED2 >> 4 ...(GNOMON_PACKET_ENTER_NEAR >> 4) - 1:
        return advance_two_bytes(trace, first) ? enter_predicted(trace, event) : OUT_DAMAGE;
    case GNOMON_PACKET_ENTER_NEAR >> 4:
        if (!take_bytes(trace, 1, &low) || !advance(trace, first & 0x0F))
            return OUT_DAMAGE;
        return enter(trace, event, (uint32_t)low);
    case GNOMON_PACKET_ENTER >> 4:
        if (!take_bytes(trace, 1, &low) || !take_leb(trace, &delta) || !advance(trace, delta))
            return OUT_DAMAGE;
        return enter(trace, event, (uint32_t)(first & 0x0F) << 8 | (uint32_t)low);
    case GNOMON_PACKET_EXT >> 4:
        return extended(trace, event, first & 0x0F);
    default:
        return (first & 0xF8) == GNOMON_PACKET_RESERVED ? skip_reserved(trace) : OUT_DAMAGE;
    }
}

bool gnomon_trace_is_filler(struct gnomon_trace *trace, uint64_t *delta) {
    const uint8_t *start = trace->at++;
    const uint8_t first = *start;
    bool known = true, filler = false;
    uint64_t low = 0;
    *delta = 0;
    switch (first >> 4) {
    case GNOMON_PACKET_EXIT_TOP >> 4 ...(GNOMON_PACKET_EXIT_TOP2 >> 4) - 1:
        *delta = first & 0x3F;
        break;
    case GNOMON_PACKET_EXIT_TOP2 >> 4 ...(GNOMON_PACKET_ENTER_NEAR >> 4) - 1:
        known = take_bytes(trace, 1, &low);
        *delta = (uint64_t)(first & 0x1F) << 8 | low;
        break;
    case GNOMON_PACKET_ENTER_NEAR >> 4:
        *delta = first & 0x0F;
        break;
    case GNOMON_PACKET_ENTER >> 4:
        known = take_bytes(trace, 1, &low) && take_leb(trace, delta);
        break;
    case GNOMON_PACKET_EXT >> 4:
        known = take_leb(trace, delta);
        filler = (first & 0x0F) == GNOMON_EXT_TIME;
        if ((first & 0x0F) == GNOMON_EXT_LOST)
            *delta = 0;
        break;
    default:
        filler = (first & 0xF8) == GNOMON_PACKET_RESERVED;
    }
    trace->at = start;
    if (!known || *delta > TRACE_MAX_CYCLE)
        *delta = 0;
    return filler;
}
