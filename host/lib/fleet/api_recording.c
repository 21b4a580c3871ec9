/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fleet/api_recording.h"

#include <stdio.h>
#include <string.h>

#include "lib/heap/heap_run.h"
#include "lib/profile/analysis.h"
#include "lib/profile/function_names.h"
#include "lib/util/file.h"

struct run {
    const struct gnomon_api_recording *recording;
    struct gnomon_analysis analysis;
    struct gnomon_api_profile *profile;
    struct gnomon_api_source *source;
    char own[sizeof GNOMON_API_OWN + GNOMON_UNIT_BYTES]; /* the cost of a run's own cycles, or events */
    bool cut;                                            /* the run was stopped, or the program died */
};

/* ---- Where it ran ---- */

/* "sim:NAME" of a simulated board, "full-48MHz-32KiB" of a real one: what decides how many cycles a program takes, and
 * nothing of which board it was. */
static void device_of(char *text, size_t size, const struct gnomon_analysis *analysis) {
    const json_t *device = analysis->file ? json_object_get(gnomon_gnt_header(analysis->file), "device") : NULL;
    const char *configuration = json_string_value(json_object_get(device, "configuration"));
    const char *address = json_string_value(json_object_get(device, "address"));
    const bool simulated = json_is_true(json_object_get(device, "simulated"));
    const json_int_t clock_hz = json_integer_value(json_object_get(device, "clock_hz")),
                     ram_bytes = json_integer_value(json_object_get(device, "ram_bytes")),
                     harts = json_integer_value(json_object_get(device, "harts"));
    if (!configuration)
        *text = '\0';
    else if (simulated && address && !strncmp(address, "sim:", 4))
        snprintf(text, size, "sim:%s", gnomon_basename(address + 4));
    else
        snprintf(text, size, "%s%s-%" JSON_INTEGER_FORMAT "MHz-%" JSON_INTEGER_FORMAT "KiB%s", simulated ? "sim:" : "",
                 configuration, clock_hz / 1000000, ram_bytes / 1024, harts > 1 ? "-2harts" : "");
}

static enum gnomon_status open_run(struct run *run, struct gnomon_error *error) {
    const struct gnomon_api_recording *recording = run->recording;
    enum gnomon_status status =
        gnomon_analysis_open_any(&run->analysis, recording->path, recording->elf, GNOMON_WITH_SYMBOLS, error);
    if (!status)
        status = gnomon_analysis_select(&run->analysis, GNOMON_BOTH_HARTS, error);
    for (size_t i = 0; i < recording->module_count && !status; i++)
        status = gnomon_analysis_add_module(&run->analysis, recording->modules[i], error);
    run->analysis.raw_names = true;
    return status;
}

static enum gnomon_status find_source(struct run *run, struct gnomon_error *error) {
    char device[128];
    const char *program = gnomon_basename(gnomon_symbols_path(run->analysis.symbols));
    device_of(device, sizeof device, &run->analysis);
    const struct gnomon_api_source wanted = {.program = program,
                                             .build = gnomon_symbols_build_id(run->analysis.symbols),
                                             .scenario = run->recording->scenario ? run->recording->scenario : program,
                                             .size = run->recording->size,
                                             .device = device};
    run->source = gnomon_api_profile_source(run->profile, &wanted);
    return run->source ? GNOMON_OK : gnomon_fail_memory(error);
}

/* ---- Rows ---- */

/* *row NULL: the function is not asked for. False: out of memory. */
static bool find_row(struct run *run, uint32_t id, const char *cost, struct gnomon_api_row **row) {
    const struct gnomon_api_recording *recording = run->recording;
    struct gnomon_name name;
    gnomon_name_of(&name, &run->analysis, id);
    *row = NULL;
    if (recording->chosen &&
        (!name.symbol || name.module || !recording->chosen(recording->context, name.text, name.symbol)))
        return true;
    const struct gnomon_api_row wanted = {.source = run->source,
                                          .cost = cost,
                                          .module = name.module ? name.module : run->source->program,
                                          .build = name.build    ? name.build
                                                   : name.module ? ""
                                                                 : run->source->build,
                                          .function = name.symbol ? name.symbol : name.text,
                                          .file = name.file ? name.file : ""};
    *row = gnomon_api_profile_row(run->profile, &wanted);
    if (*row && name.line && (!(*row)->line || name.line < (*row)->line))
        (*row)->line = name.line;
    return *row;
}

static bool add_histogram(struct gnomon_api_row *row, const struct gnomon_histogram *histogram) {
    bool good = true;
    for (unsigned i = 0; i < GNOMON_BUCKETS && good; i++)
        good = gnomon_api_row_add(row, i, &histogram->buckets[i]);
    return good;
}

/* ---- Cycles, or what the recording's time counts in their place ---- */

/* Of a run that was cut, a call that was open has its cycles up to there. Function records do not tell which were. */
static bool can_be_cut(const struct run *run, const struct gnomon_profile_function *function) {
    return run->cut && (run->analysis.aggregates || function->open);
}

static unsigned doubt_of(const struct run *run, const struct gnomon_profile_function *function, uint64_t whole) {
    return (function->exact ? 0 : GNOMON_API_LOSS) |
           (function->histogram && function->histogram->counts_only ? GNOMON_API_COUNTS : 0) |
           (function->calls > whole || can_be_cut(run, function) ? GNOMON_API_UNSEEN : 0);
}

static bool in_cycles(const struct run *run) {
    return !strcmp(run->analysis.unit, GNOMON_API_CYCLES);
}

static bool add_function(struct run *run, const struct gnomon_profile_function *function) {
    struct gnomon_api_row *row;
    if (!find_row(run, function->id, run->analysis.unit, &row))
        return false;
    if (!row)
        return true;
    const uint64_t whole = function->histogram ? gnomon_histogram_sum(function->histogram).calls : 0;
    const struct gnomon_api_row rest = {.doubt = doubt_of(run, function, whole),
                                        .lost = function->calls > whole ? function->calls - whole : 0,
                                        .least = function->min > function->max ? UINT64_MAX : function->min,
                                        .most = function->min > function->max ? 0 : function->max};
    return gnomon_api_row_join(row, &rest) && (!function->histogram || add_histogram(row, function->histogram));
}

/* ---- Own cycles, or events ---- */

static size_t count_unhooked(const struct gnomon_symbols *symbols) {
    size_t count = 0, cursor = 0;
    while (gnomon_symbols_unhooked(symbols, &cursor))
        count++;
    return count;
}

/* Are calls of all functions in the recording? Of a program without hooks all must have been watched: what others do
 * counts for those that called them. Functions without hooks beside some with hooks may be missing. */
static bool has_all_functions(const struct run *run) {
    const struct gnomon_analysis *analysis = &run->analysis;
    return !analysis->watch.roles &&
           (gnomon_symbols_total(analysis->symbols) > 0 ||
            (analysis->watch.count > 0 && analysis->watch.count == count_unhooked(analysis->symbols)));
}

/* Has each cycle, or event, a function? */
static bool is_whole(const struct run *run) {
    return !run->recording->chosen && has_all_functions(run);
}

static bool add_own(struct gnomon_api_row *row, uint64_t cycles, unsigned doubt) {
    const struct gnomon_bucket numbers = {1, cycles, (gnomon_uint128)cycles * cycles};
    const struct gnomon_api_row rest = {.doubt = doubt, .least = cycles, .most = cycles};
    return row && gnomon_api_row_join(row, &rest) && gnomon_api_row_add(row, gnomon_bucket_of(cycles), &numbers);
}

/* Of no function. */
static bool add_rest(struct run *run, const char *name, uint64_t cycles, unsigned doubt) {
    const struct gnomon_api_row wanted = {.source = run->source,
                                          .cost = run->own,
                                          .module = run->source->program,
                                          .build = run->source->build,
                                          .function = name,
                                          .file = ""};
    return add_own(gnomon_api_profile_row(run->profile, &wanted), cycles, doubt);
}

static bool add_own_costs(struct run *run, const struct gnomon_profile *profile, unsigned doubt) {
    snprintf(run->own, sizeof run->own, GNOMON_API_OWN "%s", run->analysis.unit);
    const struct gnomon_profile_sums *sums = gnomon_profile_sums(profile);
    size_t count;
    const struct gnomon_profile_function *functions = gnomon_profile_functions(profile, &count);
    bool good = add_rest(run, GNOMON_API_UNPROFILED, sums->unprofiled, doubt) &&
                (!sums->lost || add_rest(run, GNOMON_API_LOST, sums->lost, doubt));
    for (size_t i = 0; i < count && good; i++) {
        struct gnomon_api_row *row;
        good = !functions[i].self || (find_row(run, functions[i].id, run->own, &row) &&
                                      add_own(row, functions[i].self, functions[i].exact ? 0 : GNOMON_API_LOSS));
    }
    return good;
}

static enum gnomon_status add_cycles(struct run *run, struct gnomon_exactness *exactness, struct gnomon_error *error) {
    struct gnomon_profile *profile = NULL;
    enum gnomon_status status = gnomon_analysis_profile(&run->analysis, &profile, error);
    if (!status) {
        gnomon_analysis_finish(&run->analysis, profile, exactness);
        run->cut = exactness->end != GNOMON_RUN_ENDED && exactness->end != GNOMON_RUN_UNKNOWN;
    }
    if (!status && run->analysis.sampled) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s was sampled: it does not know single calls",
                    run->recording->path);
        status = gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "record it without --sample");
    }
    if (!status)
        status = find_source(run, error);
    size_t count = 0;
    const struct gnomon_profile_function *functions = status ? NULL : gnomon_profile_functions(profile, &count);
    for (size_t i = 0; i < count && !status; i++)
        if (!add_function(run, &functions[i]))
            status = gnomon_fail_memory(error);
    const unsigned doubt = !status && !gnomon_exactness_exact(exactness) ? GNOMON_API_LOSS : 0;
    if (!status && is_whole(run) && !add_own_costs(run, profile, doubt))
        status = gnomon_fail_memory(error);
    if (!status)
        gnomon_api_source_add(run->source, 1, in_cycles(run) ? gnomon_profile_sums(profile)->cycles : 0);
    gnomon_profile_free(profile);
    return status;
}

/* ---- Bytes ---- */

static bool add_blocks(struct run *run, uint32_t id, const char *cost, const struct gnomon_histogram *histogram,
                       unsigned doubt) {
    if (!gnomon_histogram_sum(histogram).calls)
        return true;
    struct gnomon_api_row *row;
    if (!find_row(run, id, cost, &row))
        return false;
    if (!row)
        return true;
    row->doubt |= doubt;
    return add_histogram(row, histogram);
}

static enum gnomon_status add_bytes(struct run *run, struct gnomon_error *error) {
    const struct gnomon_heap_span whole = GNOMON_HEAP_WHOLE_RUN;
    const struct gnomon_heap_results *results = NULL;
    struct gnomon_heap *heap = NULL;
    struct gnomon_exactness exactness;
    enum gnomon_status status = gnomon_heap_read(&heap, &results, &run->analysis, &whole, error);
    if (!status)
        gnomon_analysis_exactness(&run->analysis, &exactness);
    const unsigned doubt = !status && !gnomon_exactness_exact(&exactness) ? GNOMON_API_LOSS : 0;
    const bool own = !status && has_all_functions(run);
    for (size_t i = 0; !status && i < results->by_function.count; i++) {
        const struct gnomon_heap_function *function = &results->by_function.functions[i];
        if (!add_blocks(run, function->id, GNOMON_API_BYTES, &function->inclusive,
                        doubt | (results->deep ? GNOMON_API_DEEP : 0)) ||
            (own && !add_blocks(run, function->id, GNOMON_API_OWN_BYTES, &function->own, doubt)))
            status = gnomon_fail_memory(error);
    }
    gnomon_heap_free(heap);
    return status;
}

/* ---- The recording ---- */

static enum gnomon_status read_calls(struct run *run, struct gnomon_exactness *exactness, struct gnomon_error *error) {
    enum gnomon_status status = open_run(run, error);
    if (!status)
        status = add_cycles(run, exactness, error);
    gnomon_analysis_close(&run->analysis);
    return status;
}

static enum gnomon_status read_blocks(struct run *run, struct gnomon_error *error) {
    enum gnomon_status status = open_run(run, error);
    if (!status)
        status = find_source(run, error);
    /* The same run in cycles has the same blocks: they would count twice. */
    if (!status && !run->analysis.aggregates && run->analysis.file && in_cycles(run))
        status = add_bytes(run, error);
    gnomon_analysis_close(&run->analysis);
    return status;
}

/* The file is read twice, once for the cycles and once for the heap, whose account needs the stack at each message. */
enum gnomon_status gnomon_api_recording_add(struct gnomon_api_profile *profile,
                                            const struct gnomon_api_recording *recording,
                                            struct gnomon_exactness *exactness, struct gnomon_error *error) {
    struct run run = {.recording = recording, .profile = profile};
    enum gnomon_status status = GNOMON_OK;
    if (recording->what != GNOMON_API_ONLY_BLOCKS)
        status = read_calls(&run, exactness, error);
    if (!status && recording->what != GNOMON_API_ONLY_CALLS)
        status = read_blocks(&run, error);
    return status;
}
