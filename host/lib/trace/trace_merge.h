/* SPDX-License-Identifier: Apache-2.0 */
/* The traces of a run's two harts as one sequence of events, in the order of time. Times of both are of one cycle
 * counter. The bus takes one access a cycle, so no two accesses have the same cycle; of other events of the same cycle,
 * which cannot have influenced each other, hart 0's come first. An event that tells of a loss of one hart's events
 * (LOST, GAP, DAMAGE) comes where the loss can have begun: directly after the hart's event before it. Where a hart's
 * events end without END, a DAMAGE event says so. */
#ifndef GNOMON_LIB_TRACE_MERGE_H
#define GNOMON_LIB_TRACE_MERGE_H

#include "lib/trace/gnt.h"
#include "lib/trace/trace_decoder.h"

/* One hart's side. Each has a reader of its own, because one hart's frames may be far behind the other's. */
struct gnomon_merge {
    struct gnomon_gnt_reader *file;
    struct gnomon_trace *trace;
    bool over; /* it has no more events, and that was told */
};

/* Reads the next event of both; *got false: there are no more, and both readers are at the end of the file. `path` is
 * for messages. */
enum gnomon_status gnomon_merge_next(struct gnomon_merge harts[GNOMON_MAX_HARTS], const char *path,
                                     struct gnomon_event *event, bool *got, struct gnomon_error *error);

/* What both harts' statistics are together. `last_cycle` is the later one; both must have ended. A hart without frames
 * has not run. */
struct gnomon_trace_stats gnomon_merge_stats(const struct gnomon_trace_stats *one,
                                             const struct gnomon_trace_stats *other);

#endif
