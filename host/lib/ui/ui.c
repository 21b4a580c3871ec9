/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/ui/ui.h"

#include <stdlib.h>
#include <string.h>

#include "lib/export/export_internal.h"
#include "lib/export/json_stream.h"
#include "lib/profile/profile_samples.h"
#include "lib/ui/ui_internal.h"
#include "lib/util/file.h"
#include "lib/util/json_text.h"

void ui_begin(FILE *stream, const char *name) {
    fprintf(stream, "gnomonData(\"%s\",", name);
}

void ui_end(FILE *stream) {
    fputs(")\n", stream);
}

bool ui_put(FILE *stream, const char *name, json_t *json) {
    char *text = gnomon_json_dump(json, JSON_COMPACT);
    if (!text)
        return false;
    ui_begin(stream, name);
    fputs(text, stream);
    ui_end(stream);
    free(text);
    return true;
}

void ui_put_text(FILE *stream, const char *text) {
    char *clean = text ? strdup(text) : NULL;
    if (clean)
        export_clean(clean);
    if (clean)
        json_put_string(stream, clean);
    else
        fputs("null", stream);
    free(clean);
}

json_t *ui_exactness(const struct gnomon_exactness *exactness) {
    char phrase[GNOMON_EXACTNESS_BYTES];
    json_t *json = gnomon_exactness_json(exactness);
    if (json)
        json_object_set_new(json, "phrase", json_string(gnomon_exactness_phrase(exactness, NULL, phrase)));
    return json;
}

/* ---- Reading ---- */

/* What the time line says goes to the spans; the locks, whose account ends with it, become JSON at once. */
static bool take_locks(void *context, const struct gnomon_lock_run *locks) {
    struct gnomon_ui *ui = (struct gnomon_ui *)((char *)context - offsetof(struct gnomon_ui, spans));
    if (!locks->results->lock_count)
        return true;
    ui->locks = ui_locks(locks, &ui->export.analysis);
    return ui->locks;
}

static enum gnomon_status read_events(struct gnomon_ui *ui, struct gnomon_error *error) {
    struct timeline_writer writer = ui_spans_writer;
    writer.locks = take_locks;
    ui->with_spans = true;
    enum gnomon_status status = timeline_read(&ui->export, &writer, &ui->spans, NULL, &ui->unknown, error);
    if (status)
        return status;
    ui_spans_finish(&ui->spans, gnomon_analysis_stats(&ui->export.analysis)->last_cycle);
    if (ui->spans.failed)
        return gnomon_fail_memory(error);
    return gnomon_export_end_profile(&ui->export, error);
}

/* A file of records that the program kept itself has no events, and one of samples none of a time line. */
static enum gnomon_status read_profile(struct gnomon_ui *ui, struct gnomon_error *error) {
    static const struct gnomon_export_format format = {.name = "ui", .needs = GNOMON_EXPORT_PROFILE};
    return gnomon_export_read(&ui->export, &format, error);
}

static enum gnomon_status read_other(struct gnomon_ui *ui, struct gnomon_error *error) {
    const bool raw = ui->export.analysis.raw_names;
    const char *const elf = ui->export.analysis.elf_path;
    enum gnomon_status status = gnomon_figures_read(&ui->figures[GNOMON_OLD], ui->other, ui->other_elf, ui->hart,
                                                    GNOMON_FIGURES_OF_FUNCTIONS, raw, error);
    if (!status)
        status = gnomon_figures_read(&ui->figures[GNOMON_NEW], ui->export.analysis.path, elf, ui->hart,
                                     GNOMON_FIGURES_OF_FUNCTIONS, raw, error);
    if (!status && !gnomon_compare(&ui->comparison, &ui->figures[GNOMON_OLD], 1, &ui->figures[GNOMON_NEW], 1))
        status = gnomon_fail_memory(error);
    return status;
}

enum gnomon_status gnomon_ui_read(struct gnomon_ui *ui, struct gnomon_error *error) {
    const struct gnomon_analysis *analysis = &ui->export.analysis;
    ui->export.analysis.with_paths = true;
    ui->export.instructions_of_hart = true; /* the views' first lines say whose they are */
    enum gnomon_status status =
        analysis->memory || analysis->sampled ? read_profile(ui, error) : read_events(ui, error);
    return status || !ui->other ? status : read_other(ui, error);
}

void gnomon_ui_close(struct gnomon_ui *ui) {
    gnomon_comparison_free(&ui->comparison);
    for (enum gnomon_side side = GNOMON_OLD; ui->other && side < GNOMON_SIDES; side++)
        gnomon_figures_close(&ui->figures[side]);
    ui_spans_free(&ui->spans);
    json_decref(ui->locks);
    gnomon_export_close(&ui->export);
}

/* ---- The summary ---- */

static bool has_histograms(const struct gnomon_ui *ui) {
    for (size_t i = 0; i < ui->export.profiled; i++)
        if (ui->export.functions[i].figures->histogram)
            return true;
    return false;
}

static void add_remark(void *context, const char *line) {
    char *clean = strdup(line);
    if (clean)
        export_clean(clean);
    json_array_append_new(context, json_string(clean ? clean : ""));
    free(clean);
}

/* What an estimate's error is computed from; null: figures are counted. */
static json_t *sampling(const struct gnomon_analysis *analysis) {
    const struct gnomon_samples *samples = &analysis->samples;
    if (!analysis->with_samples)
        return json_null();
    const uint64_t time = gnomon_samples_time(samples, gnomon_analysis_stats(analysis)->last_cycle);
    return json_pack("{s:I, s:I, s:o, s:I, s:b}", "all", (json_int_t)gnomon_samples_all(samples), "time",
                     (json_int_t)time, "event", gnomon_json_text(samples->event), "period", (json_int_t)samples->period,
                     "stacks", samples->stacks);
}

/* The cycles of each hart; of one hart: null. */
static json_t *harts(const struct gnomon_export *export) {
    if (!gnomon_analysis_of_both(&export->analysis))
        return json_null();
    json_t *list = json_array();
    for (unsigned hart = 0; hart < GNOMON_MAX_HARTS; hart++)
        json_array_append_new(list, json_integer((json_int_t)gnomon_profile_hart_cycles(export->profile, hart)));
    return list;
}

static json_t *summary(const struct gnomon_ui *ui) {
    const struct gnomon_export *export = &ui->export;
    const struct gnomon_analysis *analysis = &export->analysis;
    const struct gnomon_profile_sums *sums = export->sums;
    json_t *json = json_object(), *remarks = json_array();
    json_object_set_new(json, "recording", gnomon_json_text(ui->state ? ui->state : gnomon_basename(analysis->path)));
    json_object_set_new(json, "live", json_boolean(ui->state && !ui->over));
    json_object_set_new(json, "program",
                        gnomon_json_text(analysis->elf_path ? gnomon_basename(analysis->elf_path) : "?"));
    json_object_set_new(json, "device", gnomon_json_text(analysis->device));
    json_object_set_new(json, "clock_hz", json_integer((json_int_t)analysis->clock_hz));
    json_object_set_new(json, "cycles", json_integer((json_int_t)sums->cycles));
    json_object_set_new(json, "lost_cycles", json_integer((json_int_t)sums->lost));
    json_object_set_new(json, "unprofiled_cycles", json_integer((json_int_t)sums->unprofiled));
    json_object_set_new(json, "harts", harts(export));
    json_object_set_new(json, "hart", analysis->hart ? json_integer(analysis->hart) : json_null());
    const bool both = gnomon_analysis_of_both(analysis);
    json_object_set_new(json, "run_cycles",
                        json_integer((json_int_t)(both ? gnomon_analysis_stats(analysis)->last_cycle : sums->cycles)));
    json_object_set_new(json, "sampled", sampling(analysis));
    json_object_set_new(json, "unit", json_string(gnomon_export_unit(export)));
    json_object_set_new(
        json, "full_paths",
        json_boolean(analysis->sampled ? analysis->samples.stacks : !analysis->aggregates && !analysis->memory));
    json_object_set_new(json, "timeline", json_boolean(ui->with_spans));
    json_object_set_new(json, "histograms", json_boolean(has_histograms(ui)));
    json_object_set_new(json, "costs", json_boolean(export->with_instructions));
    json_object_set_new(json, "locks", json_boolean(ui->locks));
    json_object_set_new(json, "compare", json_boolean(ui->other));
    json_object_set_new(json, "profile", gnomon_json_text(ui->api ? gnomon_basename(ui->api->path) : NULL));
    json_object_set_new(json, "exactness", ui_exactness(&export->exactness));
    timeline_remarks(export, &ui->unknown, add_remark, remarks);
    json_object_set_new(json, "remarks", remarks);
    return json;
}

enum gnomon_status gnomon_ui_write_profile(struct gnomon_ui *ui, FILE *stream, struct gnomon_error *error) {
    bool good = ui_put(stream, "summary", summary(ui));
    ui_put_functions(ui, stream);
    ui_put_paths(ui, stream);
    good = ui_put_costs(ui, stream) && good;
    if (ui->locks)
        good = ui_put(stream, "locks", json_incref(ui->locks)) && good;
    good = (!ui->other || ui_put_comparison(ui, stream)) && good;
    return good ? GNOMON_OK : gnomon_fail_memory(error);
}

enum gnomon_status gnomon_ui_write_calls(struct gnomon_ui *ui, FILE *stream, struct gnomon_error *error) {
    (void)error; /* it writes from the profile alone, and needs no memory */
    ui_put_arcs(ui, stream);
    ui_put_histograms(ui, stream);
    return GNOMON_OK;
}

enum gnomon_status gnomon_ui_write_api(struct gnomon_ui *ui, FILE *stream, struct gnomon_error *error) {
    if (!ui->api)
        return GNOMON_OK;
    ui_begin(stream, "symbols");
    fputc('[', stream);
    for (size_t i = 0; i < ui->export.count; i++) {
        fputs(i ? "," : "", stream);
        ui_put_text(stream, ui->export.functions[i].name.symbol);
    }
    fputc(']', stream);
    ui_end(stream);
    return gnomon_ui_api_write(ui->api, stream, error);
}
