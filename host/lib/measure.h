/* SPDX-License-Identifier: Apache-2.0 */
/* A run of a program for its counters alone: no events, nothing kept. For what is repeated. */
#ifndef GNOMON_LIB_MEASURE_H
#define GNOMON_LIB_MEASURE_H

#include "causes.h"
#include "session.h"

struct gnomon_measured {
    enum gnomon_session_end end;
    uint32_t exit_status; /* of the program, if it has ended itself */
    uint32_t debug_cause; /* else */
    uint64_t cycles;      /* of the counter of record, at the end */
    uint64_t instructions;
};

/* `session`: device, board, image, param, offers, console, tick, context; the rest is set here. `prepared` gets the
 * session's context while the hart is in reset and the program in memory, to set what shall be counted; NULL: nothing.
 * The device stays as it is at the end, for its counters to be read. */
typedef enum gnomon_status gnomon_measure_prepared(void *context, struct gnomon_error *error);
enum gnomon_status gnomon_measure(struct gnomon_session *session, gnomon_measure_prepared *prepared,
                                  struct gnomon_measured *measured, struct gnomon_error *error);

/* The two halves of it, for those who have no callback: what is set between them is counted. */
enum gnomon_status gnomon_measure_prepare(const struct gnomon_session *session, struct gnomon_error *error);
enum gnomon_status gnomon_measure_run(const struct gnomon_session *session, struct gnomon_measured *measured,
                                      struct gnomon_error *error);

#endif
