/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_STACK 65535

/* A file of that name in the trace's folder: traces are copied together with their programs. */
static char *beside(const char *trace, const char *elf) {
    const char *slash = strrchr(trace, '/'), *name = strrchr(elf, '/');
    size_t folder = slash ? (size_t)(slash - trace) + 1 : 0;
    name = name ? name + 1 : elf;
    char *path = malloc(folder + strlen(name) + 1);
    if (path) {
        memcpy(path, trace, folder);
        strcpy(path + folder, name);
    }
    return path;
}

static enum gnomon_status find_elf(struct gnomon_analysis *analysis, const char *given, struct gnomon_error *error) {
    if (!given && !*analysis->program) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s does not say which program was recorded", analysis->path);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "give its ELF file with --elf");
    }
    analysis->elf_path = strdup(given ? given : analysis->program);
    if (analysis->elf_path && !given && access(analysis->elf_path, R_OK) != 0) {
        char *other = beside(analysis->path, analysis->elf_path);
        if (other && access(other, R_OK) == 0) {
            free(analysis->elf_path);
            analysis->elf_path = other;
        } else {
            free(other);
        }
    }
    return analysis->elf_path ? GNOMON_OK : gnomon_fail_memory(error);
}

static enum gnomon_status load_symbols(struct gnomon_analysis *analysis, const char *elf, struct gnomon_error *error) {
    const json_t *watch = json_object_get(gnomon_gnt_header(analysis->file), "watch");
    enum gnomon_status status = find_elf(analysis, elf, error);
    if (!status)
        status = (watch ? gnomon_symbols_load_any : gnomon_symbols_load)(&analysis->symbols, analysis->elf_path, error);
    if (!status && watch)
        status = gnomon_watch_parse(watch, &analysis->watch, error);
    if (!status && watch &&
        !gnomon_symbols_number(analysis->symbols, analysis->watch.first, analysis->watch.addresses,
                               analysis->watch.count))
        status = gnomon_fail_memory(error);
    if (!status)
        status = gnomon_symbols_check(analysis->symbols, gnomon_gnt_header(analysis->file), analysis->path, error);
    return status;
}

/* Files of modules that were at hand when the trace was recorded. */
static bool know_modules(struct gnomon_analysis *analysis) {
    const json_t *list = json_object_get(gnomon_gnt_header(analysis->file), "modules");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *module = json_array_get(list, i);
        const char *path = json_string_value(json_object_get(module, "path"));
        const char *build_id = json_string_value(json_object_get(module, "build_id"));
        if (!path || !build_id)
            continue;
        char *other = beside(analysis->path, path);
        bool good = other && gnomon_modules_know(analysis->modules, path, build_id, path) &&
                    gnomon_modules_know(analysis->modules, path, build_id, other);
        free(other);
        if (!good)
            return false;
    }
    return true;
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static uint64_t number_of(const json_t *object, const char *key) {
    json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 ? (uint64_t)value : 0;
}

enum gnomon_status gnomon_analysis_open(struct gnomon_analysis *analysis, const char *path, const char *elf,
                                        enum gnomon_analysis_symbols symbols, struct gnomon_error *error) {
    *analysis = (struct gnomon_analysis){.path = path};
    enum gnomon_status status = gnomon_gnt_open(&analysis->file, path, error);
    if (status)
        return status;
    const json_t *header = gnomon_gnt_header(analysis->file), *device = json_object_get(header, "device");
    analysis->program = text_of(json_object_get(header, "elf"), "path");
    analysis->device = text_of(device, "address");
    analysis->clock_hz = number_of(header, "clock_hz");
    analysis->folds = json_is_true(json_object_get(header, "records"));
    uint64_t stack = number_of(device, "stack_entries");
    analysis->trace = gnomon_trace_new(stack <= MAX_STACK ? (uint32_t)stack : 0);
    if (!analysis->trace)
        return gnomon_fail_memory(error);
    if (analysis->folds)
        gnomon_trace_expect_records(analysis->trace);
    if (symbols == GNOMON_WITH_SYMBOLS)
        status = load_symbols(analysis, elf, error);
    if (status)
        return status;
    analysis->modules = gnomon_modules_new(analysis->symbols ? gnomon_symbols_total(analysis->symbols) : 0);
    return analysis->modules && know_modules(analysis) ? GNOMON_OK : gnomon_fail_memory(error);
}

enum gnomon_status gnomon_analysis_add_module(struct gnomon_analysis *analysis, const char *path,
                                              struct gnomon_error *error) {
    return gnomon_modules_add(analysis->modules, path, error);
}

/* Numbers that belong to modules mean one function today and another tomorrow. False: out of memory. */
static bool tell_modules(struct gnomon_analysis *analysis, struct gnomon_event *event) {
    const struct gnomon_modules *modules = analysis->modules;
    if (event->type == GNOMON_EVENT_MODULE)
        return gnomon_modules_note(analysis->modules, event);
    if (event->type == GNOMON_EVENT_ENTER || event->type == GNOMON_EVENT_EXIT)
        event->number = gnomon_modules_id(modules, event->number);
    if (event->type == GNOMON_EVENT_CHANNEL && event->number == GNOMON_CHANNEL_LANDED)
        event->value = ~gnomon_modules_id(modules, ~event->value);
    return true;
}

/* The records' place is behind the last frame. */
static enum gnomon_status take_records(struct gnomon_analysis *analysis, struct gnomon_error *error) {
    const json_t *json = gnomon_gnt_records(analysis->file);
    if (!analysis->folds || !json || analysis->records.size)
        return GNOMON_OK;
    enum gnomon_status status = gnomon_records_parse(json, &analysis->records, error);
    if (!status)
        gnomon_trace_add_folded(analysis->trace, analysis->records.folded);
    return status;
}

enum gnomon_status gnomon_analysis_next(struct gnomon_analysis *analysis, struct gnomon_event *event, bool *got,
                                        struct gnomon_error *error) {
    *got = false;
    for (;;) {
        enum gnomon_trace_result result = gnomon_trace_next(analysis->trace, event);
        if (result == GNOMON_TRACE_FAILED)
            return gnomon_fail(error, GNOMON_ERR_TOO_BIG, "%s nests too deep to be followed", analysis->path);
        if (result == GNOMON_TRACE_EVENT) {
            *got = true;
            return tell_modules(analysis, event) ? GNOMON_OK : gnomon_fail_memory(error);
        }
        const uint8_t *frame;
        enum gnomon_status status = gnomon_gnt_next(analysis->file, &frame, error);
        if (!status && !frame)
            status = take_records(analysis, error);
        if (status || !frame)
            return status;
        gnomon_trace_feed(analysis->trace, frame);
    }
}

const struct gnomon_trace_stats *gnomon_analysis_stats(const struct gnomon_analysis *analysis) {
    return gnomon_trace_stats(analysis->trace);
}

void gnomon_analysis_close(struct gnomon_analysis *analysis) {
    gnomon_trace_free(analysis->trace);
    gnomon_symbols_free(analysis->symbols);
    gnomon_modules_free(analysis->modules);
    gnomon_gnt_close(analysis->file);
    free(analysis->elf_path);
    gnomon_records_free(&analysis->records);
    gnomon_watch_free(&analysis->watch);
    *analysis = (struct gnomon_analysis){0};
}

/* ---- Faults ---- */

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
    if (records->arc_placeless > 0)
        add(list, GNOMON_FAULT_LOSS, "the device had no place for %" PRIu64 " call%s in the call graph",
            records->arc_placeless, s(records->arc_placeless));
    bool large = false;
    for (size_t i = 0; i < records->count; i++)
        large |= records->list[i].saturated;
    for (size_t i = 0; i < records->bucket_count; i++)
        large |= records->buckets[i].saturated;
    if (large)
        add(list, GNOMON_FAULT_LOSS, "figures of some functions are larger than the device's records can hold");
}

static void add_modules(struct fault_list *list, const struct gnomon_analysis *analysis) {
    uint64_t missing = gnomon_modules_missing(analysis->modules);
    if (missing > 0)
        add(list, GNOMON_FAULT_LOSS,
            "messages about %" PRIu64 " load%s of modules were lost: functions of modules may bear wrong names",
            missing, s(missing));
}

static void add_watch(struct fault_list *list, const json_t *trailer) {
    uint64_t missed = number_of(trailer, "watch_missed"), overrun = number_of(trailer, "watch_overrun");
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
