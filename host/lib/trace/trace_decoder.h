/* SPDX-License-Identifier: Apache-2.0 */
/* Decoder of the trace: frames in, events out (docs/reference/trace-format.md). A state machine without I/O:
 *
 *     gnomon_trace_feed(trace, frame);
 *     while (gnomon_trace_next(trace, &event) == GNOMON_TRACE_EVENT)
 *         ...
 *
 * It keeps the stack of every thread, so that each event says which function it is about and how many calls it ended.
 * A damaged or missing frame loses only its own content: the decoder continues with the next frame. */
#ifndef GNOMON_LIB_TRACE_DECODER_H
#define GNOMON_LIB_TRACE_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gnomon/trace.h"
#include "lib/util/error.h"

#define GNOMON_MAX_HARTS 2
#define GNOMON_TRACE_STACK 256                     /* depth of the encoder's stack if the device does not say */
#define GNOMON_TRACE_MAX_DEPTH (UINT32_C(1) << 24) /* of a thread's stack; more than fits into the target's memory */

/* Bits of a LOCK packet's info. */
#define GNOMON_LOCK_WRITE 1u   /* the access was a store */
#define GNOMON_LOCK_SEGMENT 2u /* it was in segment 1 */
#define GNOMON_LOCK_DATA 4u    /* the packet has the written value */

/* An ACCESS packet's info. */
#define GNOMON_ACCESS_WRITE 1u
#define GNOMON_ACCESS_PORT(info) ((info) >> 1 & 3)   /* GNOMON_PORT_... */
#define GNOMON_ACCESS_DATA 8u                        /* the packet has the written value */
#define GNOMON_ACCESS_LANES(info) ((info) >> 4 & 15) /* byte lanes of a write: bit 0 is the byte at address & ~3 */
/* Of an access of a lock word, which the device reports as its instruction retires, with the value after it. */
#define GNOMON_ACCESS_WORD 0x100u
#define GNOMON_ACCESS_READ 0x200u     /* it read; an atomic instruction reads and writes */
#define GNOMON_ACCESS_UNPLACED 0x400u /* the address is not known; instead the event has the place in the device */
enum gnomon_port { GNOMON_PORT_INSTRUCTION, GNOMON_PORT_DATA, GNOMON_PORT_HOST, GNOMON_PORTS };

/* A function whose enter was in lost frames. */
#define GNOMON_FUNCTION_UNKNOWN UINT32_C(0xFFFFFFFF)

enum gnomon_event_type {
    GNOMON_EVENT_BEGIN,
    GNOMON_EVENT_ENTER,
    GNOMON_EVENT_EXIT,
    GNOMON_EVENT_TRAP_ENTER,
    GNOMON_EVENT_TRAP_LEAVE,
    GNOMON_EVENT_CHANNEL, /* also THREAD messages: the stack changes after the event */
    GNOMON_EVENT_LOCK,
    GNOMON_EVENT_MODULE,
    GNOMON_EVENT_LOST, /* events were dropped between the previous event and the next */
    GNOMON_EVENT_END,
    GNOMON_EVENT_DAMAGE, /* the frame makes no sense from here on */
    GNOMON_EVENT_GAP,    /* nothing is known between the previous event and this one; all stacks are forgotten */
    GNOMON_EVENT_ACCESS, /* an access of the bus that passed the device's filter */
};

struct gnomon_event_lost {
    uint64_t enters, exits, others, cycles;
    /* Bus messages (lock messages and accesses) that are missing since the last such count, those in missing frames
     * included. Valid with `counts_bus`: older devices do not count them. */
    uint32_t bus;
    bool counts_bus;
};

struct gnomon_event_end {
    uint64_t instructions, produced, lost;
    uint64_t bus_lost; /* bus messages that did not arrive in the whole run; valid with `counts_bus` */
    bool counts_bus;
    uint8_t how; /* 0: EXIT message, 1: stopped by the host, 2: the host read too slowly */
};

struct gnomon_event_gap {
    uint64_t frames;  /* missing frames, without damaged ones */
    uint32_t unknown; /* open calls and traps whose names are not known: the new stack of `thread` */
};

struct gnomon_event {
    enum gnomon_event_type type;
    unsigned hart;   /* whose trace it is from */
    uint32_t thread; /* the thread of the event; of GAP: the thread that runs from here on */
    uint64_t cycle;
    uint32_t number; /* function, trap cause, channel, module, info of LOCK, ACCESS; UNKNOWN if the name was lost */
    uint32_t value;  /* message's value, address of LOCK, ACCESS, BEGIN's pc, END's status */
    uint32_t depth;  /* calls and traps that are open around this event */
    uint32_t popped; /* EXIT, TRAP_LEAVE: entries taken off the stack; 0: there was nothing to end */
    union {
        struct gnomon_event_lost lost;
        struct gnomon_event_end end;
        struct gnomon_event_gap gap;
        uint32_t data;      /* LOCK, ACCESS, if the info has the bit DATA: the value, in its byte lanes; else 0 */
        const char *damage; /* what makes no sense */
    };
};

/* Two counts that should agree do not. The trace is damaged, or device and reader do not use the same format. */
enum gnomon_trace_flaw {
    GNOMON_TRACE_LOST_DIFFERS = 1,   /* a frame's `lost` is not the sum of the LOST packets before it */
    GNOMON_TRACE_END_DIFFERS = 2,    /* END: received + lost is not what was produced */
    GNOMON_TRACE_DEPTH_DIFFERS = 4,  /* a frame's `depth` is not that of the stack */
    GNOMON_TRACE_THREAD_DIFFERS = 8, /* a frame's `thread` is not the last THREAD message's */
    GNOMON_TRACE_NO_BEGIN = 16,      /* frame 0 does not start with BEGIN */
};

struct gnomon_trace_stats {
    uint64_t frames;         /* fed, damaged ones included */
    uint64_t frames_other;   /* of other harts, not in `frames` */
    uint64_t frames_lost;    /* missing in the sequence */
    uint64_t frames_damaged; /* completely, or from some place on */
    uint64_t frames_unsound; /* of those: headers that make no sense */
    uint64_t twice;          /* THREAD messages of a thread that ran on the other hart: gnomon_trace_join */
    uint64_t enters, exits, trap_enters, trap_leaves, channels, locks, modules; /* received */
    uint64_t accesses;                                                          /* the same of ACCESS */
    uint64_t bus_lost;   /* bus messages that did not arrive; 0 if the device does not count them */
    uint64_t aggregated; /* went into the device's records */
    /* Exits and trap leaves, among those above, that did not end what began last. Entries that longjmp left are
     * ignored. */
    uint64_t unbalanced;
    uint64_t jumps;                /* LONGJMP messages */
    uint64_t trap_jumps;           /* LONGJMP in an open trap; not counted with records */
    uint64_t stack_jumps;          /* LONGJMP to a lower address without a THREAD before it: to another stack */
    uint64_t hookless_landings;    /* LONGJMP without LANDED: longjmp returned to a function without hooks */
    uint64_t ambiguous_landings;   /* LANDED of a function that was open more than once; not counted with records */
    uint64_t bytes;                /* of packets, without frame headers and padding */
    uint64_t skipped;              /* packets of kinds that this version does not know */
    struct gnomon_event_lost lost; /* sum of the LOST packets */
    bool begun, ended;
    uint64_t last_cycle; /* of the last event */
    uint32_t status;     /* of END */
    struct gnomon_event_end end;
    unsigned flaws; /* enum gnomon_trace_flaw */
};

struct gnomon_trace;

/* `stack`: the depth of the encoder's stack as the device says it, 0: GNOMON_TRACE_STACK. NULL: out of memory. */
struct gnomon_trace *gnomon_trace_new(uint32_t stack);
void gnomon_trace_free(struct gnomon_trace *trace);

/* Says that functions and traps are in the device's records, not in the trace. Call it before the first frame. */
void gnomon_trace_expect_records(struct gnomon_trace *trace);
/* Says that `aggregated` events went into the device's records. Call it after the last frame. */
void gnomon_trace_add_aggregated(struct gnomon_trace *trace, uint64_t aggregated);

/* Number of the thread that stands for what a hart does before its first THREAD message. */
#define GNOMON_TRACE_CONTEXT(hart) ((uint32_t)(hart) << 16)

/* Says whose trace to decode: frames of other harts are only counted. Hart 0 without it. Call it before the first
 * frame. False: out of memory. */
bool gnomon_trace_select(struct gnomon_trace *trace, unsigned hart);

/* Says that both are traces of one run, of two harts: a thread keeps its stack when it moves from one to the other.
 * Call it before the first frame, and take the events of both in the order of time. `trace` must be freed first. False:
 * out of memory. */
bool gnomon_trace_join(struct gnomon_trace *trace, struct gnomon_trace *with);

/* When the event is due that gnomon_trace_next would give: at its cycle, or, if it tells of a loss, where the loss can
 * have begun. False: it would give none, so feed the next frame. */
bool gnomon_trace_due(struct gnomon_trace *trace, uint64_t *cycle);

/* Says which address a place of the device's lock words has; `places_log2` as the device reports it. Addresses that the
 * program adds come in the trace. Call it before the first frame. False: there is no such place. */
#define GNOMON_LOCK_WORD_PLACES 1024
bool gnomon_trace_lock_word(struct gnomon_trace *trace, unsigned places_log2, unsigned place, uint32_t address);

/* Takes one frame of GNOMON_FRAME_BYTES and copies it. The caller must have taken all events of the previous frame. */
void gnomon_trace_feed(struct gnomon_trace *trace, const uint8_t *frame);

enum gnomon_trace_result {
    GNOMON_TRACE_MORE,   /* no event left: feed the next frame */
    GNOMON_TRACE_EVENT,  /* *event is filled */
    GNOMON_TRACE_FAILED, /* out of memory, or nested deeper than GNOMON_TRACE_MAX_DEPTH */
};
enum gnomon_trace_result gnomon_trace_next(struct gnomon_trace *trace, struct gnomon_event *event);

/* A call that begins, or that ends in turn, and nothing else with it. It is so short because one core may read what
 * another one writes. */
struct gnomon_call {
    uint32_t cycles : 15; /* since the event before it */
    uint32_t ends : 1;
    uint32_t number : 16; /* of the function */
};
#define GNOMON_CALL_CYCLES UINT32_C(0x8000) /* a call comes after fewer cycles */
#define GNOMON_CALL_FUNCTIONS 0x10000u      /* and its function has a number below this one */

struct gnomon_calls {
    uint64_t from; /* the cycle to which the first one's `cycles` are added */
    unsigned hart;
    uint32_t thread;
    uint32_t depth; /* calls and traps that are open before the first one */
    size_t count;
    struct gnomon_call calls[GNOMON_FRAME_BYTES];
};

/* Takes the calls of the frame that come next, as far as their functions have numbers below `below`, they fit into
 * struct gnomon_call, and nothing else comes with them: a faster way to the same events. Returns whether there are any;
 * if not, gnomon_trace_next tells what comes next. */
bool gnomon_trace_calls(struct gnomon_trace *trace, uint32_t below, struct gnomon_calls *calls);

/* The event of a call; `cycle` is that of the event before it. Its `depth` is not known. */
struct gnomon_event gnomon_calls_event(const struct gnomon_calls *calls, size_t index, uint64_t cycle);

const struct gnomon_trace_stats *gnomon_trace_stats(const struct gnomon_trace *trace);

/* Number of threads that have run with number `first` or higher. *cycles: how long they ran. */
size_t gnomon_trace_threads_from(const struct gnomon_trace *trace, uint32_t first, uint64_t *cycles);

/* Number of threads that have run on both harts: `other` is the trace of the other hart. */
size_t gnomon_trace_moved(const struct gnomon_trace *trace, const struct gnomon_trace *other);

/* Number of open calls in the running thread, without the calls that longjmp left. */
uint32_t gnomon_trace_open_calls(const struct gnomon_trace *trace);

/* The open functions of the running thread, the innermost first, without the calls that longjmp left; of its traps
 * GNOMON_TRACE_TRAP plus the cause. Fills up to `most` numbers, and returns how many. */
#define GNOMON_TRACE_TRAP UINT32_C(0x80000000)
unsigned gnomon_trace_stack(const struct gnomon_trace *trace, uint32_t *numbers, unsigned most);

/* The functions that LANDED messages named, each once. Only with records. */
const uint32_t *gnomon_trace_landed(const struct gnomon_trace *trace, size_t *count);

/* Events that arrived, in the trace or in the device's records. */
uint64_t gnomon_trace_received(const struct gnomon_trace_stats *stats);
/* Events that the device dropped or that were in missing frames. Exact after END; before END a lower bound. */
uint64_t gnomon_trace_lost(const struct gnomon_trace_stats *stats);

#endif
