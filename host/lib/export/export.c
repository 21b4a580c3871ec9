/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/export/export_internal.h"
#include "lib/util/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct gnomon_export_format *gnomon_export_find(const char *name) {
    for (const struct gnomon_export_format *const *format = gnomon_export_formats; *format; format++)
        if (!strcmp((*format)->name, name))
            return *format;
    return NULL;
}

/* ---- Labels ---- */

void export_clean(char *label) {
    json_t *text = json_string(label);
    for (char *at = label; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7F || (!text && (unsigned char)*at > 0x7F))
            *at = '?';
    json_decref(text);
}

char *export_make_label(const struct gnomon_name *name, enum export_label_form form, size_t index) {
    const char *module = name->module ? name->module : "";
    char *label = NULL;
    int length;
    if (form == LABEL_NAME)
        length = asprintf(&label, "%s", name->text);
    else if (form == LABEL_FILE && (name->file || name->module))
        length = asprintf(&label, "%s (%s%s%s)", name->text, module, *module && name->file ? " " : "",
                          name->file ? gnomon_basename(name->file) : "");
    else if (form != LABEL_INDEX)
        length = asprintf(&label, "%s (0x%08" PRIx32 ")", name->text, name->address);
    else
        length = asprintf(&label, "%s (%zu)", name->text, index);
    if (length < 0)
        return NULL;
    export_clean(label);
    return label;
}

static int by_label(const void *a, const void *b) {
    const struct gnomon_export_function *left = *(const struct gnomon_export_function *const *)a;
    const struct gnomon_export_function *right = *(const struct gnomon_export_function *const *)b;
    return strcmp(left->label, right->label);
}

/* Gives all functions whose label another function has the next form of label. */
static bool part_equals(struct gnomon_export *export, struct gnomon_export_function **sorted,
                        enum export_label_form form) {
    qsort(sorted, export->count, sizeof *sorted, by_label);
    for (size_t first = 0, after; first < export->count; first = after) {
        for (after = first + 1; after < export->count && !by_label(&sorted[first], &sorted[after]);)
            after++;
        for (size_t i = first; after - first > 1 && i < after; i++) {
            char *label = export_make_label(&sorted[i]->name, form, (size_t)(sorted[i] - export->functions));
            if (!label)
                return false;
            free((char *)sorted[i]->label);
            sorted[i]->label = label;
        }
    }
    return true;
}

static bool label_functions(struct gnomon_export *export) {
    struct gnomon_export_function **sorted = calloc(export->count + 1, sizeof *sorted);
    bool good = sorted;
    for (size_t i = 0; good && i < export->count; i++) {
        sorted[i] = &export->functions[i];
        good = (sorted[i]->label = export_make_label(&sorted[i]->name, LABEL_NAME, i));
    }
    for (enum export_label_form form = LABEL_FILE; good && form <= LABEL_INDEX; form++)
        good = part_equals(export, sorted, form);
    free(sorted);
    return good;
}

/* What the run's time counts. */
static const char *time_unit(const struct gnomon_analysis *analysis) {
    return analysis->unit ? analysis->unit : "cycles";
}

const char *gnomon_export_unit(const struct gnomon_export *export) {
    return export->analysis.with_samples ? export->analysis.samples.event : time_unit(&export->analysis);
}

const char *gnomon_export_label(const struct gnomon_export *export, uint32_t function) {
    return function == GNOMON_PROFILE_UNPROFILED ? GNOMON_EXPORT_UNPROFILED : export->functions[function].label;
}

/* ---- Reading ---- */

enum gnomon_status export_name_functions(struct gnomon_export *export, struct gnomon_error *error) {
    const struct gnomon_profile_function *figures = gnomon_profile_functions(export->profile, &export->profiled);
    export->count = export->profiled;
    export->functions = calloc(export->count + export->instructions.count + 1, sizeof *export->functions);
    if (!export->functions)
        return gnomon_fail_memory(error);
    for (size_t i = 0; i < export->count; i++) {
        export->functions[i].figures = &figures[i];
        gnomon_name_of(&export->functions[i].name, &export->analysis, figures[i].id);
    }
    return export_find_owners(export) && label_functions(export) ? GNOMON_OK : gnomon_fail_memory(error);
}

static bool wants_instructions(const struct gnomon_export *export) {
    const struct gnomon_analysis *analysis = &export->analysis;
    const bool of_hart = analysis->hart || gnomon_analysis_of_both(analysis);
    return gnomon_analysis_in_cycles(analysis) && !analysis->one_thread && gnomon_costs_recorded(analysis) &&
           (!of_hart || export->instructions_of_hart);
}

/* Damaged cycles of instructions are left out; the reasons of exactness tell it. */
static enum gnomon_status read_instructions(struct gnomon_export *export, struct gnomon_error *error) {
    const struct gnomon_analysis *analysis = &export->analysis;
    if (!wants_instructions(export))
        return GNOMON_OK;
    const enum gnomon_status status = gnomon_costs_open(analysis, &export->instructions, error);
    export->with_instructions = !status;
    return status == GNOMON_ERR_MEMORY ? status : GNOMON_OK;
}

enum gnomon_status gnomon_export_end_profile(struct gnomon_export *export, struct gnomon_error *error) {
    const enum gnomon_status status = read_instructions(export, error);
    return status ? status : export_name_functions(export, error);
}

enum gnomon_status gnomon_export_read(struct gnomon_export *export, const struct gnomon_export_format *format,
                                      struct gnomon_error *error) {
    struct gnomon_analysis *analysis = &export->analysis;
    if (!format->units && gnomon_analysis_need_cycles(analysis, error))
        return error->status;
    if (format->needs != GNOMON_EXPORT_PROFILE && (analysis->aggregates || analysis->memory)) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has function records, and %s needs events", analysis->path,
                    format->name);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "record again with gnomon record --events");
    }
    if (format->needs != GNOMON_EXPORT_PROFILE && analysis->sampled) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has samples, and %s needs events", analysis->path, format->name);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                             "record again with gnomon record --events, or take pprof, folded, flamegraph, callgrind, "
                             "gmon or dot");
    }
    if (format->needs != GNOMON_EXPORT_PROFILE)
        return GNOMON_OK;
    analysis->with_paths = true;
    enum gnomon_status status = gnomon_analysis_profile(analysis, &export->profile, error);
    if (status)
        return status;
    gnomon_analysis_finish(analysis, export->profile, &export->exactness);
    export->sums = gnomon_profile_sums(export->profile);
    return gnomon_export_end_profile(export, error);
}

enum gnomon_status gnomon_export_made(struct gnomon_export *export, struct gnomon_error *error) {
    export->sums = gnomon_profile_sums(export->profile);
    return export_name_functions(export, error);
}

void gnomon_export_end(struct gnomon_export *export) {
    if (!export->profile) {
        gnomon_analysis_exactness(&export->analysis, &export->exactness);
        return;
    }
    gnomon_analysis_finish(&export->analysis, export->profile, &export->exactness);
    export->sums = gnomon_profile_sums(export->profile);
}

void gnomon_export_close(struct gnomon_export *export) {
    for (size_t i = 0; export->functions && i < export->count; i++)
        free((char *)export->functions[i].label);
    free(export->functions);
    free(export->owners);
    gnomon_source_lines_close(export->lines);
    gnomon_instructions_free(&export->instructions);
    gnomon_profile_free(export->profile);
    gnomon_lock_names_close(&export->names);
    gnomon_lock_tables_free(&export->tables);
    gnomon_analysis_close(&export->analysis);
}

void gnomon_export_remarks(const struct gnomon_export *export, gnomon_export_line *put, void *context) {
    const struct gnomon_analysis *analysis = &export->analysis;
    char phrase[GNOMON_EXACTNESS_BYTES], *line = NULL;
    gnomon_exactness_phrase(&export->exactness, NULL, phrase);
    const uint64_t cycles = export->sums ? export->sums->cycles : gnomon_analysis_stats(analysis)->last_cycle;
    if (asprintf(&line, "%s on %s, %" PRIu64 " %s, %s", analysis->elf_path ? gnomon_basename(analysis->elf_path) : "?",
                 analysis->device ? analysis->device : "?", cycles, time_unit(analysis), phrase) >= 0)
        put(context, line);
    free(line);
    for (size_t i = 0; i < export->exactness.count; i++)
        put(context, export->exactness.reasons[i].text);
    if (export->remark)
        put(context, export->remark);
    const uint64_t samples = analysis->sampled ? gnomon_samples_all(&analysis->samples) : 0;
    if (samples && export->sums &&
        asprintf(&line, "the standard error of a figure F is sqrt(F x (T - F) / %" PRIu64 "), with T = %" PRIu64,
                 samples, export->sums->cycles) >= 0) {
        put(context, line);
        free(line);
    }
    if (analysis->sampled && !analysis->samples.stacks)
        put(context, "recorded as samples without callers: sums over callees are too small");
    if (analysis->samples.cost &&
        asprintf(&line, "the program's monitor took %" PRIu64 " more cycles, which are in no figure",
                 analysis->samples.cost) >= 0) {
        put(context, line);
        free(line);
    }
    if (export->profile && ((analysis->aggregates && !analysis->sampled) || analysis->memory))
        put(context, "recorded as function records: what called a function's caller is not known");
}
