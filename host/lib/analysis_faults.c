/* SPDX-License-Identifier: Apache-2.0 */
/* What a reader must know of a file that is not whole and sound. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "analysis.h"

struct fault_list {
    size_t count;
    struct gnomon_fault *faults;
};

static void add(struct fault_list *list, enum gnomon_fault_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void add(struct fault_list *list, enum gnomon_fault_kind kind, const char *format, ...) {
    if (list->count == GNOMON_MAX_FAULTS)
        return;
    struct gnomon_fault *fault = &list->faults[list->count++];
    fault->kind = kind;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
}

static const char *s(uint64_t count) {
    return count == 1 ? "" : "s";
}

static void add_loss(struct fault_list *list, const struct gnomon_trace_stats *stats) {
    const struct gnomon_event_lost *lost = &stats->lost;
    if (lost->enters + lost->exits + lost->others > 0)
        add(list, GNOMON_FAULT_LOSS,
            "%" PRIu64 " enters, %" PRIu64 " exits and %" PRIu64 " other events were dropped by the device: the trace "
            "left it too slowly",
            lost->enters, lost->exits, lost->others);
    if (stats->frames_lost > 0)
        add(list, GNOMON_FAULT_LOSS, "%" PRIu64 " frame%s of the trace did not arrive", stats->frames_lost,
            s(stats->frames_lost));
}

/* What did not fit into records of any kind. */
static void add_places(struct fault_list *list, const struct gnomon_analysis *analysis) {
    const struct gnomon_records *records = &analysis->records;
    if (records->arc_placeless > 0)
        add(list, GNOMON_FAULT_LOSS, "there was no place for %" PRIu64 " call%s in the call graph",
            records->arc_placeless, s(records->arc_placeless));
    bool large = false;
    for (size_t i = 0; i < records->count; i++)
        large |= records->list[i].saturated;
    for (size_t i = 0; i < records->bucket_count; i++)
        large |= records->buckets[i].saturated;
    if (large)
        add(list, GNOMON_FAULT_LOSS, "figures of some functions are larger than their records can hold");
}

static void add_memory(struct fault_list *list, const struct gnomon_memory *memory) {
    if (memory->dropped > 0)
        add(list, GNOMON_FAULT_LOSS,
            "the program had no room for %" PRIu64 " call%s: their cycles are their callers'; see gnomon_records_depth",
            memory->dropped, s(memory->dropped));
    if (memory->dropped_other > 0)
        add(list, GNOMON_FAULT_LOSS,
            "the program had no room for %" PRIu64 " interrupt%s or change%s of thread: their cycles are somebody "
            "else's",
            memory->dropped_other, s(memory->dropped_other), s(memory->dropped_other));
}

static void add_records(struct fault_list *list, const struct gnomon_analysis *analysis) {
    const struct gnomon_records *records = &analysis->records;
    if (!analysis->folds)
        return;
    if (!records->size)
        add(list, GNOMON_FAULT_CUT, "the device's records of functions are not in the file");
    if (records->placeless > 0)
        add(list, GNOMON_FAULT_LOSS,
            "the device had no place for %" PRIu64 " call%s: their cycles are their callers'; record with --events",
            records->placeless, s(records->placeless));
    if (records->aside > 0)
        add(list, GNOMON_FAULT_LOSS,
            "%" PRIu64
            " event%s of threads above 7 are in no record: their cycles count as outside; record with --events",
            records->aside, s(records->aside));
    add_places(list, analysis);
}

static void add_modules(struct fault_list *list, const struct gnomon_analysis *analysis) {
    uint64_t missing = gnomon_modules_missing(analysis->modules);
    if (missing > 0)
        add(list, GNOMON_FAULT_LOSS,
            "messages about %" PRIu64 " load%s of modules were lost: functions of modules may bear wrong names",
            missing, s(missing));
}

static void add_watch(struct fault_list *list, const json_t *trailer) {
    uint64_t missed = gnomon_gnt_count(trailer, "watch_missed"), overrun = gnomon_gnt_count(trailer, "watch_overrun");
    if (missed > 0)
        add(list, GNOMON_FAULT_LOSS,
            "%" PRIu64 " call%s of watched functions could not be followed: too many were open, or in threads above 7; "
            "their cycles are their callers'",
            missed, s(missed));
    if (overrun > 0)
        add(list, GNOMON_FAULT_LOSS,
            "%" PRIu64 " event%s, calls or returns came faster than the device can watch them: figures are inexact",
            overrun, s(overrun));
}

static void add_cuts(struct fault_list *list, const struct gnomon_trace_stats *stats, unsigned flaws) {
    if (flaws & GNOMON_GNT_TRUNCATED)
        add(list, GNOMON_FAULT_CUT, "the file was cut off");
    else if (flaws & GNOMON_GNT_NO_TRAILER)
        add(list, GNOMON_FAULT_CUT, "the file has no end mark: the recorder was killed, or the file was cut off");
    if (!stats->ended)
        add(list, GNOMON_FAULT_CUT, "the trace stops before the program's end");
    else if (stats->end.how == 2)
        add(list, GNOMON_FAULT_CUT, "the device ended the trace early: it could not be read for too long");
}

static void add_damage(struct fault_list *list, const struct gnomon_trace_stats *stats, unsigned flaws) {
    static const struct {
        unsigned flaw;
        const char *text;
    } in_file[] =
        {
            {GNOMON_GNT_BAD_TRAILER, "the end mark is damaged"},
            {GNOMON_GNT_BAD_FRAMES, "the frames are not those that were recorded: number or checksum differ"},
            {GNOMON_GNT_TRAILING, "there is something behind the end mark"},
            {GNOMON_GNT_BAD_RECORDS, "the device's records are damaged"},
            {GNOMON_GNT_BAD_INSTRUCTIONS, "the cycles of instructions are damaged"},
        },
      in_trace[] = {
          {GNOMON_TRACE_LOST_DIFFERS, "the frames do not agree with the records on how many events were dropped"},
          {GNOMON_TRACE_END_DIFFERS, "received and lost events do not add up to those that the device produced"},
          {GNOMON_TRACE_DEPTH_DIFFERS, "the frames do not agree with the records on how many functions are open"},
          {GNOMON_TRACE_THREAD_DIFFERS, "the frames do not agree with the records on the thread that runs"},
          {GNOMON_TRACE_NO_BEGIN, "the trace does not begin with the start of the program"},
      };
    if (stats->frames_damaged > 0)
        add(list, GNOMON_FAULT_DAMAGE, "%" PRIu64 " frame%s of the trace make%s no sense", stats->frames_damaged,
            s(stats->frames_damaged), stats->frames_damaged == 1 ? "s" : "");
    for (size_t i = 0; i < sizeof in_file / sizeof *in_file; i++)
        if (flaws & in_file[i].flaw)
            add(list, GNOMON_FAULT_DAMAGE, "%s", in_file[i].text);
    for (size_t i = 0; i < sizeof in_trace / sizeof *in_trace; i++)
        if (stats->flaws & in_trace[i].flaw)
            add(list, GNOMON_FAULT_DAMAGE, "%s", in_trace[i].text);
}

size_t gnomon_analysis_faults(const struct gnomon_analysis *analysis, struct gnomon_fault faults[GNOMON_MAX_FAULTS]) {
    struct fault_list list = {0, faults};
    if (analysis->memory) {
        add_memory(&list, analysis->memory);
        add_places(&list, analysis);
        return list.count;
    }
    const struct gnomon_trace_stats *stats = gnomon_analysis_stats(analysis);
    unsigned flaws = gnomon_gnt_flaws(analysis->file);
    add_damage(&list, stats, flaws);
    add_cuts(&list, stats, flaws);
    add_records(&list, analysis);
    add_modules(&list, analysis);
    add_watch(&list, gnomon_gnt_trailer(analysis->file));
    add_loss(&list, stats);
    return list.count;
}

size_t gnomon_analysis_finish(const struct gnomon_analysis *analysis, struct gnomon_profile *profile,
                              struct gnomon_fault faults[GNOMON_MAX_FAULTS]) {
    struct gnomon_error error;
    const struct gnomon_trace_stats *stats = gnomon_analysis_stats(analysis);
    size_t count = gnomon_analysis_faults(analysis, faults);
    if (gnomon_profile_finish(profile, stats, &error) && count < GNOMON_MAX_FAULTS) {
        struct gnomon_fault *fault = &faults[count++];
        fault->kind = GNOMON_FAULT_DAMAGE;
        snprintf(fault->text, sizeof fault->text, "%.150s", error.what);
    }
    if (stats->lost.enters > 0 && stats->frames_lost + stats->frames_damaged == 0)
        gnomon_analysis_narrow(analysis, profile);
    return count;
}
