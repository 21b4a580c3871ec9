/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/measure.h"

#include <stdio.h>

#include "gnomon/registers.h"
#include "lib/trace/trace_decoder.h"

/* Context of the session's callbacks: the caller's context, and the trace. The trace is BEGIN and END, and between them
 * at most messages of modules, or what the caller asks for to follow threads. */
struct measuring {
    const struct gnomon_session *caller;
    struct gnomon_trace *trace;
    struct gnomon_trace *other;     /* of hart 1 */
    struct gnomon_modules *modules; /* NULL: loads of modules are not noted */
    bool noted;                     /* there was memory for all of them */
    struct gnomon_thread_times *threads;
};

static bool on_frame(void *context, const uint8_t *frame) {
    struct measuring *measuring = context;
    struct gnomon_event event;
    struct gnomon_trace *trace = frame[GNOMON_FRAME_AT_HART] == 1 ? measuring->other : measuring->trace;
    gnomon_trace_feed(trace, frame);
    while (gnomon_trace_next(trace, &event) == GNOMON_TRACE_EVENT) {
        gnomon_thread_times_event(measuring->threads, &event);
        if (measuring->modules && event.type == GNOMON_EVENT_MODULE)
            measuring->noted &= gnomon_modules_note(measuring->modules, &event);
    }
    return gnomon_trace_stats(trace)->ended;
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
        .terminals = caller->terminals,
        .watch = caller->watch,
        .both_harts = caller->both_harts,
        .profile_control = caller->profile_control | GNOMON_PROFILE_CONTROL_ENABLE |
                           (measuring->modules ? GNOMON_PROFILE_CONTROL_MODULES : 0),
        .context = measuring,
        .console = on_console,
        .frame = on_frame,
        .tick = on_tick,
        .most_cycles = caller->most_cycles,
        .progress = caller->progress ? on_progress : NULL,
    };
}

static enum gnomon_status prepare(struct measuring *measuring, struct gnomon_error *error) {
    struct gnomon_session session = session_of(measuring->caller, measuring);
    return gnomon_session_prepare(&session, error);
}

enum gnomon_status gnomon_measure_prepare(const struct gnomon_session *caller, struct gnomon_error *error) {
    return prepare(&(struct measuring){.caller = caller}, error);
}

static enum gnomon_status run(struct measuring *measuring, struct gnomon_measured *measured,
                              struct gnomon_error *error) {
    *measured = (struct gnomon_measured){0};
    measuring->noted = true;
    measuring->threads = &measured->threads;
    measuring->trace = gnomon_trace_new(measuring->caller->board->stack_entries);
    measuring->other = gnomon_trace_new(measuring->caller->board->stack_entries);
    if (!measuring->trace || !measuring->other || !gnomon_trace_select(measuring->other, 1)) {
        gnomon_trace_free(measuring->trace);
        gnomon_trace_free(measuring->other);
        return gnomon_fail_memory(error);
    }
    struct gnomon_session session = session_of(measuring->caller, measuring);
    enum gnomon_status status = gnomon_session_run(&session, error);
    const struct gnomon_trace_stats *stats = gnomon_trace_stats(measuring->trace);
    measured->end = session.end;
    measured->exit_status = session.exit_status;
    measured->crash = session.crash;
    measured->debug_cause = session.debug_cause;
    measured->overflow = session.overflow;
    measured->timed_out = session.timed_out;
    measured->asked_host = session.asked_host;
    measured->other_hart = session.other_ran;
    measured->cycles = stats->last_cycle;
    measured->instructions = stats->end.instructions;
    measured->trace = *stats;
    measured->other = *gnomon_trace_stats(measuring->other);
    if (measuring->modules)
        measured->modules_missing = gnomon_modules_missing(measuring->modules);
    gnomon_trace_free(measuring->trace);
    gnomon_trace_free(measuring->other);
    return status || measuring->noted ? status : gnomon_fail_memory(error);
}

enum gnomon_status gnomon_measure_run(const struct gnomon_session *caller, struct gnomon_measured *measured,
                                      struct gnomon_error *error) {
    return run(&(struct measuring){.caller = caller}, measured, error);
}

enum gnomon_status gnomon_measure_modules(struct gnomon_session *session, gnomon_measure_prepared *prepared,
                                          struct gnomon_modules *modules, struct gnomon_measured *measured,
                                          struct gnomon_error *error) {
    struct measuring measuring = {.caller = session, .modules = modules};
    *measured = (struct gnomon_measured){0};
    enum gnomon_status status = prepare(&measuring, error);
    if (!status && prepared)
        status = prepared(session->context, error);
    return status ? status : run(&measuring, measured, error);
}

enum gnomon_status gnomon_measure(struct gnomon_session *session, gnomon_measure_prepared *prepared,
                                  struct gnomon_measured *measured, struct gnomon_error *error) {
    return gnomon_measure_modules(session, prepared, NULL, measured, error);
}

/* Why the program crashed; NULL: it did not. */
static const char *death_of(const struct gnomon_measured *measured, const char *elf, char *text, size_t size) {
    char crash[GNOMON_CRASH_BYTES];
    if (measured->overflow.found)
        return gnomon_overflow_text(&measured->overflow, elf, text, size);
    if (!measured->crash.died)
        return NULL;
    snprintf(text, size, "%s", gnomon_crash_text(&measured->crash, crash));
    return text;
}

/* Of a trace that followed threads, what says how exact figures of addresses are: BEGIN, END and modules. */
static struct gnomon_trace_stats without_threads(const struct gnomon_trace_stats *stats) {
    return (struct gnomon_trace_stats){
        .frames = stats->frames,
        .frames_lost = stats->frames_lost,
        .frames_damaged = stats->frames_damaged,
        .modules = stats->modules,
        .bytes = stats->bytes,
        .skipped = stats->skipped,
        .begun = stats->begun,
        .ended = stats->ended,
        .last_cycle = stats->last_cycle,
        .status = stats->status,
        .end = stats->end,
        .flaws = stats->flaws,
    };
}

void gnomon_measured_exactness(const struct gnomon_measured *measured, const char *elf,
                               struct gnomon_exactness *exactness) {
    char text[sizeof exactness->cause];
    const char *crash = death_of(measured, elf, text, sizeof text);
    const bool follows = measured->trace.channels + measured->trace.trap_enters > 0;
    const struct gnomon_trace_stats stats = follows ? without_threads(&measured->trace) : measured->trace;
    const struct gnomon_evidence evidence = {
        .stats = &stats,
        .of = GNOMON_OF_ADDRESSES,
        .modules_missing = measured->modules_missing,
        .other_hart = measured->other_hart,
        .hart = measured->hart,
        .other_recorded = measured->other.frames > 0,
        .end = gnomon_session_reason(measured->end, measured->timed_out, crash),
        .status = measured->end == GNOMON_END_EXIT ? (int)measured->exit_status : -1,
        .crash = crash,
    };
    gnomon_exactness_judge(exactness, &evidence);
}
