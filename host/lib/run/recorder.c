/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/recorder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <gnomon/heap.h>
#include <gnomon/registers.h>

#include "lib/device/event_clock.h"
#include "lib/device/read_records.h"
#include "lib/model/event_classes.h"
#include "lib/profile/modules.h"
#include "lib/trace/trace_merge.h"
#include "lib/util/json_text.h"

#define PARTIAL ".partial"

static void see(struct gnomon_recorder *recorder, uint32_t number) {
    uint8_t bit = (uint8_t)(1u << number % 8), *byte = &recorder->seen[number / 8];
    recorder->functions += !(*byte & bit);
    *byte |= bit;
}

static void count_function(struct gnomon_recorder *recorder, const struct gnomon_event *event) {
    if (event->type == GNOMON_EVENT_ENTER && event->number < GNOMON_MAX_FUNCTIONS)
        see(recorder, event->number);
}

static void widen_heap(struct gnomon_recorder *recorder, const struct gnomon_event *event) {
    if (event->type != GNOMON_EVENT_CHANNEL)
        return;
    uint32_t *block = &recorder->heap_block[event->hart], end;
    if (event->number == GNOMON_CHANNEL_HEAP_ADDR)
        *block = event->value;
    if (event->number != GNOMON_CHANNEL_HEAP_ALLOC || !*block || event->value >= GNOMON_HEAP_GREW ||
        __builtin_add_overflow(*block, event->value ? event->value : 1, &end))
        return;
    if (*block < recorder->heap.start || !recorder->heap.end)
        recorder->heap.start = *block;
    if (end > recorder->heap.end)
        recorder->heap.end = end;
}

bool gnomon_recorder_frame(struct gnomon_recorder *recorder, const uint8_t *frame) {
    if (!recorder->error.status)
        gnomon_gnt_writer_frames(recorder->writer, frame, GNOMON_FRAME_BYTES, &recorder->error);
    struct gnomon_event event;
    enum gnomon_trace_result result;
    struct gnomon_trace *trace = recorder->other && frame[GNOMON_FRAME_AT_HART] ? recorder->other : recorder->trace;
    gnomon_trace_feed(trace, frame);
    while ((result = gnomon_trace_next(trace, &event)) == GNOMON_TRACE_EVENT) {
        count_function(recorder, &event);
        widen_heap(recorder, &event);
        gnomon_thread_times_event(&recorder->threads, &event);
        if (recorder->event)
            recorder->event(recorder->event_context, &event);
    }
    if (result == GNOMON_TRACE_FAILED && !recorder->error.status)
        gnomon_fail(&recorder->error, GNOMON_ERR_FORMAT, "the trace nests too deep to follow");
    return gnomon_trace_stats(trace)->ended;
}

/* Lists the modules among the files that the program may load: reports need their names after the files are gone. */
static void list_modules(json_t *list, const struct gnomon_files *files) {
    char resolved[PATH_MAX];
    for (size_t i = 0; i < files->count; i++) {
        const char *path = realpath(files->files[i].path, resolved) ? resolved : files->files[i].path;
        json_t *module = gnomon_modules_describe(path);
        if (module)
            json_array_append_new(list, module);
    }
}

json_t *gnomon_recorder_header(const struct gnomon_session *session, int argc, const char *const *argv,
                               const struct gnomon_files *inputs, const struct gnomon_watch *watch, bool records) {
    const struct gnomon_image *image = session->image;
    const struct gnomon_board *board = session->board;
    const struct gnomon_pmu_event *event = gnomon_event_clock_of(session->profile_control);
    char resolved[PATH_MAX];
    const char *path = realpath(image->path, resolved) ? resolved : image->path;
    json_t *command = json_array(), *modules = json_array();
    list_modules(modules, inputs);
    if (session->offers)
        list_modules(modules, session->offers);
    for (int i = 0; i < argc; i++)
        json_array_append_new(command, gnomon_json_text(argv[i]));
    return json_pack("{s:o, s:I, s:{s:o, s:s, s:I}, s:o, s:o, s:b, s:o, s:o*, s:s*}", "device",
                     gnomon_board_json(board), "clock_hz", (json_int_t)board->clock_hz, "elf", "path",
                     gnomon_json_text(path), "build_id", image->build_id, "entry", (json_int_t)image->entry, "modules",
                     modules, "command", command, "records", (int)records, "classes",
                     gnomon_event_classes_json(session->profile_control), "watch",
                     watch ? gnomon_watch_json(watch) : NULL, GNOMON_GNT_CLOCK, event ? event->name : NULL);
}

enum gnomon_status gnomon_recorder_open(struct gnomon_recorder *recorder, const json_t *header,
                                        struct gnomon_error *error) {
    struct stat about;
    bool special = stat(recorder->path, &about) == 0 && !S_ISREG(about.st_mode);
    int length = snprintf(recorder->file, sizeof recorder->file, "%s%s", recorder->path, special ? "" : PARTIAL);
    if (length >= (int)sizeof recorder->file)
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "the name %s is too long", recorder->path);
    if (!header)
        return gnomon_fail_memory(error);
    enum gnomon_status status = gnomon_gnt_writer_open(&recorder->writer, recorder->file, header, error);
    recorder->trace = status ? NULL : gnomon_trace_new(recorder->board->stack_entries);
    if (recorder->trace && recorder->records)
        gnomon_trace_expect_records(recorder->trace);
    if (recorder->trace && recorder->both_harts) {
        recorder->other = gnomon_trace_new(recorder->board->stack_entries);
        if (recorder->other)
            gnomon_trace_select(recorder->other, 1);
        if (recorder->other && recorder->records)
            gnomon_trace_expect_records(recorder->other);
    }
    bool made = recorder->trace && (recorder->other || !recorder->both_harts);
    return status || made ? status : gnomon_fail_memory(error);
}

static enum gnomon_status take_records(struct gnomon_recorder *recorder, unsigned hart, struct gnomon_trace *trace,
                                       struct gnomon_device *device, struct gnomon_error *error) {
    struct gnomon_records *records = &recorder->kept[hart];
    if (!recorder->records || !gnomon_trace_stats(trace)->ended)
        return GNOMON_OK;
    enum gnomon_status status = gnomon_records_read(device, recorder->board, hart, records, error);
    if (status)
        return status;
    gnomon_trace_add_aggregated(trace, records->aggregated);
    for (size_t i = 0; i < records->count; i++) {
        const uint32_t number = records->list[i].number;
        if (number >= records->size - GNOMON_RECORD_TRAPS)
            continue;
        recorder->calls += records->list[i].calls;
        see(recorder, number);
    }
    return GNOMON_OK;
}

enum gnomon_status gnomon_recorder_take_records(struct gnomon_recorder *recorder, struct gnomon_device *device,
                                                struct gnomon_error *error) {
    struct gnomon_trace *const traces[GNOMON_MAX_HARTS] = {recorder->trace, recorder->other};
    enum gnomon_status status = GNOMON_OK;
    for (unsigned hart = 0; hart < GNOMON_MAX_HARTS && traces[hart] && !status; hart++) {
        uint32_t switches = 0;
        status = gnomon_device_get(device, GNOMON_BLOCKS_OF_HART(hart) + GNOMON_PROFILE_SWITCHES, &switches, error);
        recorder->unseen_switches += switches & GNOMON_PROFILE_SWITCHES_UNSEEN;
        if (!status)
            status = take_records(recorder, hart, traces[hart], device, error);
    }
    return status;
}

enum gnomon_status gnomon_recorder_put_records(struct gnomon_recorder *recorder, struct gnomon_error *error) {
    const struct gnomon_records *kept = recorder->kept;
    if (!kept[0].size)
        return GNOMON_OK;
    json_t *json = gnomon_records_json(&kept[0]);
    if (json && kept[1].size && json_object_set_new(json, GNOMON_RECORDS_OF_HART1, gnomon_records_json(&kept[1]))) {
        json_decref(json);
        json = NULL;
    }
    enum gnomon_status status =
        json ? gnomon_gnt_writer_records(recorder->writer, json, error) : gnomon_fail_memory(error);
    json_decref(json);
    if (!status && kept[1].size)
        status = gnomon_records_add_up(&kept[0], &kept[1], &recorder->sum, error);
    return status;
}

enum gnomon_status gnomon_recorder_place(const struct gnomon_recorder *recorder, struct gnomon_error *error) {
    if (strcmp(recorder->file, recorder->path) != 0 && rename(recorder->file, recorder->path))
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot write %s", recorder->path);
    return GNOMON_OK;
}

enum gnomon_status gnomon_recorder_close(struct gnomon_recorder *recorder, const struct gnomon_session *session,
                                         const char *reason, struct gnomon_error *error) {
    json_t *tags = recorder->tagged ? gnomon_tag_losses_json(&recorder->tag_losses) : NULL;
    const struct gnomon_gnt_trailer trailer = {
        .complete = session->trace_ended,
        .reason = reason,
        .exit_status = session->end == GNOMON_END_EXIT ? (int)session->exit_status : -1,
        .watch_missed = recorder->watch_loss.missed,
        .watch_overrun = recorder->watch_loss.overrun,
        .unseen_switches = recorder->unseen_switches,
        .other_hart = session->other_ran,
        .moved_threads = recorder->other ? gnomon_trace_moved(recorder->trace, recorder->other) : 0,
        .crash = *recorder->crash ? recorder->crash : NULL,
        .clock = recorder->clock,
        .tags = tags,
    };
    recorder->bytes = gnomon_gnt_writer_size(recorder->writer);
    enum gnomon_status status = gnomon_gnt_writer_close(recorder->writer, &trailer, error);
    json_decref(tags);
    recorder->writer = NULL;
    return status;
}

const char *gnomon_recorder_reason(const struct gnomon_recorder *recorder, const struct gnomon_session *session) {
    return gnomon_session_reason(session->end, session->timed_out, *recorder->crash);
}

/* Of both harts, if both are recorded and hart 1 has run. */
static bool of_both(const struct gnomon_recorder *recorder) {
    const struct gnomon_trace_stats *stats = recorder->other ? gnomon_trace_stats(recorder->other) : NULL;
    return stats && stats->frames > stats->frames_unsound;
}

/* Each decoder knows only the calls that began on its hart. What the exits of threads that moved mean, report finds. */
struct gnomon_trace_stats gnomon_recorder_stats(const struct gnomon_recorder *recorder) {
    struct gnomon_trace_stats stats = *gnomon_trace_stats(recorder->trace);
    if (!of_both(recorder))
        return stats;
    stats = gnomon_merge_stats(&stats, gnomon_trace_stats(recorder->other));
    if (!recorder->records && gnomon_trace_moved(recorder->trace, recorder->other))
        stats.unbalanced = stats.ambiguous_landings = 0;
    return stats;
}

void gnomon_recorder_exactness(const struct gnomon_recorder *recorder, const struct gnomon_session *session,
                               struct gnomon_exactness *exactness) {
    const bool both = of_both(recorder);
    const struct gnomon_trace_stats stats = gnomon_recorder_stats(recorder);
    const struct gnomon_records *records = both ? &recorder->sum : &recorder->kept[0];
    struct gnomon_evidence evidence = {
        .stats = &stats,
        .aggregates = recorder->records,
        .records = records,
        .watch_missed = recorder->watch_loss.missed,
        .watch_overrun = recorder->watch_loss.overrun,
        .watched = session->watch && session->watch->first == 0,
        .unseen_switches = recorder->unseen_switches,
        .other_hart = session->other_ran && !both,
        .other_recorded = recorder->both_harts,
        .tags = recorder->tagged ? &recorder->tag_losses : NULL,
        .end = gnomon_recorder_reason(recorder, session),
        .status = session->end == GNOMON_END_EXIT ? (int)session->exit_status : -1,
        .crash = *recorder->crash ? recorder->crash : NULL,
    };
    evidence.untracked = gnomon_trace_threads_from(recorder->trace, records->threads, &evidence.untracked_cycles);
    evidence.landings = gnomon_exactness_landings(recorder->trace, records);
    if (both) {
        uint64_t cycles;
        evidence.harts[0] = gnomon_trace_stats(recorder->trace);
        evidence.harts[1] = gnomon_trace_stats(recorder->other);
        evidence.untracked += gnomon_trace_threads_from(recorder->other, records->threads, &cycles);
        evidence.untracked_cycles += cycles;
        evidence.landings += gnomon_exactness_landings(recorder->other, records);
        if (recorder->records || session->watch)
            evidence.moved = gnomon_trace_moved(recorder->trace, recorder->other);
    }
    gnomon_exactness_judge(exactness, &evidence);
}

void gnomon_recorder_free(struct gnomon_recorder *recorder) {
    gnomon_gnt_writer_abort(recorder->writer);
    gnomon_trace_free(recorder->trace);
    gnomon_trace_free(recorder->other);
    for (unsigned hart = 0; hart < GNOMON_MAX_HARTS; hart++)
        gnomon_records_free(&recorder->kept[hart]);
    gnomon_records_free(&recorder->sum);
    json_decref(recorder->clock);
    recorder->writer = NULL;
    recorder->clock = NULL;
    recorder->trace = recorder->other = NULL;
}
