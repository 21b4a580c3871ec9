/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder's state, shared by trace_decoder.c (frames) and trace_packet.c (packets). */
#ifndef GNOMON_LIB_TRACE_DECODER_INTERNAL_H
#define GNOMON_LIB_TRACE_DECODER_INTERNAL_H

#include <string.h>

#include "lib/trace/trace_decoder.h"
#include "lib/trace/trace_stack.h"
#include "lib/util/bytes.h"

#define TRACE_MAX_CYCLE (UINT64_C(1) << 62) /* 4,870 years at 30 MHz: more is damage */
#define TRACE_NOT_PREDICTED UINT32_MAX      /* no function has this number */

struct gnomon_trace {
    uint8_t frame[GNOMON_FRAME_BYTES + 1]; /* a packet of one byte may be read with the byte after it */
    const uint8_t *at, *end;               /* packets not yet decoded */
    uint32_t expected;                     /* sequence of the next frame */
    bool joining;                          /* the known stacks do not fit the next frame */
    bool gap_due;                          /* a GAP event must come before the packets */
    bool begin_due;                        /* the next packet must be BEGIN */
    bool counts_bus;                       /* LOST and END of this frame count bus messages */
    unsigned join_thread, join_depth;      /* of that GAP event: what the frame's header says of thread and stack */
    uint64_t join_from;                    /* of that GAP event: the cycle before it */
    uint64_t gap_frames;                   /* missing frames since the last packet, not yet reported */
    const char *header_damage;             /* a DAMAGE event must come in place of packets */
    bool failed;
    unsigned hart;    /* whose frames are decoded */
    uint32_t unsound; /* frames since the last sound one that may be this hart's */
    bool aggregates;  /* functions and traps are in the device's records */

    uint64_t cycle;       /* of the last packet */
    uint32_t lost_so_far; /* the count that the frames have in `lost` */
    struct trace_threads own_threads;
    struct trace_threads *threads; /* its own, or those of the trace that it was joined with */
    struct gnomon_trace *partner;  /* the trace of the other hart, if they were joined */
    bool told;                     /* THREAD has come since the last LONGJMP or trap end */
    uint32_t *landed;              /* functions in which longjmp landed, each once */
    size_t landed_count, landed_capacity;
    size_t running;         /* index of the running thread */
    uint64_t running_since; /* cycle */
    uint32_t ring;          /* entries on the encoder's stack: the top ones of this stack */
    uint32_t ring_size;
    bool ring_known; /* false: after a gap, a TRAP_LEAVE did not tell what the encoder has kept */

    /* Prediction. */
    uint8_t context;
    bool context_known;                      /* false after the exit of a function whose name was lost */
    bool predictions_missing;                /* the encoder wrote something that the decoder could not follow */
    uint32_t predicted[GNOMON_PRED_ENTRIES]; /* TRACE_NOT_PREDICTED: not written in this frame */

    uint32_t words[GNOMON_LOCK_WORD_PLACES]; /* addresses of lock words, by place; 0: not known */
    uint32_t word_sets;                      /* number of sets of places less one */

    struct gnomon_trace_stats stats;
};

/* Result of decoding one packet. */
enum trace_outcome { OUT_EVENT, OUT_NOTHING, OUT_DAMAGE, OUT_FAILED };

/* Is the next packet one that makes no event? If not, *delta is how long after the last packet its event is due: 0 if
 * the packet makes no sense, or tells of a loss, which may have begun then. */
bool gnomon_trace_is_filler(struct gnomon_trace *trace, uint64_t *delta);

/* Decodes the packet at `at`, which lies before `end`, and moves `at` after it. OUT_EVENT: *event is filled, except its
 * cycle. */
enum trace_outcome gnomon_trace_packet(struct gnomon_trace *trace, struct gnomon_event *event);

/* Checks that the counts agree. Called when END has come and the number of aggregated events is known. */
void gnomon_trace_check_end(struct gnomon_trace *trace);

/* Makes `thread` the running thread. False, and `failed` is set: out of memory. */
bool gnomon_trace_run(struct gnomon_trace *trace, uint32_t thread);

static inline struct trace_stack *stack_of(struct gnomon_trace *trace) {
    return &trace->threads->stacks[trace->running];
}

/* Forgets all predictions. */
static inline void forget_predictions(struct gnomon_trace *trace) {
    memset(trace->predicted, 0xFF, sizeof trace->predicted);
}

static inline void context_plain(struct gnomon_trace *trace, uint8_t context) {
    trace->context = context;
    trace->context_known = true;
}

#endif
