/* SPDX-License-Identifier: Apache-2.0 */
/* Records in memory, with the call graph: an arc for each pair of caller and callee, and the durations of calls.
 * records.S contains a copy of the frequent cases. */
#include "records_state.h"

#if GNOMON_RECORDS_GRAPH
_Static_assert(offsetof(struct record, arcs) == RECORD_ARCS && offsetof(struct record, lengths) == RECORD_LENGTHS,
               "records.h");
_Static_assert(offsetof(struct frame, arc) == FRAME_ARC && offsetof(struct frame, arc_saved) == FRAME_ARC_SAVED &&
                   offsetof(struct frame, callees) == FRAME_CALLEES,
               "records.h");
_Static_assert(offsetof(struct arc, next) == ARC_NEXT && offsetof(struct arc, caller) == ARC_CALLER &&
                   offsetof(struct arc, calls) == ARC_CALLS && offsetof(struct arc, total) == ARC_TOTAL &&
                   offsetof(struct arc, self) == ARC_SELF,
               "records.h");

static struct pool arcs;
static struct arc nowhere; /* used when there is no memory; only its `calls` has a meaning */

void __gnomon_records_new_arc(void); /* called by records.S: the arc of the topmost call */

static struct arc *find_arc(struct record *caller, struct record *callee) {
    struct arc *arc = callee->arcs;
    while (arc && arc->caller != caller)
        arc = arc->next;
    if (arc)
        return arc;
    arc = __gnomon_records_from_pool(&arcs, sizeof *arc);
    if (!arc)
        return &nowhere;
    *arc = (struct arc){.next = callee->arcs, .caller = caller};
    callee->arcs = arc;
    return arc;
}

void __gnomon_records_open_arc(struct frame *frame) {
    frame->arc = find_arc(frame[-1].record, frame->record);
    frame->arc->calls++;
    frame->arc_saved = frame->arc->total;
    frame->callees = 0;
}

void __gnomon_records_new_arc(void) {
    __gnomon_records_open_arc(s->top - 1);
}

static void count_length(struct record *record, uint64_t took) {
    unsigned bucket = took ? 63 - (unsigned)__builtin_clzll(took) : 0;
    uint32_t *calls = &record->lengths[bucket < GNOMON_RECORDS_BUCKETS ? bucket : GNOMON_RECORDS_BUCKETS - 1];
    if (*calls != UINT32_MAX)
        ++*calls;
}

/* Like a record's total: the setting of `total` removes what recursion through the same arc has added meanwhile. */
void __gnomon_records_close_arc(struct frame *frame, uint64_t took) {
    frame->arc->total = frame->arc_saved + took;
    frame->arc->self += took - frame->callees;
    frame[-1].callees += took;
    count_length(frame->record, took);
}

/* What recursion has added to the arc is removed at the end of the call, so it can be removed now. */
void __gnomon_records_suspend_arc(struct frame *frame) {
    frame->arc->total = frame->arc_saved;
}

void __gnomon_records_resume_arc(struct frame *frame) {
    frame->arc_saved = frame->arc->total;
}

static void carry(struct arc *arc) {
    arc->calls_high += arc->calls >> 31;
    arc->calls &= INT32_MAX;
}

void __gnomon_records_carry_arcs(struct record *record) {
    for (struct arc *arc = record->arcs; arc; arc = arc->next)
        carry(arc);
}

uint32_t __gnomon_records_arcless(void) {
    return nowhere.calls;
}
#endif
