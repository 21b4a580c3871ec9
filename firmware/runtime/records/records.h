/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets of the fields that both records.S and the C files use. */
#ifndef GNOMON_RUNTIME_RECORDS_H
#define GNOMON_RUNTIME_RECORDS_H

/* struct state */
#define STATE_HOT 484
#define STATE_TOP (STATE_HOT + 0)
#define STATE_LIMIT (STATE_HOT + 4)
#define STATE_HIGH (STATE_HOT + 8)
#define STATE_AWAY (STATE_HOT + 12)
#define STATE_END (STATE_HOT + 16)
#define STATE_RESUME (STATE_HOT + 20)
#define STATE_PLACE (STATE_HOT + 24)

/* struct record */
#define RECORD_CALLS 0
#define RECORD_TOTAL 8
#define RECORD_CALLEES 16
#if GNOMON_RECORDS_GRAPH
#define RECORD_ARCS 32
#define RECORD_LENGTHS 128
#define RECORD_BYTES_LOG2 8
#else
#define RECORD_BYTES_LOG2 5
#endif

/* struct arc */
#define ARC_NEXT 0
#define ARC_CALLER 4
#define ARC_CALLS 8
#define ARC_TOTAL 16
#define ARC_SELF 24

/* struct frame */
#define FRAME_RECORD 0
#define FRAME_SP 4
#define FRAME_ENTERED 8
#define FRAME_SAVED 12
#if GNOMON_RECORDS_GRAPH
#define FRAME_ARC 24
#define FRAME_ARC_SAVED 32
#define FRAME_CALLEES 40
#define FRAME_BYTES 48
#else
#define FRAME_BYTES 24
#endif

/* The stack frame that the plugin makes in an interrupt function around the call of a hook. */
#define STUB_BYTES 16
#define STUB_T0 8
#define STUB_T1 12

/* With GNOMON_RECORDS_TRACE, for tests, the hooks send each event as messages: first its words, then the message that
 * says which event it is. */
#define TRACE_LOW 64
#define TRACE_HIGH 65
#define TRACE_SP 66
#define TRACE_ENTER 67
#define TRACE_LEAVE 68
#define TRACE_LEAVE_SLOW 69 /* replaces a TRACE_LEAVE directly before it with the same sp */
#define TRACE_DROP 70
#define TRACE_DEAD 71 /* ends the calls whose frames are below this sp */
#define TRACE_TRAP 72
#define TRACE_UNTRAP 73
#define TRACE_THREAD 74
#define TRACE_BEGIN 75
#define TRACE_END 76

#endif
