/* SPDX-License-Identifier: Apache-2.0 */
/* Decoder of the trace: frames in, events out (docs/trace-format.md). A state machine without I/O:
 *
 *     gnomon_trace_feed(trace, frame);
 *     while (gnomon_trace_next(trace, &event) == GNOMON_TRACE_EVENT)
 *         ...
 *
 * It keeps the stack of every thread, so that each event says which function it is about and how many calls it ended.
 * A damaged frame, or one that is missing, costs what was in it and no more: the decoder joins again at the next. */
#ifndef GNOMON_LIB_TRACE_H
#define GNOMON_LIB_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "gnomon/trace.h"

#define GNOMON_TRACE_STACK 256                     /* depth of the encoder's stack where the device does not say */
#define GNOMON_TRACE_MAX_DEPTH (UINT32_C(1) << 24) /* of a thread's stack; far beyond what fits the target's memory */

/* A function whose enter lies in frames that were lost. */
#define GNOMON_FUNCTION_UNKNOWN UINT32_C(0xFFFFFFFF)

enum gnomon_event_type {
    GNOMON_EVENT_BEGIN,
    GNOMON_EVENT_ENTER,
    GNOMON_EVENT_EXIT,
    GNOMON_EVENT_TRAP_ENTER,
    GNOMON_EVENT_TRAP_LEAVE,
    GNOMON_EVENT_CHANNEL, /* THREAD messages, too: the stack changes after the event */
    GNOMON_EVENT_LOCK,
    GNOMON_EVENT_MODULE,
    GNOMON_EVENT_LOST, /* events were dropped between the event before and the one after */
    GNOMON_EVENT_END,
    GNOMON_EVENT_DAMAGE, /* the frame makes no sense from here on */
    GNOMON_EVENT_GAP,    /* nothing is known between the event before and this one; all stacks are forgotten */
};

struct gnomon_event_lost {
    uint64_t enters, exits, others, cycles;
};

struct gnomon_event_end {
    uint64_t instructions, produced, lost;
    uint8_t how; /* 0 EXIT message, 1 stopped by the host, 2 the reader stood still */
};

struct gnomon_event_gap {
    uint64_t frames;  /* frames missing; damaged ones are not among them */
    uint32_t unknown; /* open calls, traps included, whose names are not known: the new stack of `thread` */
};

struct gnomon_event {
    enum gnomon_event_type type;
    uint32_t thread; /* that the event happened in; of GAP: that runs from here on */
    uint64_t cycle;
    uint32_t number; /* function, trap cause, channel, module, or lock info; UNKNOWN for lost names */
    uint32_t value;  /* message's value, lock's address, BEGIN's pc, END's status */
    uint32_t depth;  /* calls and traps open around this one */
    uint32_t popped; /* EXIT, TRAP_LEAVE: entries taken off the stack; 0 = there was nothing to end */
    union {
        struct gnomon_event_lost lost;
        struct gnomon_event_end end;
        struct gnomon_event_gap gap;
        const char *damage; /* what makes no sense */
    };
};

/* Two accounts that should agree do not. The trace is damaged, or device and reader do not speak the same format. */
enum gnomon_trace_flaw {
    GNOMON_TRACE_LOST_DIFFERS = 1,   /* a frame's `lost` is not the sum of the LOST records before it */
    GNOMON_TRACE_END_DIFFERS = 2,    /* END: received + lost is not what was produced */
    GNOMON_TRACE_DEPTH_DIFFERS = 4,  /* a frame's `depth` is not that of the stack */
    GNOMON_TRACE_THREAD_DIFFERS = 8, /* a frame's `thread` is not the last THREAD message's */
    GNOMON_TRACE_NO_BEGIN = 16,      /* frame 0 does not start with BEGIN */
};

struct gnomon_trace_stats {
    uint64_t frames;                                                            /* fed, damaged ones included */
    uint64_t frames_lost;                                                       /* missing in the sequence */
    uint64_t frames_damaged;                                                    /* in whole or from some place on */
    uint64_t enters, exits, trap_enters, trap_leaves, channels, locks, modules; /* received */
    uint64_t folded;               /* went into the device's records instead */
    uint64_t unbalanced;           /* exits and trap leaves that ended nothing, among those */
    uint64_t ambiguous_landings;   /* LANDED of a function that was open more than once; not with records */
    uint64_t bytes;                /* of records, without frame headers and padding */
    uint64_t skipped;              /* records of a kind that this version does not know */
    struct gnomon_event_lost lost; /* sum of the LOST records */
    bool begun, ended;
    uint64_t last_cycle; /* of the last event */
    uint32_t status;     /* of END */
    struct gnomon_event_end end;
    unsigned flaws; /* enum gnomon_trace_flaw */
};

struct gnomon_trace;

/* `stack` is the depth of the encoder's stack as the device says, 0 = the usual one. NULL: out of memory. */
struct gnomon_trace *gnomon_trace_new(uint32_t stack);
void gnomon_trace_free(struct gnomon_trace *trace);

/* Before the first frame: functions and traps are not in the trace, but in the device's records. */
void gnomon_trace_expect_records(struct gnomon_trace *trace);
/* After the last frame: `folded` events went into them. */
void gnomon_trace_add_folded(struct gnomon_trace *trace, uint64_t folded);

/* Takes one frame of GNOMON_FRAME_BYTES, which is copied. All events of the frame before must have been taken. */
void gnomon_trace_feed(struct gnomon_trace *trace, const uint8_t *frame);

enum gnomon_trace_result {
    GNOMON_TRACE_MORE,   /* no event left: feed the next frame */
    GNOMON_TRACE_EVENT,  /* *event is filled */
    GNOMON_TRACE_FAILED, /* out of memory, or nested deeper than GNOMON_TRACE_MAX_DEPTH */
};
enum gnomon_trace_result gnomon_trace_next(struct gnomon_trace *trace, struct gnomon_event *event);

const struct gnomon_trace_stats *gnomon_trace_stats(const struct gnomon_trace *trace);

/* How many threads with that number or a higher one have run, and in how many cycles. */
size_t gnomon_trace_threads_from(const struct gnomon_trace *trace, uint32_t first, uint64_t *cycles);

/* With records: the functions that a LANDED message named, each once. */
const uint32_t *gnomon_trace_landed(const struct gnomon_trace *trace, size_t *count);

/* Events that came through, one by one or folded. */
uint64_t gnomon_trace_received(const struct gnomon_trace_stats *stats);
/* Events that were dropped by the device or were in missing frames. Exact once END has come; else what is known. */
uint64_t gnomon_trace_lost(const struct gnomon_trace_stats *stats);

#endif
