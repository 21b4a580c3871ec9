/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder's state, shared by trace.c (frames) and trace_record.c (records). */
#ifndef GNOMON_LIB_TRACE_INTERNAL_H
#define GNOMON_LIB_TRACE_INTERNAL_H

#include "trace.h"
#include "trace_stack.h"

#define TRACE_MAX_CYCLE (UINT64_C(1) << 62) /* 4,870 years at 30 MHz: more is damage */

struct gnomon_trace {
    uint8_t frame[GNOMON_FRAME_BYTES];
    const uint8_t *at, *end;   /* records not yet decoded */
    uint32_t expected;         /* sequence of the next frame */
    bool joining;              /* what is known of the stacks does not fit the next frame */
    bool gap_due;              /* a GAP event is to be given before the records */
    bool begin_due;            /* the next record must be BEGIN */
    uint32_t gap_depth;        /* of that GAP event */
    uint64_t gap_frames;       /* missing since the last record, not yet told */
    const char *header_damage; /* a DAMAGE event is to be given in place of records */
    bool failed;
    bool folds; /* functions and traps are in the device's records */

    uint64_t cycle;       /* of the last record */
    uint32_t lost_so_far; /* as the frames' `lost` counts */
    struct trace_threads threads;
    uint32_t *landed; /* functions in which longjmp landed, each once */
    size_t landed_count, landed_capacity;
    size_t running;         /* index of the thread */
    uint64_t running_since; /* cycle */
    uint32_t ring;          /* entries that the encoder has on its stack: the top ones of ours */
    uint32_t ring_size;
    bool ring_known; /* after a gap a TRAP_LEAVE can leave it open what the encoder has kept */

    /* Prediction. An entry counts if it was written in this frame. */
    uint32_t frame_stamp;
    uint8_t context;
    bool context_known;       /* false after the exit of a function whose name was lost */
    bool predictions_missing; /* something was written that we could not follow */
    uint16_t predicted[GNOMON_PRED_ENTRIES];
    uint32_t predicted_stamp[GNOMON_PRED_ENTRIES];

    struct gnomon_trace_stats stats;
};

/* What decoding one record came to. */
enum trace_outcome { OUT_EVENT, OUT_NOTHING, OUT_DAMAGE, OUT_FAILED };

/* Decodes the record at `at`, which lies before `end`, and moves on behind it. OUT_EVENT: *event is filled but for its
 * cycle. */
enum trace_outcome gnomon_trace_record(struct gnomon_trace *trace, struct gnomon_event *event);

/* END has come, and what was folded is known: does the account agree? */
void gnomon_trace_check_end(struct gnomon_trace *trace);

/* Makes `thread` the running one. False, and `failed`: out of memory. */
bool gnomon_trace_run(struct gnomon_trace *trace, uint32_t thread);

static inline uint64_t little(const uint8_t *bytes, unsigned count) {
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static inline struct trace_stack *stack_of(struct gnomon_trace *trace) {
    return &trace->threads.stacks[trace->running];
}

static inline void context_plain(struct gnomon_trace *trace, uint8_t context) {
    trace->context = context;
    trace->context_known = true;
}

#endif
