/* SPDX-License-Identifier: Apache-2.0 */
/* The report as JSON for programs (docs/guide/report.md). */
#include <jansson.h>
#include <string.h>

#include "cli/report/report.h"
#include "lib/util/histogram.h"
#include "lib/util/json_text.h"

static const char *report_key(const struct report *report) {
    return gnomon_analysis_in_cycles(&report->analysis) ? "cycles" : "units";
}

static void set_count(json_t *object, const char *key, uint64_t value) {
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

/* The key of a figure of time: "self_cycles" for "self", "cycles" for ""; in a recording that counts an event,
 * "self_units" and "units". */
static void set_units(const struct report *report, json_t *object, const char *what, uint64_t value) {
    char key[40];
    snprintf(key, sizeof key, "%s%s%s", what, *what ? "_" : "", report_key(report));
    set_count(object, key, value);
}

/* A time of the run: "first_cycle", or "first_at". */
static void set_time(const struct report *report, json_t *object, const char *what, uint64_t value) {
    char key[40];
    snprintf(key, sizeof key, "%s_%s", what, gnomon_analysis_in_cycles(&report->analysis) ? "cycle" : "at");
    set_count(object, key, value);
}

static void set_text(json_t *object, const char *key, const char *text) {
    json_object_set_new(object, key, gnomon_json_text(text && *text ? text : NULL));
}

static json_t *measured_json(unsigned measured) {
    json_t *list = json_array();
    for (unsigned bit = 1; bit <= measured; bit <<= 1)
        if (measured & bit)
            json_array_append_new(list, json_string(report_measured(bit)));
    return list;
}

/* A number of 128 bits, as a string of digits. */
static json_t *wide_json(gnomon_uint128 value) {
    char text[40], *at = text + sizeof text - 1;
    *at = '\0';
    do
        *--at = (char)('0' + (int)(value % 10));
    while (value /= 10);
    return json_string(at);
}

static json_t *bucket_json(const struct report *report, const struct gnomon_histogram *histogram, unsigned index) {
    const struct gnomon_bucket *bucket = &histogram->buckets[index];
    json_t *object = json_object();
    set_count(object, "from", gnomon_bucket_from(index));
    set_count(object, "calls", bucket->calls);
    if (histogram->counts_only)
        return object;
    set_units(report, object, "", bucket->cycles);
    json_object_set_new(object, "squares", wide_json(bucket->squares));
    return object;
}

static void set_real(const struct report *report, json_t *object, const char *what, double value) {
    char key[40];
    snprintf(key, sizeof key, "%s_%s", what, report_key(report));
    json_object_set_new(object, key, json_real(value));
}

static void set_histogram(const struct report *report, json_t *object, const struct gnomon_histogram *histogram) {
    json_t *list = histogram ? json_array() : json_null();
    for (unsigned i = 0; histogram && i < GNOMON_BUCKETS; i++)
        if (histogram->buckets[i].calls)
            json_array_append_new(list, bucket_json(report, histogram, i));
    json_object_set_new(object, "histogram", list);
    if (!histogram || histogram->counts_only)
        return;
    struct gnomon_bucket sum = gnomon_histogram_sum(histogram);
    set_real(report, object, "mean", gnomon_bucket_mean(&sum));
    set_real(report, object, "deviation", gnomon_bucket_deviation(&sum));
}

/* How long an interrupt waited until it was taken. */
static json_t *waits_json(const struct report *report, const struct gnomon_profile_function *figures) {
    const struct gnomon_profile_waits *waits = figures->waits;
    const struct gnomon_bucket sum = gnomon_histogram_sum(&waits->histogram);
    json_t *object = json_object();
    set_count(object, "count", sum.calls);
    set_count(object, "cycles", sum.cycles);
    set_count(object, "min_cycles", waits->min);
    set_count(object, "max_cycles", waits->max);
    set_count(object, "longest_at_cycle", waits->longest_at);
    json_object_set_new(object, "exact", json_boolean(report_waits_exact(figures)));
    set_histogram(report, object, &waits->histogram);
    return object;
}

static json_t *function_json(const struct report *report, const struct report_row *row) {
    const struct gnomon_profile_function *figures = row->figures;
    const bool in_cycles = gnomon_analysis_in_cycles(&report->analysis);
    json_t *object = json_object();
    set_text(object, "name", row->name.text);
    if (row->name.symbol && strcmp(row->name.symbol, row->name.text) != 0)
        set_text(object, "symbol", row->name.symbol);
    set_text(object, "file", row->name.file);
    set_count(object, "line", row->name.line);
    set_count(object, "calls", figures->calls);
    set_units(report, object, "self", figures->self);
    set_units(report, object, "total", figures->total);
    if (figures->min <= figures->max) {
        set_units(report, object, "min", figures->min);
        set_units(report, object, "max", figures->max);
    }
    if (row->name.number != GNOMON_NO_NUMBER)
        set_count(object, "number", row->name.number);
    if (row->name.module)
        set_text(object, "module", row->name.module);
    if (row->name.overlay)
        set_count(object, "overlay", row->name.overlay - 1);
    set_count(object, "address", row->name.address);
    json_object_set_new(object, "measured", measured_json(figures->measured));
    report_sampled_json(report, figures, object);
    json_object_set_new(object, "exact", json_boolean(figures->exact));
    if (figures->lost_here && !figures->lost_calls) { /* function records do not count lost calls */
        json_object_set_new(object, "lost_calls", json_null());
        json_object_set_new(object, in_cycles ? "lost_cycles" : "lost_units", json_null());
    } else {
        set_count(object, "lost_calls", figures->lost_calls);
        set_units(report, object, "lost", figures->lost_cycles);
    }
    json_object_set_new(object, "open_at_end", json_boolean(figures->open));
    set_histogram(report, object, figures->histogram);
    if (figures->waits && in_cycles)
        json_object_set_new(object, "waits", waits_json(report, figures));
    return object;
}

/* Caller and callee of an arc are indices in "functions". */
static json_t *arcs_json(const struct report *report) {
    json_t *list = json_array();
    size_t count;
    const struct gnomon_profile_arc *arcs = gnomon_profile_arcs(report->profile, &count);
    for (uint32_t i = 0; i < report->count; i++)
        report->shown[report->order[i]] = i;
    for (size_t i = 0; i < count; i++) {
        json_t *arc = json_object();
        bool outside = arcs[i].caller == GNOMON_PROFILE_UNPROFILED;
        json_object_set_new(arc, "caller", outside ? json_null() : json_integer(report->shown[arcs[i].caller]));
        json_object_set_new(arc, "callee", json_integer(report->shown[arcs[i].callee]));
        set_count(arc, "calls", arcs[i].calls);
        set_units(report, arc, "self", arcs[i].self);
        set_units(report, arc, "total", arcs[i].total);
        json_array_append_new(list, arc);
    }
    return list;
}

static json_t *threads_json(const struct report *report) {
    const bool in_cycles = gnomon_analysis_in_cycles(&report->analysis);
    json_t *list = json_array();
    size_t count;
    const struct gnomon_profile_thread *threads = gnomon_profile_threads(report->profile, &count);
    for (size_t i = 0; i < count; i++) {
        if (!threads[i].runs)
            continue;
        json_t *thread = json_object();
        char name[GNOMON_LOCK_NAME_BYTES];
        set_count(thread, "thread", threads[i].thread);
        set_text(thread, "name", gnomon_thread_name(&report->names, threads[i].thread, name));
        set_units(report, thread, "", threads[i].cycles);
        json_object_set_new(thread, in_cycles ? "trap_cycles" : "trap_units",
                            report->analysis.aggregates ? json_null()
                                                        : json_integer((json_int_t)threads[i].trap_cycles));
        set_count(thread, "runs", threads[i].runs);
        set_time(report, thread, "first", threads[i].first);
        set_time(report, thread, "last", threads[i].last);
        json_array_append_new(list, thread);
    }
    return list;
}

/* Each hart's part of the cycles and instructions. */
static json_t *harts_json(const struct report *report) {
    json_t *list = json_array();
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++) {
        json_t *hart = json_object();
        const struct gnomon_trace_stats *stats = gnomon_trace_stats(report->analysis.harts[i].trace);
        set_count(hart, "hart", i);
        set_units(report, hart, "", gnomon_profile_hart_cycles(report->profile, i));
        json_object_set_new(hart, "instructions",
                            stats->ended ? json_integer((json_int_t)stats->end.instructions) : json_null());
        json_array_append_new(list, hart);
    }
    return list;
}

static void set_sums(const struct report *report, json_t *root) {
    const struct gnomon_profile_sums *sums = report->sums;
    const struct gnomon_trace_stats *stats = report->stats;
    const bool both = gnomon_analysis_of_both(&report->analysis);
    set_units(report, root, "", report->analysis.sampled ? stats->last_cycle : sums->cycles);
    if (both &&
        gnomon_analysis_in_cycles(&report->analysis)) /* each hart counts its own events: there are none of both */
        set_count(root, "run_cycles", stats->last_cycle);
    else if (!both && report->analysis.hart)
        set_count(root, "hart", report->analysis.hart);
    json_object_set_new(root, "instructions",
                        stats->ended ? json_integer((json_int_t)stats->end.instructions) : json_null());
    if (both)
        json_object_set_new(root, "harts", harts_json(report));
    set_units(report, root, "attributed", sums->cycles - sums->unprofiled);
    set_units(report, root, "unprofiled", sums->unprofiled);
    set_units(report, root, "lost", sums->lost);
    set_count(root, "lost_events", report->exactness.lost_events);
    set_count(root, "received_events", gnomon_trace_received(stats));
    json_object_set_new(root, "produced_events",
                        stats->ended ? json_integer((json_int_t)stats->end.produced) : json_null());
    set_count(root, "lost_frames", stats->frames_lost);
    set_count(root, "damaged_frames", stats->frames_damaged);
    set_count(root, "unbalanced_exits", stats->unbalanced);
    set_count(root, "frames", stats->frames);
    set_count(root, "record_bytes", stats->bytes);
    json_t *worth = gnomon_exactness_json(&report->exactness);
    json_object_update(root, worth);
    json_decref(worth);
}

int report_json(const struct report *report) {
    json_t *root = json_object(), *functions = json_array();
    set_text(root, "program", report->analysis.elf_path);
    set_text(root, "build_id", gnomon_symbols_build_id(report->analysis.symbols));
    set_text(root, "device", report->analysis.device);
    set_text(root, "unit", report_unit(report));
    if (gnomon_analysis_in_cycles(&report->analysis))
        set_count(root, "clock_hz", report->analysis.clock_hz);
    if (report->analysis.one_thread)
        set_count(root, "only_thread", report->analysis.thread);
    if (report->analysis.with_samples)
        json_object_set_new(root, "sampling", report_sampling_json(report));
    set_sums(report, root);
    for (size_t i = 0; i < report->count; i++)
        json_array_append_new(functions, function_json(report, &report->rows[report->order[i]]));
    json_object_set_new(root, "functions", functions);
    json_object_set_new(root, "arcs", arcs_json(report));
    json_object_set_new(root, "threads", threads_json(report));
    json_dumpf(root, stdout, JSON_INDENT(1));
    fputc('\n', stdout);
    json_decref(root);
    return cli_pager_end(report->context, stdout);
}
