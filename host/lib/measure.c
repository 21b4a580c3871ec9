/* SPDX-License-Identifier: Apache-2.0 */
#include "measure.h"

#include "gnomon/registers.h"
#include "trace.h"

/* What the session's callbacks get: the caller's, and the trace, which is BEGIN and END. */
struct measuring {
    const struct gnomon_session *caller;
    struct gnomon_trace *trace;
};

static bool on_frame(void *context, const uint8_t *frame) {
    const struct measuring *measuring = context;
    struct gnomon_event event;
    gnomon_trace_feed(measuring->trace, frame);
    while (gnomon_trace_next(measuring->trace, &event) == GNOMON_TRACE_EVENT)
        ;
    return gnomon_trace_stats(measuring->trace)->ended;
}

static void on_console(void *context, const uint8_t *data, size_t size) {
    const struct gnomon_session *caller = ((const struct measuring *)context)->caller;
    if (caller->console)
        caller->console(caller->context, data, size);
}

static bool on_tick(void *context) {
    const struct gnomon_session *caller = ((const struct measuring *)context)->caller;
    return caller->tick && caller->tick(caller->context);
}

static void on_progress(void *context, uint64_t cycles) {
    const struct gnomon_session *caller = ((const struct measuring *)context)->caller;
    caller->progress(caller->context, cycles);
}

static struct gnomon_session session_of(const struct gnomon_session *caller, struct measuring *measuring) {
    return (struct gnomon_session){
        .device = caller->device,
        .board = caller->board,
        .image = caller->image,
        .param = caller->param,
        .offers = caller->offers,
        .input = caller->input,
        .watch = caller->watch,
        .profile_control = caller->profile_control | GNOMON_PROFILE_CONTROL_ENABLE,
        .context = measuring,
        .console = on_console,
        .frame = on_frame,
        .tick = on_tick,
        .most_cycles = caller->most_cycles,
        .progress = caller->progress ? on_progress : NULL,
    };
}

enum gnomon_status gnomon_measure_prepare(const struct gnomon_session *caller, struct gnomon_error *error) {
    struct gnomon_session session = session_of(caller, NULL);
    return gnomon_session_prepare(&session, error);
}

enum gnomon_status gnomon_measure_run(const struct gnomon_session *caller, struct gnomon_measured *measured,
                                      struct gnomon_error *error) {
    struct measuring measuring = {caller, gnomon_trace_new(caller->board->stack_entries)};
    if (!measuring.trace)
        return gnomon_fail_memory(error);
    struct gnomon_session session = session_of(caller, &measuring);
    enum gnomon_status status = gnomon_session_run(&session, error);
    const struct gnomon_trace_stats *stats = gnomon_trace_stats(measuring.trace);
    *measured = (struct gnomon_measured){.end = session.end,
                                         .exit_status = session.exit_status,
                                         .crash = session.crash,
                                         .debug_cause = session.debug_cause,
                                         .overflow = session.overflow,
                                         .timed_out = session.timed_out,
                                         .asked_host = session.asked_host,
                                         .cycles = stats->last_cycle,
                                         .instructions = stats->end.instructions};
    gnomon_trace_free(measuring.trace);
    return status;
}

enum gnomon_status gnomon_measure(struct gnomon_session *session, gnomon_measure_prepared *prepared,
                                  struct gnomon_measured *measured, struct gnomon_error *error) {
    *measured = (struct gnomon_measured){0};
    enum gnomon_status status = gnomon_measure_prepare(session, error);
    if (!status && prepared)
        status = prepared(session->context, error);
    return status ? status : gnomon_measure_run(session, measured, error);
}
