/* SPDX-License-Identifier: Apache-2.0 */
/* A run of a program for its counters alone: no events, nothing kept. For what is repeated. */
#ifndef GNOMON_LIB_MEASURE_H
#define GNOMON_LIB_MEASURE_H

#include "causes.h"
#include "exactness.h"
#include "modules.h"
#include "session.h"

struct gnomon_measured {
    enum gnomon_session_end end;
    uint32_t exit_status;      /* of the program, if it has ended itself */
    struct gnomon_crash crash; /* likewise: where it died */
    uint32_t debug_cause;      /* else */
    bool timed_out;            /* it was stopped after the session's `most_cycles` */
    bool asked_host;           /* cycles in which it waited for the host are among the others */
    uint64_t cycles;           /* of the counter of record, at the end */
    uint64_t instructions;
    struct gnomon_overflow overflow; /* with debug_cause: of the stack, if that is why */
    struct gnomon_trace_stats trace; /* begin, end, and messages of modules where these are asked for */
    uint64_t modules_missing;        /* loads of modules of which nothing is known */
};

/* What figures of addresses are worth that were counted in such a run. Threads do not matter to them: nothing asks
 * whether switches were told. `elf`: the program. */
void gnomon_measured_exactness(const struct gnomon_measured *measured, const char *elf,
                               struct gnomon_exactness *exactness);

/* `session`: device, board, image, param, offers, input, console, tick, most_cycles, progress,
 * profile_control and watch (nothing: no events), context; the rest is set
 * here. `prepared` gets the session's context while the hart is in reset and the program in memory, to set what shall
 * be counted; NULL: nothing. The device stays as it is at the end, for its counters to be read. */
typedef enum gnomon_status gnomon_measure_prepared(void *context, struct gnomon_error *error);
enum gnomon_status gnomon_measure(struct gnomon_session *session, gnomon_measure_prepared *prepared,
                                  struct gnomon_measured *measured, struct gnomon_error *error);
/* The same, and notes which modules the program loads, and where. */
enum gnomon_status gnomon_measure_modules(struct gnomon_session *session, gnomon_measure_prepared *prepared,
                                          struct gnomon_modules *modules, struct gnomon_measured *measured,
                                          struct gnomon_error *error);

/* The two halves of it, for those who have no callback: what is set between them is counted. */
enum gnomon_status gnomon_measure_prepare(const struct gnomon_session *session, struct gnomon_error *error);
enum gnomon_status gnomon_measure_run(const struct gnomon_session *session, struct gnomon_measured *measured,
                                      struct gnomon_error *error);

#endif
