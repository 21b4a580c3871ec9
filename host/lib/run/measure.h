/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program only to read the device's counters, without function events and without a recording. For measurements
 * that repeat runs. */
#ifndef GNOMON_LIB_MEASURE_H
#define GNOMON_LIB_MEASURE_H

#include "lib/device/stall_causes.h"
#include "lib/profile/exactness.h"
#include "lib/profile/modules.h"
#include "lib/profile/thread_times.h"
#include "lib/run/session.h"

struct gnomon_measured {
    enum gnomon_session_end end;
    uint32_t exit_status;      /* of the program, if it ended by itself */
    struct gnomon_crash crash; /* where the program crashed, if it did */
    uint32_t debug_cause;      /* if the program stopped in debug mode */
    bool timed_out;            /* it was stopped after the session's `most_cycles` */
    bool asked_host;           /* the program waited for the host; `cycles` include the waiting */
    uint64_t cycles;           /* of the cycle counter at the end */
    uint64_t instructions;
    struct gnomon_overflow overflow;    /* with debug_cause: the stack overflow, if that is the cause */
    bool other_hart;                    /* hart 1 ran, too: the counters are those of hart 0 */
    unsigned hart;                      /* whose figures `cycles`, `instructions` and `trace` are: 0 */
    struct gnomon_trace_stats trace;    /* begin, end, and, if requested, messages of modules */
    struct gnomon_trace_stats other;    /* with the session's `both_harts`: begin and end of hart 1 */
    uint64_t modules_missing;           /* loads of modules about which nothing is known */
    struct gnomon_thread_times threads; /* if profile_control has channel messages and traps */
};

/* Judges figures of addresses that were counted in such a run. Thread switches do not matter for them, so missing ones
 * are ignored. `elf`: the program. */
void gnomon_measured_exactness(const struct gnomon_measured *measured, const char *elf,
                               struct gnomon_exactness *exactness);

/* The caller sets in `session`: device, board, image, param, offers, input, console, tick, most_cycles, progress,
 * profile_control and watch (0 and NULL: no events), context. This function sets the rest. `prepared` is called with
 * the session's context while the hart is in reset and the program in memory, to set what is counted; NULL: nothing.
 * After the run the device is left as it is, so that its counters can be read. */
typedef enum gnomon_status gnomon_measure_prepared(void *context, struct gnomon_error *error);
enum gnomon_status gnomon_measure(struct gnomon_session *session, gnomon_measure_prepared *prepared,
                                  struct gnomon_measured *measured, struct gnomon_error *error);
/* The same, and also notes which modules the program loads, and where. */
enum gnomon_status gnomon_measure_modules(struct gnomon_session *session, gnomon_measure_prepared *prepared,
                                          struct gnomon_modules *modules, struct gnomon_measured *measured,
                                          struct gnomon_error *error);

/* The two halves of gnomon_measure, for callers without a callback. Between the two calls they set what is counted. */
enum gnomon_status gnomon_measure_prepare(const struct gnomon_session *session, struct gnomon_error *error);
enum gnomon_status gnomon_measure_run(const struct gnomon_session *session, struct gnomon_measured *measured,
                                      struct gnomon_error *error);

#endif
