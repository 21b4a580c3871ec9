/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/live/live.h"

#include <stdlib.h>
#include <string.h>

#include "gnomon/registers.h"
#include "lib/device/read_records.h"
#include "lib/device/stall_causes.h"
#include "lib/live/live_events.h"
#include "lib/live/live_open.h"
#include "lib/run/read_lock_tables.h"

#define FLUSHES_A_SECOND 20 /* of frames that are not full, so that messages come soon */
/* With two harts an event waits until the other hart's frame must have come, so frames are sent sooner. */
#define FLUSHES_OF_BOTH 100
#define WINDOWS_A_SECOND 80
#define LOST_READS 3 /* the register reads 0 now and then */

static bool moves(const struct gnomon_live *live) {
    return live->board.harts > 1 && gnomon_symbols_threads_move(live->analysis.symbols);
}

enum gnomon_status gnomon_live_open(struct gnomon_live *live, struct gnomon_device *device,
                                    const struct gnomon_board *board, const char *elf, enum gnomon_live_way way,
                                    struct gnomon_error *error) {
    *live = (struct gnomon_live){.device = device, .board = *board};
    live->board.bucketed = 0;
    if (!board->epochs && way == GNOMON_LIVE_RECORDS) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "the function records of %s cannot be read while the program runs",
                    board->address);
        return gnomon_remedy(
            error, GNOMON_ERR_UNSUPPORTED,
            "gnomon record profiles the whole run; gnomon top and gnomon serve also take events, from any device");
    }
    struct gnomon_analysis *analysis = &live->analysis;
    analysis->path = analysis->device = live->board.address;
    analysis->clock_hz = board->clock_hz;
    analysis->elf_path = strdup(elf);
    if (!analysis->elf_path)
        return gnomon_fail_memory(error);
    const enum gnomon_status status = gnomon_symbols_load(&analysis->symbols, elf, error);
    if (!status && way == GNOMON_LIVE_EITHER)
        live->why = !board->epochs ? "the device has no epochs" : moves(live) ? "threads move between harts" : NULL;
    live->events = way == GNOMON_LIVE_EVENTS || live->why;
    analysis->aggregates = !live->events;
    return status;
}

static void free_names(struct gnomon_live *live) {
    if (!live->tables)
        return;
    gnomon_lock_names_close(&live->names);
    gnomon_lock_tables_free(live->tables);
    free(live->tables);
    live->tables = NULL;
}

/* False: out of memory. */
static bool make_names(struct gnomon_live *live) {
    free_names(live);
    live->names = (struct gnomon_lock_names){.fd = -1};
    live->tables = calloc(1, sizeof *live->tables);
    return live->tables && gnomon_lock_names_open(&live->names, live->tables, &live->analysis);
}

void gnomon_live_close(struct gnomon_live *live) {
    gnomon_records_free(&live->closed);
    gnomon_heap_free(live->heap);
    gnomon_profile_free(live->profile);
    gnomon_contention_free(live->contention);
    free_names(live);
    gnomon_live_harts_close(&live->harts);
    gnomon_analysis_close(&live->analysis);
}

/* The records that are read while a program runs are those of hart 0. */
static bool follows_both(const struct gnomon_live *live) {
    return live->events && live->board.harts > 1;
}

static uint32_t control_of(const struct gnomon_live *live) {
    return GNOMON_PROFILE_CONTROL_ENABLE | GNOMON_PROFILE_CONTROL_FUNCTIONS | GNOMON_PROFILE_CONTROL_TRAPS |
           GNOMON_PROFILE_CONTROL_CHANNELS | GNOMON_PROFILE_CONTROL_MODULES | GNOMON_PROFILE_CONTROL_LOCKS |
           (live->events ? 0 : GNOMON_PROFILE_CONTROL_RECORDS);
}

void gnomon_live_session(const struct gnomon_live *live, struct gnomon_session *session) {
    session->profile_control = control_of(live);
    session->both_harts = follows_both(live);
    session->flush_cycles = live->board.clock_hz / (follows_both(live) ? FLUSHES_OF_BOTH : FLUSHES_A_SECOND);
}

/* Makes the decoders, and what takes their events. False: out of memory. */
static bool make_decoders(struct gnomon_live *live) {
    struct gnomon_analysis *analysis = &live->analysis;
    gnomon_live_harts_close(&live->harts);
    gnomon_trace_free(analysis->other); /* it is joined with the next one */
    gnomon_trace_free(analysis->trace);
    gnomon_modules_free(analysis->modules);
    analysis->other = NULL;
    analysis->trace = gnomon_trace_new(live->board.stack_entries);
    analysis->modules = gnomon_modules_new(gnomon_symbols_total(analysis->symbols));
    if (!analysis->trace || !analysis->modules)
        return false;
    if (!live->events)
        gnomon_trace_expect_records(analysis->trace);
    if (follows_both(live)) {
        analysis->other = gnomon_trace_new(live->board.stack_entries);
        if (!analysis->other || !gnomon_trace_select(analysis->other, 1) ||
            !gnomon_trace_join(analysis->other, analysis->trace))
            return false;
    }
    return gnomon_live_harts_open(&live->harts, analysis->trace, analysis->other,
                                  live->board.clock_hz / WINDOWS_A_SECOND);
}

static bool make_accounts(struct gnomon_live *live) {
    gnomon_heap_free(live->heap);
    gnomon_profile_free(live->profile);
    gnomon_contention_free(live->contention);
    live->heap = live->events ? gnomon_heap_new() : NULL;
    live->profile = live->events ? gnomon_profile_new() : NULL;
    live->contention = gnomon_contention_new();
    if (!live->contention || (live->events && (!live->heap || !live->profile)))
        return false;
    return (!live->profile || gnomon_profile_expect_paths(live->profile)) && make_names(live);
}

/* False: out of memory. */
static bool know_modules(struct gnomon_live *live, const struct gnomon_files *files) {
    bool good = true;
    for (size_t i = 0; good && i < files->count; i++) {
        const char *path = files->files[i].path;
        json_t *module = gnomon_modules_describe(path);
        if (module)
            good = gnomon_modules_know(live->analysis.modules, path,
                                       json_string_value(json_object_get(module, "build_id")), path);
        json_decref(module);
    }
    return good;
}

enum gnomon_status gnomon_live_begin(struct gnomon_live *live, const struct gnomon_files *files,
                                     struct gnomon_error *error) {
    gnomon_records_free(&live->closed);
    live->threads = (struct gnomon_thread_times){0};
    live->no_memory = live->too_deep = false;
    return make_decoders(live) && make_accounts(live) && know_modules(live, files) ? GNOMON_OK
                                                                                   : gnomon_fail_memory(error);
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

/* Lets the device send what is in frames that are not full. They come while the device is asked other things. */
static enum gnomon_status flush(const struct gnomon_live *live, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (unsigned hart = 0; hart <= follows_both(live) && !status; hart++)
        status = gnomon_device_set(live->device, GNOMON_BLOCKS_OF_HART(hart) + GNOMON_PROFILE_CONTROL,
                                   control_of(live) | GNOMON_PROFILE_CONTROL_FLUSH, error);
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
static enum gnomon_status take_events(struct gnomon_live *live, struct gnomon_live_moment *moment,
                                      struct gnomon_error *error) {
    enum gnomon_status status = read_causes(live, moment, error); /* meanwhile, frames may come */
    if (!status)
        status = read_lost(live, moment, error);
    live->harts.alone = !status && !moment->other_ran;
    live_take_events(live);
    live->harts.alone = false;
    if (!status && live->too_deep)
        status = gnomon_fail(error, GNOMON_ERR_TOO_BIG, "the program's calls nest too deep to be followed");
    moment->cycle = gnomon_analysis_stats(&live->analysis)->last_cycle;
    if (!status && !gnomon_profile_now(live->profile, moment->end ? 0 : moment->cycle, &moment->calls))
        status = gnomon_fail_memory(error);
    return status;
}

/* At the end of a run: names of threads and locks, and of what kinds the locks were. */
static enum gnomon_status read_tables(struct gnomon_live *live, const struct gnomon_session *session,
                                      struct gnomon_error *error) {
    char doubt[GNOMON_LOCK_DOUBT_BYTES];
    enum gnomon_status status =
        gnomon_lock_tables_read(live->tables, live->device, &live->board, session->image, doubt, error);
    if (!status && live->tables->known && !*doubt && gnomon_contention_results(live->contention)->messages)
        gnomon_contention_kinds(live->contention, live->tables);
    return status;
}

/* The events that have waited for those of the other hart, and what ends with the run. */
static enum gnomon_status end_events(struct gnomon_live *live, const struct gnomon_session *session,
                                     struct gnomon_error *error) {
    live->harts.over = true;
    live_take_events(live);
    if (live->no_memory || !gnomon_contention_finish(live->contention))
        return gnomon_fail_memory(error);
    return read_tables(live, session, error);
}

enum gnomon_status gnomon_live_take(struct gnomon_live *live, struct gnomon_live_moment *moment,
                                    struct gnomon_error *error) {
    struct gnomon_epoch epoch;
    struct gnomon_records open;
    *moment = (struct gnomon_live_moment){.taken = true};
    if (live->no_memory)
        return gnomon_fail_memory(error);
    enum gnomon_status status = live->events ? flush(live, error) : read_causes(live, moment, error);
    if (live->events)
        return status ? status : take_events(live, moment, error);
    if (!status)
        status = gnomon_epoch_end(live->device, &live->board, &epoch, error);
    if (status)
        return status;
    moment->cycle = epoch.cycle;
    status = flush(live, error); /* so that all messages up to the epoch's end come */
    if (!status)
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
    enum gnomon_status status = end_events(live, session, error);
    *moment = (struct gnomon_live_moment){
        .taken = true,
        .end = true,
        .cycle = gnomon_analysis_stats(&live->analysis)->last_cycle,
        .reason = gnomon_session_reason(session->end, session->timed_out, session->crash.died),
        .status = session->end == GNOMON_END_EXIT ? (int)session->exit_status : -1,
    };
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

/* Records are copied as a difference to nothing. */
enum gnomon_status gnomon_live_moment_copy(struct gnomon_live_moment *copy, const struct gnomon_live_moment *moment,
                                           struct gnomon_error *error) {
    static const struct gnomon_records nothing;
    *copy = *moment;
    copy->records = nothing;
    if (!gnomon_profile_moment_copy(&copy->calls, &moment->calls))
        return gnomon_fail_memory(error);
    enum gnomon_status status =
        moment->records.size ? gnomon_records_between(&nothing, &moment->records, &copy->records, error) : GNOMON_OK;
    if (status)
        gnomon_live_moment_free(copy);
    return status;
}

void gnomon_live_moment_free(struct gnomon_live_moment *moment) {
    gnomon_records_free(&moment->records);
    gnomon_profile_moment_free(&moment->calls);
}
