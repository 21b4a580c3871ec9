/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DECODE_TWICE_H
#define DECODE_TWICE_H

#include <stdint.h>

/* Decodes the frames of a trace file event by event, and again many calls at a time (gnomon_trace_calls). NULL: both
 * give the same events and statistics, or the file has no frames; else what differs. `calls` and `events` are increased
 * by the calls that came many at a time, and by all events. */
const char *decode_twice(const char *path, uint64_t *calls, uint64_t *events);

#endif
