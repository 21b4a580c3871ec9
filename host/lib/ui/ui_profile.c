/* SPDX-License-Identifier: Apache-2.0 */
/* Functions, who called whom, call paths, histograms. */
#include <inttypes.h>
#include <string.h>

#include "lib/export/json_stream.h"
#include "lib/ui/ui_internal.h"
#include "lib/util/histogram.h"

/* A column: the figure of each function of the profile. */
typedef uint64_t figure_of(const struct gnomon_profile_function *figures);

static void put_column(const struct gnomon_ui *ui, FILE *stream, const char *name, figure_of *figure) {
    fprintf(stream, ",\"%s\":[", name);
    for (size_t i = 0; i < ui->export.count; i++)
        fprintf(stream, "%s%" PRIu64, i ? "," : "", figure(ui->export.functions[i].figures));
    fputc(']', stream);
}

static uint64_t self_of(const struct gnomon_profile_function *figures) {
    return figures->self;
}
static uint64_t total_of(const struct gnomon_profile_function *figures) {
    return figures->total;
}
static uint64_t calls_of(const struct gnomon_profile_function *figures) {
    return figures->calls;
}
/* Greater than the longest call: there was no whole one. */
static uint64_t least_of(const struct gnomon_profile_function *figures) {
    return figures->min <= figures->max ? figures->min : 1;
}
static uint64_t most_of(const struct gnomon_profile_function *figures) {
    return figures->min <= figures->max ? figures->max : 0;
}
static uint64_t lost_of(const struct gnomon_profile_function *figures) {
    return figures->lost_cycles;
}
static uint64_t samples_of(const struct gnomon_profile_function *figures) {
    return figures->samples;
}
static uint64_t samples_total_of(const struct gnomon_profile_function *figures) {
    return figures->samples_total;
}
static uint64_t exact_of(const struct gnomon_profile_function *figures) {
    return figures->exact;
}

static bool same_file(const char *a, const char *b) {
    return a == b || (a && b && !strcmp(a, b));
}

/* Functions of a file mostly follow each other: a file is written again where it changes. */
static void put_files(const struct gnomon_ui *ui, FILE *stream) {
    const char *before = NULL;
    fputs(",\"file\":[", stream);
    for (size_t i = 0; i < ui->export.count; i++) {
        const struct gnomon_name *name = &ui->export.functions[i].name;
        fputs(i ? "," : "", stream);
        if (i && same_file(name->file, before))
            fputc('0', stream);
        else
            ui_put_text(stream, name->file);
        before = name->file;
    }
    fputs("],\"line\":[", stream);
    for (size_t i = 0; i < ui->export.count; i++)
        fprintf(stream, "%s%u", i ? "," : "", ui->export.functions[i].name.line);
    fputc(']', stream);
}

void ui_put_functions(const struct gnomon_ui *ui, FILE *stream) {
    ui_begin(stream, "functions");
    fprintf(stream, "{\"profiled\":%zu,\"name\":[", ui->export.profiled);
    for (size_t i = 0; i < ui->export.count; i++) {
        fputs(i ? "," : "", stream);
        json_put_string(stream, ui->export.functions[i].label);
    }
    fputc(']', stream);
    put_files(ui, stream);
    put_column(ui, stream, "self", self_of);
    put_column(ui, stream, "total", total_of);
    put_column(ui, stream, "calls", calls_of);
    put_column(ui, stream, "min", least_of);
    put_column(ui, stream, "max", most_of);
    put_column(ui, stream, "lost", lost_of);
    put_column(ui, stream, "exact", exact_of);
    if (ui->export.analysis.with_samples) {
        put_column(ui, stream, "samples", samples_of);
        put_column(ui, stream, "samples_total", samples_total_of);
    }
    fputc('}', stream);
    ui_end(stream);
}

/* ---- Arcs ---- */

enum arc_column { ARC_CALLER, ARC_CALLEE, ARC_CALLS, ARC_TOTAL, ARC_COLUMNS };
static const char *const arc_columns[ARC_COLUMNS] = {"caller", "callee", "calls", "total"};

/* -1: no profiled function. */
static int64_t arc_figure(const struct gnomon_profile_arc *arc, enum arc_column column) {
    switch (column) {
    case ARC_CALLER:
        return arc->caller == GNOMON_PROFILE_UNPROFILED ? -1 : (int64_t)arc->caller;
    case ARC_CALLEE:
        return (int64_t)arc->callee;
    case ARC_CALLS:
        return (int64_t)arc->calls;
    default:
        return (int64_t)arc->total;
    }
}

void ui_put_arcs(const struct gnomon_ui *ui, FILE *stream) {
    size_t count;
    const struct gnomon_profile_arc *arcs = gnomon_profile_arcs(ui->export.profile, &count);
    ui_begin(stream, "arcs");
    for (enum arc_column column = 0; column < ARC_COLUMNS; column++) {
        fprintf(stream, "%c\"%s\":[", column ? ',' : '{', arc_columns[column]);
        for (size_t i = 0; i < count; i++)
            fprintf(stream, "%s%" PRId64, i ? "," : "", arc_figure(&arcs[i], column));
        fputc(']', stream);
    }
    fputc('}', stream);
    ui_end(stream);
}

/* ---- Paths ---- */

static uint64_t sum(const uint64_t harts[GNOMON_MAX_HARTS]) {
    uint64_t all = 0;
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++)
        all += harts[i];
    return all;
}

enum path_column { PATH_PARENT, PATH_FUNCTION, PATH_SELF, PATH_LOST, PATH_CALLS, PATH_SAMPLES, PATH_COLUMNS };
static const char *const path_columns[PATH_COLUMNS] = {"parent", "function", "self", "lost", "calls", "samples"};

/* -1: an outermost path, which has no parent and no function. */
static int64_t path_figure(const struct gnomon_profile_path *path, enum path_column column) {
    switch (column) {
    case PATH_PARENT:
        return path->parent == GNOMON_PROFILE_UNPROFILED ? -1 : (int64_t)path->parent;
    case PATH_FUNCTION:
        return path->function == GNOMON_PROFILE_UNPROFILED ? -1 : (int64_t)path->function;
    case PATH_SELF:
        return (int64_t)sum(path->self);
    case PATH_LOST:
        return (int64_t)sum(path->lost);
    case PATH_CALLS:
        return (int64_t)sum(path->calls);
    default:
        return (int64_t)path->samples;
    }
}

/* The names of outermost paths: their threads. */
static void put_threads(const struct gnomon_ui *ui, const struct gnomon_profile_path *paths, size_t count,
                        FILE *stream) {
    char text[GNOMON_LOCK_NAME_BYTES];
    bool any = false;
    fputs(",\"threads\":{", stream);
    for (size_t i = 0; i < count; i++) {
        if (paths[i].parent != GNOMON_PROFILE_UNPROFILED)
            continue;
        fprintf(stream, "%s\"%zu\":", any ? "," : "", i);
        any = true;
        ui_put_text(stream, paths[i].thread == GNOMON_PROFILE_ALL_THREADS
                                ? "all threads"
                                : gnomon_thread_name(&ui->export.names, paths[i].thread, text));
    }
    fputc('}', stream);
}

void ui_put_paths(const struct gnomon_ui *ui, FILE *stream) {
    size_t count;
    const struct gnomon_profile_path *paths = gnomon_profile_paths(ui->export.profile, &count);
    ui_begin(stream, "paths");
    fprintf(stream, "{\"count\":%zu", count);
    const unsigned columns = ui->export.analysis.with_samples ? PATH_COLUMNS : PATH_SAMPLES;
    for (enum path_column column = 0; column < columns; column++) {
        fprintf(stream, ",\"%s\":[", path_columns[column]);
        for (size_t i = 0; i < count; i++)
            fprintf(stream, "%s%" PRId64, i ? "," : "", path_figure(&paths[i], column));
        fputc(']', stream);
    }
    put_threads(ui, paths, count, stream);
    fputc('}', stream);
    ui_end(stream);
}

/* ---- Histograms ---- */

/* [bucket, calls, cycles] of each bucket with calls; cycles are -1 if the device did not count them. */
static void put_buckets(const struct gnomon_histogram *histogram, FILE *stream) {
    const char *comma = "";
    fputc('[', stream);
    for (unsigned i = 0; i < GNOMON_BUCKETS; i++) {
        const struct gnomon_bucket *bucket = &histogram->buckets[i];
        if (!bucket->calls)
            continue;
        fprintf(stream, "%s%u,%" PRIu64 ",%" PRId64, comma, i, bucket->calls,
                histogram->counts_only ? -1 : (int64_t)bucket->cycles);
        comma = ",";
    }
    fputc(']', stream);
}

void ui_put_histograms(const struct gnomon_ui *ui, FILE *stream) {
    const char *comma = "";
    ui_begin(stream, "histograms");
    fputs("{\"from\":[", stream);
    for (unsigned i = 0; i < GNOMON_BUCKETS; i++)
        fprintf(stream, "%s%" PRIu64, i ? "," : "", gnomon_bucket_from(i));
    fputs("],\"functions\":{", stream);
    for (size_t i = 0; i < ui->export.profiled; i++) {
        const struct gnomon_histogram *histogram = ui->export.functions[i].figures->histogram;
        if (!histogram)
            continue;
        fprintf(stream, "%s\"%zu\":", comma, i);
        put_buckets(histogram, stream);
        comma = ",";
    }
    fputs("}}", stream);
    ui_end(stream);
}
