/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/export/pprof_samples.h"

#include <stdlib.h>
#include <string.h>

#include "lib/export/pprof_file.h"
#include "lib/profile/code.h"
#include "lib/util/bytes.h"

#define WORD_BYTES 8

static int by_address(const void *a, const void *b) {
    const struct gnomon_export_sample *left = a, *right = b;
    return (left->address > right->address) - (left->address < right->address);
}

/* Adds the samples of an address; returns how many addresses there are. */
static size_t add_up(struct gnomon_export_sample *list, size_t count) {
    size_t kept = 0;
    if (count)
        qsort(list, count, sizeof *list, by_address);
    for (size_t i = 0; i < count; i++)
        if (kept && list[kept - 1].address == list[i].address) {
            list[kept - 1].samples += list[i].samples;
            list[kept - 1].events += list[i].events;
        } else {
            list[kept++] = list[i];
        }
    return kept;
}

/* ---- profile.proto ---- */

/* An address is in the function before it, or in a new one. */
static void put_place(struct pprof_file *file, const struct gnomon_export *export, uint32_t address, uint64_t id,
                      struct gnomon_code *last, uint64_t *function) {
    struct gnomon_code code;
    gnomon_code_at(&code, export->analysis.symbols, export->analysis.modules, address);
    if (!*function || gnomon_code_compare(&code, last) != 0) {
        const struct gnomon_function *known = code.function;
        const struct gnomon_name name = {.symbol = known ? known->symbol : NULL,
                                         .file = known ? known->file : NULL,
                                         .line = known ? known->line : 0};
        *function = id;
        pprof_function(file, id, gnomon_code_name(&code, export->analysis.raw_names), &name);
    }
    *last = code;
    pprof_location(file, id, *function, !code.module, address, code.function ? code.function->line : 0);
}

static void put_sample(struct pprof_file *file, uint64_t location, const struct gnomon_export_sample *sample) {
    protobuf_item(&file->list, location);
    protobuf_message(&file->part, SAMPLE_LOCATIONS, &file->list);
    protobuf_item(&file->list, sample->samples);
    protobuf_item(&file->list, sample->events);
    protobuf_message(&file->part, SAMPLE_VALUES, &file->list);
    protobuf_message(&file->out, PROFILE_SAMPLE, &file->part);
    pprof_flush(file);
}

static enum gnomon_status write_proto(const struct gnomon_export_samples *samples, size_t count, FILE *stream,
                                      struct gnomon_error *error) {
    struct pprof_file file;
    struct gnomon_code last;
    uint64_t function = 0;
    enum gnomon_status status = pprof_open(&file, stream, error);
    if (status)
        return status;
    pprof_type(&file, PROFILE_SAMPLE_TYPE, "samples", "count");
    protobuf_number(&file.out, PROFILE_DEFAULT_TYPE, pprof_type(&file, PROFILE_SAMPLE_TYPE, samples->event, "count"));
    pprof_type(&file, PROFILE_PERIOD_TYPE, samples->event, "count");
    protobuf_number(&file.out, PROFILE_PERIOD, samples->period);
    for (const char *const *remark = samples->remarks; *remark; remark++)
        protobuf_number(&file.out, PROFILE_COMMENT, pprof_string(&file, *remark));
    pprof_program(&file, samples->export);
    for (size_t i = 0; i < count; i++) {
        put_place(&file, samples->export, samples->list[i].address, i + 1, &last, &function);
        put_sample(&file, i + 1, &samples->list[i]);
    }
    return pprof_close(&file, error);
}

/* ---- The format of gperftools, without symbols: the reader asks for them ---- */

static void put_words(FILE *stream, const uint64_t *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint8_t little[WORD_BYTES];
        gnomon_put_little(little, WORD_BYTES, words[i]);
        fwrite(little, 1, WORD_BYTES, stream);
    }
}

static void write_legacy(const struct gnomon_export_samples *samples, size_t count, FILE *stream) {
    static const uint64_t header[] = {0, 3, 0, 1, 0}, end[] = {0, 1, 0};
    put_words(stream, header, sizeof header / sizeof *header);
    for (size_t i = 0; i < count; i++) {
        const uint64_t one[] = {samples->list[i].events, 1, samples->list[i].address};
        put_words(stream, one, sizeof one / sizeof *one);
    }
    put_words(stream, end, sizeof end / sizeof *end);
}

enum gnomon_status gnomon_export_write_samples(const struct gnomon_export_samples *samples, bool legacy, FILE *stream,
                                               struct gnomon_error *error) {
    const size_t count = add_up(samples->list, samples->count);
    if (!legacy)
        return write_proto(samples, count, stream, error);
    write_legacy(samples, count, stream);
    return GNOMON_OK;
}
