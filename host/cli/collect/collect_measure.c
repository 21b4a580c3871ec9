/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/collect/collect_measure.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cli/run/record_watch.h"
#include "gnomon/registers.h"
#include "lib/collect/durable.h"
#include "lib/device/event_clock.h"
#include "lib/elf/comp_folders.h"
#include "lib/fleet/api_recording.h"
#include "lib/fleet/api_redact.h"
#include "lib/model/function_records.h"

#define LEAST_FREE ((uint64_t)64 << 20) /* bytes on the disk of the results */
#define MOST_TRACE ((uint64_t)64 << 20) /* bytes of a recording: messages of a program that runs for long */

/* ---- Declining ---- */

void collect_measure_drop(struct collect_measure *measure, const char *why) {
    measure->on = false;
    if (measure->context->verbose)
        cli_note(measure->context, "runs unmeasured: %s", why);
}

static bool loaded(const struct gnomon_collect_policy *policy) {
    double average;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (policy->load <= 0)
        return true;
    return getloadavg(&average, 1) == 1 && average / (double)(processors > 0 ? processors : 1) > policy->load;
}

static bool disk_is_full(const char *folder) {
    struct statvfs about;
    return statvfs(folder, &about) || (uint64_t)about.f_bavail * about.f_frsize < LEAST_FREE;
}

/* Takes one of the places for programs that are measured at a time. A place is a lock, which ends with the process
 * however that ends, and it has a name for the recording. False: none is free. */
static bool take_slot(struct collect_measure *measure) {
    char path[PATH_MAX];
    for (unsigned i = 0; i < measure->policy.binaries && measure->slot < 0; i++) {
        if (snprintf(path, sizeof path, "%s/slots/%u", measure->member->places.state, i) >= (int)sizeof path)
            return false;
        measure->slot = gnomon_durable_lock(path, false);
        snprintf(measure->trace, sizeof measure->trace, "%.*s.gnt", (int)sizeof measure->trace - 5, path);
    }
    return measure->slot >= 0;
}

void collect_measure_open(struct collect_measure *measure, const struct cli_context *context,
                          const struct collect_member *member) {
    char slots[PATH_MAX];
    struct gnomon_collect_ledger ledger;
    struct gnomon_error error;
    *measure = (struct collect_measure){.context = context, .member = member, .slot = -1};
    gnomon_collect_ledger(&ledger, &member->places);
    measure->policy = ledger.policy;
    const struct gnomon_spool spool = gnomon_collect_spool(&member->settings, &member->places, &ledger.policy);
    snprintf(slots, sizeof slots, "%s/slots", member->places.state);
    if (!measure->policy.functions || !measure->policy.binaries)
        collect_measure_drop(measure, "the service wants nothing measured");
    else if (loaded(&measure->policy))
        collect_measure_drop(measure, "the load of this host is above the service's limit");
    else if (gnomon_durable_folder(slots, &error))
        collect_measure_drop(measure, error.what);
    else if (disk_is_full(slots))
        collect_measure_drop(measure, "the disk for results is nearly full");
    else if (gnomon_spool_full(&spool))
        collect_measure_drop(measure, "as many results as may be kept wait for the service");
    else if (!take_slot(measure))
        collect_measure_drop(measure, "as many programs as the service allows are measured now");
    else
        measure->on = true;
}

/* ---- Before the run ---- */

static uint64_t seed_of(const struct collect_values *values) {
    uint64_t seed = values->seed;
    if (!seed && getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
        seed = (uint64_t)getpid();
    return seed;
}

/* Function records are small and lose nothing, and tell calls apart only where the device has histograms for them; for
 * others, and for blocks of the heap, it sends events, of which some can be lost: then the figures are marked. */
static bool uses_records(const struct collect_measure *measure, const struct gnomon_board *board) {
    return !measure->cost.blocks && board->records && board->bucketed > gnomon_symbols_total(measure->symbols);
}

/* What the device or the program does not allow; NULL: nothing. */
static const char *unfit(const struct collect_measure *measure, const struct gnomon_board *board) {
    const bool follows_both = board->other_watch && (board->other_records || !uses_records(measure, board));
    return !board->profiler || !board->watch      ? "the device cannot watch calls"
           : board->harts > 1 && !follows_both    ? "the device cannot follow the calls of both harts"
           : record_tells_calls(measure->symbols) ? "the program has hooks of another compiler"
           : board->harts > 1 && gnomon_symbols_threads_move(measure->symbols) ? "threads move between harts"
                                                                               : NULL;
}

/* Finds the cost of a name. False: this program does not know it, of a service that may know more, or the measured one
 * does not report blocks of the heap. */
static bool find_cost(struct collect_cost *cost, const struct collect_measure *measure, const char *name) {
    uint32_t start;
    *cost = (struct collect_cost){.name = name, .blocks = !strcmp(name, GNOMON_API_BYTES)};
    return cost->blocks ? gnomon_symbols_named(measure->symbols, "__gnomon_heap_tell", &start, 1) > 0
                        : !gnomon_event_clock_parse(name, &cost->event, NULL);
}

/* The costs in which this program can be measured on a device that counts events up to the number `last`. Returns how
 * many. */
static size_t list_costs(struct collect_cost costs[GNOMON_COST_NAMES], const struct collect_measure *measure,
                         unsigned last) {
    const struct gnomon_cost_names *names = &measure->policy.costs;
    size_t count = 0;
    for (size_t i = 0; i < names->count; i++)
        count += find_cost(&costs[count], measure, names->names[i]) &&
                 (!costs[count].event || costs[count].event->number <= last);
    if (!count)
        costs[count++] = (struct collect_cost){.name = GNOMON_API_CYCLES};
    return count;
}

/* Does the policy name events? */
static bool names_events(const struct collect_measure *measure) {
    struct collect_cost costs[GNOMON_COST_NAMES];
    const size_t count = list_costs(costs, measure, UINT_MAX);
    for (size_t i = 0; i < count; i++)
        if (costs[i].event)
            return true;
    return false;
}

/* Draws the cost of this start, each with the same probability. Functions are drawn from other random numbers: which
 * are chosen does not depend on the cost. */
static enum gnomon_status draw_cost(struct collect_measure *measure, const struct target *target, uint64_t seed,
                                    struct gnomon_error *error) {
    struct collect_cost costs[GNOMON_COST_NAMES];
    size_t numbers[GNOMON_COST_NAMES];
    struct gnomon_random random;
    unsigned last = 0;
    if (names_events(measure)) {
        const enum gnomon_status status = gnomon_event_clock_last(target->device, &target->board, &last, error);
        if (status)
            return status;
        if (!last && measure->context->verbose)
            cli_note(measure->context, "the device measures calls only in cycles");
    }
    const size_t count = list_costs(costs, measure, last);
    gnomon_random_start(&random, ~seed);
    gnomon_collect_draw(&random, numbers, count, 1);
    measure->cost = costs[numbers[0]];
    return GNOMON_OK;
}

static size_t beyond(size_t all, size_t used) {
    return all > used ? all - used : 0;
}

/* How many functions the device can surely watch: it finds a place for each while its table is not nearly full. */
static struct gnomon_collect_room room_of(const struct collect_measure *measure, const struct gnomon_board *board) {
    const size_t places = board->watch / 4 * 3, hooked = gnomon_symbols_total(measure->symbols);
    if (!uses_records(measure, board))
        return (struct gnomon_collect_room){places, places};
    const size_t left = beyond(board->records - GNOMON_RECORD_TRAPS, hooked);
    return (struct gnomon_collect_room){places < left ? places : left, beyond(board->bucketed, hooked)};
}

/* A function without those that it jumps to would cost more: all of them are watched, or it is not measured. */
static enum gnomon_status choose(struct collect_measure *measure, const struct gnomon_board *board, uint64_t seed,
                                 struct gnomon_error *error) {
    const struct gnomon_collect_filter *filter = &measure->member->settings.filter;
    const struct gnomon_collect_room room = room_of(measure, board);
    enum gnomon_status status = gnomon_collect_choose(&measure->choice, measure->symbols, filter,
                                                      measure->policy.functions, &room, seed, error);
    if (!status)
        status = gnomon_watch_choose_at(&measure->watch, measure->symbols, measure->choice.watch,
                                        measure->choice.watch_count, board, error);
    if (!status && (!measure->watch.count || measure->watch.left_out))
        status = gnomon_fail(error, GNOMON_ERR_TOO_BIG, "the device has no room for the functions");
    return status;
}

static bool on_frame(void *context, const uint8_t *frame) {
    struct collect_measure *measure = context;
    struct gnomon_recorder *recorder = &measure->recorder;
    if (!recorder->error.status && gnomon_gnt_writer_size(recorder->writer) > MOST_TRACE)
        gnomon_fail(&recorder->error, GNOMON_ERR_TOO_BIG, "the program sends too many messages");
    return gnomon_recorder_frame(recorder, frame);
}

/* The arguments of the program go nowhere. */
static enum gnomon_status open_recorder(struct collect_measure *measure, const struct target *target,
                                        const struct gnomon_session *session, struct gnomon_error *error) {
    measure->recorder.board = &target->board;
    measure->recorder.path = measure->trace;
    measure->recorder.records = uses_records(measure, &target->board);
    measure->recorder.both_harts = session->both_harts;
    json_t *header =
        gnomon_recorder_header(session, 1, target->argv, &target->inputs, session->watch, measure->recorder.records);
    const enum gnomon_status status = gnomon_recorder_open(&measure->recorder, header, error);
    json_decref(header);
    return status;
}

static enum gnomon_status set_up(struct collect_measure *measure, struct target *target, struct gnomon_session *session,
                                 struct gnomon_error *error) {
    const struct gnomon_board *board = &target->board;
    enum gnomon_status status = gnomon_symbols_load_any(&measure->symbols, target->image->path, error);
    const char *why = status ? NULL : unfit(measure, board);
    const uint64_t seed = seed_of(measure->context->values);
    if (why)
        status = gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s", why);
    if (!status)
        status = draw_cost(measure, target, seed, error);
    if (!status)
        status = choose(measure, board, seed, error);
    if (status)
        return status;
    session->both_harts = board->harts > 1;
    session->watch = &measure->watch;
    session->frame = on_frame;
    session->profile_control = GNOMON_PROFILE_CONTROL_ENABLE | GNOMON_PROFILE_CONTROL_FUNCTIONS |
                               GNOMON_PROFILE_CONTROL_TRAPS | GNOMON_PROFILE_CONTROL_CHANNELS |
                               GNOMON_PROFILE_CONTROL_MODULES | GNOMON_PROFILE_CONTROL_WATCH |
                               (uses_records(measure, board) ? GNOMON_PROFILE_CONTROL_RECORDS : 0) |
                               gnomon_event_clock_control(measure->cost.event);
    status = open_recorder(measure, target, session, error);
    if (!status)
        gnomon_param_reserve(&target->param, measure->watch.first + (uint32_t)measure->watch.count);
    return status;
}

void collect_measure_begin(struct collect_measure *measure, struct target *target, struct gnomon_session *session) {
    const struct gnomon_session plain = *session;
    struct gnomon_error error;
    if (!measure->on)
        return;
    if (set_up(measure, target, session, &error)) {
        *session = plain;
        collect_measure_drop(measure, error.what);
    } else if (measure->context->verbose) {
        cli_note(measure->context, "measures %zu of %zu functions in %s", measure->choice.count,
                 measure->choice.candidates, measure->cost.name);
    }
}

/* ---- After the run ---- */

static enum gnomon_status take(struct collect_measure *measure, const struct target *target,
                               struct gnomon_session *session, struct gnomon_error *error) {
    struct gnomon_recorder *recorder = &measure->recorder;
    if (recorder->error.status) {
        *error = recorder->error;
        return error->status;
    }
    enum gnomon_status status = gnomon_recorder_take_records(recorder, target->device, error);
    if (!status)
        status = gnomon_watch_loss(target->device, 1 + session->both_harts, &recorder->watch_loss, error);
    if (!status)
        status = gnomon_recorder_put_records(recorder, error);
    if (session->crash.died)
        snprintf(recorder->crash, sizeof recorder->crash, "the program died");
    if (!status)
        status = gnomon_recorder_close(recorder, session, gnomon_recorder_reason(recorder, session), error);
    return status ? status : gnomon_recorder_place(recorder, error);
}

void collect_measure_end(struct collect_measure *measure, const struct target *target, struct gnomon_session *session) {
    struct gnomon_error error;
    if (!measure->on)
        return;
    if (!session->trace_ended)
        collect_measure_drop(measure, "the device did not end its records");
    else if (take(measure, target, session, &error))
        collect_measure_drop(measure, error.what);
    else
        measure->recorded = true;
}

static bool is_chosen(void *context, const char *name, const char *symbol) {
    const struct collect_measure *measure = context;
    (void)name;
    return gnomon_collect_chosen(&measure->choice, symbol);
}

/* Blocks come beside the calls of their run, which count it; here they are alone. */
static enum gnomon_status count_run(const struct gnomon_api_profile *profile, struct gnomon_error *error) {
    size_t count = 0;
    struct gnomon_api_source **sources = gnomon_api_profile_sources(profile, &count);
    for (size_t i = 0; sources && i < count; i++)
        gnomon_api_source_add(sources[i], 1, 0);
    free(sources);
    return sources ? GNOMON_OK : gnomon_fail_memory(error);
}

/* What the run says of the chosen functions, reduced to what may be sent. */
static enum gnomon_status read_run(struct collect_measure *measure, struct gnomon_api_profile **reduced,
                                   struct gnomon_error *error) {
    const struct collect_values *values = measure->context->values;
    const struct gnomon_collect_settings *settings = &measure->member->settings;
    const struct gnomon_api_recording of = {.path = measure->trace,
                                            .elf = gnomon_symbols_path(measure->symbols),
                                            .scenario = settings->scenario,
                                            .size = values->size,
                                            .what =
                                                measure->cost.blocks ? GNOMON_API_ONLY_BLOCKS : GNOMON_API_ONLY_CALLS,
                                            .chosen = is_chosen,
                                            .context = measure};
    struct gnomon_exactness exactness;
    struct gnomon_comp_folders folders = {0};
    struct gnomon_api_profile *profile = gnomon_api_profile_new();
    enum gnomon_status status =
        profile ? gnomon_api_recording_add(profile, &of, &exactness, error) : gnomon_fail_memory(error);
    if (!status && measure->cost.blocks)
        status = count_run(profile, error);
    if (!status)
        status = gnomon_comp_folders_read(&folders, of.elf, error);
    const struct gnomon_api_redaction redaction = {.program = values->program ? values->program : settings->program,
                                                   .folders = (const char *const *)folders.paths,
                                                   .folder_count = folders.count};
    *reduced = status ? NULL : gnomon_api_redact(profile, &redaction);
    if (!status)
        status = *reduced ? gnomon_api_redact_check(*reduced, error) : gnomon_fail_memory(error);
    gnomon_comp_folders_free(&folders);
    gnomon_api_profile_free(profile);
    return status;
}

void collect_measure_keep(struct collect_measure *measure) {
    struct gnomon_error error;
    struct gnomon_api_profile *profile = NULL;
    if (!measure->on || !measure->recorded)
        return;
    const struct gnomon_spool spool =
        gnomon_collect_spool(&measure->member->settings, &measure->member->places, &measure->policy);
    enum gnomon_status status = read_run(measure, &profile, &error);
    if (!status)
        status = gnomon_spool_add(&spool, profile, &error);
    if (status && measure->context->verbose)
        cli_note(measure->context, "the measurement is lost: %s", error.what);
    gnomon_api_profile_free(profile);
}

void collect_measure_close(struct collect_measure *measure) {
    gnomon_recorder_free(&measure->recorder);
    if (measure->recorded)
        unlink(measure->trace);
    gnomon_collect_choice_free(&measure->choice);
    gnomon_watch_free(&measure->watch);
    gnomon_symbols_free(measure->symbols);
    if (measure->slot >= 0)
        close(measure->slot);
    measure->slot = -1;
}
