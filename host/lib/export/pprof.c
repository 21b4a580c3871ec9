/* SPDX-License-Identifier: Apache-2.0 */
/* profile.proto, compressed, as pprof reads it: call paths with cycles and calls, labelled with thread and hart; and,
 * if the recording has them, instructions with their cycles by cause. The parts of a message may come in any order, so
 * the file is written without going back. */
#include <stdlib.h>
#include <string.h>

#include "lib/export/export.h"
#include "lib/export/gzip.h"
#include "lib/export/protobuf.h"

/* Numbers of fields, from profile.proto. */
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION, PROFILE_STRING };
enum { PROFILE_DURATION = 10, PROFILE_PERIOD_TYPE, PROFILE_PERIOD, PROFILE_COMMENT, PROFILE_DEFAULT_TYPE };
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STRING, LABEL_NUMBER };
enum { MAPPING_ID = 1, MAPPING_START, MAPPING_LIMIT, MAPPING_FILE = 5, MAPPING_BUILD_ID };
enum { MAPPING_HAS_FUNCTIONS = 7, MAPPING_HAS_FILES, MAPPING_HAS_LINES };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_LINE };

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
    struct gzip gzip;
    struct protobuf out, part, list, inner;
    uint64_t strings; /* written so far */
    uint64_t key_thread, key_hart;
};

/* Each string is written where it is used, and gets the next number. Only few are used more than once. */
static uint64_t put_string(struct pprof *pprof, const char *text) {
    protobuf_string(&pprof->out, PROFILE_STRING, text);
    return pprof->strings++;
}

static void flush(struct pprof *pprof) {
    gzip_put(&pprof->gzip, pprof->out.bytes, pprof->out.count);
    protobuf_clear(&pprof->out);
}

static void put_comment(void *context, const char *line) {
    struct pprof *pprof = context;
    protobuf_number(&pprof->out, PROFILE_COMMENT, put_string(pprof, line));
}

/* ---- Head ---- */

static uint64_t put_type(struct pprof *pprof, unsigned field, const char *type) {
    const uint64_t name = put_string(pprof, type), unit = put_string(pprof, "count");
    protobuf_number(&pprof->part, TYPE_TYPE, name);
    protobuf_number(&pprof->part, TYPE_UNIT, unit);
    protobuf_message(&pprof->out, field, &pprof->part);
    return name;
}

static void put_types(struct pprof *pprof) {
    const struct gnomon_export *export = pprof->export;
    const uint64_t cycles = put_type(pprof, PROFILE_SAMPLE_TYPE, "cycles");
    put_type(pprof, PROFILE_SAMPLE_TYPE, "calls");
    if (export->with_instructions)
        put_type(pprof, PROFILE_SAMPLE_TYPE, "charged");
    for (unsigned i = 0; export->with_instructions && i < GNOMON_CAUSES; i++)
        if (export->instructions.causes[i])
            put_type(pprof, PROFILE_SAMPLE_TYPE, gnomon_cause_key(i));
    protobuf_number(&pprof->out, PROFILE_DEFAULT_TYPE, cycles);
    put_type(pprof, PROFILE_PERIOD_TYPE, "cycles");
    protobuf_number(&pprof->out, PROFILE_PERIOD, 1);
}

static void put_head(struct pprof *pprof) {
    const struct gnomon_analysis *analysis = &pprof->export->analysis;
    put_string(pprof, ""); /* the first string must be empty */
    put_types(pprof);
    pprof->key_thread = put_string(pprof, "thread");
    pprof->key_hart = put_string(pprof, "hart");
    if (analysis->clock_hz)
        protobuf_number(&pprof->out, PROFILE_DURATION,
                        (uint64_t)((gnomon_uint128)pprof->export->sums->cycles * 1000000000 / analysis->clock_hz));
    gnomon_export_remarks(pprof->export, put_comment, pprof);
}

/* ---- Places ---- */

/* The program is mapping 1. It says that functions are known, so that pprof looks for no file. */
static void put_mapping(struct pprof *pprof, uint64_t id, const char *file, const char *build_id) {
    const uint64_t name = put_string(pprof, file), build = put_string(pprof, build_id);
    protobuf_number(&pprof->part, MAPPING_ID, id);
    protobuf_number(&pprof->part, MAPPING_START, 0);
    protobuf_number(&pprof->part, MAPPING_LIMIT, UINT64_C(1) << 32);
    protobuf_number(&pprof->part, MAPPING_FILE, name);
    protobuf_number(&pprof->part, MAPPING_BUILD_ID, build);
    protobuf_number(&pprof->part, MAPPING_HAS_FUNCTIONS, 1);
    protobuf_number(&pprof->part, MAPPING_HAS_FILES, 1);
    protobuf_number(&pprof->part, MAPPING_HAS_LINES, 1);
    protobuf_message(&pprof->out, PROFILE_MAPPING, &pprof->part);
}

static void put_function(struct pprof *pprof, uint64_t id, const char *label, const struct gnomon_name *name) {
    const uint64_t text = put_string(pprof, label);
    const uint64_t symbol = name && name->symbol ? put_string(pprof, name->symbol) : text;
    const uint64_t file = name && name->file ? put_string(pprof, name->file) : 0;
    protobuf_number(&pprof->part, FUNCTION_ID, id);
    protobuf_number(&pprof->part, FUNCTION_NAME, text);
    protobuf_number(&pprof->part, FUNCTION_SYSTEM_NAME, symbol);
    protobuf_number(&pprof->part, FUNCTION_FILE, file);
    protobuf_number(&pprof->part, FUNCTION_LINE, name ? name->line : 0);
    protobuf_message(&pprof->out, PROFILE_FUNCTION, &pprof->part);
}

static void put_location(struct pprof *pprof, uint64_t id, uint64_t function, bool program, uint32_t address,
                         unsigned line) {
    protobuf_number(&pprof->inner, LINE_FUNCTION, function);
    protobuf_number(&pprof->inner, LINE_LINE, line);
    protobuf_number(&pprof->part, LOCATION_ID, id);
    protobuf_number(&pprof->part, LOCATION_MAPPING, program ? 1 : 0);
    protobuf_number(&pprof->part, LOCATION_ADDRESS, address);
    protobuf_message(&pprof->part, LOCATION_LINE, &pprof->inner);
    protobuf_message(&pprof->out, PROFILE_LOCATION, &pprof->part);
}

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
    put_mapping(pprof, 1, export->analysis.elf_path ? export->analysis.elf_path : "",
                gnomon_symbols_build_id(export->analysis.symbols));
    for (uint32_t i = 0; i < export->count; i++) {
        const struct gnomon_name *name = &export->functions[i].name;
        put_function(pprof, id_of(i), export->functions[i].label, name);
        put_location(pprof, id_of(i), id_of(i), name->symbol && !name->module, name->address, name->line);
        flush(pprof);
    }
    for (enum pseudo pseudo = 0; pseudo < PSEUDOS; pseudo++) {
        const uint64_t id = id_of(pseudo_of(pprof, pseudo));
        put_function(pprof, id, pseudo_names[pseudo], NULL);
        put_location(pprof, id, id, false, 0, 0);
    }
}

/* ---- Samples ---- */

/* Ends the sample whose locations and labels are in `list` and `part`. */
static void put_values(struct pprof *pprof, const uint64_t *values) {
    const struct gnomon_export *export = pprof->export;
    protobuf_item(&pprof->list, values[VALUE_CYCLES]);
    protobuf_item(&pprof->list, values[VALUE_CALLS]);
    if (export->with_instructions)
        protobuf_item(&pprof->list, values[VALUE_CHARGED]);
    for (unsigned i = 0; export->with_instructions && i < GNOMON_CAUSES; i++)
        if (export->instructions.causes[i])
            protobuf_item(&pprof->list, values[VALUE_CAUSES + i]);
    protobuf_message(&pprof->part, SAMPLE_VALUES, &pprof->list);
    protobuf_message(&pprof->out, PROFILE_SAMPLE, &pprof->part);
}

static void put_labels(struct pprof *pprof, uint64_t thread, unsigned hart) {
    if (thread) {
        protobuf_number(&pprof->inner, LABEL_KEY, pprof->key_thread);
        protobuf_number(&pprof->inner, LABEL_STRING, thread);
        protobuf_message(&pprof->part, SAMPLE_LABEL, &pprof->inner);
    }
    if (!gnomon_analysis_of_both(&pprof->export->analysis))
        return;
    protobuf_number(&pprof->inner, LABEL_KEY, pprof->key_hart);
    protobuf_number(&pprof->inner, LABEL_NUMBER, hart);
    protobuf_message(&pprof->part, SAMPLE_LABEL, &pprof->inner);
}

/* A sample of a path; with `last`, of a place below it. Locations begin with the innermost. */
static void put_path(struct pprof *pprof, const struct gnomon_profile_path *paths, uint32_t index,
                     const enum pseudo *last, uint64_t thread, unsigned hart, const uint64_t *values) {
    if (last)
        protobuf_item(&pprof->list, id_of(pseudo_of(pprof, *last)));
    for (; paths[index].parent != GNOMON_PROFILE_UNPROFILED; index = paths[index].parent)
        protobuf_item(&pprof->list, id_of(paths[index].function));
    protobuf_message(&pprof->part, SAMPLE_LOCATIONS, &pprof->list);
    put_labels(pprof, thread, hart);
    put_values(pprof, values);
}

static uint64_t thread_string(struct pprof *pprof, uint32_t thread) {
    char name[GNOMON_LOCK_NAME_BYTES];
    return thread == GNOMON_PROFILE_ALL_THREADS
               ? 0
               : put_string(pprof, gnomon_thread_name(&pprof->export->names, thread, name));
}

/* The outermost path of a thread comes before its other paths, but the threads' paths are mixed: `threads` has the
 * string of each path's thread. */
static void put_paths(struct pprof *pprof, const struct gnomon_profile_path *paths, size_t count, uint64_t *threads) {
    static const enum pseudo unprofiled = UNPROFILED, lost = LOST;
    for (uint32_t i = 0; i < count; i++) {
        const bool outermost = paths[i].parent == GNOMON_PROFILE_UNPROFILED;
        threads[i] = outermost ? thread_string(pprof, paths[i].thread) : threads[paths[i].parent];
        for (unsigned hart = 0; hart < GNOMON_MAX_HARTS; hart++) {
            const uint64_t values[MOST_VALUES] = {paths[i].self[hart], paths[i].calls[hart]};
            const uint64_t lost_values[MOST_VALUES] = {paths[i].lost[hart]};
            if (values[VALUE_CYCLES] || values[VALUE_CALLS])
                put_path(pprof, paths, i, outermost ? &unprofiled : NULL, threads[i], hart, values);
            if (lost_values[VALUE_CYCLES])
                put_path(pprof, paths, i, &lost, threads[i], hart, lost_values);
        }
        flush(pprof);
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
    protobuf_item(&pprof->list, location);
    protobuf_message(&pprof->part, SAMPLE_LOCATIONS, &pprof->list);
    put_values(pprof, values);
}

/* What called the function of an instruction is not recorded, so these samples have no callers. */
static void put_instructions(struct pprof *pprof) {
    struct gnomon_export *export = pprof->export;
    const struct gnomon_costs_rest rest = gnomon_costs_rest(&export->instructions);
    for (size_t i = 0; i < export->instructions.count; i++) {
        const struct gnomon_instruction *instruction = &export->instructions.list[i];
        const uint32_t owner = export->owners[i];
        const uint64_t id = id_of(pseudo_of(pprof, PSEUDOS)) + i;
        struct gnomon_line line = {0};
        gnomon_export_source(export, instruction->address, &line);
        put_location(pprof, id, id_of(owner), !export->functions[owner].name.module, instruction->address, line.line);
        put_cost(pprof, id, instruction->cycles);
        flush(pprof);
    }
    put_cost(pprof, id_of(pseudo_of(pprof, NOT_COUNTED)), rest.not_counted.causes);
    put_cost(pprof, id_of(pseudo_of(pprof, UNATTRIBUTED)), rest.unattributed.causes);
}

static enum gnomon_status write_pprof(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    struct pprof pprof = {.export = export};
    size_t count;
    const struct gnomon_profile_path *paths = gnomon_profile_paths(export->profile, &count);
    uint64_t *threads = calloc(count + 1, sizeof *threads);
    if (!threads)
        return gnomon_fail_memory(error);
    enum gnomon_status status = gzip_open(&pprof.gzip, stream, error);
    if (!status) {
        put_head(&pprof);
        put_functions(&pprof);
        put_paths(&pprof, paths, count, threads);
        if (export->with_instructions)
            put_instructions(&pprof);
        flush(&pprof);
        gzip_close(&pprof.gzip);
        if (pprof.out.failed)
            status = gnomon_fail_memory(error);
    }
    free(threads);
    protobuf_free(&pprof.out);
    protobuf_free(&pprof.part);
    protobuf_free(&pprof.list);
    protobuf_free(&pprof.inner);
    return status;
}

const struct gnomon_export_format gnomon_export_pprof = {
    .name = "pprof",
    .extension = "pb.gz",
    .description =
        "call paths with cycles and calls, instructions by cause: for pprof of Go (go tool pprof), speedscope",
    .needs = GNOMON_EXPORT_PROFILE,
    .binary = true,
    .write = write_pprof,
};
