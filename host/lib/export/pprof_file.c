/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/export/pprof_file.h"

enum gnomon_status pprof_open(struct pprof_file *file, FILE *stream, struct gnomon_error *error) {
    *file = (struct pprof_file){0};
    enum gnomon_status status = gzip_open(&file->gzip, stream, error);
    if (!status)
        pprof_string(file, ""); /* the first string must be empty */
    return status;
}

enum gnomon_status pprof_close(struct pprof_file *file, struct gnomon_error *error) {
    pprof_flush(file);
    gzip_close(&file->gzip);
    const bool failed = file->out.failed;
    protobuf_free(&file->out);
    protobuf_free(&file->part);
    protobuf_free(&file->list);
    protobuf_free(&file->inner);
    return failed ? gnomon_fail_memory(error) : GNOMON_OK;
}

uint64_t pprof_string(struct pprof_file *file, const char *text) {
    protobuf_string(&file->out, PROFILE_STRING, text);
    return file->strings++;
}

void pprof_flush(struct pprof_file *file) {
    gzip_put(&file->gzip, file->out.bytes, file->out.count);
    protobuf_clear(&file->out);
}

uint64_t pprof_type(struct pprof_file *file, unsigned field, const char *type, const char *unit) {
    const uint64_t name = pprof_string(file, type), number = pprof_string(file, unit);
    protobuf_number(&file->part, TYPE_TYPE, name);
    protobuf_number(&file->part, TYPE_UNIT, number);
    protobuf_message(&file->out, field, &file->part);
    return name;
}

static void put_comment(void *context, const char *line) {
    struct pprof_file *file = context;
    protobuf_number(&file->out, PROFILE_COMMENT, pprof_string(file, line));
}

void pprof_run(struct pprof_file *file, const struct gnomon_export *export) {
    const struct gnomon_analysis *analysis = &export->analysis;
    const uint64_t cycles = export->sums ? export->sums->cycles : gnomon_analysis_stats(analysis)->last_cycle;
    if (analysis->clock_hz && gnomon_analysis_in_cycles(analysis))
        protobuf_number(&file->out, PROFILE_DURATION,
                        (uint64_t)((gnomon_uint128)cycles * 1000000000 / analysis->clock_hz));
    gnomon_export_remarks(export, put_comment, file);
}

/* The program is mapping 1. It says that functions are known, so that pprof looks for no file. */
void pprof_program(struct pprof_file *file, const struct gnomon_export *export) {
    const char *path = export->analysis.elf_path;
    const uint64_t name = pprof_string(file, path ? path : "");
    const uint64_t build = pprof_string(file, gnomon_symbols_build_id(export->analysis.symbols));
    protobuf_number(&file->part, MAPPING_ID, 1);
    protobuf_number(&file->part, MAPPING_START, 0);
    protobuf_number(&file->part, MAPPING_LIMIT, UINT64_C(1) << 32);
    protobuf_number(&file->part, MAPPING_FILE, name);
    protobuf_number(&file->part, MAPPING_BUILD_ID, build);
    protobuf_number(&file->part, MAPPING_HAS_FUNCTIONS, 1);
    protobuf_number(&file->part, MAPPING_HAS_FILES, 1);
    protobuf_number(&file->part, MAPPING_HAS_LINES, 1);
    protobuf_message(&file->out, PROFILE_MAPPING, &file->part);
}

void pprof_function(struct pprof_file *file, uint64_t id, const char *label, const struct gnomon_name *name) {
    const uint64_t text = pprof_string(file, label);
    const uint64_t symbol = name && name->symbol ? pprof_string(file, name->symbol) : text;
    const uint64_t source = name && name->file ? pprof_string(file, name->file) : 0;
    protobuf_number(&file->part, FUNCTION_ID, id);
    protobuf_number(&file->part, FUNCTION_NAME, text);
    protobuf_number(&file->part, FUNCTION_SYSTEM_NAME, symbol);
    protobuf_number(&file->part, FUNCTION_FILE, source);
    protobuf_number(&file->part, FUNCTION_LINE, name ? name->line : 0);
    protobuf_message(&file->out, PROFILE_FUNCTION, &file->part);
}

void pprof_location(struct pprof_file *file, uint64_t id, uint64_t function, bool program, uint32_t address,
                    unsigned line) {
    const struct pprof_line only = {function, line};
    pprof_location_lines(file, id, program, address, &only, 1);
}

void pprof_location_lines(struct pprof_file *file, uint64_t id, bool program, uint32_t address,
                          const struct pprof_line *lines, size_t count) {
    protobuf_number(&file->part, LOCATION_ID, id);
    protobuf_number(&file->part, LOCATION_MAPPING, program ? 1 : 0);
    protobuf_number(&file->part, LOCATION_ADDRESS, address);
    for (size_t i = 0; i < count; i++) {
        protobuf_number(&file->inner, LINE_FUNCTION, lines[i].function);
        protobuf_number(&file->inner, LINE_LINE, lines[i].line);
        protobuf_message(&file->part, LOCATION_LINE, &file->inner);
    }
    protobuf_message(&file->out, PROFILE_LOCATION, &file->part);
}
