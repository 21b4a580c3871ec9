/* SPDX-License-Identifier: Apache-2.0 */
/* For pprof: call paths with cycles and calls, labelled with thread, hart and interrupt; and, if the recording has
 * them, instructions with their cycles by cause. */
#include <stdlib.h>
#include <string.h>

#include "lib/export/pprof_inlined.h"

/* What a sample has. */
enum { VALUE_CYCLES, VALUE_CALLS, VALUE_CHARGED, VALUE_CAUSES };
#define MOST_VALUES (VALUE_CAUSES + GNOMON_CAUSES)

/* Places that are no function of the profile follow the functions. */
enum pseudo { UNPROFILED, LOST, NOT_COUNTED, UNATTRIBUTED, PSEUDOS };
static const char *const pseudo_names[PSEUDOS] = {
    [UNPROFILED] = GNOMON_EXPORT_UNPROFILED,
    [LOST] = GNOMON_EXPORT_LOST,
    [NOT_COUNTED] = "[not counted by instruction]",
    [UNATTRIBUTED] = "[no instruction]",
};

struct pprof {
    struct gnomon_export *export;
    struct pprof_file file;
    struct pprof_inlined inlined;
    uint64_t key_thread, key_hart, key_interrupt, key_exception; /* strings */
};

/* ---- Head ---- */

static void put_types(struct pprof *pprof) {
    const struct gnomon_export *export = pprof->export;
    const bool sampled = export->analysis.with_samples;
    const uint64_t cycles = pprof_type(&pprof->file, PROFILE_SAMPLE_TYPE, gnomon_export_unit(export), "count");
    pprof_type(&pprof->file, PROFILE_SAMPLE_TYPE, sampled ? "samples" : "calls", "count");
    if (export->with_instructions)
        pprof_type(&pprof->file, PROFILE_SAMPLE_TYPE, "charged", "count");
    for (unsigned i = 0; export->with_instructions && i < GNOMON_CAUSES; i++)
        if (export->instructions.causes[i])
            pprof_type(&pprof->file, PROFILE_SAMPLE_TYPE, gnomon_cause_key(i), "count");
    protobuf_number(&pprof->file.out, PROFILE_DEFAULT_TYPE, cycles);
    pprof_type(&pprof->file, PROFILE_PERIOD_TYPE, gnomon_export_unit(export), "count");
    protobuf_number(&pprof->file.out, PROFILE_PERIOD, sampled ? export->analysis.samples.period : 1);
}

static void put_head(struct pprof *pprof) {
    put_types(pprof);
    pprof->key_thread = pprof_string(&pprof->file, "thread");
    pprof->key_hart = pprof_string(&pprof->file, "hart");
    pprof->key_interrupt = pprof_string(&pprof->file, "interrupt");
    pprof->key_exception = pprof_string(&pprof->file, "exception");
    pprof_run(&pprof->file, pprof->export);
}

/* ---- Places ---- */

/* The id of a function, and of the location at its start; ids begin with 1. Instructions have the locations after
 * these. */
static uint64_t id_of(uint32_t function) {
    return (uint64_t)function + 1;
}

static uint32_t pseudo_of(const struct pprof *pprof, enum pseudo pseudo) {
    return (uint32_t)pprof->export->count + pseudo;
}

static void put_functions(struct pprof *pprof) {
    const struct gnomon_export *export = pprof->export;
    pprof_program(&pprof->file, export);
    for (uint32_t i = 0; i < export->count; i++) {
        const struct gnomon_name *name = &export->functions[i].name;
        pprof_function(&pprof->file, id_of(i), export->functions[i].label, name);
        pprof_location(&pprof->file, id_of(i), id_of(i), name->symbol && !name->module, name->address, name->line);
        pprof_flush(&pprof->file);
    }
    for (enum pseudo pseudo = 0; pseudo < PSEUDOS; pseudo++) {
        const uint64_t id = id_of(pseudo_of(pprof, pseudo));
        pprof_function(&pprof->file, id, pseudo_names[pseudo], NULL);
        pprof_location(&pprof->file, id, id, false, 0, 0);
    }
}

/* ---- Samples ---- */

/* Ends the sample whose locations and labels are in `list` and `part`. */
static void put_values(struct pprof *pprof, const uint64_t *values) {
    const struct gnomon_export *export = pprof->export;
    protobuf_item(&pprof->file.list, values[VALUE_CYCLES]);
    protobuf_item(&pprof->file.list, values[VALUE_CALLS]);
    if (export->with_instructions)
        protobuf_item(&pprof->file.list, values[VALUE_CHARGED]);
    for (unsigned i = 0; export->with_instructions && i < GNOMON_CAUSES; i++)
        if (export->instructions.causes[i])
            protobuf_item(&pprof->file.list, values[VALUE_CAUSES + i]);
    protobuf_message(&pprof->file.part, SAMPLE_VALUES, &pprof->file.list);
    protobuf_message(&pprof->file.out, PROFILE_SAMPLE, &pprof->file.part);
}

static void put_label(struct pprof *pprof, uint64_t key, unsigned field, uint64_t value) {
    protobuf_number(&pprof->file.inner, LABEL_KEY, key);
    protobuf_number(&pprof->file.inner, field, value);
    protobuf_message(&pprof->file.part, SAMPLE_LABEL, &pprof->file.inner);
}

/* `first`: the outermost function of the path. */
static void put_labels(struct pprof *pprof, uint64_t thread, unsigned hart, uint32_t first) {
    const uint32_t id = first < pprof->export->count ? pprof->export->functions[first].figures->id : 0;
    if (thread)
        put_label(pprof, pprof->key_thread, LABEL_STRING, thread);
    if (gnomon_analysis_of_both(&pprof->export->analysis))
        put_label(pprof, pprof->key_hart, LABEL_NUMBER, hart);
    if (id >= GNOMON_PROFILE_INTERRUPT && id < GNOMON_PROFILE_UNKNOWN)
        put_label(pprof, pprof->key_interrupt, LABEL_NUMBER, id - GNOMON_PROFILE_INTERRUPT);
    else if (id >= GNOMON_PROFILE_TRAP && id < GNOMON_PROFILE_UNKNOWN)
        put_label(pprof, pprof->key_exception, LABEL_NUMBER, id - GNOMON_PROFILE_TRAP);
}

/* A sample of a path; with `last`, of a place below it. Locations begin with the innermost. */
static void put_path(struct pprof *pprof, const struct gnomon_profile_path *paths, uint32_t index,
                     const enum pseudo *last, uint64_t thread, unsigned hart, const uint64_t *values) {
    uint32_t first = GNOMON_PROFILE_UNPROFILED;
    if (last)
        protobuf_item(&pprof->file.list, id_of(pseudo_of(pprof, *last)));
    for (; paths[index].parent != GNOMON_PROFILE_UNPROFILED; index = paths[index].parent) {
        first = paths[index].function;
        protobuf_item(&pprof->file.list, id_of(first));
    }
    protobuf_message(&pprof->file.part, SAMPLE_LOCATIONS, &pprof->file.list);
    put_labels(pprof, thread, hart, first);
    put_values(pprof, values);
}

static uint64_t thread_string(struct pprof *pprof, uint32_t thread) {
    char name[GNOMON_LOCK_NAME_BYTES];
    return thread == GNOMON_PROFILE_ALL_THREADS
               ? 0
               : pprof_string(&pprof->file, gnomon_thread_name(&pprof->export->names, thread, name));
}

/* The outermost path of a thread comes before its other paths, but the threads' paths are mixed: `threads` has the
 * string of each path's thread. */
static void put_paths(struct pprof *pprof, const struct gnomon_profile_path *paths, size_t count, uint64_t *threads) {
    static const enum pseudo unprofiled = UNPROFILED, lost = LOST;
    for (uint32_t i = 0; i < count; i++) {
        const bool outermost = paths[i].parent == GNOMON_PROFILE_UNPROFILED;
        threads[i] = outermost ? thread_string(pprof, paths[i].thread) : threads[paths[i].parent];
        for (unsigned hart = 0; hart < GNOMON_MAX_HARTS; hart++) {
            const uint64_t samples = hart ? 0 : paths[i].samples;
            const uint64_t values[MOST_VALUES] = {paths[i].self[hart], paths[i].calls[hart] + samples};
            const uint64_t lost_values[MOST_VALUES] = {paths[i].lost[hart]};
            if (values[VALUE_CYCLES] || values[VALUE_CALLS])
                put_path(pprof, paths, i, outermost ? &unprofiled : NULL, threads[i], hart, values);
            if (lost_values[VALUE_CYCLES])
                put_path(pprof, paths, i, &lost, threads[i], hart, lost_values);
        }
        pprof_flush(&pprof->file);
    }
}

static void put_cost(struct pprof *pprof, uint64_t location, const uint64_t causes[GNOMON_CAUSES]) {
    uint64_t values[MOST_VALUES] = {0};
    for (unsigned i = 0; i < GNOMON_CAUSES; i++) {
        values[VALUE_CAUSES + i] = causes[i];
        values[VALUE_CHARGED] += causes[i];
    }
    if (!values[VALUE_CHARGED])
        return;
    protobuf_item(&pprof->file.list, location);
    protobuf_message(&pprof->file.part, SAMPLE_LOCATIONS, &pprof->file.list);
    put_values(pprof, values);
}

/* What called the function of an instruction is not recorded, so these samples have no callers, except those that it
 * was inlined into. False: out of memory. */
static bool put_instructions(struct pprof *pprof) {
    struct gnomon_export *export = pprof->export;
    const struct gnomon_costs_rest rest = gnomon_costs_rest(&export->instructions);
    for (size_t i = 0; i < export->instructions.count; i++) {
        const struct gnomon_instruction *instruction = &export->instructions.list[i];
        const uint32_t owner = export->owners[i];
        const uint64_t id = id_of(pseudo_of(pprof, PSEUDOS)) + i;
        struct pprof_line lines[PPROF_MOST_LINES];
        const size_t count = pprof_inlined_lines(&pprof->inlined, instruction->address, id_of(owner), lines);
        if (!count)
            return false;
        pprof_location_lines(&pprof->file, id, !export->functions[owner].name.module, instruction->address, lines,
                             count);
        put_cost(pprof, id, instruction->cycles);
        pprof_flush(&pprof->file);
    }
    put_cost(pprof, id_of(pseudo_of(pprof, NOT_COUNTED)), rest.not_counted.causes);
    put_cost(pprof, id_of(pseudo_of(pprof, UNATTRIBUTED)), rest.unattributed.causes);
    return true;
}

static enum gnomon_status write_pprof(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    struct pprof pprof = {.export = export};
    size_t count;
    const struct gnomon_profile_path *paths = gnomon_profile_paths(export->profile, &count);
    uint64_t *threads = calloc(count + 1, sizeof *threads);
    if (!threads)
        return gnomon_fail_memory(error);
    pprof.inlined =
        (struct pprof_inlined){.export = export, .file = &pprof.file, .first = id_of(pseudo_of(&pprof, PSEUDOS))};
    enum gnomon_status status = pprof_open(&pprof.file, stream, error);
    if (!status) {
        put_head(&pprof);
        put_functions(&pprof);
        put_paths(&pprof, paths, count, threads);
        const bool good = !export->with_instructions || put_instructions(&pprof);
        status = pprof_close(&pprof.file, error);
        if (!status && !good)
            status = gnomon_fail_memory(error);
    }
    pprof_inlined_free(&pprof.inlined);
    free(threads);
    return status;
}

const struct gnomon_export_format gnomon_export_pprof = {
    .name = "pprof",
    .extension = "pb.gz",
    .description = "call paths with calls and what they took, instructions by stall cause: for pprof of Go (go tool "
                   "pprof), speedscope",
    .needs = GNOMON_EXPORT_PROFILE,
    .units = true,
    .binary = true,
    .write = write_pprof,
};
