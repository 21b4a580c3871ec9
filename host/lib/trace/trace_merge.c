/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/trace/trace_merge.h"

/* Reads frames until the hart has an event. *any false: it has no more. At an end without END there is one more. */
static enum gnomon_status prepare(struct gnomon_merge *hart, uint64_t *cycle, bool *any, struct gnomon_error *error) {
    const uint8_t *frame;
    while (!(*any = gnomon_trace_due(hart->trace, cycle))) {
        enum gnomon_status status = gnomon_gnt_next(hart->file, &frame, error);
        if (status)
            return status;
        if (!frame) {
            const struct gnomon_trace_stats *stats = gnomon_trace_stats(hart->trace);
            *any = !hart->over && !stats->ended && stats->frames > stats->frames_unsound;
            return GNOMON_OK;
        }
        gnomon_trace_feed(hart->trace, frame);
    }
    return GNOMON_OK;
}

static enum gnomon_status take(struct gnomon_merge *hart, const char *path, uint64_t cycle, struct gnomon_event *event,
                               struct gnomon_error *error) {
    switch (gnomon_trace_next(hart->trace, event)) {
    case GNOMON_TRACE_EVENT:
        return GNOMON_OK;
    case GNOMON_TRACE_FAILED:
        return gnomon_fail(error, GNOMON_ERR_TOO_BIG, "%s nests too deep to be followed", path);
    default:
        hart->over = true;
        event->type = GNOMON_EVENT_DAMAGE;
        event->cycle = cycle;
        event->damage = "the hart's trace ends here";
        return GNOMON_OK;
    }
}

enum gnomon_status gnomon_merge_next(struct gnomon_merge harts[GNOMON_MAX_HARTS], const char *path,
                                     struct gnomon_event *event, bool *got, struct gnomon_error *error) {
    struct gnomon_merge *next = NULL;
    uint64_t first = 0;
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++) {
        uint64_t cycle;
        bool any;
        enum gnomon_status status = prepare(&harts[i], &cycle, &any, error);
        if (status)
            return status;
        if (any && (!next || cycle < first)) {
            next = &harts[i];
            first = cycle;
        }
    }
    *got = next != NULL;
    return next ? take(next, path, first, event, error) : GNOMON_OK;
}

static struct gnomon_event_end sum_ends(const struct gnomon_trace_stats *one, const struct gnomon_trace_stats *other) {
    struct gnomon_event_end end = one->end.how == 0 ? one->end : other->end;
    end.how = one->end.how == 2 || other->end.how == 2 ? 2 : end.how;
    end.instructions = one->end.instructions + other->end.instructions;
    end.produced = one->end.produced + other->end.produced;
    end.lost = one->end.lost + other->end.lost;
    end.bus_lost = one->end.bus_lost + other->end.bus_lost;
    end.counts_bus = one->end.counts_bus && other->end.counts_bus;
    return end;
}

/* Adds the counts of the events, and of what was odd about them. */
static void add_events(struct gnomon_trace_stats *sum, const struct gnomon_trace_stats *other) {
    sum->enters += other->enters;
    sum->exits += other->exits;
    sum->trap_enters += other->trap_enters;
    sum->trap_leaves += other->trap_leaves;
    sum->channels += other->channels;
    sum->locks += other->locks;
    sum->modules += other->modules;
    sum->accesses += other->accesses;
    sum->aggregated += other->aggregated;
    sum->unbalanced += other->unbalanced;
    sum->jumps += other->jumps;
    sum->trap_jumps += other->trap_jumps;
    sum->stack_jumps += other->stack_jumps;
    sum->hookless_landings += other->hookless_landings;
    sum->ambiguous_landings += other->ambiguous_landings;
    sum->twice += other->twice;
}

struct gnomon_trace_stats gnomon_merge_stats(const struct gnomon_trace_stats *one,
                                             const struct gnomon_trace_stats *other) {
    struct gnomon_trace_stats sum = *one;
    if (other->frames == other->frames_unsound)
        return sum;
    add_events(&sum, other);
    /* A frame whose header makes no sense is in both counts, because it may be of either hart. */
    sum.frames += other->frames - other->frames_unsound;
    sum.frames_other = 0;
    sum.frames_damaged += other->frames_damaged - other->frames_unsound;
    sum.frames_lost += other->frames_lost;
    sum.bus_lost += other->bus_lost;
    sum.bytes += other->bytes;
    sum.skipped += other->skipped;
    sum.lost.enters += other->lost.enters;
    sum.lost.exits += other->lost.exits;
    sum.lost.others += other->lost.others;
    sum.lost.cycles += other->lost.cycles;
    sum.begun &= other->begun;
    sum.ended &= other->ended;
    sum.flaws |= other->flaws;
    sum.end = sum_ends(one, other);
    sum.status = one->end.how == 0 ? one->status : other->status;
    if (other->last_cycle > sum.last_cycle)
        sum.last_cycle = other->last_cycle;
    return sum;
}
