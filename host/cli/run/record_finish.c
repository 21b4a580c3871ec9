/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon record, when the program has ended: what the device and the program's memory know goes into the file. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/print_names.h"
#include "cli/run/record.h"
#include "cli/run/record_arcs.h"
#include "cli/run/record_clock.h"
#include "cli/run/record_heap.h"
#include "cli/run/run_threads.h"
#include "lib/run/read_lock_tables.h"

/* Writes the samples that there are. */
static enum gnomon_status keep_samples(struct recording *recording, struct gnomon_error *error) {
    if (!recording->sample.on)
        return GNOMON_OK;
    const enum gnomon_status status =
        record_sample_filter(&recording->sample, &recording->tables, recording->symbols, error);
    return status ? status : record_sample_write(&recording->sample, recording->recorder.writer, error);
}

int record_keep_partial(struct recording *recording, const struct gnomon_error *why) {
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
    const bool named = strcmp(recording->path, RECORD_DEFAULT_OUTPUT) != 0;
    if (recording->event)
        snprintf(text, PATH_MAX + 64, "Next: gnomon merge -o FILE.gnp %s", recording->path);
    else
        snprintf(text, PATH_MAX + 64, "Next: gnomon report%s%s", named ? " -i " : "", named ? recording->path : "");
}

static void print_summary(const struct recording *recording) {
    const struct gnomon_recorder *recorder = &recording->recorder;
    const struct gnomon_trace_stats stats = gnomon_recorder_stats(recorder);
    char cycles[CLI_COUNT_BYTES], functions[CLI_COUNT_BYTES], calls[CLI_COUNT_BYTES], phrase[GNOMON_EXACTNESS_BYTES];
    char next[PATH_MAX + 64];
    struct gnomon_exactness exactness;
    const struct gnomon_event_classes classes = {.known = true, .recorded = recording->session.profile_control};
    gnomon_recorder_exactness(recorder, &recording->session, &exactness);
    next_step(recording, next);
    if (recording->sample.on) {
        record_sample_summary(&recording->sample, recording->context, recorder, &exactness, next);
        return;
    }
    gnomon_exactness_classes(&exactness, &classes);
    cli_note(recording->context, "wrote %s (%llu KiB): %s %s, %s functions, %s calls, %s. %s", recording->path,
             (unsigned long long)(recorder->bytes + 1023) / 1024, cli_count(cycles, stats.last_cycle),
             record_clock_unit(recording), cli_count(functions, recorder->functions),
             cli_count(calls, stats.enters + recorder->calls), gnomon_exactness_phrase(&exactness, NULL, phrase), next);
    const struct record_values *values = recording->context->values;
    if (!recording->event) /* the threads' times are in cycles */
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
    const struct record_values *values = recording->context->values;
    const struct gnomon_session *session = &recording->session;
    struct gnomon_error error;
    uint64_t runs = values->graph_runs ? values->graph_runs : recording->target.board.simulated ? ARCS_USUAL_RUNS : 1;
    if (session->end != GNOMON_END_EXIT || *recording->recorder.crash || recording->cpi.what || values->tags.count ||
        recording->sample.on)
        return;
    for (unsigned hart = 0; hart < GNOMON_MAX_HARTS; hart++)
        if (recording->recorder.kept[hart].size &&
            arcs_complete(recording->context, &recording->target, session,
                          gnomon_trace_stats(recording->recorder.trace)->last_cycle, record_clock_unit(recording), runs,
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

int record_finish(struct recording *recording) {
    struct gnomon_session *session = &recording->session;
    struct gnomon_error error;
    if (gnomon_recorder_take_records(&recording->recorder, recording->target.device, &error) ||
        (recording->watches &&
         gnomon_watch_loss(recording->target.device, 1 + session->both_harts, &recording->recorder.watch_loss, &error)))
        return record_keep_partial(recording, &error);
    struct gnomon_error of_files;
    if (recording->tags.list.count && take_tag_losses(recording, &error))
        return record_keep_partial(recording, &error);
    json_t *locks, *heap = NULL;
    if (recording->sample.on && record_sample_end(&recording->sample, &recording->recorder, &error))
        return record_keep_partial(recording, &error);
    if (take_lock_tables(recording, &locks, &error) ||
        record_heap_take(recording->context, &recording->heap, &recording->recorder, &heap, &error)) {
        json_decref(locks);
        return record_keep_partial(recording, &error);
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
        return record_keep_partial(recording, &error);
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
    if (cli_interrupted()) /* interrupted in a run for the call graph */
        return CLI_INTERRUPTED;
    return target_check_console(recording->context);
}
