/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/trace/trace_decoder.h"

#include <stdlib.h>
#include <string.h>

#include "lib/trace/trace_decoder_internal.h"

/* ---- Frames ---- */

bool gnomon_trace_run(struct gnomon_trace *trace, uint32_t thread) {
    size_t index = trace_threads_find(trace->threads, thread);
    if (index == SIZE_MAX) {
        trace->failed = true;
        return false;
    }
    if (trace->running < trace->threads->count)
        trace->threads->stacks[trace->running].cycles += trace->cycle - trace->running_since;
    trace->running_since = trace->cycle;
    trace->running = index;
    trace->threads->stacks[index].harts |= 1u << trace->hart;
    return true;
}

/* Is it what a hart, not hart 0, does before its first THREAD? */
static bool is_context(const struct gnomon_trace *trace, size_t index) {
    const uint32_t thread = trace->threads->stacks[index].thread;
    return (trace->hart || trace->partner) && thread && thread == GNOMON_TRACE_CONTEXT(thread >> 16) &&
           thread >> 16 < GNOMON_MAX_HARTS;
}

size_t gnomon_trace_threads_from(const struct gnomon_trace *trace, uint32_t first, uint64_t *cycles) {
    size_t count = 0;
    *cycles = 0;
    for (size_t i = 0; i < trace->threads->count; i++) {
        const struct trace_stack *stack = &trace->threads->stacks[i];
        if (stack->thread < first || is_context(trace, i))
            continue;
        count++;
        *cycles += stack->cycles + (i == trace->running ? trace->cycle - trace->running_since : 0);
        if (trace->partner && i == trace->partner->running)
            *cycles += trace->partner->cycle - trace->partner->running_since;
    }
    return count;
}

static unsigned harts_of(const struct gnomon_trace *trace, uint32_t thread) {
    for (size_t i = 0; i < trace->threads->count; i++)
        if (trace->threads->stacks[i].thread == thread)
            return trace->threads->stacks[i].harts;
    return 0;
}

size_t gnomon_trace_moved(const struct gnomon_trace *trace, const struct gnomon_trace *other) {
    size_t moved = 0;
    for (size_t i = 0; i < trace->threads->count; i++) {
        const struct trace_stack *stack = &trace->threads->stacks[i];
        const unsigned harts = stack->harts | harts_of(other, stack->thread);
        moved += (harts & (harts - 1)) != 0;
    }
    return moved;
}

uint32_t gnomon_trace_open_calls(const struct gnomon_trace *trace) {
    uint32_t count = 0;
    if (trace->running >= trace->threads->count)
        return 0;
    const struct trace_stack *stack = &trace->threads->stacks[trace->running];
    for (uint32_t i = 0; i < stack->depth; i++)
        count += !(stack->entries[i] & (TRACE_MARKER | TRACE_LEFT));
    return count;
}

unsigned gnomon_trace_stack(const struct gnomon_trace *trace, uint32_t *numbers, unsigned most) {
    unsigned count = 0;
    if (trace->running >= trace->threads->count)
        return 0;
    const struct trace_stack *stack = &trace->threads->stacks[trace->running];
    for (uint32_t i = stack->depth; i-- > 0 && count < most;) {
        const uint32_t entry = stack->entries[i];
        if (entry & TRACE_MARKER)
            numbers[count++] = GNOMON_TRACE_TRAP | (entry & ~(TRACE_MARKER | TRACE_LEFT));
        else if (!(entry & TRACE_LEFT))
            numbers[count++] = entry == TRACE_UNKNOWN ? GNOMON_FUNCTION_UNKNOWN : entry;
    }
    return count;
}

struct header {
    uint32_t sequence, lost;
    uint64_t cycle;
    unsigned first, depth, thread;
};

static const char *read_header(const uint8_t *frame, uint32_t ring_size, struct header *header) {
    if (gnomon_little(frame, 2) != GNOMON_FRAME_MAGIC)
        return "this is no frame";
    if (frame[GNOMON_FRAME_AT_VERSION] != GNOMON_TRACE_VERSION &&
        frame[GNOMON_FRAME_AT_VERSION] != GNOMON_TRACE_VERSION_DATA)
        return "frame of an unknown version";
    if (frame[GNOMON_FRAME_AT_HART] >= GNOMON_MAX_HARTS)
        return "frame of an unknown hart";
    header->sequence = (uint32_t)gnomon_little(frame + GNOMON_FRAME_AT_SEQUENCE, 4);
    header->cycle = gnomon_little(frame + GNOMON_FRAME_AT_CYCLE, 8);
    header->first = (unsigned)gnomon_little(frame + GNOMON_FRAME_AT_FIRST, 2);
    header->depth = (unsigned)gnomon_little(frame + GNOMON_FRAME_AT_DEPTH, 2);
    header->thread = (unsigned)gnomon_little(frame + GNOMON_FRAME_AT_THREAD, 2);
    header->lost = (uint32_t)gnomon_little(frame + GNOMON_FRAME_AT_LOST, 4);
    if (header->first < GNOMON_FRAME_HEADER_BYTES || header->first > GNOMON_FRAME_BYTES)
        return "frame whose first packet lies outside";
    if (header->depth > ring_size)
        return "frame with a stack deeper than the encoder's";
    if (header->cycle > TRACE_MAX_CYCLE)
        return "frame with an absurd cycle count";
    return NULL;
}

/* The known thread whose number has this low half. The running thread is preferred. */
static uint32_t whole_thread(const struct gnomon_trace *trace, unsigned low) {
    if ((trace->threads->stacks[trace->running].thread & 0xFFFF) == low)
        return trace->threads->stacks[trace->running].thread;
    for (size_t i = 0; i < trace->threads->count; i++)
        if ((trace->threads->stacks[i].thread & 0xFFFF) == low && !is_context(trace, i))
            return trace->threads->stacks[i].thread;
    return low;
}

/* The frame does not follow the previous one: its GAP event starts again with the values of its header. */
static void plan_join(struct gnomon_trace *trace, const struct header *header) {
    trace->join_thread = header->thread;
    trace->join_depth = header->depth;
    trace->join_from = trace->cycle;
    trace->lost_so_far = header->lost;
    trace->gap_due = true;
    trace->joining = false;
}

/* Starts again. What runs on the other hart is still known. */
static bool join(struct gnomon_trace *trace) {
    const uint64_t cycle = trace->cycle;
    for (size_t i = 0; i < trace->threads->count; i++)
        if (!trace->partner || i != trace->partner->running)
            trace_stack_clear(&trace->threads->stacks[i]);
    trace->cycle = trace->join_from;
    const bool runs = gnomon_trace_run(trace, whole_thread(trace, trace->join_thread));
    trace->cycle = cycle;
    trace->failed |= runs && !trace_stack_underpin(stack_of(trace), trace->join_depth);
    trace->ring = trace->join_depth;
    trace->ring_known = true;
    return !trace->failed;
}

/* The frame follows the previous one: its header must agree with the decoder's state. */
static void follow(struct gnomon_trace *trace, const struct header *header) {
    if (header->lost != trace->lost_so_far) {
        trace->stats.flaws |= GNOMON_TRACE_LOST_DIFFERS;
        trace->lost_so_far = header->lost;
    }
    if (header->thread != (stack_of(trace)->thread & 0xFFFF)) {
        trace->stats.flaws |= GNOMON_TRACE_THREAD_DIFFERS;
        plan_join(trace, header);
        return;
    }
    if (header->depth == trace->ring)
        return;
    if (trace->ring_known)
        trace->stats.flaws |= GNOMON_TRACE_DEPTH_DIFFERS;
    if (stack_of(trace)->depth < header->depth) {
        plan_join(trace, header);
        return;
    }
    trace->ring = header->depth;
    trace->ring_known = true;
}

static void start_packets(struct gnomon_trace *trace, const struct header *header) {
    trace->at = trace->frame + header->first;
    trace->end = trace->frame + GNOMON_FRAME_BYTES;
    trace->cycle = header->cycle;
    trace->counts_bus = trace->frame[GNOMON_FRAME_AT_VERSION] == GNOMON_TRACE_VERSION_DATA;
    trace->begin_due = header->sequence == 0;
    trace->predictions_missing = false;
    context_plain(trace, GNOMON_PRED_CONTEXT_NONE);
    forget_predictions(trace);
}

bool gnomon_trace_select(struct gnomon_trace *trace, unsigned hart) {
    trace->hart = hart;
    trace_threads_free(&trace->own_threads);
    trace->own_threads = (struct trace_threads){0};
    return gnomon_trace_run(trace, GNOMON_TRACE_CONTEXT(hart));
}

bool gnomon_trace_join(struct gnomon_trace *trace, struct gnomon_trace *with) {
    trace->threads = &with->own_threads;
    trace->partner = with;
    with->partner = trace;
    return gnomon_trace_run(trace, GNOMON_TRACE_CONTEXT(trace->hart));
}

/* Notes a frame whose header makes no sense. With two harts it may be the other's: the next frame's number tells. */
static void note_unsound(struct gnomon_trace *trace) {
    trace->unsound++;
    trace->stats.frames_unsound++;
}

void gnomon_trace_feed(struct gnomon_trace *trace, const uint8_t *frame) {
    memcpy(trace->frame, frame, GNOMON_FRAME_BYTES);
    trace->at = trace->end = trace->frame;
    struct header header;
    trace->header_damage = read_header(trace->frame, trace->ring_size, &header);
    bool sound = !trace->header_damage;
    if (sound && frame[GNOMON_FRAME_AT_HART] != trace->hart) {
        trace->stats.frames_other++;
        return;
    }
    trace->stats.frames++;
    if (sound && header.cycle < trace->cycle)
        trace->header_damage = "frame that goes back in time";
    if (!sound)
        note_unsound(trace);
    if (trace->header_damage) {
        trace->expected += sound && header.sequence == trace->expected; /* a repeated frame is not in the sequence */
        return;
    }
    uint32_t missing = header.sequence - trace->expected;
    if (missing != 0) {
        trace->joining = true;
        if (missing < UINT32_C(0x80000000)) {
            missing -= missing < trace->unsound ? missing : trace->unsound;
            trace->gap_frames += missing;
            trace->stats.frames_lost += missing;
        } else {
            trace->stats.frames_damaged++; /* out of order: one of the two numbers is wrong */
        }
    }
    trace->expected = header.sequence + 1;
    trace->unsound = 0;
    if (trace->joining)
        plan_join(trace, &header);
    else
        follow(trace, &header);
    start_packets(trace, &header);
}

/* ---- Events ---- */

static enum gnomon_trace_result damage(struct gnomon_trace *trace, struct gnomon_event *event, const char *what) {
    event->type = GNOMON_EVENT_DAMAGE;
    event->damage = what;
    event->depth = 0;
    trace->stats.frames_damaged++;
    trace->joining |= trace->unsound == 0; /* an unsound frame may be the other hart's */
    trace->at = trace->end;
    return GNOMON_TRACE_EVENT;
}

static enum gnomon_trace_result gap(struct gnomon_trace *trace, struct gnomon_event *event) {
    if (!join(trace))
        return GNOMON_TRACE_FAILED;
    event->type = GNOMON_EVENT_GAP;
    event->thread = stack_of(trace)->thread;
    event->depth = 0;
    event->gap = (struct gnomon_event_gap){.frames = trace->gap_frames, .unknown = trace->join_depth};
    trace->gap_due = false;
    trace->gap_frames = 0;
    return GNOMON_TRACE_EVENT;
}

static enum trace_outcome take_packet(struct gnomon_trace *trace, struct gnomon_event *event) {
    const uint8_t *start = trace->at;
    enum trace_outcome outcome = gnomon_trace_packet(trace, event);
    trace->begin_due = false;
    if (outcome == OUT_EVENT || outcome == OUT_NOTHING)
        trace->stats.bytes += (uint64_t)(trace->at - start);
    return outcome;
}

bool gnomon_trace_due(struct gnomon_trace *trace, uint64_t *cycle) {
    struct gnomon_event ignored;
    uint64_t delta;
    *cycle = trace->gap_due ? trace->join_from : trace->cycle;
    if (trace->failed || trace->header_damage || trace->gap_due)
        return true;
    while (trace->at < trace->end && *trace->at != GNOMON_PACKET_PAD) {
        const uint8_t *start = trace->at;
        bool filler = gnomon_trace_is_filler(trace, &delta);
        *cycle = trace->cycle + (filler ? 0 : delta);
        if (!filler)
            return true;
        if (take_packet(trace, &ignored) != OUT_NOTHING) {
            trace->at = start;
            return true;
        }
    }
    trace->at = trace->end; /* the rest of the frame */
    return false;
}

enum gnomon_trace_result gnomon_trace_next(struct gnomon_trace *trace, struct gnomon_event *event) {
    if (trace->failed)
        return GNOMON_TRACE_FAILED;
    event->thread = stack_of(trace)->thread;
    event->hart = trace->hart;
    event->cycle = trace->cycle;
    event->number = event->value = event->popped = 0;
    if (trace->header_damage) {
        const char *what = trace->header_damage;
        trace->header_damage = NULL;
        return damage(trace, event, what);
    }
    if (trace->gap_due)
        return gap(trace, event);
    while (trace->at < trace->end) {
        if (*trace->at == GNOMON_PACKET_PAD) {
            trace->at = trace->end; /* the rest of the frame */
            break;
        }
        enum trace_outcome outcome = take_packet(trace, event);
        event->cycle = trace->cycle;
        if (outcome == OUT_DAMAGE)
            return damage(trace, event, trace->stats.ended ? "packet after END" : "packet that makes no sense");
        if (outcome == OUT_FAILED)
            return GNOMON_TRACE_FAILED;
        if (outcome == OUT_EVENT) {
            trace->stats.last_cycle = event->cycle;
            return GNOMON_TRACE_EVENT;
        }
    }
    return GNOMON_TRACE_MORE;
}

/* ---- Life ---- */

bool gnomon_trace_lock_word(struct gnomon_trace *trace, unsigned places_log2, unsigned place, uint32_t address) {
    if (places_log2 < 3 || places_log2 > 10 || place >= GNOMON_LOCK_WORD_PLACES)
        return false;
    trace->word_sets = (1u << (places_log2 - 2)) - 1;
    trace->words[place] = address;
    return true;
}

void gnomon_trace_expect_records(struct gnomon_trace *trace) {
    trace->aggregates = true;
}

void gnomon_trace_add_aggregated(struct gnomon_trace *trace, uint64_t aggregated) {
    struct gnomon_trace_stats *stats = &trace->stats;
    stats->aggregated = aggregated;
    if (stats->ended)
        gnomon_trace_check_end(trace);
}

struct gnomon_trace *gnomon_trace_new(uint32_t stack) {
    struct gnomon_trace *trace = calloc(1, sizeof *trace);
    if (!trace)
        return NULL;
    trace->ring_size = stack ? stack : GNOMON_TRACE_STACK;
    trace->ring_known = true;
    trace->at = trace->end = trace->frame;
    trace->threads = &trace->own_threads;
    if (!gnomon_trace_run(trace, 0)) {
        gnomon_trace_free(trace);
        return NULL;
    }
    return trace;
}

void gnomon_trace_free(struct gnomon_trace *trace) {
    if (!trace)
        return;
    trace_threads_free(&trace->own_threads);
    free(trace->landed);
    free(trace);
}

const uint32_t *gnomon_trace_landed(const struct gnomon_trace *trace, size_t *count) {
    *count = trace->landed_count;
    return trace->landed;
}

const struct gnomon_trace_stats *gnomon_trace_stats(const struct gnomon_trace *trace) {
    return &trace->stats;
}

uint64_t gnomon_trace_received(const struct gnomon_trace_stats *stats) {
    return stats->enters + stats->exits + stats->trap_enters + stats->trap_leaves + stats->channels + stats->locks +
           stats->modules + stats->accesses + stats->aggregated;
}

uint64_t gnomon_trace_lost(const struct gnomon_trace_stats *stats) {
    uint64_t received = gnomon_trace_received(stats);
    if (stats->ended && stats->end.produced >= received)
        return stats->end.produced - received;
    return stats->lost.enters + stats->lost.exits + stats->lost.others;
}
