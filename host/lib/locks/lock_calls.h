/* SPDX-License-Identifier: Apache-2.0 */
/* Lock messages from the calls of lock functions, for a program that sends none: the device watched these functions,
 * and sent their arguments and results (docs/internals/profile.md, "Arguments and results").
 *
 *     if (gnomon_lock_calls_take(calls, &event))
 *         while (gnomon_lock_calls_next(calls, &event))
 *             ...
 *
 * gives the events of the trace as if the program had sent LOCK messages. Locks get their entries in the table when
 * they are first used. */
#ifndef GNOMON_LIB_LOCK_CALLS_H
#define GNOMON_LIB_LOCK_CALLS_H

#include "lib/model/lock_tables.h"
#include "lib/model/watch_list.h"
#include "lib/trace/trace_decoder.h"

struct gnomon_lock_calls;

/* `watch`, which has roles, and `tables` are borrowed. NULL: out of memory. */
struct gnomon_lock_calls *gnomon_lock_calls_new(const struct gnomon_watch *watch, struct gnomon_lock_tables *tables);
void gnomon_lock_calls_free(struct gnomon_lock_calls *calls); /* may be NULL */

/* Takes the next event of the trace. False: out of memory. */
bool gnomon_lock_calls_take(struct gnomon_lock_calls *calls, const struct gnomon_event *event);
/* The next event that this makes; false: there are no more. */
bool gnomon_lock_calls_next(struct gnomon_lock_calls *calls, struct gnomon_event *event);

/* After the last event. Did the program tell which thread runs? */
bool gnomon_lock_calls_know_threads(const struct gnomon_lock_calls *calls);
/* Locks of FreeRTOS that count as semaphores, and may be mutexes: their creation was not seen. */
size_t gnomon_lock_calls_kinds_unknown(const struct gnomon_lock_calls *calls);

#endif
