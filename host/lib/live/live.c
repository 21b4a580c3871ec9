/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/live/live.h"

#include <stdlib.h>
#include <string.h>

#include "gnomon/registers.h"
#include "lib/device/read_records.h"
#include "lib/device/stall_causes.h"
#include "lib/live/live_open.h"
#include "lib/run/read_lock_tables.h"

#define FLUSHES_A_SECOND 20 /* of frames that are not full, so that messages come soon */
#define LOST_READS 3        /* the register reads 0 now and then */

enum gnomon_status gnomon_live_open(struct gnomon_live *live, struct gnomon_device *device,
                                    const struct gnomon_board *board, const char *elf, bool events,
                                    struct gnomon_error *error) {
    *live = (struct gnomon_live){.device = device, .board = *board, .events = events};
    live->board.bucketed = 0;
    if (!board->epochs && !events) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "the function records of %s cannot be read while the program runs",
                    board->address);
        return gnomon_remedy(
            error, GNOMON_ERR_UNSUPPORTED,
            "gnomon record profiles the whole run; devices with epochs (gnomon info) show it live; gnomon "
            "serve --events needs none");
    }
    struct gnomon_analysis *analysis = &live->analysis;
    analysis->path = analysis->device = live->board.address;
    analysis->clock_hz = board->clock_hz;
    analysis->aggregates = !events;
    analysis->elf_path = strdup(elf);
    if (!analysis->elf_path)
        return gnomon_fail_memory(error);
    return gnomon_symbols_load(&analysis->symbols, elf, error);
}

void gnomon_live_close(struct gnomon_live *live) {
    gnomon_records_free(&live->closed);
    gnomon_heap_free(live->heap);
    gnomon_contention_free(live->contention);
    gnomon_analysis_close(&live->analysis);
}

void gnomon_live_session(const struct gnomon_live *live, struct gnomon_session *session) {
    session->profile_control = GNOMON_PROFILE_CONTROL_ENABLE | GNOMON_PROFILE_CONTROL_FUNCTIONS |
                               GNOMON_PROFILE_CONTROL_TRAPS | GNOMON_PROFILE_CONTROL_CHANNELS |
                               GNOMON_PROFILE_CONTROL_MODULES | GNOMON_PROFILE_CONTROL_LOCKS |
                               (live->events ? 0 : GNOMON_PROFILE_CONTROL_RECORDS);
    session->flush_cycles = live->board.clock_hz / FLUSHES_A_SECOND;
}

enum gnomon_status gnomon_live_begin(struct gnomon_live *live, struct gnomon_error *error) {
    struct gnomon_analysis *analysis = &live->analysis;
    gnomon_records_free(&live->closed);
    gnomon_trace_free(analysis->trace);
    gnomon_modules_free(analysis->modules);
    analysis->trace = gnomon_trace_new(live->board.stack_entries);
    analysis->modules = gnomon_modules_new(gnomon_symbols_total(analysis->symbols));
    live->threads = (struct gnomon_thread_times){0};
    live->no_memory = live->too_deep = false;
    gnomon_heap_free(live->heap);
    gnomon_contention_free(live->contention);
    live->heap = live->events ? gnomon_heap_new() : NULL;
    live->contention = gnomon_contention_new();
    if (!analysis->trace || !analysis->modules || !live->contention || (live->events && !live->heap))
        return gnomon_fail_memory(error);
    if (!live->events)
        gnomon_trace_expect_records(analysis->trace);
    return GNOMON_OK;
}

static bool take_heap(struct gnomon_live *live, const struct gnomon_event *event) {
    struct gnomon_heap_stack stack = {0};
    if (gnomon_heap_concerns(event))
        stack.count = gnomon_analysis_stack(&live->analysis, event, stack.ids, GNOMON_HEAP_STACK);
    return gnomon_heap_event(live->heap, event, &stack);
}

static bool take_contention(struct gnomon_live *live, const struct gnomon_event *event) {
    struct gnomon_lock_stack stack = {0};
    if (gnomon_contention_asks(event))
        stack.count = gnomon_analysis_stack(&live->analysis, event, stack.ids, GNOMON_LOCK_STACK);
    return gnomon_contention_event(live->contention, event, &stack);
}

bool gnomon_live_frame(struct gnomon_live *live, const uint8_t *frame) {
    struct gnomon_trace *trace = live->analysis.trace;
    struct gnomon_event event;
    enum gnomon_trace_result result;
    gnomon_trace_feed(trace, frame);
    while ((result = gnomon_trace_next(trace, &event)) == GNOMON_TRACE_EVENT) {
        gnomon_thread_times_event(&live->threads, &event);
        if (event.type == GNOMON_EVENT_MODULE)
            live->no_memory |= !gnomon_modules_note(live->analysis.modules, &event);
        if (live->heap)
            live->no_memory |= !take_heap(live, &event);
        live->no_memory |= !take_contention(live, &event);
    }
    live->too_deep |= result == GNOMON_TRACE_FAILED;
    return gnomon_trace_stats(trace)->ended;
}

/* ---- Moments ---- */

static enum gnomon_status read_lost(const struct gnomon_live *live, struct gnomon_live_moment *moment,
                                    struct gnomon_error *error) {
    uint32_t lost = 0, switches = 0;
    enum gnomon_status status = gnomon_device_get(live->device, GNOMON_PROFILE_SWITCHES, &switches, error);
    for (int i = 0; i < LOST_READS && !status; i++) {
        status = gnomon_device_get(live->device, GNOMON_PROFILE_LOST, &lost, error);
        moment->lost_events = lost > moment->lost_events ? lost : moment->lost_events;
    }
    moment->unseen_switches = switches & GNOMON_PROFILE_SWITCHES_UNSEEN;
    uint32_t start = 0;
    if (!status && live->board.harts > 1)
        status = gnomon_device_get(live->device, GNOMON_SYSCTL_HART1_START, &start, error);
    moment->other_ran = start & GNOMON_SYSCTL_HART1_START_STARTED;
    return status;
}

/* Before the records are read, which takes milliseconds. */
static enum gnomon_status read_causes(const struct gnomon_live *live, struct gnomon_live_moment *moment,
                                      struct gnomon_error *error) {
    moment->with_causes = live->board.causes;
    return moment->with_causes ? gnomon_stall_causes_now(live->device, 0, moment->causes, error) : GNOMON_OK;
}

/* Adds the calls that have ended since the moment before. Counts that are no function's are since the run's start. */
static enum gnomon_status add_closed(struct gnomon_live *live, const struct gnomon_records *ended,
                                     struct gnomon_error *error) {
    struct gnomon_records sum, none = *ended;
    none.list = NULL;
    none.arcs = NULL;
    none.buckets = NULL;
    none.count = none.arc_count = none.bucket_count = 0;
    enum gnomon_status status = gnomon_records_add_up(ended, live->closed.size ? &live->closed : &none, &sum, error);
    if (status)
        return status;
    live_same_counts(ended, &sum);
    gnomon_records_free(&live->closed);
    live->closed = sum;
    return GNOMON_OK;
}

/* A moment of a run whose functions come as events. */
static enum gnomon_status take_events(const struct gnomon_live *live, struct gnomon_live_moment *moment,
                                      struct gnomon_error *error) {
    if (live->too_deep)
        return gnomon_fail(error, GNOMON_ERR_TOO_BIG, "the program's calls nest too deep to be followed");
    const enum gnomon_status status = read_lost(live, moment, error); /* meanwhile, frames may come */
    moment->cycle = gnomon_trace_stats(live->analysis.trace)->last_cycle;
    return status;
}

/* At the end of a run: of what kinds the locks were. */
static enum gnomon_status read_kinds(const struct gnomon_live *live, const struct gnomon_session *session,
                                     struct gnomon_error *error) {
    char doubt[GNOMON_LOCK_DOUBT_BYTES];
    if (!gnomon_contention_results(live->contention)->messages)
        return GNOMON_OK;
    struct gnomon_lock_tables *tables = calloc(1, sizeof *tables);
    if (!tables)
        return gnomon_fail_memory(error);
    enum gnomon_status status =
        gnomon_lock_tables_read(tables, live->device, &live->board, session->image, doubt, error);
    if (!status && tables->known && !*doubt)
        gnomon_contention_kinds(live->contention, tables);
    gnomon_lock_tables_free(tables);
    free(tables);
    return status;
}

enum gnomon_status gnomon_live_take(struct gnomon_live *live, struct gnomon_live_moment *moment,
                                    struct gnomon_error *error) {
    struct gnomon_epoch epoch;
    struct gnomon_records open;
    *moment = (struct gnomon_live_moment){0};
    if (live->no_memory)
        return gnomon_fail_memory(error);
    if (live->events)
        return take_events(live, moment, error);
    enum gnomon_status status = read_causes(live, moment, error);
    if (!status)
        status = gnomon_epoch_end(live->device, &live->board, &epoch, error);
    if (status)
        return status;
    moment->cycle = epoch.cycle;
    status = add_closed(live, &epoch.records, error);
    if (!status)
        status = live_open_records(&epoch, &open, error);
    if (!status) {
        status = gnomon_records_add_up(&live->closed, &open, &moment->records, error);
        live_same_counts(&live->closed, &moment->records);
        gnomon_records_free(&open);
    }
    gnomon_epoch_free(&epoch);
    if (!status)
        status = read_lost(live, moment, error);
    if (status)
        gnomon_live_moment_free(moment);
    return status;
}

enum gnomon_status gnomon_live_take_last(struct gnomon_live *live, const struct gnomon_session *session,
                                         struct gnomon_live_moment *moment, struct gnomon_error *error) {
    struct gnomon_records last;
    *moment = (struct gnomon_live_moment){
        .end = true,
        .cycle = gnomon_trace_stats(live->analysis.trace)->last_cycle,
        .reason = gnomon_session_reason(session->end, session->timed_out, session->crash.died),
        .status = session->end == GNOMON_END_EXIT ? (int)session->exit_status : -1,
    };
    enum gnomon_status status = live->no_memory ? gnomon_fail_memory(error) : read_kinds(live, session, error);
    if (status || live->events)
        return status ? status : take_events(live, moment, error);
    status = gnomon_records_read(live->device, &live->board, 0, &last, error);
    if (status)
        return status;
    status = add_closed(live, &last, error);
    gnomon_records_free(&last);
    if (!status)
        status = read_causes(live, moment, error);
    if (!status)
        status = read_lost(live, moment, error);
    gnomon_trace_add_aggregated(live->analysis.trace, live->closed.aggregated);
    moment->records = live->closed;
    live->closed = (struct gnomon_records){0};
    if (status)
        gnomon_live_moment_free(moment);
    return status;
}

void gnomon_live_moment_free(struct gnomon_live_moment *moment) {
    gnomon_records_free(&moment->records);
}
