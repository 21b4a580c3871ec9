/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon record: run a program and keep its profile, or its event stream, in a file. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/print_names.h"
#include "cli/run/record_arcs.h"
#include "cli/run/record_choice.h"
#include "cli/run/record_clock.h"
#include "cli/run/record_cpi.h"
#include "cli/run/record_heap.h"
#include "cli/run/record_runs.h"
#include "cli/run/record_sample.h"
#include "cli/run/record_watch.h"
#include "cli/run/run_threads.h"
#include "cli/run/tag_setup.h"
#include "gnomon/registers.h"
#include "lib/elf/symbols.h"
#include "lib/run/read_lock_tables.h"
#include "lib/run/recorder.h"

#define DEFAULT_OUTPUT "gnomon.gnt"
enum { MOST_RUNS = 1000 };

struct values {
    struct target_values target;
    bool no_functions, no_traps, no_channels, no_locks, no_modules, records, events, interrupts, calibrate, leak_check;
    struct record_watch_values watch;
    struct record_sample_values sample;
    struct cli_list tags;
    const char *cpi;
    uint64_t flush_cycles, graph_runs, repeat;
};

struct recording {
    struct cli_context *context;
    struct target target;
    struct gnomon_session session;
    struct gnomon_recorder recorder;
    struct cli_progress progress;
    const char *path;
    struct cpi cpi;
    struct record_sample sample;    /* with --sample */
    struct tag_setup tags;          /* with --tag */
    struct gnomon_symbols *symbols; /* NULL: the program's symbols cannot be read */
    struct gnomon_watch watch;      /* watched functions without hooks; valid with `watches` */
    bool watches;
    bool records; /* the device keeps function records, instead of sending functions and traps as events */
    struct gnomon_lock_tables tables;
    struct gnomon_clock_samples clock; /* with --calibrate */
    struct gnomon_heap_reader heap;
};

static bool on_frame(void *context, const uint8_t *frame) {
    struct recording *recording = context;
    return gnomon_recorder_frame(&recording->recorder, frame);
}

static void on_console(void *context, const uint8_t *data, size_t size) {
    struct recording *recording = context;
    cli_progress_end(&recording->progress);
    target_console(data, size);
}

static void on_progress(void *context, uint64_t cycles) {
    struct recording *recording = context;
    const struct gnomon_trace_stats *stats = gnomon_trace_stats(recording->recorder.trace);
    const double seconds = cli_progress_seconds(&recording->progress), millions = (double)cycles / 1e6;
    const uint64_t most = recording->target.most_cycles;
    char share[24] = "", functions[72] = "";
    if (most)
        snprintf(share, sizeof share, "  %.0f %%", 100.0 * (double)cycles / (double)most);
    if (!recording->records)
        snprintf(functions, sizeof functions, "   %zu functions   %llu events lost", recording->recorder.functions,
                 (unsigned long long)gnomon_trace_lost(stats));
    cli_progress_draw(&recording->progress, "%s  %.1f M cycles%s   %.1f M cycles/s", share, millions, functions,
                      seconds > 0 ? millions / seconds : 0.0);
}

static enum gnomon_status on_look(void *context, struct gnomon_error *error) {
    struct recording *recording = context;
    return gnomon_heap_reader_look(&recording->heap, false, error);
}

static bool on_tick(void *context) {
    struct recording *recording = context;
    return target_interrupted() || recording->recorder.error.status || record_sample_tick(&recording->sample);
}

static uint32_t profile_control(const struct values *values) {
    return GNOMON_PROFILE_CONTROL_ENABLE | (values->no_functions ? 0 : GNOMON_PROFILE_CONTROL_FUNCTIONS) |
           (values->no_traps ? 0 : GNOMON_PROFILE_CONTROL_TRAPS) |
           (values->no_channels ? 0 : GNOMON_PROFILE_CONTROL_CHANNELS) |
           (values->no_locks ? 0 : GNOMON_PROFILE_CONTROL_LOCKS) |
           (values->no_modules ? 0 : GNOMON_PROFILE_CONTROL_MODULES) |
           (values->interrupts ? GNOMON_PROFILE_CONTROL_INTERRUPTS | GNOMON_PROFILE_CONTROL_TRAPS : 0);
}

/* Writes the samples that there are. */
static enum gnomon_status keep_samples(struct recording *recording, struct gnomon_error *error) {
    if (!recording->sample.on)
        return GNOMON_OK;
    const enum gnomon_status status =
        record_sample_filter(&recording->sample, &recording->tables, recording->symbols, error);
    return status ? status : record_sample_write(&recording->sample, recording->recorder.writer, error);
}

/* After an error in the middle of a run, keeps what was recorded before it. It never replaces an earlier file. */
static int keep_partial(struct recording *recording, const struct gnomon_error *why) {
    int result = cli_error(recording->context, why);
    struct gnomon_error error;
    bool any = recording->recorder.trace && gnomon_trace_stats(recording->recorder.trace)->frames;
    if (recording->recorder.error.status || !any) {
        gnomon_gnt_writer_abort(recording->recorder.writer);
        recording->recorder.writer = NULL;
        if (!any && recording->records)
            cli_warn(recording->context,
                     "nothing is left of this run: its function records were still in the device; --events saves the "
                     "events as they arrive");
    } else if (keep_samples(recording, &error) || gnomon_recorder_close(&recording->recorder, &recording->session,
                                                                        gnomon_status_name(why->status), &error)) {
        cli_error(recording->context, &error);
    } else {
        cli_warn(recording->context, "the recording up to the error is in %s", recording->recorder.file);
    }
    return result;
}

/* The end of the summary: "Next: gnomon report -i FILE". */
static void next_step(const struct recording *recording, char text[PATH_MAX + 64]) {
    const bool named = strcmp(recording->path, DEFAULT_OUTPUT) != 0;
    snprintf(text, PATH_MAX + 64, "Next: gnomon report%s%s", named ? " -i " : "", named ? recording->path : "");
}

static void print_summary(const struct recording *recording) {
    const struct gnomon_recorder *recorder = &recording->recorder;
    const struct gnomon_trace_stats stats = gnomon_recorder_stats(recorder);
    char cycles[CLI_COUNT_BYTES], functions[CLI_COUNT_BYTES], calls[CLI_COUNT_BYTES], phrase[GNOMON_EXACTNESS_BYTES];
    char next[PATH_MAX + 64];
    struct gnomon_exactness exactness;
    gnomon_recorder_exactness(recorder, &recording->session, &exactness);
    next_step(recording, next);
    if (recording->sample.on) {
        record_sample_summary(&recording->sample, recording->context, recorder, &exactness, next);
        return;
    }
    cli_note(recording->context, "wrote %s (%llu KiB): %s cycles, %s functions, %s calls, %s. %s", recording->path,
             (unsigned long long)(recorder->bytes + 1023) / 1024, cli_count(cycles, stats.last_cycle),
             cli_count(functions, recorder->functions), cli_count(calls, stats.enters + recorder->calls),
             gnomon_exactness_phrase(&exactness, NULL, phrase), next);
    const struct values *values = recording->context->values;
    run_threads_note(&recorder->threads, !recording->records && !values->no_traps, &recording->tables,
                     recording->symbols, recording->context);
    if (!recording->context->quiet) /* the file has these reasons, too */
        cli_reasons(recording->context, &exactness, false);
}

/* Adds the cycles of instructions. It comes after the fetching of files, and only if the program has ended, because it
 * may make further runs. */
static enum gnomon_status add_instructions(struct recording *recording, struct gnomon_error *error) {
    if (!recording->cpi.what)
        return GNOMON_OK;
    if (recording->session.end != GNOMON_END_EXIT) {
        cli_warn(recording->context, "the program did not end: there are no cycles of instructions");
        return GNOMON_OK;
    }
    const struct gnomon_recorder *recorder = &recording->recorder;
    struct gnomon_instructions instructions[GNOMON_MAX_HARTS] = {{0}};
    const unsigned harts =
        recording->session.other_ran ? cpi_harts(&recording->cpi, &recording->target, &recording->session) : 1;
    const uint64_t cycles[] = {gnomon_trace_stats(recorder->trace)->last_cycle,
                               harts > 1 ? gnomon_trace_stats(recorder->other)->last_cycle : 0};
    enum gnomon_status status =
        cpi_collect(&recording->cpi, recording->context, &recording->target, harts, cycles, instructions, error);
    json_t *json = status ? NULL : gnomon_instructions_json(&instructions[0]);
    if (json && harts > 1)
        json_object_set_new(json, GNOMON_INSTRUCTIONS_OF_HART1, gnomon_instructions_json(&instructions[1]));
    if (!status)
        status = json ? gnomon_gnt_writer_instructions(recorder->writer, json, error) : gnomon_fail_memory(error);
    json_decref(json);
    for (unsigned hart = 0; hart < harts; hart++)
        gnomon_instructions_free(&instructions[hart]);
    return status;
}

/* Makes further runs to get the callers for which the device had no place. It does nothing with options that apply only
 * to a single run. If these runs fail, what was recorded stays valid. */
static void complete_graph(struct recording *recording) {
    const struct values *values = recording->context->values;
    const struct gnomon_session *session = &recording->session;
    struct gnomon_error error;
    uint64_t runs = values->graph_runs ? values->graph_runs : recording->target.board.simulated ? ARCS_USUAL_RUNS : 1;
    if (session->end != GNOMON_END_EXIT || *recording->recorder.crash || recording->cpi.what || values->tags.count)
        return;
    for (unsigned hart = 0; hart < GNOMON_MAX_HARTS; hart++)
        if (recording->recorder.kept[hart].size &&
            arcs_complete(recording->context, &recording->target, session,
                          gnomon_trace_stats(recording->recorder.trace)->last_cycle, runs,
                          &recording->recorder.kept[hart], &error))
            cli_warn(recording->context, "the call graph stays incomplete: %s", error.what);
}

/* Puts the reason why the program died into the file: "illegal instruction in f". */
static bool explain_crash(struct recording *recording) {
    const struct gnomon_crash *crash = &recording->session.crash;
    struct gnomon_recorder *recorder = &recording->recorder;
    char why[GNOMON_CRASH_BYTES];
    if (!target_explain_crash(recording->context, &recording->target, crash))
        return false;
    const struct gnomon_function *function =
        crash->trapped && recording->symbols ? gnomon_symbols_at(recording->symbols, crash->pc) : NULL;
    snprintf(recorder->crash, sizeof recorder->crash, "%s%s%.60s", gnomon_crash_text(crash, why),
             function ? " in " : "", function ? function->name : "");
    return true;
}

/* Finds how many calls were open when the program left its stack. If the device did not count them, the events give the
 * number, provided that none is missing. */
static void count_depth(struct recording *recording) {
    struct gnomon_overflow *overflow = &recording->session.overflow;
    struct gnomon_exactness exactness;
    if (recording->recorder.watch_loss.missed) /* the device did not count these calls either */
        overflow->calls = 0;
    if (!overflow->found || overflow->calls || recording->records)
        return;
    gnomon_recorder_exactness(&recording->recorder, &recording->session, &exactness);
    if (gnomon_exactness_exact(&exactness))
        overflow->calls = gnomon_trace_open_calls(recording->recorder.trace);
}

/* What the tags that gated the trace have lost: the file keeps it. */
static enum gnomon_status take_tag_losses(struct recording *recording, struct gnomon_error *error) {
    struct gnomon_tag_counts counts;
    enum gnomon_status status = gnomon_tags_read(&recording->tags.tags, &counts, error);
    recording->recorder.tag_losses = counts.losses;
    recording->recorder.tagged = !status;
    return status;
}

/* Reads what the program knows of its threads and locks, for their names. It comes before further runs, which overwrite
 * the memory. *json is NULL if there is nothing to write. */
static enum gnomon_status take_lock_tables(struct recording *recording, json_t **json, struct gnomon_error *error) {
    char doubt[GNOMON_LOCK_DOUBT_BYTES];
    const struct target *target = &recording->target;
    struct gnomon_lock_tables *tables = &recording->tables;
    *json = NULL;
    enum gnomon_status status =
        gnomon_lock_tables_read(tables, target->device, &target->board, target->image, doubt, error);
    if (!status && *doubt)
        cli_warn(recording->context, "the tables of threads and locks of %s make no sense: %s%s", target->image->path,
                 doubt, tables->known ? "" : "; threads and locks have no names in the recording");
    if (!status && tables->known && !(*json = gnomon_lock_tables_json(tables)))
        status = gnomon_fail_memory(error);
    return status;
}

/* The sections that follow the frames, in the file's order. */
static enum gnomon_status add_sections(struct recording *recording, bool fetched, const json_t *locks,
                                       const json_t *heap, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_recorder_put_records(&recording->recorder, error);
    if (!status && fetched)
        status = add_instructions(recording, error);
    if (!status && locks)
        status = gnomon_gnt_writer_locks(recording->recorder.writer, locks, error);
    if (!status && heap)
        status = gnomon_gnt_writer_heap(recording->recorder.writer, heap, error);
    if (!status)
        status = keep_samples(recording, error);
    return status;
}

static int finish(struct recording *recording) {
    struct gnomon_session *session = &recording->session;
    struct gnomon_error error;
    if (gnomon_recorder_take_records(&recording->recorder, recording->target.device, &error) ||
        (recording->watches &&
         gnomon_watch_loss(recording->target.device, 1 + session->both_harts, &recording->recorder.watch_loss, &error)))
        return keep_partial(recording, &error);
    struct gnomon_error of_files;
    if (recording->tags.list.count && take_tag_losses(recording, &error))
        return keep_partial(recording, &error);
    json_t *locks, *heap = NULL;
    if (recording->sample.on && record_sample_end(&recording->sample, &error))
        return keep_partial(recording, &error);
    if (take_lock_tables(recording, &locks, &error) ||
        record_heap_take(recording->context, &recording->heap, &recording->recorder, &heap, &error)) {
        json_decref(locks);
        return keep_partial(recording, &error);
    }
    count_depth(recording);
    if (session->clock)
        recording->recorder.clock = record_clock(recording->context, session->clock, &recording->target.board,
                                                 gnomon_trace_stats(recording->recorder.trace)->last_cycle);
    if (session->overflow.found)
        gnomon_overflow_text(&session->overflow, recording->target.image->path, recording->recorder.crash,
                             sizeof recording->recorder.crash);
    const bool died = explain_crash(recording);
    bool ended = session->end == GNOMON_END_EXIT;
    bool fetched = !ended || !target_fetch(&recording->target, recording->context, &of_files);
    if (fetched)
        complete_graph(recording);
    enum gnomon_status added = add_sections(recording, fetched, locks, heap, &error);
    json_decref(locks);
    json_decref(heap);
    if (added)
        return keep_partial(recording, &error);
    if (gnomon_recorder_close(&recording->recorder, session, gnomon_recorder_reason(&recording->recorder, session),
                              &error) ||
        gnomon_recorder_place(&recording->recorder, &error))
        return cli_error(recording->context, &error);
    if (!fetched)
        return cli_error(recording->context, &of_files);
    if (ended && gnomon_session_finish(session, &error))
        return cli_error(recording->context, &error);
    if (recording->tags.list.count && gnomon_tags_off(&recording->tags.tags, &error))
        return cli_error(recording->context, &error);
    print_summary(recording);
    if (session->end == GNOMON_END_DEBUG && target_explain_debug(session, &error))
        return cli_error(recording->context, &error);
    if (session->end == GNOMON_END_STOPPED && !session->timed_out) {
        cli_warn(recording->context, "interrupted; the file holds the run up to here");
        return CLI_INTERRUPTED;
    }
    if (died)
        return CLI_FAILED;
    if (target_interrupted()) /* interrupted in a run for the call graph */
        return CLI_INTERRUPTED;
    return target_check_console(recording->context);
}

static void announce(const struct recording *recording) {
    const struct gnomon_board *board = &recording->target.board;
    char isa[GNOMON_ISA_BYTES];
    char records[32] = "";
    if (recording->records)
        snprintf(records, sizeof records, ", %u records", board->records);
    cli_note(recording->context, "%s  %.6g MHz  %s  profiler %u.%u%s, %u hart%s", board->address, board->clock_hz / 1e6,
             gnomon_board_isa(board, isa), board->version_major, board->version_minor, records, board->harts,
             board->harts == 1 ? "" : "s");
}

/* A function without a number would be missing from the profile, and its cycles would count for its callers. */
static enum gnomon_status check_numbers(const struct recording *recording, struct gnomon_error *error) {
    const struct target *target = &recording->target;
    const uint32_t functions = recording->symbols ? gnomon_symbols_total(recording->symbols) : 0;
    if (functions <= target->board.numbers)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has %u profiled functions; %s has numbers for %u",
                target->image->path, (unsigned)functions, target->board.address, (unsigned)target->board.numbers);
    return gnomon_remedy(
        error, GNOMON_ERR_UNSUPPORTED,
        "leave functions out when you compile, with --gnomon-exclude, --gnomon-exclude-file or "
        "--gnomon-min-insns, or record on a device with more numbers; gnomon info shows how many a device "
        "has");
}

/* --tag: the trace is on only where tags say so. */
static enum gnomon_status gate_trace(struct recording *recording, struct gnomon_error *error) {
    static const struct cli_list no_thresholds;
    const struct values *values = recording->context->values;
    enum gnomon_status status = tag_setup_open(&recording->tags, recording->context, &recording->target, &values->tags,
                                               &no_thresholds, false, GNOMON_TAG_SHADOW_AUTO, error);
    if (status || recording->tags.plan.trace)
        return status;
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "no --tag starts or stops the trace");
    return gnomon_remedy(
        error, GNOMON_ERR_ARGUMENT,
        "give a tag the action trace-start, as in --tag WHAT:trace-start; gnomon tag has the other actions");
}

static enum gnomon_status open_recorder(struct recording *recording, struct gnomon_error *error) {
    const struct target *target = &recording->target;
    recording->recorder.board = &target->board;
    recording->recorder.path = recording->path;
    recording->recorder.records = recording->records;
    recording->recorder.both_harts = recording->session.both_harts;
    record_sample_listen(&recording->sample, &recording->recorder);
    json_t *header = gnomon_recorder_header(&recording->session, target->argc, target->argv, &target->inputs,
                                            recording->watches ? &recording->watch : NULL, recording->records);
    if (header && recording->sample.on)
        json_object_set_new(header, "sampled", json_true());
    enum gnomon_status status = gnomon_recorder_open(&recording->recorder, header, error);
    json_decref(header);
    return status;
}

/* True if hart 1 is recorded, too: it has what the recording needs. It has no tags. */
static bool records_both(const struct recording *recording) {
    const struct values *values = recording->context->values;
    const struct gnomon_board *board = &recording->target.board;
    return board->harts > 1 && !recording->sample.on && (!recording->records || board->other_records) &&
           (!recording->watches || board->other_watch) && !values->tags.count;
}

/* Which functions' calls are recorded, how, and what else of them. */
static enum gnomon_status choose_calls(struct recording *recording, struct gnomon_error *error) {
    const struct target *target = &recording->target;
    const struct values *values = recording->context->values;
    enum gnomon_status status = values->no_functions ? GNOMON_OK : check_numbers(recording, error);
    if (!status && record_wants_watch(&values->watch, target, recording->symbols, !values->no_functions))
        status = record_choose_watch(recording->context, &values->watch, &recording->target, &recording->symbols,
                                     &recording->watch, error);
    recording->watches = recording->watch.count > 0;
    if (!status && recording->cpi.what)
        status = cpi_choose(&recording->cpi, target, recording->symbols, error);
    if (!status && values->tags.count)
        status = gate_trace(recording, error);
    if (!status)
        recording->records = record_takes_records(recording->context, &target->board, recording->symbols,
                                                  recording->watch.count, values->records, values->events);
    return status;
}

static enum gnomon_status prepare(struct recording *recording, struct gnomon_error *error) {
    const struct target *target = &recording->target;
    const struct values *values = recording->context->values;
    if (!target->board.profiler) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has no profiler", target->board.address);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                             "run the program without a profile (gnomon run), or take another device (gnomon list)");
    }
    if (values->records && !target->board.records) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s keeps no records", target->board.address);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "leave out --records; gnomon info shows what a device has");
    }
    cli_note_stripped(recording->context, recording->symbols);
    enum gnomon_status status = values->calibrate ? gnomon_calibrate_check(&target->board, error) : GNOMON_OK;
    if (!status)
        status = record_samples(&values->sample)
                     ? record_sample_open(&recording->sample, &values->sample, target, error)
                     : choose_calls(recording, error);
    if (status)
        return status;
    struct gnomon_session *session = &recording->session;
    *session = target_session(target, recording);
    session->profile_control =
        (recording->sample.on ? record_sample_control(&recording->sample) : profile_control(values)) |
        (recording->records ? GNOMON_PROFILE_CONTROL_RECORDS : 0) |
        (recording->watches ? GNOMON_PROFILE_CONTROL_WATCH : 0);
    session->flush_cycles = (uint32_t)values->flush_cycles;
    session->both_harts = records_both(recording);
    session->watch = recording->watches ? &recording->watch : NULL;
    session->console = on_console;
    session->frame = on_frame;
    session->tick = on_tick;
    session->look = on_look;
    session->tick_ms = recording->sample.on ? RECORD_SAMPLE_TICK_MS : 0;
    session->clock = values->calibrate ? &recording->clock : NULL;
    announce(recording);
    status = open_recorder(recording, error);
    if (!status)
        status = gnomon_session_prepare(&recording->session, error);
    if (!status && recording->sample.on)
        status = record_sample_begin(&recording->sample, error);
    if (!status && values->tags.count)
        status = gnomon_tags_load(&recording->tags.tags, &recording->tags.plan, error);
    if (!status)
        status = record_heap_open(&recording->heap, session, values->leak_check, error);
    return status ? status : cpi_prepare(&recording->cpi, target, cpi_harts(&recording->cpi, target, session), error);
}

static int record(struct recording *recording) {
    struct gnomon_error error;
    if (prepare(recording, &error))
        return cli_error(recording->context, &error);
    cli_progress_begin(&recording->progress, recording->context);
    recording->session.progress = recording->progress.enabled ? on_progress : NULL;
    enum gnomon_status status = gnomon_session_run(&recording->session, &error);
    cli_progress_end(&recording->progress);
    if (recording->recorder.error.status)
        return keep_partial(recording, &recording->recorder.error);
    if (recording->sample.error.status)
        return keep_partial(recording, &recording->sample.error);
    return status ? keep_partial(recording, &error) : finish(recording);
}

/* True if the run needs only function records and events; functions without hooks need more units. */
static bool suits_lean(const struct recording *recording) {
    const struct values *values = recording->context->values;
    if (record_samples(&values->sample) || values->watch.functions || values->watch.only.count ||
        record_watches_locks(&values->watch) || values->tags.count || recording->cpi.what)
        return false;
    return values->no_functions ||
           (recording->symbols && (gnomon_symbols_total(recording->symbols) || record_tells_calls(recording->symbols)));
}

/* True if an option is about calls, or about the events of a run. */
static bool records_calls(const struct values *values) {
    return values->records || values->events || values->watch.functions || values->watch.only.count ||
           record_watches_locks(&values->watch) || values->tags.count || values->cpi || values->interrupts ||
           values->no_functions || values->no_traps || values->no_channels || values->no_locks || values->no_modules;
}

/* One run into the file `path`. */
static int record_once(struct cli_context *context, const char *path) {
    struct gnomon_error error;
    const struct values *values = context->values;
    struct recording *recording = calloc(1, sizeof *recording);
    if (!recording) {
        gnomon_fail_memory(&error);
        return cli_error(context, &error);
    }
    recording->context = context;
    recording->path = path;
    target_watch_interrupts();
    /* Without symbols nothing can be watched; record_choose_watch reports that if it matters. */
    if (gnomon_symbols_load_any(&recording->symbols, context->argv[0], NULL))
        recording->symbols = NULL;
    int result;
    if (cpi_begin(&recording->cpi, values->cpi, &values->target, &error) ||
        target_open_for(&recording->target, context, &recording->cpi.values, suits_lean(recording), &error)) {
        result = cli_error(context, &error);
    } else {
        result = record(recording);
        target_close(&recording->target);
    }
    gnomon_recorder_free(&recording->recorder);
    gnomon_lock_tables_free(&recording->tables);
    gnomon_heap_reader_free(&recording->heap);
    gnomon_symbols_free(recording->symbols);
    gnomon_watch_free(&recording->watch);
    tag_setup_close(&recording->tags);
    record_sample_free(&recording->sample);
    cpi_end(&recording->cpi);
    free(recording);
    return result;
}

static int run_record(struct cli_context *context) {
    const struct values *values = context->values;
    if (values->records && values->events)
        return cli_usage(context, "--records and --events exclude each other");
    if (values->interrupts && !values->events)
        return cli_usage(context, "--interrupts needs --events: function records have no order of events");
    const char *wrong = record_samples(&values->sample) ? record_sample_wrong(&values->sample) : NULL;
    if (wrong)
        return cli_usage(context, "%s", wrong);
    if (record_samples(&values->sample) && records_calls(values))
        return cli_usage(context, "--sample records no calls: leave out --records, --events, --watch, --watch-only, "
                                  "--watch-locks, --tag, --cpi and --no-...");
    const bool locks = record_watches_locks(&values->watch),
               watches = values->watch.functions || values->watch.only.count;
    if (values->no_functions && (watches || locks))
        return cli_usage(context, "--watch and --no-functions exclude each other");
    if (locks && watches)
        return cli_usage(context, "--watch-locks and --watch exclude each other: a lock function's call must be the "
                                  "only one that is watched");
    if (locks && !values->events)
        return cli_usage(context, "--watch-locks needs --events: function records have no order of events");
    if (locks && (values->no_channels || values->no_traps))
        return cli_usage(context, "--watch-locks needs channel messages and traps");
    if (values->flush_cycles > UINT32_MAX)
        return cli_usage(context, "--flush-cycles is at most 4294967295");
    if (values->repeat > MOST_RUNS)
        return cli_usage(context, "--repeat is at most %u", MOST_RUNS);
    const char *path = context->output ? context->output : DEFAULT_OUTPUT;
    return values->repeat ? record_runs(context, values->repeat, path, record_once) : record_once(context, path);
}

#define WITHOUT(name, what)                                                                                            \
    { 0, "no-" #name, NULL, "leave out " what, CLI_FLAG, offsetof(struct values, no_##name) }

static const struct cli_option options[] = {
    TARGET_OPTIONS,
    {0, "records", NULL,
     "keep a record of each function in the device, instead of sending its events (default if the "
     "device has a record for each function)",
     CLI_FLAG, offsetof(struct values, records)},
    {0, "events", NULL,
     "send every enter and exit, for gnomon dump; events that USB cannot carry are lost, and counted", CLI_FLAG,
     offsetof(struct values, events)},
    {0, "watch", NULL,
     "also profile functions without hooks, from their calls and returns (default if the program has no "
     "hooks)",
     CLI_FLAG, offsetof(struct values, watch.functions)},
    {0, "watch-only", "GLOB", "restrict --watch to functions matching GLOB", CLI_LIST,
     offsetof(struct values, watch.only)},
    {0, "watch-locks", NULL,
     "with --events: for gnomon locks, watch the calls of the functions of pthread.h, semaphore.h and threads.h, and "
     "of FreeRTOS's mutexes and semaphores, in a program that sends no messages about its locks",
     CLI_FLAG, offsetof(struct values, watch.locks)},
    {0, "lock-function", "ROLE=FUNCTION",
     "the same for FUNCTION, a name or an address; ROLE: acquire, try (returns true if it got the lock), release, or a "
     "function that does the same, as pthread_mutex_lock",
     CLI_LIST, offsetof(struct values, watch.lock_functions)},
    RECORD_SAMPLE_OPTIONS(struct values),
    {0, "tag", "WHAT:ACTION",
     "record functions' enters and exits only between tags: trace-start, trace-stop, trace-toggle, as "
     "for gnomon tag -t",
     CLI_LIST, offsetof(struct values, tags)},
    WITHOUT(functions, "function enters and exits"),
    WITHOUT(traps, "traps entered and left"),
    WITHOUT(channels, "channel messages (threads, heap, marks, values)"),
    WITHOUT(locks, "lock accesses"),
    WITHOUT(modules, "module messages"),
    {0, "interrupts", NULL,
     "with --events: also each instruction that switches interrupts off or on, and how long interrupts waited, for "
     "gnomon locks, report and dump",
     CLI_FLAG, offsetof(struct values, interrupts)},
    {0, "cpi", "WHAT",
     "count the cycles of each instruction by cause, for gnomon annotate; WHAT is all, a FUNCTION, or "
     "START-END",
     CLI_STRING, offsetof(struct values, cpi)},
    {0, "graph-runs", "N",
     "run the program up to N times if the device has no room for its whole call graph (default: 16 on "
     "the simulated board, whose runs are all the same, else 1)",
     CLI_NUMBER, offsetof(struct values, graph_runs)},
    {0, "calibrate", NULL, "also measure the host's time of the run's cycles, for gnomon calibrate FILE", CLI_FLAG,
     offsetof(struct values, calibrate)},
    {'r', "repeat", "N",
     "run the program N times, into FILE.1.gnt, FILE.2.gnt and so on (of FILE.gnt): gnomon diff FILE.gnt takes them "
     "all",
     CLI_NUMBER, offsetof(struct values, repeat)},
    {0, "leak-check", NULL,
     "of a program linked with --gnomon-heap: halt it when it exits and at each GNOMON_HEAP_MARK, and keep what it can "
     "reach then, for gnomon heap --mode; its cycles after the halt are not those of other runs",
     CLI_FLAG, offsetof(struct values, leak_check)},
    {0, "flush-cycles", "N",
     "send a frame that is not full after N cycles without an event (default: 0, only full frames)", CLI_NUMBER,
     offsetof(struct values, flush_cycles)},
    {0},
};

const struct command command_record = {
    .name = "record",
    .summary = "run a program and write where its cycles went to a file",
    .synopsis = "[OPTION...] ELF [--] [ARG...]",
    .description =
        "Runs ELF like gnomon run, with the profiler on, and writes where its cycles went to a file "
        "(default: gnomon.gnt). If the device can, it keeps a record for each function and for each pair "
        "of caller and callee, exact at any practical rate of calls. Otherwise, and with --events, it "
        "sends every enter and exit. Some devices can also watch calls of functions without hooks, in "
        "programs of any compiler. gnomon's options end at ELF; what follows is the program's.\n\nWith "
        "--cpi the file also has the cycles of each instruction by cause. The simulated board counts all "
        "instructions in one run. Another device counts the instructions in one part of the code; if the "
        "code is larger, the program runs once for each part, and every run must take the same "
        "cycles.\n\nThe file is written as FILE.partial and gets its name when the trace is complete, so "
        "an earlier file survives any failure. Ctrl-C stops the program; the file then holds the run up to "
        "that point. If the device is lost, the events that arrived stay in FILE.partial, which the other "
        "commands can read. Function records are read at the end, so they are lost with the device.\n\n" TARGET_FILES,
    .examples = "gnomon record ./image.elf -- logo.png out.png\tRecord into gnomon.gnt.\ngnomon record "
                "--watch-only 'str*' ./image.elf\tAlso profile the library's functions for strings.\ngnomon record "
                "--cpi all ./image.elf\tAlso count the cycles of every instruction, for gnomon annotate.\ngnomon "
                "record -d usb -o slow.gnt ./image.elf\tRecord on the board, into slow.gnt.\n",
    .common = CLI_DEVICE | CLI_OUTPUT | CLI_NAMES,
    TARGET_COMMAND(struct values, 1),
    .run = run_record,
};
