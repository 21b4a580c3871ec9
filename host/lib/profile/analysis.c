/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/profile/analysis_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/profile/profile_samples.h"
#include "lib/profile/tag_losses.h"
#include "lib/util/json_text.h"

#define MAX_STACK 65535
#define CYCLES "cycles"

/* The path of a file with the name of `elf` in the trace's folder: traces are often copied together with their
 * programs. */
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
    if (!given && (!analysis->program || !*analysis->program)) {
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

static enum gnomon_status load_watched(struct gnomon_analysis *analysis, const json_t *watch,
                                       struct gnomon_error *error) {
    enum gnomon_status status = gnomon_symbols_load_any(&analysis->symbols, analysis->elf_path, error);
    if (!status)
        status = gnomon_watch_parse(watch, &analysis->watch, error);
    if (!status && !gnomon_symbols_number(analysis->symbols, analysis->watch.first, analysis->watch.addresses,
                                          analysis->watch.count))
        status = gnomon_fail_memory(error);
    return status;
}

/* `header`: the trace file's header, or an object of that form. */
static enum gnomon_status load_symbols(struct gnomon_analysis *analysis, const json_t *header, const char *elf,
                                       struct gnomon_error *error) {
    const json_t *watch = json_object_get(header, "watch");
    enum gnomon_status status = find_elf(analysis, elf, error);
    if (!status)
        status = watch ? load_watched(analysis, watch, error)
                       : gnomon_symbols_load(&analysis->symbols, analysis->elf_path, error);
    return status ? status : gnomon_symbols_check(analysis->symbols, header, analysis->path, error);
}

/* Adds the modules whose files were available when the trace was recorded. */
static bool know_modules(struct gnomon_analysis *analysis) {
    const json_t *list = json_object_get(gnomon_gnt_header(analysis->file), "modules");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *module = json_array_get(list, i);
        const json_t *recorded = json_object_get(module, "path");
        const char *build_id = json_string_value(json_object_get(module, "build_id"));
        if (!json_is_string(recorded) || !build_id)
            continue;
        char *path = gnomon_json_text_read(recorded), *other = path ? beside(analysis->path, path) : NULL;
        bool good = other && gnomon_modules_know(analysis->modules, path, build_id, path) &&
                    gnomon_modules_know(analysis->modules, path, build_id, other);
        free(other);
        free(path);
        if (!good)
            return false;
    }
    return true;
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static enum gnomon_status open_memory(struct gnomon_analysis *analysis, const char *elf, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_memory_open(&analysis->memory, analysis->path, error);
    if (status)
        return status;
    analysis->clock_hz = analysis->memory->clock_hz;
    analysis->trace = gnomon_trace_new(0);
    json_t *header = json_pack("{s:{s:s}}", "elf", "build_id", analysis->memory->build_id);
    status = analysis->trace && header ? load_symbols(analysis, header, elf, error) : gnomon_fail_memory(error);
    json_decref(header);
    if (status)
        return status;
    analysis->modules = gnomon_modules_new(gnomon_symbols_total(analysis->symbols));
    return analysis->modules ? GNOMON_OK : gnomon_fail_memory(error);
}

/* Tells the trace which addresses the places of the lock words have. False: the header makes no sense. */
static bool tell_lock_words(struct gnomon_trace *trace, const json_t *json) {
    const json_int_t log2 = json_integer_value(json_object_get(json, "places_log2"));
    const json_t *list = json_object_get(json, "words");
    bool good = log2 >= 0 && log2 <= 10 && gnomon_trace_lock_word(trace, (unsigned)log2, 0, 0);
    for (size_t i = 0; good && i < json_array_size(list); i++) {
        const json_int_t place = json_integer_value(json_array_get(json_array_get(list, i), 0)),
                         address = json_integer_value(json_array_get(json_array_get(list, i), 1));
        good = place >= 0 && place < GNOMON_LOCK_WORD_PLACES && address >= 0 && address <= UINT32_MAX &&
               gnomon_trace_lock_word(trace, (unsigned)log2, (unsigned)place, (uint32_t)address);
    }
    return good;
}

/* Names of events are for terminals and files of any format. */
static bool is_event(const char *name) {
    const size_t length = strlen(name);
    return length < GNOMON_UNIT_BYTES && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

enum gnomon_status gnomon_analysis_open_any(struct gnomon_analysis *analysis, const char *path, const char *elf,
                                            enum gnomon_analysis_symbols symbols, struct gnomon_error *error) {
    *analysis = (struct gnomon_analysis){.path = path, .device = "", .unit = CYCLES};
    if (gnomon_memory_is(path))
        return open_memory(analysis, elf, error);
    enum gnomon_status status = gnomon_gnt_open(&analysis->file, path, error);
    if (status)
        return status;
    const json_t *header = gnomon_gnt_header(analysis->file), *device = json_object_get(header, "device");
    analysis->program = gnomon_json_text_read(json_object_get(json_object_get(header, "elf"), "path"));
    analysis->device = text_of(device, "address");
    analysis->clock_hz = gnomon_gnt_count(header, "clock_hz");
    if (*text_of(header, GNOMON_GNT_CLOCK))
        analysis->unit = text_of(header, GNOMON_GNT_CLOCK);
    if (!is_event(analysis->unit))
        return gnomon_fail(error, GNOMON_ERR_FORMAT, "%s: what its time counts is no event", path);
    analysis->aggregates = json_is_true(json_object_get(header, "records"));
    analysis->sampled = json_is_true(json_object_get(header, "sampled"));
    if (analysis->sampled && !gnomon_analysis_in_cycles(analysis))
        return gnomon_fail(error, GNOMON_ERR_FORMAT, "%s says that it has samples, and calls in %s", path,
                           analysis->unit);
    analysis->classes = gnomon_event_classes_read(json_object_get(header, "classes"));
    uint64_t stack = gnomon_gnt_count(device, "stack_entries");
    analysis->trace = gnomon_trace_new(stack <= MAX_STACK ? (uint32_t)stack : 0);
    if (!analysis->trace || !analysis->program)
        return gnomon_fail_memory(error);
    if (analysis->aggregates)
        gnomon_trace_expect_records(analysis->trace);
    const json_t *words = json_object_get(header, "lock_words");
    if (words && !tell_lock_words(analysis->trace, words))
        return gnomon_fail(error, GNOMON_ERR_FORMAT, "%s: its lock words make no sense", path);
    if (symbols == GNOMON_WITH_SYMBOLS)
        status = load_symbols(analysis, header, elf, error);
    if (status)
        return status;
    analysis->modules = gnomon_modules_new(analysis->symbols ? gnomon_symbols_total(analysis->symbols) : 0);
    return analysis->modules && know_modules(analysis) ? GNOMON_OK : gnomon_fail_memory(error);
}

enum gnomon_status gnomon_analysis_open(struct gnomon_analysis *analysis, const char *path, const char *elf,
                                        enum gnomon_analysis_symbols symbols, struct gnomon_error *error) {
    const enum gnomon_status status = gnomon_analysis_open_any(analysis, path, elf, symbols, error);
    return status ? status : gnomon_analysis_need_cycles(analysis, error);
}

bool gnomon_analysis_in_cycles(const struct gnomon_analysis *analysis) {
    return !analysis->unit || !strcmp(analysis->unit, CYCLES);
}

enum gnomon_status gnomon_analysis_need_cycles(const struct gnomon_analysis *analysis, struct gnomon_error *error) {
    if (gnomon_analysis_in_cycles(analysis))
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has no cycles: it was recorded with --clock %s", analysis->path,
                analysis->unit);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                         "gnomon report %s shows its functions; gnomon export --to folded, pprof, callgrind, "
                         "flamegraph or dot takes it, and so does gnomon merge",
                         analysis->path);
}

static bool is_regular(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* Opens the file once more and reads what comes after its frames; *file is NULL if it cannot be read twice, and after a
 * failure.
 */
static enum gnomon_status read_to_end(const struct gnomon_analysis *analysis, struct gnomon_gnt_reader **file,
                                      struct gnomon_error *error) {
    const uint8_t *frame;
    *file = NULL;
    if (!analysis->file || !is_regular(analysis->path))
        return GNOMON_OK;
    enum gnomon_status status = gnomon_gnt_open(file, analysis->path, error);
    if (!status)
        gnomon_gnt_skip_frames(*file);
    while (!status && !(status = gnomon_gnt_next(*file, &frame, error)) && frame)
        ;
    if (status) {
        gnomon_gnt_close(*file);
        *file = NULL;
    }
    return status;
}

enum gnomon_status gnomon_analysis_tables(const struct gnomon_analysis *analysis, struct gnomon_lock_tables *tables,
                                          struct gnomon_error *error) {
    struct gnomon_gnt_reader *file;
    *tables = (struct gnomon_lock_tables){0};
    enum gnomon_status status = read_to_end(analysis, &file, error);
    if (file)
        status = gnomon_lock_tables_parse(gnomon_gnt_locks(file), tables, error);
    gnomon_gnt_close(file);
    return status;
}

enum gnomon_status gnomon_analysis_heap(const struct gnomon_analysis *analysis, struct gnomon_heap_memory *memory,
                                        struct gnomon_error *error) {
    struct gnomon_gnt_reader *file;
    *memory = (struct gnomon_heap_memory){0};
    enum gnomon_status status = read_to_end(analysis, &file, error);
    if (file)
        status = gnomon_heap_memory_parse(gnomon_gnt_heap(file), memory, error);
    gnomon_gnt_close(file);
    return status;
}

/* Opens the file a second time, for hart 1. */
static enum gnomon_status select_both(struct gnomon_analysis *analysis, struct gnomon_error *error) {
    if (!analysis->file || !is_regular(analysis->path))
        return GNOMON_OK;
    const json_t *device = json_object_get(gnomon_gnt_header(analysis->file), "device");
    if (gnomon_gnt_count(device, "harts") < 2)
        return GNOMON_OK;
    const uint64_t stack = gnomon_gnt_count(device, "stack_entries");
    enum gnomon_status status = gnomon_gnt_open(&analysis->other_file, analysis->path, error);
    if (status)
        return status;
    analysis->other = gnomon_trace_new(stack <= MAX_STACK ? (uint32_t)stack : 0);
    const bool made = analysis->other && gnomon_trace_select(analysis->other, 1) &&
                      gnomon_trace_join(analysis->other, analysis->trace);
    const json_t *words = json_object_get(gnomon_gnt_header(analysis->file), "lock_words");
    if (made && words)
        tell_lock_words(analysis->other, words);
    if (made && analysis->aggregates)
        gnomon_trace_expect_records(analysis->other);
    analysis->harts[0] = (struct gnomon_merge){.file = analysis->file, .trace = analysis->trace};
    analysis->harts[1] = (struct gnomon_merge){.file = analysis->other_file, .trace = analysis->other};
    return made ? GNOMON_OK : gnomon_fail_memory(error);
}

enum gnomon_status gnomon_analysis_select(struct gnomon_analysis *analysis, uint64_t hart, struct gnomon_error *error) {
    if (hart == GNOMON_BOTH_HARTS)
        return select_both(analysis, error);
    if (hart >= GNOMON_MAX_HARTS || (hart && analysis->memory)) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s has no events of hart %" PRIu64, analysis->path, hart);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "gnomon record --events records both harts of a device");
    }
    analysis->hart = (unsigned)hart;
    return gnomon_trace_select(analysis->trace, analysis->hart) ? GNOMON_OK : gnomon_fail_memory(error);
}

enum gnomon_status gnomon_analysis_add_module(struct gnomon_analysis *analysis, const char *path,
                                              struct gnomon_error *error) {
    return gnomon_modules_add(analysis->modules, path, error);
}

/* The records of one hart, which come after the last frame; size 0: they are not there. */
static enum gnomon_status parse_records(const struct gnomon_analysis *analysis, unsigned hart,
                                        struct gnomon_trace *trace, struct gnomon_records *records,
                                        struct gnomon_error *error) {
    const json_t *json = gnomon_gnt_records(analysis->file);
    *records = (struct gnomon_records){0};
    if (hart)
        json = json_object_get(json, GNOMON_RECORDS_OF_HART1);
    if (!json)
        return GNOMON_OK;
    enum gnomon_status status = gnomon_records_parse(json, records, error);
    if (!status)
        gnomon_trace_add_aggregated(trace, records->aggregated);
    return status;
}

enum gnomon_status analysis_take_records(struct gnomon_analysis *analysis, struct gnomon_error *error) {
    if (!analysis->aggregates || analysis->records.size)
        return GNOMON_OK;
    return parse_records(analysis, analysis->hart, analysis->trace, &analysis->records, error);
}

enum gnomon_status analysis_take_samples(struct gnomon_analysis *analysis, struct gnomon_error *error) {
    const json_t *json = analysis->sampled ? gnomon_gnt_samples(analysis->file) : NULL;
    if (!json || analysis->with_samples)
        return GNOMON_OK;
    analysis->with_samples = true;
    return gnomon_samples_parse(json, &analysis->samples, error);
}

/* Of both harts, added. If those of a hart that ran are missing, there are none. */
enum gnomon_status analysis_take_both_records(struct gnomon_analysis *analysis, struct gnomon_error *error) {
    struct gnomon_records one, other = {0};
    if (!analysis->aggregates || analysis->records.size)
        return GNOMON_OK;
    if (!gnomon_analysis_of_both(analysis))
        return analysis_take_records(analysis, error);
    enum gnomon_status status = parse_records(analysis, 0, analysis->trace, &one, error);
    if (!status)
        status = parse_records(analysis, 1, analysis->other, &other, error);
    if (!status && one.size && other.size)
        status = gnomon_records_add_up(&one, &other, &analysis->records, error);
    gnomon_records_free(&one);
    gnomon_records_free(&other);
    return status;
}

static const uint32_t *ids_of(const struct gnomon_analysis *analysis) {
    return analysis->memory ? analysis->memory->ids : gnomon_modules_ids(analysis->modules);
}

/* Of a sampled run, the events say only which modules were loaded. */
static enum gnomon_status read_samples(struct gnomon_analysis *analysis, struct gnomon_profile *profile,
                                       struct gnomon_error *error) {
    struct gnomon_event event;
    bool got;
    enum gnomon_status status;
    while (!(status = gnomon_analysis_next(analysis, &event, &got, error)) && got)
        ;
    if (status || !analysis->with_samples)
        return status;
    struct gnomon_sampled_code code = {
        .symbols = analysis->symbols, .modules = analysis->modules, .functions = analysis->samples.functions};
    const bool good =
        gnomon_profile_samples(profile, &analysis->samples, gnomon_analysis_stats(analysis)->last_cycle, &code);
    gnomon_sampled_code_free(&code);
    return good ? GNOMON_OK : gnomon_fail_memory(error);
}

/* Reads a file of records. Without events, only its cycle count says how long the run took. */
static enum gnomon_status read_memory(struct gnomon_analysis *analysis, struct gnomon_profile *profile,
                                      struct gnomon_error *error) {
    const struct gnomon_event end = {.type = GNOMON_EVENT_END, .cycle = analysis->memory->cycles};
    enum gnomon_status status = gnomon_memory_records(analysis->memory, analysis->modules, &analysis->records, error);
    return status || gnomon_profile_event(profile, &end) ? status : gnomon_fail_memory(error);
}

enum gnomon_status gnomon_analysis_new_profile(const struct gnomon_analysis *analysis, struct gnomon_profile **profile,
                                               struct gnomon_error *error) {
    *profile = gnomon_profile_new();
    if (!*profile)
        return gnomon_fail_memory(error);
    if ((analysis->aggregates && !analysis->sampled) || analysis->memory)
        gnomon_profile_expect_records(*profile);
    if (analysis->one_thread && !gnomon_profile_expect_thread(*profile, analysis->thread))
        return gnomon_fail_memory(error);
    if (analysis->with_paths && !gnomon_profile_expect_paths(*profile))
        return gnomon_fail_memory(error);
    if (analysis->watch.count)
        gnomon_profile_expect_watched(*profile, analysis->watch.first);
    return GNOMON_OK;
}

enum gnomon_status gnomon_analysis_records(const struct gnomon_analysis *analysis, struct gnomon_profile *profile,
                                           struct gnomon_error *error) {
    return !analysis->records.size || gnomon_profile_records(profile, &analysis->records, ids_of(analysis))
               ? GNOMON_OK
               : gnomon_fail_memory(error);
}

enum gnomon_status gnomon_analysis_profile(struct gnomon_analysis *analysis, struct gnomon_profile **profile,
                                           struct gnomon_error *error) {
    enum gnomon_status status = gnomon_analysis_new_profile(analysis, profile, error);
    if (status)
        return status;
    status = analysis->memory    ? read_memory(analysis, *profile, error)
             : analysis->sampled ? read_samples(analysis, *profile, error)
                                 : analysis_read_events(analysis, *profile, error);
    return status || analysis->sampled ? status : gnomon_analysis_records(analysis, *profile, error);
}

const struct gnomon_trace_stats *gnomon_analysis_stats(const struct gnomon_analysis *analysis) {
    return analysis->other ? &analysis->both : gnomon_trace_stats(analysis->trace);
}

bool gnomon_analysis_of_both(const struct gnomon_analysis *analysis) {
    const struct gnomon_trace_stats *stats = analysis->other ? gnomon_trace_stats(analysis->other) : NULL;
    return stats && stats->frames > stats->frames_unsound;
}

const struct gnomon_trace *gnomon_analysis_trace(const struct gnomon_analysis *analysis,
                                                 const struct gnomon_event *event) {
    return analysis->other && event->hart ? analysis->other : analysis->trace;
}

static void judge(const struct gnomon_analysis *analysis, enum gnomon_evidence_of of,
                  struct gnomon_exactness *exactness) {
    struct gnomon_tag_losses tags;
    /* Figures of addresses are of one hart, also if the events of both are read. */
    const bool of_both = gnomon_analysis_of_both(analysis), both = of_both && of != GNOMON_OF_ADDRESSES;
    struct gnomon_evidence evidence = {
        .of = of,
        .stats = of == GNOMON_OF_ADDRESSES ? gnomon_trace_stats(analysis->trace) : gnomon_analysis_stats(analysis),
        .aggregates = analysis->aggregates,
        .records = &analysis->records,
        .memory = analysis->memory,
        .watched = analysis->watch.count > 0 && analysis->watch.first == 0,
        .lock_calls = analysis->watch.roles,
        .status = -1,
        .unit = gnomon_analysis_in_cycles(analysis) ? NULL : analysis->unit,
    };
    evidence.untracked =
        gnomon_trace_threads_from(analysis->trace, analysis->records.threads, &evidence.untracked_cycles);
    evidence.landings = gnomon_exactness_landings(analysis->trace, &analysis->records);
    if (both) {
        evidence.harts[0] = gnomon_trace_stats(analysis->trace);
        evidence.harts[1] = gnomon_trace_stats(analysis->other);
        evidence.landings += gnomon_exactness_landings(analysis->other, &analysis->records);
    }
    if (analysis->file) {
        const json_t *trailer = gnomon_gnt_trailer(analysis->file);
        const json_t *status = json_object_get(trailer, "exit_status");
        evidence.file = true;
        evidence.flaws = gnomon_gnt_flaws(analysis->file);
        evidence.missing = gnomon_gnt_missing(analysis->file);
        evidence.modules_missing = gnomon_modules_missing(analysis->modules);
        evidence.watch_missed = gnomon_gnt_count(trailer, "watch_missed");
        evidence.watch_overrun = gnomon_gnt_count(trailer, "watch_overrun");
        evidence.unseen_switches = gnomon_gnt_count(trailer, "unseen_switches");
        evidence.hart = analysis->hart;
        if (analysis->aggregates || analysis->watch.count)
            evidence.moved = gnomon_gnt_count(trailer, "moved_threads");
        evidence.other_recorded = of_both || evidence.stats->frames_other > 0;
        evidence.other_hart =
            !evidence.harts[1] && (evidence.other_recorded || json_is_true(json_object_get(trailer, "other_hart")));
        if (json_object_get(trailer, "tags")) {
            gnomon_tag_losses_read(&tags, json_object_get(trailer, "tags"));
            evidence.tags = &tags;
        }
        evidence.end = json_string_value(json_object_get(trailer, "reason"));
        evidence.crash = json_string_value(json_object_get(trailer, "crash"));
        evidence.status = json_is_integer(status) ? (int)json_integer_value(status) : -1;
    }
    gnomon_exactness_judge(exactness, &evidence);
}

void gnomon_analysis_exactness(const struct gnomon_analysis *analysis, struct gnomon_exactness *exactness) {
    judge(analysis, analysis->sampled && !analysis->samples.functions ? GNOMON_OF_ADDRESSES : GNOMON_OF_CALLS,
          exactness);
    if (analysis->sampled)
        gnomon_samples_exactness(analysis->with_samples ? &analysis->samples : NULL, exactness);
}

void gnomon_analysis_address_exactness(const struct gnomon_analysis *analysis, struct gnomon_exactness *exactness) {
    judge(analysis, GNOMON_OF_ADDRESSES, exactness);
}

void gnomon_analysis_message_exactness(const struct gnomon_analysis *analysis, struct gnomon_exactness *exactness) {
    judge(analysis, GNOMON_OF_MESSAGES, exactness);
}

void gnomon_analysis_finish(const struct gnomon_analysis *analysis, struct gnomon_profile *profile,
                            struct gnomon_exactness *exactness) {
    struct gnomon_error error;
    enum gnomon_reason_reach reach;
    const struct gnomon_trace_stats *stats = gnomon_analysis_stats(analysis);
    gnomon_analysis_exactness(analysis, exactness);
    if (!analysis->sampled)
        gnomon_exactness_classes(exactness, &analysis->classes);
    if (gnomon_profile_finish(profile, stats, &error))
        gnomon_exactness_add(exactness, GNOMON_REASON_DAMAGE, GNOMON_REACH_ALL, "sums-differ", 0, "", "%s", error.what);
    if (stats->lost.enters > 0 && stats->frames_lost + stats->frames_damaged == 0)
        gnomon_analysis_narrow(analysis, profile);
    gnomon_profile_doubt(profile, gnomon_exactness_reach(exactness, &reach) && reach == GNOMON_REACH_ALL);
}

unsigned gnomon_analysis_stack(const struct gnomon_analysis *analysis, const struct gnomon_event *event, uint32_t *ids,
                               unsigned most) {
    if (analysis->aggregates)
        return 0;
    const unsigned count = gnomon_trace_stack(gnomon_analysis_trace(analysis, event), ids, most);
    for (unsigned i = 0; i < count; i++)
        ids[i] = ids[i] == GNOMON_FUNCTION_UNKNOWN ? GNOMON_PROFILE_UNKNOWN
                 : ids[i] & GNOMON_TRACE_TRAP      ? GNOMON_PROFILE_TRAP + (ids[i] & ~GNOMON_TRACE_TRAP)
                                                   : gnomon_modules_id(analysis->modules, ids[i]);
    return count;
}

void gnomon_analysis_close(struct gnomon_analysis *analysis) {
    gnomon_trace_free(analysis->other);
    gnomon_trace_free(analysis->trace);
    gnomon_gnt_close(analysis->other_file);
    gnomon_symbols_free(analysis->symbols);
    gnomon_modules_free(analysis->modules);
    gnomon_gnt_close(analysis->file);
    free(analysis->program);
    free(analysis->elf_path);
    gnomon_memory_free(analysis->memory);
    gnomon_records_free(&analysis->records);
    gnomon_watch_free(&analysis->watch);
    gnomon_samples_free(&analysis->samples);
    free(analysis->calls);
    *analysis = (struct gnomon_analysis){0};
}
